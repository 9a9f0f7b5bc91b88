/* SPDX-License-Identifier: MIT */
/*
 * A text that one thread writes while the server sends it: server-sent events, or one long answer. Two hold it, the writer
 * and the server; it is freed when both have let go.
 *
 *     writer, any thread     stream_write ... stream_end, stream_release
 *     server, its thread     stream_take ..., stream_abandon
 *
 * A reader that takes nothing costs memory up to STREAM_MAX; then the stream counts as abandoned.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

enum { STREAM_MAX = 4 << 20 };

typedef struct Stream Stream;

/* Held twice, by the writer and by the server. wake, the caller's, is given to http_wake for all that is written. NULL: no memory. */
Stream *stream_create(int wake);

/* ---- the writer ---- */

/* Appends bytes. False: nobody will read them, and the writer should come to an end. */
bool stream_write(Stream *s, const char *bytes, size_t n);
/* Does nobody read it any more? */
bool stream_is_abandoned(Stream *s);
/* What was written is all. */
void stream_end(Stream *s);
/* The writer lets go. */
void stream_release(Stream *s);

/* ---- the server ---- */

typedef enum { STREAM_BYTES, STREAM_WAITS, STREAM_ENDED } StreamState;

/* What there is to take. */
StreamState stream_state(Stream *s);
/* Takes up to `room` bytes, and returns how many. */
size_t stream_take(Stream *s, char *out, size_t room);
/* The server lets go: the connection is closed. */
void stream_abandon(Stream *s);

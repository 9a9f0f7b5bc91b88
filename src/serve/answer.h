/* SPDX-License-Identifier: MIT */
/*
 * What the page asks for, as a JSON object: a whole reply, or an event of a stream.
 *
 *     Answer a;
 *     if (!answer_begin_reply(&a, request)) return;    or answer_begin(&a, the event's name: "line")
 *     tabia_json_count(&a.json, "member", 1);          and what else is in the object, which is open
 *     answer_reply(&a, request);                       or answer_send(&a, stream)
 */
#pragma once
#include <stdio.h>

#include "base/json.h"
#include "notation/move_text.h"
#include "serve/http.h"

typedef struct {
    FILE *out;
    char *text;
    size_t n;
    Json json;
    bool is_event;
} Answer;

/* False: no memory, and there is nothing to end. */
bool answer_begin(Answer *a, const char *event);
/* A reply's; without memory the request has been answered so. */
bool answer_begin_reply(Answer *a, HttpRequest *request);
/* Each closes the object and frees what it took. answer_send: false where nobody reads the stream. */
void answer_reply(Answer *a, HttpRequest *request);
bool answer_send(Answer *a, Stream *stream);

/* The members `move` and `san` of a legal move, in the object that is open. */
void answer_move(Json *j, const Position *p, Move m);

/* {"error": "..."}, as a reply or as the event `error`. */
void answer_error(HttpRequest *request, const TabiaError *error);
void answer_send_error(Stream *stream, const TabiaError *error);

/* SPDX-License-Identifier: MIT */
/* Lines out of what another program writes (base/process.h), which comes in pieces of any length. One thread. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

enum { LINE_BUFFER_BYTES = 4096 };

/* Who reads appends to the bytes, and sets `end` behind the last; all zero at first. */
typedef struct {
    bool skip; /* the rest of a long line is passed over */
    bool end;
    size_t have; /* bytes that are not yet given out */
    char bytes[LINE_BUFFER_BYTES];
} LineBuffer;

/* The next line, as tabia_process_read has it. False: there is none yet, and room for more bytes. */
bool tabia_line_take(LineBuffer *l, char *line, size_t room);

/* SPDX-License-Identifier: MIT */
#include "base/line_buffer.h"

#include <assert.h>
#include <string.h>

/* Gives out `length` bytes of the buffer as a line, and drops them with the `mark` bytes after them. */
static void copy_line(LineBuffer *l, size_t length, size_t mark, char *line, size_t room) {
    size_t shown = length;
    assert(length + mark <= l->have && room > 0);
    if (shown && l->bytes[shown - 1] == '\r') shown--;
    if (shown >= room) shown = room - 1;
    memcpy(line, l->bytes, shown);
    for (size_t i = 0; i < shown; i++)
        if (!line[i]) line[i] = ' ';
    line[shown] = '\0';
    l->have -= length + mark;
    memmove(l->bytes, l->bytes + length + mark, l->have);
}

/* A buffer that is full without an end of line counts as a line, and its rest is skipped. */
bool tabia_line_take(LineBuffer *l, char *line, size_t room) {
    const char *end = memchr(l->bytes, '\n', l->have);
    if (l->skip) {
        const size_t drop = end ? (size_t)(end - l->bytes) + 1 : l->have;
        l->skip = !end;
        l->have -= drop;
        memmove(l->bytes, l->bytes + drop, l->have);
        end = memchr(l->bytes, '\n', l->have);
    }
    if (end)
        copy_line(l, (size_t)(end - l->bytes), 1, line, room);
    else if (l->have == LINE_BUFFER_BYTES || (l->end && l->have)) {
        l->skip = l->have == LINE_BUFFER_BYTES;
        copy_line(l, l->have, 0, line, room);
    } else {
        return false;
    }
    return true;
}

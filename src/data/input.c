/* SPDX-License-Identifier: MIT */
#include "data/input.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/stop.h"

/* Waits for input or its end. False if the program is asked to stop. The wait has a timeout, because a signal that comes
   just before poll() does not interrupt it. */
static bool wait_for_bytes(const DataInput *in) {
    enum { POLL_MILLISECONDS = 100 };
    struct pollfd request = {.fd = in->fd, .events = POLLIN};
    while (!tabia_stop_requested())
        if (poll(&request, 1, POLL_MILLISECONDS) > 0) return true;
    return false;
}

/* No more is read; what is in the window is all that is left. */
static void end_input(DataInput *in, int error, const char *damage) {
    if (in->owned && in->fd > STDIN_FILENO) close(in->fd);
    in->fd = -1;
    in->error = error;
    in->damage = damage;
}

/* Reads up to n bytes. 0: the input has ended or failed, or the program is asked to stop. */
static size_t read_some(DataInput *in, uint8_t *to, size_t n, bool *at_end) {
    while (wait_for_bytes(in)) {
        const ssize_t got = read(in->fd, to, n);
        if (got > 0) return (size_t)got;
        if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        *at_end = true;
        if (got < 0) end_input(in, errno, NULL);
        break;
    }
    return 0;
}

static void fill_with_decompressed(DataInput *in) {
    bool at_end = false;
    for (;;) {
        in->end += data_decompress(in->decompressor, in->window + in->end, in->capacity - in->end);
        if (in->end == in->capacity) return;
        if (data_decompressor_at_end(in->decompressor))
            return end_input(in, 0, data_decompressor_error(in->decompressor));
        size_t room;
        uint8_t *to = data_decompressor_input(in->decompressor, &room);
        const size_t n = read_some(in, to, room, &at_end);
        if (in->fd < 0 || (!n && !at_end)) return;
        data_decompressor_add(in->decompressor, n);
    }
}

static void fill_with_read(DataInput *in, size_t capacity) {
    bool at_end = false;
    while (in->end < capacity) {
        const size_t n = read_some(in, in->window + in->end, capacity - in->end, &at_end);
        if (at_end && in->fd >= 0) end_input(in, 0, NULL);
        if (!n) return;
        in->end += n;
    }
}

/* Looks whether the input is compressed. */
static void start_input(DataInput *in) {
    in->started = true;
    fill_with_read(in, DATA_COMPRESSION_MAGIC_BYTES);
    if (in->end < DATA_COMPRESSION_MAGIC_BYTES || !data_is_compressed(in->window)) return;
    in->end = 0;
    in->decompressor = data_decompressor_create(in->window);
    if (!in->decompressor) end_input(in, ENOMEM, NULL);
}

/* Moves the unread bytes to the front of the window and reads more behind them. */
static void fill_window(DataInput *in) {
    assert(in->begin <= in->end && in->end <= in->capacity);
    memmove(in->window, in->window + in->begin, in->end - in->begin);
    in->window_offset += in->begin;
    in->end -= in->begin;
    in->begin = 0;
    if (!in->started) start_input(in);
    if (in->decompressor && in->fd >= 0) fill_with_decompressed(in);
    if (!in->decompressor && in->fd >= 0) fill_with_read(in, in->capacity);
}

size_t data_input_available(DataInput *in, size_t n) {
    assert(n <= DATA_WINDOW_BYTES);
    if (UNLIKELY(in->end - in->begin < n) && in->fd >= 0) fill_window(in);
    return in->end - in->begin < n ? in->end - in->begin : n;
}

void data_skip_byte_order_mark(DataInput *in) {
    if (data_input_offset(in)) return;
    if (data_input_available(in, DATA_BYTE_ORDER_MARK_BYTES) == DATA_BYTE_ORDER_MARK_BYTES &&
        !memcmp(data_input_bytes(in), data_byte_order_mark, DATA_BYTE_ORDER_MARK_BYTES))
        in->begin += DATA_BYTE_ORDER_MARK_BYTES;
}

void data_input_close(DataInput *in) {
    if (!in->owned) return;
    if (in->fd > STDIN_FILENO) close(in->fd);
    free(in->window);
    data_decompressor_free(in->decompressor);
}

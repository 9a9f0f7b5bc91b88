/* SPDX-License-Identifier: MIT */
#include "data/input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/stop.h"
#include "base/system.h"

/* Waits for input or its end. False if the program is asked to stop. The wait has a timeout, because a signal that comes
   just before poll() does not interrupt it. */
static bool wait_for_bytes(const DataInput *in) {
    enum { POLL_MILLISECONDS = 100 };
    while (!tabia_stop_requested())
        if (tabia_file_wait(in->fd, POLL_MILLISECONDS)) return true;
    return false;
}

/* No more is read; what is in the window is all that is left. */
static void end_input(DataInput *in, int error) {
    if (in->owned && in->fd > STDIN_FILENO) close(in->fd);
    in->fd = -1;
    in->error = error;
}

/* Ends the input before the first block that is not valid. */
static void reject_rest(DataInput *in) {
    const uint64_t valid = data_checksums_bytes(in->checksums), at = in->window_offset + in->begin;
    in->end = valid > at ? (size_t)(valid - in->window_offset) : in->begin;
    end_input(in, EBADMSG);
}

static bool is_verified(DataInput *in) {
    return !in->checksums ||
           data_checksums_cover(in->checksums, in->window_offset + in->begin, in->window_offset + in->end);
}

/* Reads until the window is full, the input has ended or failed, or the program is asked to stop. */
static void read_to_capacity(DataInput *in) {
    while (in->end < in->capacity && wait_for_bytes(in)) {
        const ssize_t got = read(in->fd, in->window + in->end, in->capacity - in->end);
        if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (!got && in->checksums && !data_checksums_end(in->checksums)) return reject_rest(in);
        if (got <= 0) return end_input(in, got < 0 ? errno : 0);
        in->end += (size_t)got;
        if (!is_verified(in)) return reject_rest(in);
    }
}

/* Moves the unread bytes to the front of the window and reads more behind them. */
static void fill_window(DataInput *in) {
    assert(in->begin <= in->end && in->end <= in->capacity);
    memmove(in->window, in->window + in->begin, in->end - in->begin);
    in->window_offset += in->begin;
    in->end -= in->begin;
    in->begin = 0;
    read_to_capacity(in);
}

size_t data_input_available(DataInput *in, size_t n) {
    assert(n <= DATA_WINDOW_BYTES);
    if (UNLIKELY(in->end - in->begin < n) && in->fd >= 0) fill_window(in);
    return in->end - in->begin < n ? in->end - in->begin : n;
}

void data_input_verify(DataInput *in, DataChecksums *checksums) {
    in->checksums = checksums;
    if (!is_verified(in) || (in->fd < 0 && !in->error && !data_checksums_end(checksums))) reject_rest(in);
}

const char *data_input_reason(const DataInput *in) {
    return in->error == EBADMSG && in->checksums ? data_checksums_reason(in->checksums) : strerror(in->error);
}

void data_skip_byte_order_mark(DataInput *in) {
    if (data_input_offset(in)) return;
    if (data_input_available(in, DATA_BYTE_ORDER_MARK_BYTES) == DATA_BYTE_ORDER_MARK_BYTES &&
        !memcmp(data_input_bytes(in), data_byte_order_mark, DATA_BYTE_ORDER_MARK_BYTES))
        in->begin += DATA_BYTE_ORDER_MARK_BYTES;
}

void data_input_close(DataInput *in) {
    if (!in->owned) return;
    data_checksums_close(in->checksums);
    if (in->fd > STDIN_FILENO) close(in->fd);
    free(in->window);
}

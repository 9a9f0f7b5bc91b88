/* SPDX-License-Identifier: MIT */
/*
 * The file in three parts; only good records are ever followed by a new one:
 *
 *   | first line | records, perhaps with damaged lines between them | what is cut off |
 *   0            header_bytes                                     end                 size
 *
 * Writes go to `end`, never "to the end of the file": after a write that failed half-way the next one covers its
 * remains.
 */
#include "perft/ledger.h"

#include "base/file_calls.h"
#include "base/random.h"
#include "base/system.h"
#include "base/text.h"
#include "base/time.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAGIC "tabia-ledger "

enum {
    VERSION = 1,
    SUM_DIGITS = 16,
    HEADER_MAX = sizeof MAGIC + 20 + 1 + SUM_DIGITS + 1 + LEDGER_RUN_MAX + 2,
    RECORD_MAX = 20 + 1 + 39 + 1 + SUM_DIGITS + 2, /* 2^64-1, 2^128-1, checksum, line break, '\0' */
    READ_BYTES = 1 << 16,
};

struct Ledger {
    int fd;
    uint64_t fingerprint; /* of the run */
    uint64_t end;         /* of the last good record */
    double synced_at;     /* when the disk last had everything, by tabia_clock_wall */
    bool unsynced;        /* the disk may lack something */
    pthread_mutex_t lock; /* end, synced_at, unsynced, and the order of writes */
    char *file_name;
};

/* One step of all checksums here. For a given sum it is one to one in the word and the other way round: two lines that
   differ in one word never have the same sum. */
static uint64_t mix(uint64_t sum, uint64_t word) {
    uint64_t state = sum ^ word;
    return random_next(&state);
}

static uint64_t run_fingerprint(const char *run) {
    uint64_t sum = VERSION;
    size_t length = strlen(run);
    for (size_t i = 0; i < length; i++) sum = mix(sum, (unsigned char)run[i]);
    return mix(sum, length);
}

static size_t write_header(const char *run, char out[HEADER_MAX]) {
    return (size_t)snprintf(out, HEADER_MAX, MAGIC "%d %016" PRIx64 " %s\n", VERSION, run_fingerprint(run), run);
}

static size_t write_record(uint64_t fingerprint, uint64_t unit, U128 n, char out[RECORD_MAX]) {
    char text[U128_TEXT_MAX];
    tabia_u128_text(n, text);
    uint64_t sum = mix(mix(mix(fingerprint, unit), (uint64_t)n), (uint64_t)(n >> 64));
    return (size_t)snprintf(out, RECORD_MAX, "%" PRIu64 " %s %016" PRIx64 "\n", unit, text, sum);
}

/* Is this line, its break included, a record? Read loosely, then written again and compared: there is but one right
   spelling of a record. */
static bool read_record(uint64_t fingerprint, const char *line, size_t length, uint64_t *unit, U128 *n) {
    char fields[RECORD_MAX], again[RECORD_MAX];
    if (length >= RECORD_MAX || memchr(line, '\0', length)) return false;
    memcpy(fields, line, length);
    fields[length] = '\0';
    char *count_at = strchr(fields, ' ');
    if (!count_at) return false;
    *count_at++ = '\0';
    char *sum_at = strchr(count_at, ' ');
    if (!sum_at) return false;
    *sum_at = '\0';
    U128 number;
    if (!tabia_u128_parse(fields, &number) || number > UINT64_MAX || !tabia_u128_parse(count_at, n)) return false;
    *unit = (uint64_t)number;
    return write_record(fingerprint, *unit, *n, again) == length && memcmp(line, again, length) == 0;
}

/* As many bytes as there are, up to `max`; -1 with errno set on failure. */
static ssize_t read_at(int fd, char *bytes, size_t max, uint64_t at) {
    size_t done = 0;
    while (done < max) {
        const int64_t n = tabia_file_pread(fd, bytes + done, max - done, at + done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return -1;
        if (n == 0) break;
        done += (size_t)n;
    }
    return (ssize_t)done;
}

static bool io_error(const Ledger *l, const char *doing, TabiaError *error) {
    return tabia_fail(error, "ledger %.150s: cannot %s: %s", l->file_name, doing, strerror(errno));
}

static bool sync_now(Ledger *l) {
    l->synced_at = tabia_clock_wall();
    l->unsynced = !tabia_file_sync(l->fd);
    return !l->unsynced;
}

/* Opens or makes the file and shuts others out. */
static bool open_locked(Ledger *l, uint64_t *size, TabiaError *error) {
    struct stat status;
    l->fd = tabia_file_open_write(l->file_name);
    if (l->fd < 0) return io_error(l, "open it", error);
    if (fstat(l->fd, &status) != 0) return io_error(l, "look at it", error);
    if (!S_ISREG(status.st_mode)) return tabia_fail(error, "ledger %.150s: not a regular file", l->file_name);
    if (!tabia_file_lock(l->fd, false)) {
        if (errno != EWOULDBLOCK) return io_error(l, "lock it", error);
        return tabia_fail(error, "ledger %.150s: in use by another process; one run at a time", l->file_name);
    }
    /* Again: before the lock, another process may have been writing. */
    if (fstat(l->fd, &status) != 0) return io_error(l, "look at it", error);
    *size = (uint64_t)status.st_size;
    return true;
}

/* The run that a file's beginning names, which lies in line; NULL with an error if that is no ledger's first line. */
static const char *read_header(const char *file_name, const char *have, char line[HEADER_MAX], TabiaError *error) {
    if (strncmp(have, MAGIC, sizeof MAGIC - 1) != 0)
        return tabia_fail(error, "%.150s: not a ledger; the file is left as it is", file_name), NULL;
    char again[HEADER_MAX], *rest;
    size_t length = strcspn(have, "\n");
    memcpy(line, have, length);
    line[length] = '\0';
    long version = strtol(line + sizeof MAGIC - 1, &rest, 10);
    if (version > VERSION)
        return tabia_fail(error,
                          "ledger %.150s: format version %ld, but this program knows %d; the file is left as it is",
                          file_name, version, VERSION),
               NULL;
    /* If all is well, " fingerprint run" is left. */
    const char *its_run = strlen(rest) >= SUM_DIGITS + 2 ? rest + SUM_DIGITS + 2 : "";
    size_t whole = strlen(its_run) <= LEDGER_RUN_MAX ? write_header(its_run, again) : 0;
    if (whole == length + 1 && strncmp(have, again, whole) == 0) return its_run;
    return tabia_fail(error, "ledger %.150s: its first line is damaged; the file is left as it is", file_name), NULL;
}

/* Why a file that does not begin with this run's first line is refused. `have` is its beginning. */
static bool refuse(const Ledger *l, const char *have, const char *run, TabiaError *error) {
    char line[HEADER_MAX];
    const char *its_run = read_header(l->file_name, have, line, error);
    if (!its_run) return false;
    return tabia_fail(error, "ledger %.80s: of another run: \"%.120s\", not \"%.120s\"; the file is left as it is",
                      l->file_name, its_run, run);
}

/* Sees to it that the file begins with this run's first line: l->end is set behind it. */
static bool check_header(Ledger *l, const char *run, uint64_t size, TabiaError *error) {
    char want[HEADER_MAX], have[HEADER_MAX];
    size_t length = write_header(run, want);
    ssize_t got = read_at(l->fd, have, sizeof have - 1, 0);
    if (got < 0) return io_error(l, "read it", error);
    have[got] = '\0';
    l->end = length;
    if ((size_t)got >= length && memcmp(have, want, length) == 0) return true;
    /* A new file, or one whose making was cut short: it holds nothing yet. */
    bool begun = size == (uint64_t)got && (size_t)got < length && memcmp(have, want, (size_t)got) == 0;
    if (!begun) return refuse(l, have, run, error);
    if (tabia_file_write_all(l->fd, want, length, 0) && sync_now(l) && tabia_folder_sync(l->file_name)) return true;
    io_error(l, "write its first line", error);
    return tabia_file_truncate(l->fd, 0) && false;
}

typedef struct {
    LedgerVisit *visit;
    void *context;
    uint64_t good_bytes;
} LedgerScan;

/* Visits the records among the whole lines of a piece of the file; the bytes of those lines, or, if there is none, of
   the piece: what is left of a damaged line passes for a damaged line itself. */
static size_t scan_lines(Ledger *l, const char *piece, size_t length, uint64_t at, LedgerScan *scan) {
    const char *line = piece, *stop = piece + length, *line_break;
    while ((line_break = memchr(line, '\n', (size_t)(stop - line)))) {
        size_t bytes = (size_t)(line_break + 1 - line);
        uint64_t unit;
        U128 n;
        if (read_record(l->fingerprint, line, bytes, &unit, &n)) {
            scan->visit(scan->context, unit, n);
            scan->good_bytes += bytes;
            l->end = at + (uint64_t)(line_break + 1 - piece);
        }
        line = line_break + 1;
    }
    return line > piece ? (size_t)(line - piece) : length;
}

static bool scan_records(Ledger *l, LedgerScan *scan, TabiaError *error) {
    char *piece = malloc(READ_BYTES);
    if (!piece) return tabia_fail(error, "no memory to read ledger %.150s", l->file_name);
    ssize_t got;
    for (uint64_t at = l->end; (got = read_at(l->fd, piece, READ_BYTES, at)) > 0;)
        at += scan_lines(l, piece, (size_t)got, at, scan);
    free(piece);
    return got == 0 || io_error(l, "read it", error);
}

static bool open_ledger(Ledger *l, const char *run, LedgerScan *scan, uint64_t *cut_bytes, TabiaError *error) {
    uint64_t size = 0;
    if (!open_locked(l, &size, error) || !check_header(l, run, size, error)) return false;
    uint64_t header_bytes = l->end;
    assert(header_bytes > 0 && header_bytes < HEADER_MAX);
    if (!scan_records(l, scan, error)) return false;
    if (size > l->end) {
        if (!tabia_file_truncate(l->fd, l->end)) return io_error(l, "cut off its damaged end", error);
        l->unsynced = true;
    }
    if (cut_bytes) *cut_bytes = size > header_bytes ? size - header_bytes - scan->good_bytes : 0;
    return true;
}

static void destroy(Ledger *l) {
    if (l->fd >= 0) close(l->fd);
    pthread_mutex_destroy(&l->lock);
    free(l->file_name);
    free(l);
}

Ledger *ledger_open(const char *file_name, const char *run, LedgerVisit *visit, void *context, uint64_t *cut_bytes,
                    TabiaError *error) {
    if (strlen(run) > LEDGER_RUN_MAX || strchr(run, '\n'))
        return tabia_fail(error, "a ledger's run must be one line of at most %d characters", LEDGER_RUN_MAX), NULL;
    Ledger *l = calloc(1, sizeof *l);
    if (l) l->file_name = strdup(file_name);
    if (!l || !l->file_name) {
        free(l);
        return tabia_fail(error, "no memory for ledger %.150s", file_name), NULL;
    }
    l->fd = -1;
    l->fingerprint = run_fingerprint(run);
    l->synced_at = tabia_clock_wall();
    pthread_mutex_init(&l->lock, NULL);
    LedgerScan scan = {.visit = visit, .context = context};
    if (open_ledger(l, run, &scan, cut_bytes, error)) return l;
    destroy(l);
    return NULL;
}

static bool read_open(Ledger *l, LedgerScan *scan, LedgerFacts *facts, TabiaError *error) {
    char have[HEADER_MAX], line[HEADER_MAX];
    struct stat status;
    const ssize_t got = read_at(l->fd, have, sizeof have - 1, 0);
    if (got < 0 || fstat(l->fd, &status) != 0) return io_error(l, "read it", error);
    have[got] = '\0';
    const char *run = read_header(l->file_name, have, line, error);
    if (!run) return false;
    snprintf(facts->run, sizeof facts->run, "%s", run);
    l->fingerprint = run_fingerprint(run);
    l->end = strcspn(have, "\n") + 1;
    const uint64_t header_bytes = l->end, size = (uint64_t)status.st_size;
    if (!scan_records(l, scan, error)) return false;
    facts->in_use = !tabia_file_lock(l->fd, true);
    const uint64_t good = header_bytes + scan->good_bytes; /* more than size: written meanwhile */
    facts->damaged_bytes = size > good ? size - good : 0;
    facts->seconds = difftime(time(NULL), status.st_mtime);
    return true;
}

bool ledger_read(const char *file_name, LedgerVisit *visit, void *context, LedgerFacts *facts, TabiaError *error) {
    char name[LEDGER_RUN_MAX];
    snprintf(name, sizeof name, "%s", file_name);
    Ledger l = {.fd = tabia_file_open_read(file_name), .file_name = name}; /* no wait for a pipe */
    struct stat status;
    *facts = (LedgerFacts){0};
    if (l.fd < 0) return io_error(&l, "open it", error);
    if (!fstat(l.fd, &status) && S_ISFIFO(status.st_mode)) {
        close(l.fd);
        return tabia_fail(error, "ledger %.150s: not a regular file", name);
    }
    LedgerScan scan = {.visit = visit, .context = context};
    const bool good = read_open(&l, &scan, facts, error);
    close(l.fd);
    return good;
}

static bool append_locked(Ledger *l, const char *line, size_t length, TabiaError *error) {
    if (!tabia_file_write_all(l->fd, line, length, l->end)) {
        io_error(l, "write a record", error);
        /* If this fails too, the next record covers the half one, and the next opening skips what is left of it. */
        return tabia_file_truncate(l->fd, l->end) && false;
    }
    l->end += length;
    l->unsynced = true;
    return tabia_clock_wall() - l->synced_at < 1 || sync_now(l) || io_error(l, "bring it to the disk", error);
}

bool ledger_append(Ledger *l, uint64_t unit, U128 n, TabiaError *error) {
    char line[RECORD_MAX];
    assert(l->fd >= 0);
    size_t length = write_record(l->fingerprint, unit, n, line);
    pthread_mutex_lock(&l->lock);
    bool done = append_locked(l, line, length, error);
    pthread_mutex_unlock(&l->lock);
    return done;
}

bool ledger_close(Ledger *l, TabiaError *error) {
    if (!l) return true;
    bool done = !l->unsynced || sync_now(l) || io_error(l, "bring it to the disk", error);
    destroy(l);
    return done;
}

/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "table/named.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory_limit.h"
#include "base/time.h"
#include "table/options.h"
#include "table/segment.h"

enum { LAYOUT = 5, HEADER_BYTES = 4096, BUCKETS_ALIGN = 2 << 20, NAME_MAX_BYTES = 256, WAIT_SECONDS = 10 };

/* Read as a number, so that a machine of the other byte order does not know it. */
static const uint64_t MAGIC = 0x54414249412d5454; /* "TABIA-TT" */

/* Everything that two processes must see alike: name, its value in a table */
#define SHAPE(X)                                                                                                       \
    X(layout, LAYOUT)                                                                                                  \
    X(type, t->options.type)                                                                                           \
    X(bytes, t->buckets * t->bucket_bytes)                                                                             \
    X(record_words, t->words)                                                                                          \
    X(ways, t->slots)                                                                                                  \
    X(integrity, t->integrity)                                                                                         \
    X(locks, t->integrity == TABIA_LOCKED ? t->options.locks : 0)                                                      \
    X(path_bits, t->options.type == TABIA_ENTRIES ? t->path_bits : 0)                                                  \
    X(move_bits, t->options.move_bits)                                                                                 \
    X(user_bits, t->options.user_bits)                                                                                 \
    X(signature_bits, t->options.signature_bits)                                                                       \
    X(counters, t->has_bucket_tag)                                                                                     \
    X(strict_generations, t->options.strict_generations)                                                               \
    X(age_weight, t->options.type == TABIA_ENTRIES ? t->age_weight : 0)                                                \
    X(exact_bonus, t->options.exact_bonus)                                                                             \
    X(keep_margin, t->options.keep_margin)                                                                             \
    X(refresh_on_hit, t->options.refresh_on_hit)                                                                       \
    X(replacement, t->options.replacement)                                                                             \
    X(identity, t->options.identity)

typedef enum {
#define SHAPE_MEMBER(name, value) SHAPE_##name,
    SHAPE(SHAPE_MEMBER)
#undef SHAPE_MEMBER
        SHAPE_N
} ShapeField;

typedef struct {
    uint64_t magic;
    uint64_t shape[SHAPE_N];
    _Alignas(CACHE_LINE_BYTES) GenerationState generations; /* read by every probe: apart from all else */
} NamedHeader;

_Static_assert(sizeof(NamedHeader) <= HEADER_BYTES, "the header has a page");

struct Named {
    int file;
    ino_t made; /* the file that this process made; 0: none */
    bool joined;
    char name[NAME_MAX_BYTES]; /* with the slash in front */
};

/* What an attempt can come to besides 0 and the library's errors: begin anew, another process was in the way. */
enum { AGAIN = 1 };

/* ---- shape ---- */

static void shape_of(const TabiaTable *t, uint64_t shape[SHAPE_N]) {
#define SHAPE_COPY(name, value) shape[SHAPE_##name] = (uint64_t)(value);
    SHAPE(SHAPE_COPY)
#undef SHAPE_COPY
}

static void value_text(ShapeField field, uint64_t value, char out[32]) {
    static const char *const types[] = {"entries", "counts", "records", "claims"};
    static const char *const modes[] = {"default", "xor", "wide", "locked", "none"};
    if (field == SHAPE_type && value < sizeof types / sizeof *types)
        snprintf(out, 32, "%s", types[value]);
    else if (field == SHAPE_integrity && value < sizeof modes / sizeof *modes)
        snprintf(out, 32, "%s", modes[value]);
    else if (field == SHAPE_replacement && value <= TABIA_REPLACE_TWO_TIER)
        snprintf(out, 32, "%s", tabia_replacement_name((TabiaReplacement)value));
    else
        snprintf(out, 32, "%" PRIu64, value);
}

static int compare_shapes(const Named *n, const uint64_t there[SHAPE_N], const uint64_t mine[SHAPE_N],
                          TabiaError *error) {
    static const char *const names[] = {
#define SHAPE_NAME(name, value) #name,
        SHAPE(SHAPE_NAME)
#undef SHAPE_NAME
    };
    for (unsigned i = 0; i < SHAPE_N; i++) {
        if (there[i] == mine[i]) continue;
        char a[32], b[32];
        value_text((ShapeField)i, there[i], a);
        value_text((ShapeField)i, mine[i], b);
        return tabia_error_set(
            error, TABIA_ERROR_FOREIGN,
            "name '%s': the table in /dev/shm%s has %s %s, this one %s: the same for all, or another "
            "name",
            n->name + strlen("/tabia-"), n->name, names[i], a, b);
    }
    return 0;
}

/* ---- the file ---- */

static int system_refuses(const Named *n, const char *what, TabiaError *error) {
    const int code = errno == ENOSPC || errno == ENOMEM ? TABIA_ERROR_MEMORY : TABIA_ERROR_SYSTEM;
    return tabia_error_set(error, code, "cannot %s /dev/shm%s: %s", what, n->name, strerror(errno));
}

/*
 *     | header | locks | segments' marks | up to a multiple of 2 MiB | lines |
 */
static uint64_t segments_offset(const TabiaTable *t) {
    return HEADER_BYTES + (t->integrity == TABIA_LOCKED ? t->options.locks * sizeof(SpinLock) : 0);
}

static uint64_t segments_end(const TabiaTable *t) {
    return segments_offset(t) + segments_of(t);
}

static uint64_t buckets_offset(const TabiaTable *t) {
    return (segments_end(t) + BUCKETS_ALIGN - 1) / BUCKETS_ALIGN * BUCKETS_ALIGN;
}

static uint64_t file_bytes(const TabiaTable *t) {
    return buckets_offset(t) + t->buckets * t->bucket_bytes;
}

static bool lock(const Named *n, int kind) {
    return flock(n->file, kind | LOCK_NB) == 0;
}

/* Opening comes first, without O_CREAT: systems may refuse that on what another user has made. */
static int open_file(Named *n, TabiaError *error) {
    n->file = shm_open(n->name, O_RDWR, 0);
    if (n->file < 0 && errno == ENOENT) n->file = shm_open(n->name, O_RDWR | O_CREAT | O_EXCL, S_IRUSR | S_IWUSR);
    if (n->file >= 0) return 0;
    return errno == EEXIST ? AGAIN : system_refuses(n, "open", error);
}

static bool has_name(const Named *n) {
    struct stat s;
    return fstat(n->file, &s) == 0 && s.st_nlink > 0;
}

static ino_t inode(const Named *n) {
    struct stat s;
    return fstat(n->file, &s) == 0 ? s.st_ino : 0;
}

/* Is there room for what the file has not got yet? What is left is asked before what is there, since other processes
   may be providing it meanwhile. */
static int check_room(const Named *n, const TabiaTable *t, TabiaError *error) {
    const MemoryLimit room = tabia_memory_limit("");
    struct statvfs space;
    struct stat s;
    if (fstatvfs(n->file, &space) || fstat(n->file, &s)) return system_refuses(n, "look at", error);
    const uint64_t all = file_bytes(t), there = (uint64_t)s.st_blocks * 512;
    const uint64_t needed = all > there ? all - there : 0, left = (uint64_t)space.f_bavail * space.f_frsize;
    if (needed <= room.bytes && needed <= left) return 0;
    const double mib = 1 << 20;
    return tabia_error_set(
        error, TABIA_ERROR_MEMORY, "name '%s': %.1f MiB of memory were asked for: %s has %.1f MiB to give",
        n->name + strlen("/tabia-"), (double)(t->buckets * t->bucket_bytes) / mib,
        left < room.bytes ? "/dev/shm" : room.source, (double)(left < room.bytes ? left : room.bytes) / mib);
}

/* Alone with a file that is nothing yet. What every process writes without asking, all in front of the lines, is
   provided first: where there is no room, that is an error here and not a signal later. */
static int make(Named *n, const TabiaTable *t, TabiaError *error) {
    NamedHeader header = {0};
    shape_of(t, header.shape);
    const int code = check_room(n, t, error);
    if (code) return code;
    if (ftruncate(n->file, (off_t)file_bytes(t))) return system_refuses(n, "make", error);
    errno = posix_fallocate(n->file, 0, (off_t)segments_end(t));
    if (errno) return system_refuses(n, "make", error);
    if (pwrite(n->file, &header, sizeof header, 0) != (ssize_t)sizeof header ||
        pwrite(n->file, &MAGIC, sizeof MAGIC, 0) != (ssize_t)sizeof MAGIC)
        return system_refuses(n, "write", error);
    n->made = inode(n);
    return 0;
}

/* ---- joining ---- */

typedef enum { FILE_INCOMPLETE, FILE_COMPLETE, FILE_FOREIGN } NamedFileState;

/* A file begun is empty, or has its size and zeros: anything else is somebody else's. */
static NamedFileState look_at(const Named *n, NamedHeader *header) {
    struct stat s;
    *header = (NamedHeader){0};
    if (fstat(n->file, &s) || !S_ISREG(s.st_mode)) return FILE_FOREIGN;
    if (s.st_size == 0) return FILE_INCOMPLETE;
    if (pread(n->file, header, sizeof *header, 0) != (ssize_t)sizeof *header) return FILE_FOREIGN;
    if (header->magic == MAGIC) return FILE_COMPLETE;
    return header->magic == 0 ? FILE_INCOMPLETE : FILE_FOREIGN;
}

static int is_foreign(const Named *n, TabiaError *error) {
    return tabia_error_set(error, TABIA_ERROR_FOREIGN,
                           "name '%s': /dev/shm%s is no table: remove it, or take another name",
                           n->name + strlen("/tabia-"), n->name);
}

/* Is the file whole, and as long as it says? */
static int check(const Named *n, const TabiaTable *t, const NamedHeader *header, TabiaError *error) {
    uint64_t mine[SHAPE_N];
    struct stat s;
    shape_of(t, mine);
    const int code = compare_shapes(n, header->shape, mine, error);
    if (code) return code;
    if (fstat(n->file, &s) || (uint64_t)s.st_size != file_bytes(t)) return is_foreign(n, error);
    return 0;
}

/* Nobody is inside: locks that are taken were left by the killed. */
static int free_locks(const Named *n, const TabiaTable *t, TabiaError *error) {
    static const SpinLock open = {0};
    if (t->integrity != TABIA_LOCKED) return 0;
    for (unsigned i = 0; i < t->options.locks; i++)
        if (pwrite(n->file, &open, sizeof open, (off_t)(HEADER_BYTES + i * sizeof open)) != (ssize_t)sizeof open)
            return system_refuses(n, "write", error);
    return 0;
}

/* With the exclusive lock: nobody else has it, so it may be made, or replaced, or taken over with what it holds. */
static int attach_alone(Named *n, const TabiaTable *t, TabiaError *error) {
    NamedHeader header;
    const NamedFileState found = look_at(n, &header);
    if (found == FILE_FOREIGN) return is_foreign(n, error);
    if (found == FILE_COMPLETE && check(n, t, &header, NULL) != 0) {
        shm_unlink(n->name);
        return AGAIN;
    }
    const int code = found == FILE_INCOMPLETE ? make(n, t, error) : free_locks(n, t, error);
    if (code) shm_unlink(n->name);
    return code;
}

/* With the shared lock: others have it, or had a moment ago. */
static int attach_beside(const Named *n, const TabiaTable *t, TabiaError *error) {
    NamedHeader header;
    const NamedFileState found = look_at(n, &header);
    if (found == FILE_FOREIGN) return is_foreign(n, error);
    return found == FILE_COMPLETE ? check(n, t, &header, error) : AGAIN;
}

/* One attempt. The way from the exclusive lock to the shared one leads through a moment without any: another may then
   have become alone, and have removed the file. */
static int attempt(Named *n, const TabiaTable *t, TabiaError *error) {
    int code = open_file(n, error);
    if (code) return code;
    if (lock(n, LOCK_EX)) {
        code = has_name(n) ? attach_alone(n, t, error) : AGAIN;
        if (!code && !lock(n, LOCK_SH)) code = AGAIN;
    } else if (lock(n, LOCK_SH)) {
        code = has_name(n) ? attach_beside(n, t, error) : AGAIN;
    } else {
        code = AGAIN;
    }
    if (!code && !has_name(n)) code = AGAIN;
    if (code) close(n->file);
    return code;
}

static int attach(Named *n, const TabiaTable *t, TabiaError *error) {
    const double from = tabia_clock_wall();
    const struct timespec millisecond = {.tv_nsec = 1000000};
    int code;
    while ((code = attempt(n, t, error)) == AGAIN) {
        if (tabia_clock_wall() > from + WAIT_SECONDS)
            return tabia_error_set(error, TABIA_ERROR_SYSTEM,
                                   "name '%s': another process has been making /dev/shm%s for %d seconds",
                                   n->name + strlen("/tabia-"), n->name, WAIT_SECONDS);
        nanosleep(&millisecond, NULL);
    }
    n->joined = !code && n->made != inode(n);
    return code;
}

/* ---- opening and closing ---- */

static int map(const Named *n, TabiaTable *t, TabiaError *error) {
    const uint64_t from = buckets_offset(t);
    assert(from >= segments_end(t) && from % BUCKETS_ALIGN == 0);
    const MemoryRequest request = {.bytes = t->buckets * t->bucket_bytes,
                                   .small_pages = t->options.pages == TABIA_PAGES_SMALL,
                                   .interleave = t->options.numa_interleave};
    if (!tabia_memory_map(&t->memory, n->file, from, request, error)) return TABIA_ERROR_MEMORY;
    t->base = t->memory.at;
    t->generations = &((NamedHeader *)(t->base - from))->generations;
    t->segment = (_Atomic uint8_t *)(t->base - from + segments_offset(t));
    if (t->integrity != TABIA_LOCKED) return 0;
    t->locks = (SpinLock *)(t->base - from + HEADER_BYTES);
    t->lock_mask = t->options.locks - 1;
    return 0;
}

int tabia_named_open(TabiaTable *t, TabiaError *error) {
    Named *n = calloc(1, sizeof *n);
    if (!n) return tabia_error_set(error, TABIA_ERROR_MEMORY, "no memory to begin with");
    snprintf(n->name, sizeof n->name, "/tabia-%s", t->options.name);
    int code = attach(n, t, error);
    if (code) {
        free(n);
        return code;
    }
    t->named = n;
    code = check_room(n, t, error);
    if (!code) code = map(n, t, error);
    if (code) tabia_named_close(t);
    return code;
}

void tabia_named_close(TabiaTable *t) {
    Named *n = t->named;
    if (!n) return;
    tabia_memory_free(&t->memory);
    t->named = NULL;
    t->base = NULL;
    t->segment = NULL;
    t->locks = NULL;
    t->generations = &t->own_generations;
    /* Asking for the exclusive lock gives up the shared one first, so that of several who leave at once one is
       alone. */
    if (lock(n, LOCK_EX) && has_name(n)) shm_unlink(n->name);
    close(n->file);
    free(n);
}

bool tabia_named_joined(const Named *named) {
    return named->joined;
}

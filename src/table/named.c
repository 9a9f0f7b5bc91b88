/* SPDX-License-Identifier: MIT */
#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "table/named.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory_limit.h"
#include "base/time.h"
#include "table/named_shape.h"

/* Where files lie in memory. Systems without such a place, and those whose shared memory (shm_open) cannot be locked, have
   a folder of files that the system keeps in memory as long as it can. */
#ifdef __linux__
#define FOLDER "/dev/shm"
#else
#define FOLDER "/tmp"
#endif

struct Named {
    int file;
    ino_t made; /* the file that this process made; 0: none */
    bool joined;
    char path[NAME_MAX_BYTES];
    const char *name; /* as the caller has it: the last part of the path */
};

/* What an attempt can come to besides 0 and the library's errors: begin anew, another process was in the way. */
enum { AGAIN = 1 };

/* ---- the file ---- */

static int system_refuses(const Named *n, const char *what, TabiaError *error) {
    const int code = errno == ENOSPC || errno == ENOMEM ? TABIA_ERROR_MEMORY : TABIA_ERROR_SYSTEM;
    return tabia_error_set(error, code, "cannot %s %s: %s", what, n->path, strerror(errno));
}

static bool lock(const Named *n, int kind) {
    return flock(n->file, kind | LOCK_NB) == 0;
}

static int is_foreign(const Named *n, TabiaError *error) {
    return tabia_error_set(error, TABIA_ERROR_FOREIGN,
                           "name '%s': %s is not a table: remove it, or choose another name", n->name, n->path);
}

/* Opening comes first, without O_CREAT: systems may refuse that on what another user has made. */
static int open_file(Named *n, TabiaError *error) {
    const int flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
    n->file = open(n->path, flags);
    if (n->file < 0 && errno == ENOENT) n->file = open(n->path, flags | O_CREAT | O_EXCL, S_IRUSR | S_IWUSR);
    if (n->file >= 0) return 0;
    if (errno == ELOOP || errno == EISDIR) return is_foreign(n, error);
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
    const uint64_t all = named_bytes(t), there = (uint64_t)s.st_blocks * 512;
    const uint64_t needed = all > there ? all - there : 0, left = (uint64_t)space.f_bavail * space.f_frsize;
    if (needed <= room.bytes && needed <= left) return 0;
    const double mib = 1 << 20;
    return tabia_error_set(error, TABIA_ERROR_MEMORY,
                           "name '%s': %.1f MiB of memory were asked for: %s has %.1f MiB to give", n->name,
                           (double)(table_bytes(t)) / mib, left < room.bytes ? FOLDER : room.source,
                           (double)(left < room.bytes ? left : room.bytes) / mib);
}

static bool write_start(const Named *n, const void *from, size_t bytes) {
    return pwrite(n->file, from, bytes, 0) == (ssize_t)bytes;
}

/* Alone with a file that is nothing yet, and is marked as begun first. What every process writes without asking, all in
   front of the lines, is provided next: where there is no room, that is an error here and not a signal later. */
static int make(Named *n, const TabiaTable *t, TabiaError *error) {
    NamedHeader header = {.magic = NAMED_BEGUN};
    tabia_named_shape(t, header.shape);
    header.generations.generation = generation_word(0);
    const int code = check_room(n, t, error);
    if (code) return code;
    if (!write_start(n, &NAMED_BEGUN, sizeof NAMED_BEGUN)) return system_refuses(n, "write", error);
    if (ftruncate(n->file, (off_t)named_bytes(t))) return system_refuses(n, "make", error);
    errno = tabia_memory_provide(n->file, named_segments_end(t));
    if (errno) return system_refuses(n, "make", error);
    if (!write_start(n, &header, sizeof header) || !write_start(n, &NAMED_MAGIC, sizeof NAMED_MAGIC))
        return system_refuses(n, "write", error);
    n->made = inode(n);
    return 0;
}

/* ---- joining ---- */

typedef enum { FILE_INCOMPLETE, FILE_COMPLETE, FILE_FOREIGN } NamedFileState;

/* A file begun is empty or has the mark: anything else is somebody else's. */
static NamedFileState look_at(const Named *n, NamedHeader *header) {
    struct stat s;
    *header = (NamedHeader){0};
    if (fstat(n->file, &s) || !S_ISREG(s.st_mode)) return FILE_FOREIGN;
    if (s.st_size == 0) return FILE_INCOMPLETE;
    const bool is_long_enough = pread(n->file, header, sizeof *header, 0) == (ssize_t)sizeof *header;
    if (header->magic == NAMED_BEGUN) return FILE_INCOMPLETE;
    return is_long_enough && header->magic == NAMED_MAGIC ? FILE_COMPLETE : FILE_FOREIGN;
}

/* Is the file whole, and as long as it says? */
static int check(const Named *n, const TabiaTable *t, const NamedHeader *header, TabiaError *error) {
    uint64_t mine[SHAPE_N];
    struct stat s;
    tabia_named_shape(t, mine);
    const int code = tabia_named_compare(header->shape, mine, n->name, n->path, error);
    if (code) return code;
    if (fstat(n->file, &s) || (uint64_t)s.st_size != named_bytes(t)) return is_foreign(n, error);
    return 0;
}

/* With the exclusive lock: nobody else has it, so it may be made, or replaced, or taken over with what it holds. */
static int attach_alone(Named *n, const TabiaTable *t, TabiaError *error) {
    NamedHeader header;
    const NamedFileState found = look_at(n, &header);
    if (found == FILE_FOREIGN) return is_foreign(n, error);
    if (found == FILE_COMPLETE && check(n, t, &header, NULL) != 0) {
        unlink(n->path);
        return AGAIN;
    }
    if (found == FILE_COMPLETE) return 0;
    const int code = make(n, t, error);
    if (code) unlink(n->path);
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
                                   "name '%s': another process has been making %s for %d seconds", n->name, n->path,
                                   WAIT_SECONDS);
        nanosleep(&millisecond, NULL);
    }
    n->joined = !code && n->made != inode(n);
    return code;
}

/* ---- opening and closing ---- */

static int map(const Named *n, TabiaTable *t, TabiaError *error) {
    const uint64_t from = named_buckets_offset(t);
    const MemoryRequest request = {.bytes = table_bytes(t), .small_pages = t->options.pages == TABIA_PAGES_SMALL};
    if (!tabia_memory_map(&t->memory, n->file, from, request, error)) return TABIA_ERROR_MEMORY;
    tabia_named_place(t, (char *)t->memory.at - from);
    return 0;
}

int tabia_named_open(TabiaTable *t, TabiaError *error) {
    Named *n = calloc(1, sizeof *n);
    if (!n) return tabia_error_set(error, TABIA_ERROR_MEMORY, "no memory to begin with");
    snprintf(n->path, sizeof n->path, "%s/tabia-%s", FOLDER, t->options.name);
    n->name = n->path + strlen(n->path) - strlen(t->options.name);
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
    t->generations = &t->own_generations;
    /* Asking for the exclusive lock gives up the shared one first, so that of several who leave at once one is
       alone. */
    if (lock(n, LOCK_EX) && has_name(n)) unlink(n->path);
    close(n->file);
    free(n);
}

bool tabia_named_joined(const Named *named) {
    return named->joined;
}

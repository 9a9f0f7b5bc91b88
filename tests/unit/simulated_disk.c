/* SPDX-License-Identifier: MIT */
#include "simulated_disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_calls.h"
#include "base/random.h"

typedef enum { CREATE, WRITE, TRUNCATE, SYNC, REPLACE, REMOVE, SYNC_NAMES, PROMISE } CallKind;

typedef struct {
    CallKind kind;
    unsigned file, bytes;
    uint64_t offset; /* or the length, or what is promised */
    char from[64], to[64];
    uint8_t *data;
} Call;

enum { CALLS_MAX = 4096, FILES_MAX = 512, NAMES_MAX = 64, PIECE = 512 };

typedef struct {
    char name[NAMES_MAX][64];
    int file[NAMES_MAX]; /* -1: the name is free */
} Names;

typedef struct {
    uint8_t *data;
    size_t bytes, room;
} Content;

static struct {
    char folder[64];
    Call calls[CALLS_MAX];
    unsigned count, files, promised;
    Names now;
    unsigned file_of[1024]; /* by descriptor */
    int fail_at;
    bool noting, all_behind;
} disk;

/* ---- names ---- */

static int *place_of(Names *n, const char *name) {
    int *place = NULL;
    for (unsigned i = 0; i < NAMES_MAX; i++) {
        if (n->file[i] >= 0 && !strcmp(n->name[i], name)) return &n->file[i];
        if (n->file[i] < 0 && !place) place = &n->file[i], strcpy(n->name[i], name);
    }
    if (!place) abort();
    return place;
}

static void change_names(Names *n, const Call *c) {
    if (c->kind == CREATE || c->kind == REPLACE) *place_of(n, c->to) = (int)c->file;
    if (c->kind == REMOVE || c->kind == REPLACE) *place_of(n, c->from) = -1;
}

static const char *short_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* ---- noting ---- */

static void remove_all(void) {
    DIR *dir = opendir(disk.folder);
    char path[400];
    for (const struct dirent *entry; (entry = readdir(dir));)
        if (snprintf(path, sizeof path, "%s/%s", disk.folder, entry->d_name) > 0 && *entry->d_name != '.') unlink(path);
    closedir(dir);
}

void disk_begin(const char *folder) {
    for (unsigned i = 0; i < disk.count; i++) free(disk.calls[i].data);
    disk.count = disk.files = disk.promised = 0;
    memset(disk.now.file, -1, sizeof disk.now.file);
    snprintf(disk.folder, sizeof disk.folder, "%s", folder);
    remove_all();
    disk.noting = true, disk.fail_at = -1;
}

void disk_stop(void) {
    disk.noting = false, disk.fail_at = -1;
}

void disk_fail(int call, bool all_behind) {
    disk.fail_at = call, disk.all_behind = all_behind;
}

unsigned disk_calls(void) {
    return disk.count;
}

unsigned disk_promised(void) {
    return disk.promised;
}

static bool fails(int code) {
    const int now = (int)disk.count;
    const bool hit = disk.fail_at >= 0 && (now == disk.fail_at || (disk.all_behind && now > disk.fail_at));
    if (hit && !disk.all_behind) disk.fail_at = -1;
    if (hit) errno = code;
    return hit;
}

static Call *note(CallKind kind, unsigned file) {
    static Call ignored;
    if (disk.count == CALLS_MAX) abort();
    Call *c = disk.noting ? &disk.calls[disk.count++] : &ignored;
    *c = (Call){.kind = kind, .file = file};
    return c;
}

static void note_names(CallKind kind, const char *from, const char *to) {
    const int file = kind == CREATE ? (int)disk.files++ : *place_of(&disk.now, short_name(from));
    Call *c = note(kind, (unsigned)file);
    snprintf(c->from, sizeof c->from, "%s", short_name(from));
    snprintf(c->to, sizeof c->to, "%s", short_name(to));
    if (disk.noting) change_names(&disk.now, c);
}

void disk_promise(unsigned value) {
    note(PROMISE, 0)->offset = value;
    disk.promised = value;
}

/* ---- the calls ---- */

static int opened(int file, const char *path, bool is_new) {
    if (file < 0 || !disk.noting) return file;
    if (is_new) note_names(CREATE, path, path);
    disk.file_of[file] = (unsigned)*place_of(&disk.now, short_name(path));
    return file;
}

int tabia_file_create_new(const char *path) {
    if (fails(EACCES)) return -1;
    return opened(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666), path, true);
}

int tabia_file_open_write(const char *path) {
    if (fails(EACCES)) return -1;
    const bool is_new = access(path, F_OK) != 0;
    return opened(open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666), path, is_new);
}

int tabia_file_open_read(const char *path) {
    return open(path, O_RDONLY | O_CLOEXEC);
}

int64_t tabia_file_pread(int file, void *data, size_t bytes, uint64_t offset) {
    return pread(file, data, bytes, (off_t)offset);
}

int64_t tabia_file_pwrite(int file, const void *data, size_t bytes, uint64_t offset) {
    const bool full = fails(ENOSPC);
    const size_t n = full && bytes > 1 ? bytes / 2 : bytes;
    if (full && (bytes == 1 || disk.all_behind)) return -1;
    if (pwrite(file, data, n, (off_t)offset) != (ssize_t)n) return -1;
    Call *c = note(WRITE, disk.file_of[file]);
    c->offset = offset, c->bytes = (unsigned)n;
    if (disk.noting && posix_memalign((void **)&c->data, 16, n)) abort(); /* malloc may be made to fail */
    if (disk.noting) memcpy(c->data, data, n);
    if (full) disk.fail_at = (int)disk.count; /* the rest of it */
    return (int64_t)n;
}

void tabia_file_begin_sync(int file, uint64_t offset, size_t bytes) {
    (void)file, (void)offset, (void)bytes;
}

bool tabia_file_truncate(int file, uint64_t bytes) {
    if (fails(EIO) || ftruncate(file, (off_t)bytes)) return false;
    note(TRUNCATE, disk.file_of[file])->offset = bytes;
    return true;
}

bool tabia_file_sync(int file) {
    if (fails(EIO)) return false;
    note(SYNC, disk.file_of[file]);
    return true;
}

bool tabia_folder_sync(const char *path) {
    (void)path;
    if (fails(EIO)) return false;
    note(SYNC_NAMES, 0);
    return true;
}

bool tabia_file_replace(const char *from, const char *to) {
    if (fails(EIO) || rename(from, to)) return false;
    if (disk.noting) note_names(REPLACE, from, to);
    return true;
}

bool tabia_file_remove(const char *path) {
    if (fails(EIO) || unlink(path)) return false;
    if (disk.noting) note_names(REMOVE, path, path);
    return true;
}

char *tabia_path_resolve(const char *path) {
    return strdup(path);
}

PathKind tabia_path_kind(const char *path) {
    struct stat about;
    return stat(path, &about) ? PATH_NONE : S_ISREG(about.st_mode) ? PATH_REGULAR : PATH_OTHER;
}

PathKind tabia_file_kind(int file, uint64_t *bytes) {
    struct stat about;
    if (fstat(file, &about)) return PATH_NONE;
    *bytes = (uint64_t)about.st_size;
    return S_ISREG(about.st_mode) ? PATH_REGULAR : PATH_OTHER;
}

/* ---- a crash ---- */

typedef struct {
    Content content[FILES_MAX];
    Names names;
    unsigned keep; /* percent of what was not synced */
    bool tears;
    uint64_t *seed;
} Survivors;

static void set_length(Content *c, size_t bytes) {
    if (bytes > c->room) c->data = realloc(c->data, c->room = 2 * bytes);
    if (bytes > c->bytes) memset(c->data + c->bytes, 0, bytes - c->bytes);
    c->bytes = bytes;
}

/* Writes the pieces that the disk kept, one of which may be torn. */
static bool write_pieces(Survivors *s, const Call *c, bool all) {
    Content *to = &s->content[c->file];
    bool torn = false;
    for (uint64_t at = c->offset, end = c->offset + c->bytes, next; at < end; at = next) {
        next = at / PIECE * PIECE + PIECE < end ? at / PIECE * PIECE + PIECE : end;
        if (!all && random_below(s->seed, 100) >= s->keep) continue;
        if (to->bytes < next) set_length(to, next);
        memcpy(to->data + at, c->data + (at - c->offset), next - at);
        if (all || !s->tears || random_below(s->seed, 2)) continue;
        to->data[at + random_below(s->seed, (unsigned)(next - at))] = (uint8_t)('0' + random_below(s->seed, 10));
        torn = true;
    }
    return torn;
}

/* Is a call of this kind behind it, for the same file, among the first calls? */
static bool is_synced(unsigned call, unsigned calls) {
    const Call *c = &disk.calls[call];
    const bool of_names = c->kind == CREATE || c->kind == REPLACE || c->kind == REMOVE;
    for (unsigned i = call + 1; i < calls; i++) {
        const Call *later = &disk.calls[i];
        if (of_names ? later->kind == SYNC_NAMES : later->kind == SYNC && later->file == c->file) return true;
    }
    return false;
}

static bool keep_calls(Survivors *s, unsigned calls, unsigned *promised) {
    bool torn = false;
    for (unsigned i = 0; i < calls; i++) {
        const Call *c = &disk.calls[i];
        const bool synced = is_synced(i, calls);
        if (c->kind == PROMISE) *promised = (unsigned)c->offset;
        if (c->kind == WRITE) torn |= write_pieces(s, c, synced);
        if (!synced && random_below(s->seed, 100) >= s->keep) continue;
        if (c->kind == TRUNCATE) set_length(&s->content[c->file], c->offset);
        change_names(&s->names, c);
    }
    return torn;
}

static void write_file(const char *name, const Content *c) {
    char path[160];
    snprintf(path, sizeof path, "%s/%s", disk.folder, name);
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0 || write(file, c->data, c->bytes) != (ssize_t)c->bytes || close(file)) abort();
}

unsigned disk_crash(unsigned calls, uint64_t *seed, bool *torn) {
    static Survivors s;
    unsigned promised = 0;
    const bool wait = random_below(seed, 2); /* for a moment when the disk lacks much */
    while (wait && calls < disk.count && disk.calls[calls].kind != SYNC && disk.calls[calls].kind != SYNC_NAMES)
        calls++;
    s = (Survivors){.keep = 25 * random_below(seed, 5), .tears = !random_below(seed, 4), .seed = seed};
    memset(s.names.file, -1, sizeof s.names.file);
    *torn = keep_calls(&s, calls, &promised);
    remove_all();
    for (unsigned i = 0; i < NAMES_MAX; i++)
        if (s.names.file[i] >= 0) write_file(s.names.name[i], &s.content[s.names.file[i]]);
    for (unsigned i = 0; i < FILES_MAX; i++) free(s.content[i].data);
    return promised;
}

static void damage(uint8_t *data, size_t *bytes, uint64_t *seed) {
    const unsigned n = (unsigned)*bytes, at = random_below(seed, n), other = random_below(seed, n);
    switch (random_below(seed, 4)) {
    case 0: /* a bit */
        data[at] ^= (uint8_t)(1 << random_below(seed, 8));
        break;
    case 1: /* a digit, where it is text */
        data[at] = (uint8_t)('0' + random_below(seed, 10));
        break;
    case 2: /* its length */
        *bytes = at;
        break;
    default: /* a piece in the place of another */
        for (unsigned i = 0; i < PIECE && at + i < n && other + i < n; i++) data[at + i] = data[other + i];
    }
}

void disk_damage(const char *const *endings, uint64_t *seed) {
    DIR *dir = opendir(disk.folder);
    char path[400];
    for (const struct dirent *entry; (entry = readdir(dir));) {
        bool wanted = false;
        const size_t n = strlen(entry->d_name);
        for (const char *const *e = endings; *e; e++)
            wanted |= n >= strlen(*e) && !strcmp(entry->d_name + n - strlen(*e), *e);
        if (!wanted || !random_below(seed, 3)) continue;
        snprintf(path, sizeof path, "%s/%s", disk.folder, entry->d_name);
        struct stat about;
        if (stat(path, &about) || !about.st_size) continue;
        const int file = open(path, O_RDONLY);
        Content c = {.data = malloc((size_t)about.st_size), .bytes = (size_t)about.st_size};
        if (read(file, c.data, c.bytes) != about.st_size || close(file)) abort();
        damage(c.data, &c.bytes, seed);
        write_file(entry->d_name, &c);
        free(c.data);
    }
    closedir(dir);
}

/* SPDX-License-Identifier: MIT */
/*
 * The locks of named tables (src/table/named.c): processes that open and close one name, each step of theirs a call of the system, on
 * a disk of one folder. One of them may be killed at any step.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/memory_limit.h"
#include "base/time.h"
#include "programs.h"
#include "table/named_shape.h"

enum { PROCESSES = 2, FILES = 4, ATTEMPTS = 1 };

typedef struct {
    bool has_name;
    off_t size;
    NamedHeader header;
    int locked[PROCESSES]; /* LOCK_SH, LOCK_EX, or 0 */
} File;

static struct {
    File file[FILES];
    unsigned files;
    int name; /* the file that it leads to, or -1 */
} disk;

/* A process has one file open; its number is the descriptor. */
static struct {
    TabiaTable table;
    File *open;
    bool attached;
    unsigned waits;
    char heap[1 << 10];
    jmp_buf killed;
} process[PROCESSES];
static bool mortal;

static void drop_lock(int p) {
    if (process[p].open) process[p].open->locked[p] = 0;
}

static bool step(int p, const char *site, const char *name) {
    const bool is_left_out = model_step(site, name);
    if (mortal && p == 0 && model_choose(2)) {
        drop_lock(p);
        process[p].attached = false;
        model_step_end(0, &disk, sizeof disk);
        _longjmp(process[p].killed, 1);
    }
    return is_left_out;
}

static int end_step(int result) {
    model_step_end((uint64_t)result, &disk, sizeof disk);
    return result;
}

/* ---- the calls of the system ---- */

static int simulated_open(int flags, ...) {
    const int p = (int)model_thread();
    step(p, NULL, NULL);
    errno = flags & O_CREAT ? EEXIST : ENOENT;
    if ((disk.name >= 0) == ((flags & O_CREAT) != 0)) return end_step(-1);
    if (flags & O_CREAT) {
        if (disk.files == FILES) model_leave();
        disk.name = (int)disk.files++;
        disk.file[disk.name].has_name = true;
    }
    process[p].open = &disk.file[disk.name];
    end_step(disk.name);
    return p;
}

/* From one kind to the other there is a moment without any. */
static int simulated_flock(int p, int kind) {
    File *f = process[p].open;
    const bool exclusive = kind & LOCK_EX;
    if (f->locked[p]) step(p, NULL, NULL), drop_lock(p), end_step(0);
    if (step(p, exclusive ? "x" : "s", exclusive ? "the exclusive lock" : "the shared lock")) return end_step(0);
    for (int i = 0; i < PROCESSES; i++)
        if (f->locked[i] == LOCK_EX || (f->locked[i] && exclusive)) return end_step(-1);
    f->locked[p] = kind & ~LOCK_NB;
    return end_step(0);
}

static int simulated_fstat(int p, struct stat *s, const char *caller) {
    const bool asks_name = strcmp(caller, "has_name") == 0;
    const bool is_left_out =
        step(p, asks_name ? "n" : NULL, asks_name ? "the look whether the file has its name" : NULL);
    const File *f = process[p].open;
    *s = (struct stat){.st_mode = S_IFREG,
                       .st_nlink = f->has_name || is_left_out,
                       .st_size = f->size,
                       .st_ino = 1 + (ino_t)(f - disk.file)};
    end_step((int)(s->st_nlink + 2 * (s->st_size > 0) + 4 * s->st_ino));
    return 0;
}

static int simulated_fstatvfs(struct statvfs *s) {
    *s = (struct statvfs){.f_bavail = 1 << 20, .f_frsize = 1 << 20};
    return 0;
}

static int simulated_ftruncate(int p, off_t size) {
    step(p, NULL, NULL);
    process[p].open->size = size;
    return end_step(0);
}

static ssize_t simulated_pread(int p, void *to, size_t bytes) {
    step(p, NULL, NULL);
    memcpy(to, &process[p].open->header, bytes);
    end_step((int)process[p].open->header.magic);
    return (ssize_t)bytes;
}

static ssize_t simulated_pwrite(int p, const void *from, size_t bytes) {
    step(p, NULL, NULL);
    memcpy(&process[p].open->header, from, bytes);
    end_step(0);
    return (ssize_t)bytes;
}

static int simulated_unlink(void) {
    step((int)model_thread(), NULL, NULL);
    if (disk.name < 0) return end_step(-1);
    for (int i = 0; i < PROCESSES; i++)
        model_require(!process[i].attached || process[i].open != &disk.file[disk.name],
                      "a name is removed from under a user");
    disk.file[disk.name].has_name = false, disk.name = -1;
    return end_step(0);
}

static int simulated_close(int p) {
    step(p, NULL, NULL);
    drop_lock(p), process[p].open = NULL;
    return end_step(0);
}

static int simulated_nanosleep(void) {
    if (process[model_thread()].waits++ == ATTEMPTS) model_leave();
    return 0;
}

#define tabia_named_open model_named_open
#define tabia_named_close model_named_close
#define tabia_named_joined model_named_joined
#define open(path, ...) simulated_open(__VA_ARGS__)
#define flock(file, kind) simulated_flock(file, kind)
#define fstat(file, s) simulated_fstat(file, s, __func__)
#define fstatvfs(file, s) simulated_fstatvfs(s)
#define ftruncate(file, size) simulated_ftruncate(file, size)
#define pread(file, to, bytes, at) simulated_pread(file, to, bytes)
#define pwrite(file, from, bytes, at) simulated_pwrite(file, from, bytes)
#define unlink(path) simulated_unlink()
#define close(file) simulated_close(file)
#define nanosleep(time, rest) ((void)(time), simulated_nanosleep())
#define calloc(n, bytes) memset(process[model_thread()].heap, 0, sizeof process[0].heap)
#define free(memory) ((void)(memory))
#define tabia_clock_wall() 0.0
#define tabia_memory_provide(file, bytes) 0
#define tabia_memory_limit(root) ((MemoryLimit){.bytes = (uint64_t)1 << 40})
#define tabia_memory_map(memory, file, from, request, error) ((void)(file), (void)(request), (void)(error), true)
#define tabia_memory_free(memory) ((void)(memory))
#define tabia_named_place(t, at) ((void)(at))
#include "table/named.c"

/* ---- the processes ---- */

static void begin(void) {
    memset(&disk, 0, sizeof disk);
    memset(process, 0, sizeof process);
    disk.name = -1, mortal = false;
    for (int i = 0; i < PROCESSES; i++) {
        process[i].table.options.name = "n";
        process[i].table.buckets = 64;
        process[i].table.generations = &process[i].table.own_generations;
    }
}
static void begin_mortal(void) {
    begin();
    mortal = true;
}

static void live(void) {
    const unsigned p = model_thread();
    TabiaTable *t = &process[p].table;
    if (_setjmp(process[p].killed)) return;
    model_require(tabia_named_open(t, NULL) == 0, "a name is refused");
    const File *f = process[p].open;
    process[p].attached = true;
    model_require(disk.name >= 0 && f == &disk.file[disk.name], "a table without its name");
    const uint64_t *generation = (const void *)&f->header.generations.generation;
    model_require(f->header.magic == NAMED_MAGIC && *generation == generation_word(0), "a table that is not made yet");
    for (int i = 0; i < PROCESSES; i++)
        model_require(!process[i].attached || process[i].open == f, "two tables of one name");
    step((int)p, NULL, NULL);
    process[p].attached = false;
    end_step(0);
    tabia_named_close(t);
}

static void end(void) {
    model_require(disk.name < 0 || mortal, "a name is left behind");
}

const ModelProgram model_named = {"named", begin, {live, live}, end, NULL, 0};
const ModelProgram model_named_killed = {"named, one killed", begin_mortal, {live, live}, end, NULL, 0};

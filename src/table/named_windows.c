/* SPDX-License-Identifier: MIT */
/*
 * Named tables by Windows: a mapping of that name in the session of the user (CreateFileMapping), backed by the paging file.
 *
 * The system itself knows who has it: a mapping goes with its last process, however that ends. So there is nothing to take
 * over, and nothing to remove; a mutex of the same name sees to it that one process alone makes it. Who is killed while it
 * holds the mutex leaves it to the next, with zeros where the magic would be.
 */
#include "table/named.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include "base/error.h"
#include "table/named_shape.h"

struct Named {
    HANDLE mapping;
    bool joined;
    char name[NAME_MAX_BYTES]; /* the system's: Local\tabia-NAME */
};

static int system_refuses(const Named *n, const char *what, TabiaError *error) {
    const DWORD why = GetLastError();
    const bool memory =
        why == ERROR_COMMITMENT_LIMIT || why == ERROR_NOT_ENOUGH_MEMORY || why == ERROR_NO_SYSTEM_RESOURCES;
    return tabia_error_set(error, memory ? TABIA_ERROR_MEMORY : TABIA_ERROR_SYSTEM,
                           "cannot %s %s: error %lu of Windows", what, n->name, why);
}

static void *view(Named *n, const TabiaTable *t) {
    const uint64_t bytes = named_bytes(t);
    n->mapping =
        CreateFileMappingA(INVALID_HANDLE_VALUE, NULL, PAGE_READWRITE, (DWORD)(bytes >> 32), (DWORD)bytes, n->name);
    if (!n->mapping) return NULL;
    return MapViewOfFile(n->mapping, FILE_MAP_ALL_ACCESS, 0, 0, 0); /* as long as it is, if it was there */
}

/* With the mutex: makes what is nothing yet, or looks whether what is there is the same. */
static int agree(Named *n, const TabiaTable *t, NamedHeader *header, TabiaError *error) {
    uint64_t mine[SHAPE_N];
    tabia_named_shape(t, mine);
    if (header->magic == 0) {
        memcpy(header->shape, mine, sizeof mine);
        header->generations.generation = generation_word(0);
        header->magic = NAMED_MAGIC;
        return 0;
    }
    n->joined = true;
    if (header->magic == NAMED_MAGIC) return tabia_named_compare(header->shape, mine, t->options.name, n->name, error);
    return tabia_error_set(error, TABIA_ERROR_FOREIGN, "name '%s': %s is not a table: choose another name",
                           t->options.name, n->name);
}

static int attach(Named *n, TabiaTable *t, TabiaError *error) {
    void *start = view(n, t);
    if (!start) return system_refuses(n, "make", error);
    t->memory = (Memory){.at = (char *)start + named_buckets_offset(t),
                         .bytes = table_bytes(t),
                         .page_bytes = 4096,
                         .shared = true,
                         .mapping = start,
                         .mapping_bytes = named_bytes(t)};
    const int code = agree(n, t, start, error);
    if (!code) tabia_named_place(t, start);
    return code;
}

static int attach_alone(Named *n, TabiaTable *t, TabiaError *error) {
    char name[NAME_MAX_BYTES];
    snprintf(name, sizeof name, "Local\\tabia-making-%s", t->options.name);
    HANDLE mutex = CreateMutexA(NULL, FALSE, name);
    if (!mutex) return system_refuses(n, "lock", error);
    const DWORD got = WaitForSingleObject(mutex, WAIT_SECONDS * 1000);
    const bool mine = got == WAIT_OBJECT_0 || got == WAIT_ABANDONED;
    const int code = mine ? attach(n, t, error)
                          : tabia_error_set(error, TABIA_ERROR_SYSTEM,
                                            "name '%s': another process has been making %s for %d seconds",
                                            t->options.name, n->name, WAIT_SECONDS);
    if (mine) ReleaseMutex(mutex);
    CloseHandle(mutex);
    return code;
}

int tabia_named_open(TabiaTable *t, TabiaError *error) {
    Named *n = calloc(1, sizeof *n);
    if (!n) return tabia_error_set(error, TABIA_ERROR_MEMORY, "no memory to begin with");
    snprintf(n->name, sizeof n->name, "Local\\tabia-%s", t->options.name);
    t->named = n;
    const int code = attach_alone(n, t, error);
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
    if (n->mapping) CloseHandle(n->mapping);
    free(n);
}

bool tabia_named_joined(const Named *named) {
    return named->joined;
}

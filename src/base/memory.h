/* SPDX-License-Identifier: MIT */
/*
 * Large memory straight from the system, in the largest pages to be had. A table bigger than the caches is read at
 * random: with pages of 4 KiB nearly every probe also walks the page tables, with 2 MiB or 1 GiB it does not.
 *
 *   guard |<- at ............ bytes ............ ->| rest of the last page | guard       (transparent huge pages)
 *         ^ a multiple of 2 MiB
 *
 * Asked for in this order: reserved pages of 1 GiB, reserved pages of 2 MiB (most systems reserve none), ordinary
 * memory that starts on a multiple of 2 MiB with a request for transparent huge pages, which the kernel may grant page
 * by page when the memory is first touched. Hence page_bytes is what was asked for, tabia_memory_page_bytes what was
 * got. Less than 1 MiB is asked for in small pages.
 */
#pragma once
#include "base/error.h"
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t bytes;    /* at least 1 */
    bool small_pages;  /* the system's small pages only, for comparison */
    uint64_t returned; /* what will have been given back when it is touched */
} MemoryRequest;

typedef struct {
    void *at;            /* the memory: aligned to page_bytes; null when there is none */
    uint64_t bytes;      /* as asked for */
    uint64_t page_bytes; /* 1 GiB or 2 MiB, reserved or hoped for, or the small page where no other was asked for */
    bool reserved;       /* in reserved huge pages, certain from the start */
    bool shared;         /* a file's, tabia_memory_map: other processes may have it as well */
    void *mapping;       /* what the system gave, guards included: only for tabia_memory_free */
    size_t mapping_bytes;
} Memory;

/* A small piece, aligned to a power of two that divides its bytes; NULL where there is none. */
void *tabia_aligned_get(size_t alignment, size_t bytes);
void tabia_aligned_free(void *at);

/* Gets that much memory, all zero, not yet touched. Refuses more than the system can give (base/memory_limit.h):
   touching it would have the kernel end the process. On failure false with an error, *m is empty and nothing is kept.
   The memory is the caller's until tabia_memory_free. */
bool tabia_memory_get(Memory *m, MemoryRequest request, TabiaError *error);

/* The same with the content of an open file in memory (on Linux of /dev/shm), shared with all who map it: from the file's byte
   `from`, a multiple of 2 MiB, for request.bytes bytes. The bytes before lie before m->at. The file is long enough
   already; it stays the caller's, and may be closed. Until tabia_memory_touch has succeeded for all parts, an access
   ends the process if the file's system is full. Whether there is room the caller has to see. */
bool tabia_memory_map(Memory *m, int file, uint64_t from, MemoryRequest request, TabiaError *error);

/* Has the system provide the file's first bytes, up to that many, so that no access to them fails: 0, or the errno why not. */
int tabia_memory_provide(int file, uint64_t bytes);

/* Gives the memory back and empties *m. An empty (or all-zero) Memory is fine. */
void tabia_memory_free(Memory *m);

/* First touch: makes the system provide part number `part` of `parts` equal ones now, near the calling thread, so that
   many threads share the zeroing and a page lies in the memory of the thread that asked for it. No two parts share a
   huge page. Private memory only before first use: it may write zeros. Shared memory keeps what it holds. False if the
   system does not provide it. */
bool tabia_memory_touch(const Memory *m, unsigned part, unsigned parts);

/* The page size that most of the touched memory really lies in: 1 GiB, 2 MiB, or the system's small page. To be called
   after first touch; reads /proc/self/smaps for transparent huge pages (the small page where there is no such file). */
uint64_t tabia_memory_page_bytes(const Memory *m);

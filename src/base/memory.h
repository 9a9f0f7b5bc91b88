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
 * got.
 */
#pragma once
#include "base/fault.h"
#include <stddef.h>
#include <stdint.h>

typedef struct {
    void *at;            /* the memory: aligned to page_bytes; null when there is none */
    uint64_t bytes;      /* as asked for */
    uint64_t page_bytes; /* 1 GiB or 2 MiB, reserved or hoped for */
    bool reserved;       /* in reserved huge pages, certain from the start */
    void *mapping;       /* what the system gave, guards included: only for tabia_memory_free */
    size_t mapping_bytes;
} Memory;

/* Gets that many bytes (at least 1), all zero, not yet touched. On failure false with a fault, *m is empty and nothing
   is kept. The memory is the caller's until tabia_memory_free. */
bool tabia_memory_get(Memory *m, uint64_t bytes, Fault *fault);

/* Gives the memory back and empties *m. An empty (or all-zero) Memory is fine. */
void tabia_memory_free(Memory *m);

/* First touch: makes the system provide part number `part` of `parts` equal ones now, near the calling thread, so that
   many threads share the zeroing and a page lies in the memory of the thread that asked for it. No two parts share a
   huge page. Only before first use: it writes zeros. */
void tabia_memory_touch(const Memory *m, unsigned part, unsigned parts);

/* The page size that most of the touched memory really lies in: 1 GiB, 2 MiB, or the system's small page. Ask after
   first touch; reads /proc/self/smaps for transparent huge pages (the small page where there is no such file). */
uint64_t tabia_memory_page_bytes(const Memory *m);

/* SPDX-License-Identifier: MIT */
/*
 * A ply that is kept: its positions, each once, with the paths to each; in memory, or in a file that appears when it is
 * whole. One thread writes it, all read it.
 */
#pragma once
#include "base/atomic_file.h"
#include "child_set.h"

typedef struct {
    uint64_t n;
    MergedPosition *position;
    size_t capacity;
    FilePart part; /* while the file is written */
    int file;      /* while it is read */
    char *name;    /* NULL: in memory */
} PlyStore;

/* How many positions are read at once: but for the last of a ply, every block has so many. */
enum { PLY_BLOCK = 4096 };

/* An empty ply, in memory if name is NULL. False with an error. */
bool ply_store_begin(PlyStore *s, const char *name, TabiaError *error);
/* Adds n positions: PLY_BLOCK of them, or fewer at the end. */
bool ply_store_append(PlyStore *s, const MergedPosition *positions, size_t n, TabiaError *error);
/* No more will be added: the ply can be read. */
bool ply_store_end(PlyStore *s, TabiaError *error);

/* A ply of n positions that another run has written, or false with an error. */
bool ply_store_open(PlyStore *s, const char *name, uint64_t n, TabiaError *error);

/* A block, whose size goes to *n; buffer has room for PLY_BLOCK and one more. In a file it is compared with its checksum.
   NULL with an error. */
const MergedPosition *ply_store_block(const PlyStore *s, uint64_t block, MergedPosition *buffer, size_t *n,
                                      TabiaError *error);

/* Frees it, and leaves an empty ply in memory. A file is removed only if `remove`. */
void ply_store_free(PlyStore *s, bool remove);

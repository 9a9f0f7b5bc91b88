/* SPDX-License-Identifier: MIT */
/* Files of networks: shogi has none yet. */
#pragma once
#include <stddef.h>

#include "base/error.h"
#include "eval/network.h"

/* Reads a file. The caller frees the network by free(). NULL with an error that names the file. */
static inline Network *network_read(const char *path, TabiaError *error) {
    return tabia_fail(error, "%s: there are no networks for shogi", path), (Network *)NULL;
}

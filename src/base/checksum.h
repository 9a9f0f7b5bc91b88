/* SPDX-License-Identifier: MIT */
/*
 * The checksum of what is saved, tables and training data: XXH3 with 64 bits (Yann Collet), from Debian's
 * libxxhash-dev, compiled in. It reads memory faster than memory can be filled, so that checking costs nothing beside
 * reading; a damaged block passes for a whole one once in 2^64. It is no signature: who wants to deceive can.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

uint64_t tabia_checksum(const void *data, size_t bytes);

/* SPDX-License-Identifier: MIT */
/* How much memory may still be used. */
#pragma once
#include <stdint.h>

/* Bytes that the system can give without swapping, by its own estimate (MemAvailable), and no more than what is left
   of this process's control group's limit. UINT64_MAX where neither can be read. */
uint64_t tabia_memory_available(void);

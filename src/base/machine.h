/* SPDX-License-Identifier: MIT */
/* What this machine is called. */
#pragma once

enum { PROCESSOR_TEXT_MAX = 128 };

/* The model's name of the first processor as the kernel tells it, or "unknown processor". */
void tabia_processor_name(char out[PROCESSOR_TEXT_MAX]);

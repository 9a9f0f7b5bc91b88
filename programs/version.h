/* SPDX-License-Identifier: MIT */
/* What this program was built from. TABIA_VERSION and TABIA_COMPILER ("clang 14.0.6") come from the build. */
#pragma once

/* The commit that was built, with "-dirty" where the tree had changes; "unknown" for a tree without history. */
extern const char version_commit[];

/* Prints name, version, commit, compiler, and the kernel that counts on this CPU. */
void version_print(const char *program);

/* SPDX-License-Identifier: MIT */
#include "version.h"

#include <stdio.h>

#include "perft/kernel.h"

void version_print(const char *program) {
    printf("%s %s\ncommit %s\ncompiler %s\nkernel %s", program, TABIA_VERSION, version_commit, TABIA_COMPILER,
           perft_kernel_at(0)->name);
    for (unsigned i = 1; perft_kernel_at(i); i++)
        printf("%s%s", i > 1 ? ", " : " (this CPU also runs ", perft_kernel_at(i)->name);
    puts(perft_kernel_at(1) ? ")" : "");
}

/* SPDX-License-Identifier: MIT */
#include "base/machine.h"

#include <stdio.h>
#include <string.h>

void tabia_processor_name(char out[PROCESSOR_TEXT_MAX]) {
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(out, PROCESSOR_TEXT_MAX, "unknown processor");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon || !colon[1]) continue;
        snprintf(out, PROCESSOR_TEXT_MAX, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
        break;
    }
    if (file) fclose(file);
}

/* SPDX-License-Identifier: MIT */
/* make_network FILE: prints network_built_in (network.h) as C source, from network.bin. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "network_file.h"

static void print_row(const int16_t *row) {
    printf("{");
    for (int i = 0; i < NETWORK_WIDTH; i++) printf("%d,", row[i]);
    printf("},\n");
}

static void print_network(const Network *n) {
    printf(
        "/* Made by make_network.c. */\n#include \"network/network.h\"\n\nconst Network network_built_in = {\n.input = "
        "{\n");
    for (int i = 0; i < NETWORK_INPUTS; i++) print_row(n->input[i]);
    printf("},\n.input_bias = ");
    print_row(n->input_bias);
    printf(".output = {\n");
    for (int b = 0; b < NETWORK_BUCKETS; b++) {
        printf("{\n");
        for (int side = 0; side < 2; side++) print_row(n->output[b][side]);
        printf("},\n");
    }
    printf("},\n.output_bias = {");
    for (int b = 0; b < NETWORK_BUCKETS; b++) printf("%d,", (int)n->output_bias[b]);
    printf("},\n.shape = {.width = %u, .buckets = %u, .mirrored = %d},\n.identity = UINT64_C(%" PRIu64 "),\n};\n",
           n->shape.width, n->shape.buckets, n->shape.mirrored, n->identity);
}

int main(int argc, char **argv) {
    static uint8_t bytes[NETWORK_FILE_BYTES_MAX + 1];
    static Network network;
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!file) return fputs("make_network FILE: a file that can be read\n", stderr), EXIT_FAILURE;
    TabiaError error;
    const bool good = network_file_unpack(&network, bytes, fread(bytes, 1, sizeof bytes, file), &error);
    fclose(file);
    if (!good) return fprintf(stderr, "%s: %s\n", argv[1], error.text), EXIT_FAILURE;
    print_network(&network);
    return fflush(stdout) == 0 && !ferror(stdout) ? EXIT_SUCCESS : EXIT_FAILURE;
}

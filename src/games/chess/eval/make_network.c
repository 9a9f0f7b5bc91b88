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

static void print_network(const Network *n, uint64_t checksum) {
    printf("/* Made by make_network.c. */\n#include \"eval/network.h\"\n\nconst Network network_built_in = {\n.input = "
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
    printf("},\n};\n");
    printf("const uint64_t network_built_in_checksum = UINT64_C(%" PRIu64 ");\n", checksum);
}

int main(int argc, char **argv) {
    static uint8_t bytes[NETWORK_FILE_BYTES + 1];
    static Network network;
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!file) return fputs("make_network FILE: a file that can be read\n", stderr), EXIT_FAILURE;
    const char *wrong = network_file_unpack(&network, bytes, fread(bytes, 1, sizeof bytes, file));
    fclose(file);
    if (wrong) return fprintf(stderr, "%s: %s\n", argv[1], wrong), EXIT_FAILURE;
    print_network(&network, network_file_checksum(bytes));
    return fflush(stdout) == 0 && !ferror(stdout) ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* SPDX-License-Identifier: MIT */
/* network_values NETWORK FILE: what the network says of each position of a data file, a line each, in centipawns for the
   side to move. */
#include <stdio.h>
#include <stdlib.h>

#include "data/reader.h"
#include "network/network_file.h"

static int fail(const TabiaError *error) {
    fprintf(stderr, "network_values: %s\n", error->text);
    return 1;
}

int main(int argc, char **argv) {
    if (argc != 3) return fputs("usage: network_values NETWORK FILE\n", stderr), 2;
    static AccumulatorStack stack;
    static DataRecord record;
    TabiaError error;
    Network *n = network_read(argv[1], &error);
    if (!n) return fail(&error);
    DataReader *r = data_reader_open(argv[2], NULL, &error);
    if (!r) return free(n), fail(&error);
    accumulator_stack_init(&stack, n);
    DataReadStatus status;
    while ((status = data_read(r, &record, &error)) == DATA_READ_OK)
        printf("%d\n", network_evaluate(&stack, n, &record.position, 0));
    data_reader_close(r);
    free(n);
    return status == DATA_READ_END ? 0 : fail(&error);
}

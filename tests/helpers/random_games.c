/* SPDX-License-Identifier: MIT */
/* random_games FILE RECORDS SEED [chess960]: a data file of random games, in the format of its name, to measure
   with. */
#include <stdio.h>
#include <stdlib.h>

#include "data/writer.h"
#include "helpers/random_games.h"

static int fail(const TabiaError *error) {
    fprintf(stderr, "random_games: %s\n", error->text);
    return 1;
}

int main(int argc, char **argv) {
    if (argc < 4) return fputs("usage: random_games FILE RECORDS SEED [chess960]\n", stderr), 2;
    static DataRecord game[RANDOM_GAME_MAX];
    const uint64_t max = strtoull(argv[2], NULL, 10);
    uint64_t seed = strtoull(argv[3], NULL, 10);
    TabiaError error;
    const DataFormat *format = data_format_by_extension(argv[1]);
    if (!format) return fputs("random_games: the file's name ends in no format\n", stderr), 2;
    DataWriter *w = data_writer_create_atomic(argv[1], format, false, &error);
    if (!w) return fail(&error);
    for (uint64_t done = 0; done < max;) {
        unsigned n = random_game(&seed, argc > 4, RANDOM_GAME_MAX, game);
        if (n > max - done) n = (unsigned)(max - done);
        for (unsigned i = 0; i < n; i++)
            if (!data_write(w, &game[i], &error)) return fail(&error);
        done += n;
    }
    return data_writer_close(w, 0, NULL, &error) ? 0 : fail(&error);
}

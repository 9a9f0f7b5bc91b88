/* SPDX-License-Identifier: MIT */
/*
 * Damaged files of training data, determined by the seed, in every format: bits flipped, ends truncated, bytes random or
 * extreme, duplicated, removed or copied from another file; and random bytes.
 *
 *     fuzz_data COUNT SEED
 */
#include "fuzz/data_check.h"
#include "helpers/random_games.h"

enum { FILE_BYTES_MAX = 1 << 16, GAMES = 3 };

typedef struct {
    uint8_t data[FILE_BYTES_MAX];
    size_t bytes;
} File;

/* A game in the format that is only read, monty: en passant and a promotion (test_data_vectors.c). */
static const uint8_t monty_game[] = {
    0, 0,    0,    0,    0x08, 0,    0,    0x10, 0x10, 0,    0,    0,    0,    0,    0,    0x10, 0x10, 0, 0, 0,
    0, 0,    0,    0x10, 0,    0,    0,    0,    0x18, 0,    0x01, 0,    0,    0x2b, 0,    0,    0x02, 0, 0, 0x07,
    0, 0x07, 0x01, 0xb5, 0x92, 0x6e, 0x03, 0xb0, 0xf3, 0x6e, 0x03, 0x8b, 0xc3, 0x99, 0x04, 0,    0,    0, 0};

static void copy_games(File *f) {
    for (f->bytes = 0; f->bytes < 20 * sizeof monty_game; f->bytes += sizeof monty_game)
        memcpy(f->data + f->bytes, monty_game, sizeof monty_game);
}

static void make_file(const DataFormat *format, bool chess960, uint64_t *seed, File *f) {
    static DataRecord game[RANDOM_GAME_MAX];
    DataEncoder e;
    if (!format->write) {
        copy_games(f);
        return;
    }
    data_encoder_init(&e, format);
    for (int i = 0; i < GAMES; i++) {
        const unsigned n = random_game(seed, chess960, 60, game);
        for (unsigned k = 0; k < n; k++)
            if (!data_encode(&e, &game[k], NULL)) abort();
    }
    if (!data_encoder_finish(&e, NULL) || e.bytes.size > FILE_BYTES_MAX) abort();
    memcpy(f->data, e.bytes.data, e.bytes.size);
    f->bytes = e.bytes.size;
    data_encoder_free(&e);
}

static void mutate(uint64_t *seed, File *f, const File *other) {
    const size_t at = random_below(seed, (unsigned)f->bytes);
    size_t length = 1 + random_below(seed, 80);
    if (length > f->bytes - at) length = f->bytes - at;
    switch (random_below(seed, 7)) {
    case 0:
        f->data[at] ^= (uint8_t)(1 << random_below(seed, 8));
        break;
    case 1:
        f->data[at] = (uint8_t)random_next(seed);
        break;
    case 2:
        f->data[at] = random_below(seed, 2) ? 0 : 0xff;
        break;
    case 3:
        f->bytes = random_below(seed, 4) ? f->bytes - random_below(seed, (unsigned)length + 1) : at;
        break;
    case 4:
        if (at + length <= other->bytes) memcpy(f->data + at, other->data + at, length);
        break;
    case 5:
        memmove(f->data + at, f->data + at + length, f->bytes - at - length);
        f->bytes -= length;
        break;
    default:
        if (f->bytes + length > FILE_BYTES_MAX) break;
        memmove(f->data + at + length, f->data + at, f->bytes - at);
        f->bytes += length;
    }
}

int main(int argc, char **argv) {
    if (argc != 3) return fputs("usage: fuzz_data COUNT SEED\n", stderr), 2;
    const unsigned n = (unsigned)strtoul(argv[1], NULL, 10);
    uint64_t seed = strtoull(argv[2], NULL, 10);
    static File file[DATA_FORMATS_N], work;
    unsigned long good = 0;
    for (unsigned i = 0; i < n; i++) {
        const unsigned f = i % DATA_FORMATS_N;
        if (i % 600 < DATA_FORMATS_N) make_file(data_format(f), i / 600 % 2, &seed, &file[f]);
        work = file[f];
        for (unsigned c = random_below(&seed, 4); c <= 4 && work.bytes; c++)
            mutate(&seed, &work, &file[random_below(&seed, 8) ? f : random_below(&seed, DATA_FORMATS_N)]);
        if (i % 50 < DATA_FORMATS_N)
            for (size_t k = 0; k < work.bytes; k++) work.data[k] = (uint8_t)random_next(&seed);
        good += data_check(data_format(f), work.data, work.bytes);
    }
    printf("%u files, %lu good records\n", n, good);
    return good < n; /* most records of a file survive a few mutations */
}

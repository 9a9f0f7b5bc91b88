/* SPDX-License-Identifier: MIT */
/*
 * A damaged game of PGN between two good ones, determined by the seed: whatever is in it, the records of the good games are the
 * same as without it.
 *
 *     fuzz_pgn COUNT SEED
 */
#include "fuzz/data_check.h"
#include "helpers/random_games.h"

enum { PLIES = 24, GAME_BYTES_MAX = 1 << 12 };

typedef struct {
    char text[GAME_BYTES_MAX];
    size_t bytes;
} Game;

static void make_game(uint64_t *seed, bool chess960, Game *g) {
    static DataRecord game[RANDOM_GAME_MAX];
    DataEncoder e;
    data_encoder_init(&e, &data_format_pgn);
    const unsigned n = random_game(seed, chess960, PLIES, game);
    for (unsigned i = 0; i < n; i++)
        if (!data_encode(&e, &game[i], NULL)) abort();
    if (!data_encoder_finish(&e, NULL) || e.bytes.size > sizeof g->text / 2) abort();
    memcpy(g->text, e.bytes.data, g->bytes = e.bytes.size);
    data_encoder_free(&e);
}

/* Signs of PGN, and words that are read in another way in another place. */
static void mutate(uint64_t *seed, Game *g) {
    static const char *const tokens[] = {"{",
                                         "}",
                                         "(",
                                         ")",
                                         "[",
                                         "]",
                                         "\"",
                                         ";",
                                         "%",
                                         "\n",
                                         "\n\n",
                                         "\n%",
                                         "\r",
                                         "\x1a",
                                         "\xef\xbb\xbf",
                                         "1-0",
                                         " 0-1 ",
                                         " * ",
                                         " -- ",
                                         " N ",
                                         " += ",
                                         "$1",
                                         "1.",
                                         "e4",
                                         "\\",
                                         "\n[Event \"b\"]\n",
                                         "[Result \"1-0\"]",
                                         "\n\n[Site \"c\"]\n",
                                         "[Variant \"Atomic\"]\n",
                                         "{[%eval 1]}",
                                         "(1. e4)",
                                         "{\n[Event \"d\"]\n}",
                                         "; e5\n"};
    const size_t at = random_below(seed, (unsigned)g->bytes + 1), left = g->bytes - at;
    if (random_below(seed, 3)) {
        const char *token = tokens[random_below(seed, sizeof tokens / sizeof *tokens)];
        const size_t length = strlen(token);
        memmove(g->text + at + length, g->text + at, left);
        memcpy(g->text + at, token, length);
        g->bytes += length;
    } else {
        const size_t wanted = 1 + random_below(seed, random_below(seed, 3) ? 3 : 200),
                     length = wanted < left ? wanted : left;
        memmove(g->text + at, g->text + at + length, left - length);
        g->bytes -= length;
    }
}

/* The number of good records, at most `room`. */
static unsigned read_records(const char *text, size_t bytes, DataRecord *records, unsigned room) {
    TabiaError error;
    unsigned n = 0;
    DataReadStatus status = DATA_READ_OK;
    DataReader *reader = data_reader_memory(text, bytes, &data_format_pgn, &error);
    while (reader && n < room && (status == DATA_READ_OK || status == DATA_READ_BAD_RECORD)) {
        status = data_read(reader, &records[n], &error);
        n += status == DATA_READ_OK;
    }
    data_reader_close(reader);
    return n;
}

static bool same_records(const DataRecord *a, const DataRecord *b, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        if (!position_same(&a[i].position, &b[i].position) || a[i].move != b[i].move || a[i].score != b[i].score ||
            a[i].result != b[i].result || a[i].starts_game != b[i].starts_game)
            return false;
    return true;
}

static void check_around(const Game *before, const Game *damaged, const Game *behind) {
    static DataRecord first[2 * PLIES], last[2 * PLIES], all[GAME_BYTES_MAX];
    char text[3 * GAME_BYTES_MAX];
    const unsigned n = read_records(before->text, before->bytes, first, 2 * PLIES);
    const unsigned m = read_records(behind->text, behind->bytes, last, 2 * PLIES);
    memcpy(text, before->text, before->bytes);
    memcpy(text + before->bytes, damaged->text, damaged->bytes);
    const size_t at = before->bytes + damaged->bytes;
    memcpy(text + at, "\n\n\n", 3);
    memcpy(text + at + 3, behind->text, behind->bytes);
    const unsigned k = read_records(text, at + 3 + behind->bytes, all, GAME_BYTES_MAX);
    if (k >= n + m && same_records(all, first, n) && same_records(all + k - m, last, m)) return;
    printf("%.*s", (int)(at + 3 + behind->bytes), text);
    data_fail(&data_format_pgn, "a damaged game changes the records of another", "");
}

int main(int argc, char **argv) {
    if (argc != 3) return fputs("usage: fuzz_pgn COUNT SEED\n", stderr), 2;
    const unsigned n = (unsigned)strtoul(argv[1], NULL, 10);
    uint64_t seed = strtoull(argv[2], NULL, 10);
    static Game game[2], damaged;
    for (unsigned i = 0; i < n; i++) {
        if (i % 50 == 0)
            for (unsigned k = 0; k < 2; k++) make_game(&seed, i / 50 % 2, &game[k]);
        if (i % 10 == 0) make_game(&seed, i / 10 % 2, &damaged);
        Game work = damaged;
        for (unsigned c = random_below(&seed, 4); c <= 4 && work.bytes; c++) mutate(&seed, &work);
        check_around(&game[0], &work, &game[1]);
    }
    printf("%u damaged games\n", n);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* The format of bytes is recognized whatever the name says, also from few of them; where they tell nothing, the name does. */
#include "data/encode.h"
#include "data/recognize.h"
#include "helpers/random_games.h"
#include "unit.h"

enum { GAMES = 40 };

static DataBuffer encode_games(const DataFormat *format, unsigned games, unsigned plies) {
    static DataRecord game[RANDOM_GAME_MAX];
    TabiaError error;
    DataEncoder e;
    uint64_t seed = 17;
    data_encoder_init(&e, format);
    for (unsigned i = 0; i < games; i++) {
        const unsigned n = random_game(&seed, false, plies, game);
        for (unsigned k = 0; k < n; k++) assert_true(data_encode(&e, &game[k], &error));
    }
    assert_true(data_encoder_finish(&e, &error));
    return e.bytes;
}

static void check_start(const DataFormat *format, const DataInputStart *start) {
    for (unsigned i = 0; i <= DATA_FORMATS_N; i++) {
        const DataFormat *named = i < DATA_FORMATS_N ? data_format(i) : NULL;
        const DataFormat *seen = data_recognize(start, named);
        if (seen == format) continue;
        fail_msg("%zu bytes of %s, named %s: %s", start->n, format->name, named ? named->name : "nothing",
                 seen ? seen->name : "nothing");
    }
}

static void each_format_is_recognized(void **state) {
    for (unsigned i = 0; i < DATA_FORMATS_N; i++) {
        if (!data_format(i)->write) continue;
        const DataBuffer bytes = encode_games(data_format(i), GAMES, 200);
        assert_true(bytes.size > 2000);
        check_start(data_format(i), &(DataInputStart){bytes.data, bytes.size, true});
        check_start(data_format(i), &(DataInputStart){bytes.data, 2000, false});
        check_start(data_format(i), &(DataInputStart){bytes.data, 200, false});
        free(bytes.data);
    }
}

static void few_records_suffice(void **state) {
    for (unsigned i = 0; i < DATA_FORMATS_N; i++) {
        if (!data_format(i)->write) continue;
        const DataBuffer bytes = encode_games(data_format(i), 1, 3);
        check_start(data_format(i), &(DataInputStart){bytes.data, bytes.size, true});
        free(bytes.data);
    }
}

/* The name decides about an empty file, and about bytes of no format. */
static void the_name_is_the_last_resort(void **state) {
    uint8_t noise[4096];
    uint64_t seed = 5;
    for (size_t i = 0; i < sizeof noise; i++) noise[i] = (uint8_t)random_next(&seed);
    for (unsigned i = 0; i <= DATA_FORMATS_N; i++) {
        const DataFormat *named = i < DATA_FORMATS_N ? data_format(i) : NULL;
        assert_ptr_equal(data_recognize(&(DataInputStart){noise, sizeof noise, true}, named), named);
        assert_ptr_equal(data_recognize(&(DataInputStart){noise, 0, true}, named), named);
    }
}

/* A file that is mostly good stays what its name says. */
static void damage_changes_no_format(void **state) {
    DataBuffer bytes = encode_games(&data_format_bin, GAMES, 200);
    for (unsigned record = 0; record < 20; record++) memset(bytes.data + 80 * record, 0, 40);
    check_start(&data_format_bin, &(DataInputStart){bytes.data, bytes.size, true});
    free(bytes.data);
}

/* By its signature alone, since no game of it is good: whatever may stand before it, and whatever the name. */
static void pgn_with_a_preface(void **state) {
    static const char *const prefaces[] = {"", "\xef\xbb\xbf", "\r\n\n \x1a\n", "% a\n; b {\n",
                                           "{ a\n[b }\n%\n\xef\xbb\xbf"};
    for (size_t i = 0; i < sizeof prefaces / sizeof *prefaces; i++) {
        char text[100];
        const int n = sprintf(text, "%s[Event \"a\"]\n[Result \"*\"]\n\n*\n", prefaces[i]);
        check_start(&data_format_pgn, &(DataInputStart){text, (size_t)n, true});
        assert_null(data_recognize(&(DataInputStart){text, strlen(prefaces[i]), true}, NULL));
    }
}

#include "test_recognize_list.h"

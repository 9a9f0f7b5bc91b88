/* SPDX-License-Identifier: MIT */
/*
 * Filters of training data: each rule removes what it says and nothing else, the counts are whole, what is drawn has its
 * share and follows the seed.
 */
#include "base/random.h"
#include "data/filter.h"
#include "folder.h"
#include "helpers/random_games.h"

#include <math.h>

enum { GAMES = 250, RECORDS_MAX = GAMES * 120 };
static DataRecord sample[RECORDS_MAX], kept[RECORDS_MAX];
static unsigned records;

static int begin(void **state) {
    TabiaError error;
    uint64_t seed = 29;
    if (make_folder(state)) return -1;
    for (int i = 0; i < GAMES; i++)
        records += random_game(&seed, false, 1 + random_below(&seed, 119), sample + records);
    for (unsigned i = 0; i < records; i += 97) sample[i].skip = true, sample[i].score = DATA_SKIP_SCORE;
    DataWriter *w = data_writer_create_atomic(in_folder("in.bin"), &data_format_bin, false, &error);
    for (unsigned i = 0; i < records; i++)
        if (!data_write(w, &sample[i], &error)) return -1;
    return data_writer_close(w, 0, NULL, &error) ? 0 : -1;
}

/* Filters a file of n records into `kept`; returns how many records that are. */
static unsigned run_file(const char *path, unsigned long of, const FilterRules *rules, uint64_t seed,
                         FilterCounts *counts) {
    TabiaError error = {.code = 0};
    DataSource s = {.paths = &path, .path_count = 1};
    DataWriter *w = data_writer_create_atomic(in_folder("out.bin"), &data_format_bin, false, &error);
    const DataFilterOptions options = {*rules, seed};
    if (data_filter(&s, w, &options, counts, &error) != DATA_DONE) fail_msg("%s", error.text);
    data_source_close(&s);
    assert_true(data_writer_close(w, 0, NULL, &error));
    DataReader *r = data_reader_open(in_folder("out.bin"), &data_format_bin, &error);
    unsigned n = 0;
    while (n < RECORDS_MAX && data_read(r, &kept[n], &error) == DATA_READ_OK) n++;
    data_reader_close(r);
    assert_int_equal(n, counts->kept);
    uint64_t all = counts->kept;
    for (unsigned i = 0; i < FILTER_REASONS_N; i++) all += counts->removed[i];
    for (unsigned i = 0; i < GAME_FILTERS_N; i++) all += counts->removed_by_game[i];
    assert_int_equal(all, of);
    return n;
}

static unsigned run(const FilterRules *rules, uint64_t seed, FilterCounts *counts) {
    return run_file(in_folder("in.bin"), records, rules, seed, counts);
}

static unsigned rule_index(const char *name) {
    unsigned i = 0;
    while (i < filter_rule_count() && strcmp(filter_rule(i).name, name) != 0) i++;
    assert_true(i < filter_rule_count());
    return i;
}

/* Sets rules from "name value name value ...". */
static FilterRules rules_of(const char *text) {
    FilterRules rules = filter_rules_none();
    char name[64], value[600];
    int used;
    TabiaError error;
    for (; sscanf(text, "%63s %599s%n", name, value, &used) == 2; text += used)
        if (!filter_rule_set(&rules, rule_index(name), value, &error)) fail_msg("%s", error.text);
    return rules;
}

/* What each certain rule removes, said anew. */
typedef bool Removes(const DataRecord *r);
static int pieces(const DataRecord *r) {
    return __builtin_popcountll(r->position.side[WHITE] | r->position.side[BLACK]);
}
static bool early(const DataRecord *r) {
    return r->ply < 20;
}
static bool high(const DataRecord *r) {
    return r->score >= 300 || r->score <= -300;
}
static bool few(const DataRecord *r) {
    return pieces(r) < 28;
}
static bool many(const DataRecord *r) {
    return pieces(r) > 28;
}
static bool wrong(const DataRecord *r) {
    if (r->result == 0) return r->score > 150 || r->score < -150;
    return r->result * r->score < -150;
}
static bool tactical(const DataRecord *r) {
    Position next;
    position_make_move(&next, &r->position, r->move);
    const int left = __builtin_popcountll(next.side[WHITE] | next.side[BLACK]);
    return left != pieces(r) || move_promotes(r->move);
}
static bool check(const DataRecord *r) {
    return in_check(&r->position);
}
static bool castles(const DataRecord *r) {
    return r->position.king & bit(move_from(r->move)) && r->position.side[r->position.turn] & bit(move_to(r->move));
}
static bool even(const DataRecord *r) {
    static const int worth[] = {1, 3, 3, 5, 9, 0};
    int sum = 0;
    for (int square = 0; square < 64; square++)
        if (occupied(&r->position) & bit(square))
            sum += worth[piece_type_at(&r->position, square)] * (r->position.side[WHITE] & bit(square) ? 1 : -1);
    return sum > -3 && sum < 3;
}

static const struct {
    const char *rule;
    Removes *removes;
} certain[] = {{"min_ply 20", early},
               {"max_eval 300", high},
               {"min_pieces 28", few},
               {"max_pieces 28", many},
               {"max_eval_incorrectness 150", wrong},
               {"filter_tactical true", tactical},
               {"filter_check true", check},
               {"filter_castling true", castles},
               {"min_material_difference 3", even}};

static void each_rule_removes_what_it_says(void **state) {
    FilterCounts counts;
    for (unsigned i = 0; i < sizeof certain / sizeof *certain; i++) {
        const FilterRules rules = rules_of(certain[i].rule);
        const unsigned n = run(&rules, 1, &counts);
        unsigned k = 0;
        for (unsigned j = 0; j < records; j++) {
            if (!sample[j].skip && certain[i].removes(&sample[j])) continue;
            if (k == n || kept[k].move != sample[j].move || kept[k].ply != sample[j].ply)
                fail_msg("%s: record %u", certain[i].rule, j);
            k++;
        }
        assert_int_equal(k, n);
        assert_true(n < records);
    }
}

static void no_rule_removes_nothing(void **state) {
    FilterCounts counts;
    const FilterRules none = filter_rules_none(), marks = rules_of("filter_skip true");
    assert_int_equal(run(&none, 1, &counts), records);
    assert_int_equal(run(&marks, 1, &counts), records - (records + 96) / 97);
    assert_int_equal(counts.removed[FILTER_REASON_filter_skip], (records + 96) / 97);
}

static void assert_share(uint64_t part, double whole, double share) {
    const double deviation = sqrt(whole * share * (1 - share));
    if (fabs((double)part - whole * share) > 5 * deviation + 1)
        fail_msg("%ju of %.0f; %.4f is expected", (uintmax_t)part, whole, share);
}

static void what_is_drawn_follows_the_seed(void **state) {
    FilterCounts counts, again;
    const FilterRules rules = rules_of("random_fen_skip_probability 0.3");
    assert_share(records - run(&rules, 1, &counts), (double)records, 0.3 * 96 / 97);
    run(&rules, 1, &again);
    assert_memory_equal(&counts, &again, sizeof counts);
    run(&rules, 2, &again);
    assert_int_not_equal(counts.kept, again.kept);
}

/* By the formula of the model, written out for one point; and a result that is improbable is seldom kept. */
static void the_model_of_results(void **state) {
    FilterCounts counts;
    const FilterRules rules = rules_of("wdl_filtered true filter_skip true");
    const double won = filter_result_probability(&rules, 58, 229, 1),
                 lost = filter_result_probability(&rules, 58, 229, -1),
                 drawn = filter_result_probability(&rules, 58, 229, 0);
    assert_true(fabs(won + drawn + lost - 1) < 1e-9 && won > 0.49 && won < 0.51 && lost > 0.03 && lost < 0.04);
    assert_true(fabs(filter_result_probability(&rules, 30, -100, -1) - filter_result_probability(&rules, 30, 100, 1)) <
                1e-12);
    assert_true(filter_result_probability(&rules, 5, 80, 1) == filter_result_probability(&rules, 17, 80, 1));
    double expected = 0;
    for (unsigned i = 0; i < records; i++) {
        static const int worth[] = {1, 3, 3, 5, 9, 0};
        int material = 0;
        EACH (square, occupied(&sample[i].position)) material += worth[piece_type_at(&sample[i].position, (int)square)];
        if (!sample[i].skip) expected += filter_result_probability(&rules, material, sample[i].score, sample[i].result);
    }
    const unsigned n = run(&rules, 4, &counts);
    assert_true(fabs(n - expected) < 3 * sqrt(expected));
    const FilterRules by_ply = rules_of("wdl_by_ply true");
    assert_true(run(&by_ply, 4, &counts) < records && counts.removed[FILTER_REASON_wdl_by_ply] > records / 4);
}

/* What holds before any rule is set is what its text gives. */
static void first_models_are_those_of_their_texts(void **state) {
    const FilterRules none = filter_rules_none();
    const FilterRules rules = rules_of("wdl_model_params_a 6.87155862,-39.65226391,90.68460352,170.66996364 "
                                       "wdl_model_params_b -7.19890710,56.13947185,-139.91091183,182.81007427");
    const FilterNumbers *const first[] = {&none.wdl_model_params_a, &none.wdl_model_params_b};
    const FilterNumbers *const set[] = {&rules.wdl_model_params_a, &rules.wdl_model_params_b};
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(first[i]->count, set[i]->count);
        assert_memory_equal(first[i]->number, set[i]->number, sizeof set[i]->number);
    }
}

static void bad_rules_are_named(void **state) {
    FilterRules rules = filter_rules_none();
    TabiaError error;
    static const struct {
        const char *name, *value, *fault;
    } bad[] = {
        {"min_ply", "3.5", "min_ply: '3.5' is not a whole number"},
        {"min_ply", "70000", "min_ply: '70000' is not a number from 0 to 65535"},
        {"mom_target", "0", "mom_target: '0' is not a number from 1"},
        {"filter_check", "1", "filter_check: '1' is neither true nor false"},
        {"wdl_model_params_a", "1,2,3", "wdl_model_params_a: it has 4 numbers"},
        {"wdl_model_params_a", "1,2,3,4,5", "wdl_model_params_a: it has 4 numbers"},
        {"random_fen_skip_probability", "nan", "random_fen_skip_probability: 'nan' is not a number"},
    };
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(filter_rule_set(&rules, rule_index(bad[i].name), bad[i].value, &error));
        if (!strstr(error.text, bad[i].fault)) fail_msg("'%s': %s", bad[i].value, error.text);
    }
}

#define RUN(tests) cmocka_run_group_tests(tests, begin, remove_folder_with_files)
#include "test_filter_list.h"

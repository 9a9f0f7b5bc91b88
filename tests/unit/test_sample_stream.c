/* SPDX-License-Identifier: MIT */
/* The stream of training samples: each pass has all samples once, in another order, but for those held out; it is the same
   from any place on. */
#include "train_tools.h"

#include "train/expected_score.h"
#include "train/sample_stream.h"

enum { RECORDS = 9000 };

/* ---- streams ---- */

static SampleStream *open_from(OneFile *file, const char *path, SampleStreamOptions options) {
    TabiaError error = {0};
    SampleStream *s = sample_stream_open(one_file(file, path), &options, &error);
    if (!s) fail_msg("%s", error.text);
    return s;
}

static void take(SampleStream *s, TrainSample *to, size_t n) {
    TabiaError error = {0};
    for (size_t at = 0, now; at < n; at += now) {
        now = n - at < 617 ? n - at : 617;
        if (sample_stream_take(s, to + at, now, &error) != DATA_DONE) fail_msg("%s", error.text);
    }
}

static bool same_sample(const TrainSample *a, const TrainSample *b) {
    return !memcmp(a->position, b->position, sizeof a->position) && a->score == b->score && a->result == b->result;
}

static int by_bytes(const void *a, const void *b) {
    const TrainSample *x = a, *y = b;
    const int order = memcmp(x->position, y->position, sizeof x->position);
    return order ? order : x->score != y->score ? x->score - y->score : x->result - y->result;
}

static bool same_samples(TrainSample *a, TrainSample *b, size_t n) {
    qsort(a, n, sizeof *a, by_bytes), qsort(b, n, sizeof *b, by_bytes);
    for (size_t i = 0; i < n; i++)
        if (!same_sample(&a[i], &b[i])) return false;
    return true;
}

/* All samples that are not held out, in the order of the file. */
static size_t training_samples(const char *path, TrainSample *to, size_t *held) {
    OneFile file;
    SampleReader reader = {.source = one_file(&file, path), .holds_out = true};
    TrainSample sample;
    bool held_out;
    size_t n = 0;
    *held = 0;
    while (sample_read(&reader, &sample, &held_out, NULL)) {
        if (held_out)
            ++*held;
        else
            to[n++] = sample;
    }
    data_source_close(&file.source);
    return n;
}

static unsigned moved(const TrainSample *a, const TrainSample *b, size_t n) {
    unsigned count = 0;
    for (size_t i = 0; i < n; i++) count += !same_sample(&a[i], &b[i]);
    return count;
}

/* Chunks of several sizes, one of them larger than the file. */
static void each_pass_has_all_samples(void **state) {
    const char *path = in_folder("data.bin");
    write_labelled_games(path, false, UINT32_MAX);
    TrainSample *all = aligned(65536 * sizeof *all), *pass = aligned(2 * 65536 * sizeof *pass);
    size_t held;
    const size_t n = training_samples(path, all, &held);
    assert_true(n > 20000 && held > 2000 && held < n / 8);
    static const size_t chunks[] = {1, 1000, 7777, 1 << 20};
    for (int i = 0; i < 4; i++) {
        OneFile file;
        const SampleStreamOptions options = {
            .seed = 5, .pass_samples = n, .chunk_samples = chunks[i], .holds_out = true};
        SampleStream *s = open_from(&file, path, options);
        take(s, pass, 2 * n);
        sample_stream_close(s);
        if (chunks[i] > 1) {
            assert_true(moved(pass, pass + n, n) > n / 2 && moved(all, pass, n) > n / 2);
            assert_true(chunks[i] > n || same_samples(pass, pass + n, chunks[i])); /* shuffled within chunks */
        }
        TrainSample *sorted = aligned(n * sizeof *sorted);
        memcpy(sorted, all, n * sizeof *sorted);
        assert_true(same_samples(sorted, pass, n) && same_samples(sorted, pass + n, n));
        free(sorted);
    }
    free(all), free(pass);
}

static void it_begins_anywhere(void **state) {
    const char *path = in_folder("data.bin");
    OneFile file;
    SampleStatistics statistics;
    write_labelled_games(path, false, RECORDS);
    statistics_of_file(&statistics, path);
    const size_t n = statistics.training, taken = 3 * n + 100;
    TrainSample *whole = aligned(taken * sizeof *whole), *part = aligned(taken * sizeof *part);
    SampleStreamOptions options = {
        .seed = 9, .pass_samples = n, .chunk_samples = 1900, .holds_out = statistics.holds_out};
    SampleStream *s = open_from(&file, path, options);
    take(s, whole, taken);
    sample_stream_close(s);
    for (options.from = 0; options.from < 2 * n + 1; options.from += 1 + n / 13) {
        s = open_from(&file, path, options);
        take(s, part, n);
        sample_stream_close(s);
        assert_int_equal(moved(part, whole + options.from, n), 0);
    }
    free(whole), free(part);
    sample_statistics_free(&statistics);
}

/* A file that has fewer samples than the statistics saw is no end of a pass. */
static void changed_files_are_noticed(void **state) {
    const char *path = in_folder("data.bin");
    OneFile file;
    TrainSample sample[100];
    TabiaError error = {0};
    DataOutcome outcome = DATA_DONE;
    write_labelled_games(path, false, 500);
    for (size_t chunk = 90; chunk < 10000; chunk *= 100) {
        SampleStream *s =
            open_from(&file, path, (SampleStreamOptions){.pass_samples = RECORDS, .chunk_samples = chunk});
        for (int i = 0; i < 10 && outcome == DATA_DONE; i++) outcome = sample_stream_take(s, sample, 100, &error);
        sample_stream_close(s);
        assert_int_equal(outcome, DATA_BAD_INPUT);
        assert_non_null(strstr(error.text, "have changed"));
        outcome = DATA_DONE;
    }
}

/* ---- statistics ---- */

static void statistics_tell_data_apart(void **state) {
    const char *path = in_folder("data.bin"), *other = in_folder("other.bin");
    SampleStatistics first, second, third;
    OneFile file, validation;
    write_labelled_games(path, false, RECORDS), write_labelled_games(other, false, RECORDS - 1);
    statistics_of_file(&first, path), statistics_of_file(&second, other);
    assert_true(first.checksum != second.checksum && first.records == RECORDS && second.records == RECORDS - 1);
    assert_true(first.k > 0.0025 && first.k < 0.0035); /* as write_labelled has it: 0.003 */
    assert_true(first.training + first.validation.count == first.quiet && first.quiet <= first.records);
    assert_int_equal(sample_statistics(&third, one_file(&file, path), one_file(&validation, other), 0, NULL),
                     DATA_DONE);
    assert_true(!third.holds_out && third.training == first.quiet && third.validation.count == second.quiet);
    sample_statistics_free(&first), sample_statistics_free(&second), sample_statistics_free(&third);
}

/* TD(lambda), with a half; the last score of a game stays, and so does the one of a record alone. */
static void scores_are_mixed_with_later_ones(void **state) {
    const char *path = in_folder("games.plain");
    const double mixed[] = {expected_score(0.004, 100) / 2 + (1 - expected_score(0.004, -300)) / 4 +
                                expected_score(0.004, 50) / 4,
                            expected_score(0.004, -300) / 2 + (1 - expected_score(0.004, 50)) / 2,
                            expected_score(0.004, 50), expected_score(0.004, 700)};
    const char text[] =
        "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\nmove e2e4\nscore 100\nply 0\nresult 1\ne\n"
        "fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\nmove e7e5\nscore -300\nply 1\nresult -1\ne\n"
        "fen rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\nmove g1f3\nscore 50\nply 2\nresult 1\ne\n"
        "fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\nmove e2e4\nscore 700\nply 0\nresult 1\ne\n";
    write_whole("games.plain", text, sizeof text - 1);
    SampleReader reader = {.source = &(DataSource){.paths = &path, .path_count = 1}, .td_lambda = 0.5};
    TrainSample sample;
    for (int i = 0; i < 4; i++) {
        assert_true(sample_read(&reader, &sample, NULL, NULL) &&
                    fabs(expected_score(0.004, sample.score) - mixed[i]) < 0.0005);
        assert_int_equal(reader.own_score, ((int[]){100, -300, 50, 700})[i]);
    }
    data_source_close(reader.source);
}

/* Of any number at most so many, every so many-th of them. */
static void spreads_are_even(void **state) {
    Position p;
    assert_true(fen_parse(&p, fen_start, NULL));
    for (unsigned offered = 1; offered <= 40000; offered += offered / 3 + 1) {
        SampleSpread s = {.capacity = 100};
        for (unsigned i = 0; i < offered; i++) {
            TrainSample sample = train_sample(&p, (int)(i % 30000), 1);
            assert_true(sample_spread_add(&s, &sample));
        }
        assert_true(s.count <= 100 && s.count >= (offered < 50 ? offered : 50));
        for (size_t i = 0; i < s.count; i++) assert_int_equal(s.sample[i].score, i * s.stride % 30000);
        sample_spread_free(&s);
    }
}

#include "test_sample_stream_list.h"

/* SPDX-License-Identifier: MIT */
/*
 * What is kept on disk, where the power may be cut: ledgers, saved tables, data with checksums and sidecar, checkpoints. Each is
 * written on a simulated disk, which then crashes anywhere, many times; and each call and each allocation fails in turn. What was
 * promised is there, nothing that is read is wrong, and writing resumes without a repair. What is damaged later is not believed.
 *
 *     test_crash [CRASHES]
 */
#include "base/checksum.h"
#include "base/random.h"
#include "data/recognize.h"
#include "data/writer.h"
#include "datagen/generate.h"
#include "folder.h"
#include "helpers/random_games.h"
#include "perft/ledger.h"
#include "simulated_disk.h"
#include "tabia/counts.h"
#include "train/train_files.h"

#include <fcntl.h>

typedef struct {
    unsigned promised;
    bool torn, damaged; /* a piece that was not synced; what was */
    bool tidy;          /* one call failed, and no more: nothing half done is left */
} Crash;

typedef struct {
    const char *name;
    unsigned crashes;                      /* of 1000 */
    bool (*run)(void);                     /* promises; false: something failed */
    const char *(*check)(const Crash *at); /* what is wrong, or NULL */
    const char *damaged[3];                /* endings of the files with checksums */
} Work;

static const char *path(const char *name) {
    return in_folder(name);
}

/* ---- a ledger ---- */

enum { LEDGER_UNITS = 15 };

static U128 count_of(uint64_t unit) {
    return ((U128)unit << 70) + unit * 1000003 + 17;
}

static void visit(void *context, uint64_t unit, U128 n) {
    unsigned *seen = context;
    if (unit < 32) seen[n != count_of(unit)] |= 1u << unit;
}

static Ledger *open_ledger(unsigned seen[2], uint64_t *cut) {
    TabiaError error;
    seen[0] = seen[1] = 0;
    return ledger_open(path("ledger"), "perft 7 of a position, units of depth 4", visit, seen, cut, &error);
}

static bool count_units(void) {
    TabiaError error;
    unsigned seen[2];
    for (unsigned unit = 0; unit < LEDGER_UNITS; unit += 5) {
        Ledger *l = open_ledger(seen, NULL);
        bool good = l != NULL;
        for (unsigned i = 0; i < 5 && good; i++) good = ledger_append(l, unit + i, count_of(unit + i), &error);
        if (!ledger_close(l, &error) || !good) return false;
        disk_promise(unit + 5);
    }
    return true;
}

static const char *check_ledger(const Crash *at) {
    TabiaError error;
    unsigned seen[2];
    uint64_t cut = 0;
    Ledger *l = open_ledger(seen, &cut);
    if (at->tidy && cut) return "half a record is left";
    if (!l) return at->damaged || (at->torn && !at->promised) ? NULL : "it is not opened";
    const bool appended = ledger_append(l, 31, count_of(31), &error) && ledger_close(l, &error);
    if (seen[1]) return "a count is wrong";
    if (~seen[0] & ((1u << at->promised) - 1) && !at->damaged) return "a unit is lost";
    l = open_ledger(seen, NULL);
    const bool again = l && ledger_close(l, &error);
    return appended && again && seen[0] >> 31 ? NULL : "it does not resume";
}

/* ---- a saved table ---- */

enum { TABLE_COUNTS = 200 };

static TabiaTable *small_table(void) {
    TabiaTable *t = NULL;
    TabiaError error;
    const TabiaOptions options = {.bytes = 1 << 16, .type = TABIA_COUNTS, .threads = 1};
    tabia_table_create(&t, &options, &error);
    return t;
}

static TabiaKey table_key(uint64_t i) {
    const uint64_t word = random_next(&i);
    return (TabiaKey){word, random_next(&i)};
}

static bool save_tables(void) {
    TabiaError error;
    TabiaTable *t = small_table();
    bool good = t != NULL;
    for (unsigned version = 1; version <= 3 && good; version++) {
        tabia_table_clear(t);
        for (unsigned i = 0; i < TABLE_COUNTS; i++) tabia_counts_store(t, table_key(i), 4, version * 1000 + i);
        good = tabia_table_save(t, path("table"), NULL, &error) == 0;
        if (good) disk_promise(version);
    }
    tabia_table_destroy(t);
    return good;
}

static const char *check_table(const Crash *at) {
    TabiaError error;
    TabiaTable *t = small_table();
    const bool loaded = tabia_table_load(t, path("table"), NULL, &error) == 0;
    const uint64_t version = (uint64_t)tabia_counts_probe(t, table_key(0), 4) / 1000;
    bool same = true;
    for (unsigned i = 0; i < TABLE_COUNTS; i++)
        same &= tabia_counts_probe(t, table_key(i), 4) == (loaded ? version * 1000 + i : 0);
    tabia_table_destroy(t);
    if (at->tidy && files_in_folder() > 1) return "a part is left";
    if (!loaded) return !at->promised || at->damaged ? NULL : "it is not loaded";
    return !same ? "a count is wrong" : version < at->promised ? "it is an old one" : NULL;
}

/* ---- data that replaces data ---- */

enum { GAMES = 9, PLIES = 40 };
static struct {
    DataRecord game[GAMES][RANDOM_GAME_MAX];
    unsigned plies[GAMES];
} games;

static void make_games(void) {
    uint64_t seed = 5;
    for (unsigned i = 0; i < GAMES; i++) games.plies[i] = random_game(&seed, false, PLIES + (int)i, games.game[i]);
}

static bool write_game(DataWriter *w, unsigned i) {
    TabiaError error;
    bool good = true;
    for (unsigned k = 0; k < games.plies[i] && good; k++) good = data_write(w, &games.game[i][k], &error);
    return good;
}

/* Writes one game in the place of what is there; the third has no checksums. */
static bool replace_data(unsigned version) {
    TabiaError error;
    DataWriter *w = data_writer_create_atomic(path("d.viri"), &data_format_viri, version != 3, &error);
    if (!w) return false;
    if (write_game(w, version)) return data_writer_close(w, 0, NULL, &error);
    data_writer_abort(w);
    return false;
}

static bool replace_often(void) {
    for (unsigned version = 1; version <= 4; version++) {
        if (!replace_data(version)) return false;
        disk_promise(version);
    }
    return true;
}

/* Are the records of the file those of these games, one after the other, up to its end, whole games, and of one game all?
   *ended: nothing was refused. */
static bool reads_right(unsigned first, unsigned last, bool *ended) {
    DataRecord r;
    TabiaError error;
    DataReader *reader = data_reader_open(path("d.viri"), &data_format_viri, &error);
    DataReadStatus status = DATA_READ_ERROR;
    bool right = true;
    unsigned i = first, k = 0;
    while (reader && (status = data_read(reader, &r, &error)) == DATA_READ_OK && right) {
        if (k == games.plies[i]) i++, k = 0;
        right = i <= last && r.score == games.game[i][k].score && r.move == games.game[i][k].move;
        k++;
    }
    data_reader_close(reader);
    *ended = status == DATA_READ_END;
    return right && (!*ended || k == games.plies[i] || (!k && last > first));
}

static const char *check_replaced(const Crash *at) {
    const bool exists = !access(path("d.viri"), F_OK), has_sums = !access(path("d.viri.sums"), F_OK);
    bool ended = false, right = false;
    unsigned version = exists ? at->promised + !at->promised : 0;
    for (; exists && version <= 4 && !right; version += !right) right = reads_right(version, version, &ended) && ended;
    if (at->damaged && ended && !right && has_sums) return "damage is read";
    if (at->damaged) return NULL;
    if (!exists && has_sums) return "there are checksums of no file";
    if (exists ? !right : at->promised != 0) return "it is not what was written last";
    if (at->promised == 4 && !has_sums) return "its checksums are lost";
    if (!replace_data(5) || !reads_right(5, 5, &ended) || !ended) return "it is not replaced";
    return files_in_folder() == 2 ? NULL : "parts are left";
}

/* ---- data that grow ---- */

static bool grow(DataWriter *w, unsigned from) {
    TabiaError error;
    bool good = true;
    for (unsigned i = from; i < GAMES && good; i++) {
        good = write_game(w, i) && data_writer_flush_block(w, i + 1, &error);
        if (good) disk_promise(i + 1);
    }
    if (!good) data_writer_abort(w);
    return good && data_writer_close(w, GAMES, NULL, &error);
}

/* And once more from block 4 on: the lines of blocks that go must not outlive them. */
static bool grow_from_nothing(void) {
    TabiaError error;
    DataPrefix prefix;
    DataWriter *w = data_writer_create_growing(path("d.viri"), &data_format_viri, &error);
    if (!w || !grow(w, 0)) return false;
    disk_promise(3);
    w = data_writer_resume(path("d.viri"), &data_format_viri, 4, &prefix, &error);
    return w && grow(w, 3);
}

static const char *check_growing(const Crash *at) {
    TabiaError error;
    DataPrefix prefix;
    bool ended;
    if (!access(path("d.viri.sums"), F_OK) && !reads_right(0, GAMES - 1, &ended)) return "what is read is wrong";
    DataWriter *w = data_writer_resume(path("d.viri"), &data_format_viri, 0, &prefix, &error);
    if (!w && !at->torn && !at->damaged) return "it needs a repair";
    const bool rewrites = prefix.blocks == 3; /* what failed may have been the truncation itself */
    if (at->tidy && prefix.blocks && !rewrites && !prefix.complete) return "half a block is left";
    if (!w && prefix.damaged)
        w = data_writer_resume(path("d.viri"), &data_format_viri, prefix.blocks + 1, &prefix, &error);
    if (!w) return at->damaged ? NULL : "it does not resume";
    const bool lost = prefix.blocks < at->promised && !at->damaged;
    if (!grow(w, (unsigned)prefix.resume_point)) return "it does not grow";
    return lost ? "a block is lost" : reads_right(0, GAMES - 1, &ended) && ended ? NULL : "it is another file";
}

/* ---- gensfen ---- */

static struct {
    size_t bytes[3];
    uint64_t checksum[3];
} generated;
static const char *const generated_names[] = {"g.viri", "g.viri.sums", "g.viri.json"};

static bool play_games(void) {
    TabiaError error;
    DatagenSettings s;
    Openings o;
    DatagenProgress progress;
    datagen_settings_default(&s);
    s.search.depth = 1, s.search.soft_nodes = 0, s.search.nodes = 0;
    s.hash_bytes = 1 << 16;
    s.output.block_positions = 30, s.output.format = &data_format_viri;
    s.adjudication.max_ply = 50;
    if (!datagen_settings_check(&s, &error) || !openings_open(&o, NULL, s.opening.start, true, NULL, &error))
        return false;
    const DatagenJob job = {.path = path("g.viri"), .positions = 150, .threads = 1, .resume = true};
    const DatagenOutcome outcome = datagen_run(&s, &o, &job, &(DatagenCallbacks){0}, &progress, &error);
    openings_close(&o);
    if (outcome == DATAGEN_DONE) disk_promise(1);
    return outcome == DATAGEN_DONE;
}

/* Whether the files are those of the first run, which this is if there is none. */
static bool same_generated(void) {
    bool same = true;
    for (unsigned i = 0; i < 3; i++) {
        size_t bytes;
        uint8_t *data = read_whole(generated_names[i], &bytes);
        const uint64_t checksum = tabia_checksum(data, bytes);
        free(data);
        if (!generated.bytes[i]) generated.bytes[i] = bytes, generated.checksum[i] = checksum;
        same &= generated.bytes[i] == bytes && generated.checksum[i] == checksum;
    }
    return same;
}

static const char *check_generated(const Crash *at) {
    if (at->promised && !at->damaged && !same_generated()) return "a finished file has changed";
    if (!play_games()) return at->damaged || at->torn ? NULL : "it does not resume";
    return same_generated() ? NULL : "it is another file";
}

/* ---- a training ---- */

static TrainState training;

static bool open_training(TrainFiles *f) {
    TabiaError error;
    const TrainJob job = {.path = path("net"), .resume = true};
    const TrainOptions options = {.epochs = 3, .shape = network_full_shape()};
    const SampleStatistics statistics = {.quiet = 1000};
    training.place = (TrainPlace){0};
    memset(training.network, 0, sizeof *training.network);
    memset(training.moments, 0, sizeof *training.moments);
    return train_files_open(f, &job, &options, &statistics, &training, &error) == DATA_DONE;
}

static float weight_of(uint64_t samples) {
    return (float)samples * 0.5f;
}

static bool train(void) {
    static TrainFiles f;
    TabiaError error;
    bool good = open_training(&f);
    for (unsigned i = 1; i <= 2 && good; i++) {
        const TrainLogLine line = {.epoch = i, .samples = i * 100};
        training.place.samples = i;
        training.network->input[i][i] = weight_of(i);
        good = train_files_log(&f, &training, &line, &error) && train_files_checkpoint(&f, &training, &error);
        if (good) disk_promise(i);
    }
    train_files_close(&f);
    return good;
}

static bool all_zero(const void *data, size_t bytes) {
    const char *at = data;
    return !at[0] && !memcmp(at, at + 1, bytes - 1);
}

/* Are all weights those of the first steps? Takes them away. */
static bool weights_are_right(uint64_t steps) {
    bool right = true;
    for (uint64_t i = 1; i <= steps; i++) {
        right &= training.network->input[i][i] == weight_of(i);
        training.network->input[i][i] = 0;
    }
    return right && all_zero(training.network, sizeof *training.network) &&
           all_zero(training.moments, sizeof *training.moments);
}

static const char *check_training(const Crash *at) {
    static TrainFiles f;
    const bool opened = open_training(&f);
    const uint64_t samples = training.place.samples;
    train_files_close(&f);
    if (!opened) return at->damaged ? NULL : "it does not resume";
    if (samples < at->promised && !at->damaged) return "a checkpoint is lost";
    if (samples > 2 || !weights_are_right(samples)) return "a weight is wrong";
    size_t bytes;
    char *text = (char *)read_whole("net.log", &bytes);
    uint64_t lines = 0;
    for (const char *line = text; (line = strstr(line, "{\"kind\"")) != NULL; line++) lines++;
    free(text);
    return lines == samples || at->damaged ? NULL : "lines of the log are lost";
}

/* ---- all ---- */

static const Work works[] = {
    {"ledger", 372, count_units, check_ledger, {"ledger"}},
    {"table", 150, save_tables, check_table, {"table"}},
    {"replaced data", 225, replace_often, check_replaced, {".viri", ".sums"}},
    {"growing data", 225, grow_from_nothing, check_growing, {".viri", ".sums"}},
    {"gensfen", 8, play_games, check_generated, {".viri", ".sums"}},
    {"training", 20, train, check_training, {".checkpoint"}},
};
enum { WORKS = sizeof works / sizeof *works };
static unsigned crashes = 400;

/* What is reported on standard error is not what is tested. */
static const char *check_quietly(const Work *w, const Crash *at) {
    const int kept = dup(STDERR_FILENO), nothing = open("/dev/null", O_WRONLY);
    dup2(nothing, STDERR_FILENO);
    const char *wrong = w->check(at);
    dup2(kept, STDERR_FILENO);
    close(kept), close(nothing);
    return wrong;
}

static void power_is_cut(void **state) {
    for (const Work *w = works; w < works + WORKS; w++) {
        uint64_t seed = 1;
        disk_begin(folder);
        if (!w->run()) fail_msg("%s: it fails", w->name);
        disk_stop();
        if (w->run == play_games) assert_true(same_generated());
        for (unsigned i = 0; i * 1000 < crashes * w->crashes; i++) {
            const unsigned calls = random_below(&seed, disk_calls() + 1);
            Crash at = {.damaged = random_below(&seed, 2)};
            at.promised = disk_crash(calls, &seed, &at.torn);
            if (at.damaged) disk_damage(w->damaged, &seed);
            const char *wrong = check_quietly(w, &at);
            if (wrong)
                fail_msg("%s, crash %u, after call %u of %u%s%s, promised %u: %s", w->name, i, calls, disk_calls(),
                         at.torn ? ", torn" : "", at.damaged ? ", damaged" : "", at.promised, wrong);
        }
    }
}

/* Runs while something fails; then nothing that was promised is lost, nor by a crash at that moment. */
static unsigned run_with_fault(const Work *w, const char *what, unsigned n, int call, bool all_behind) {
    uint64_t seed = n;
    disk_begin(folder);
    disk_fail(call, all_behind);
    (void)w->run();
    const unsigned calls = disk_calls();
    disk_stop();
    for (unsigned crash = 0; crash < (w->run == play_games ? 2 : 6); crash++) {
        Crash at = {.promised = disk_promised(), .tidy = !crash && !all_behind};
        if (crash) at.promised = disk_crash(calls, &seed, &at.torn);
        const char *wrong = check_quietly(w, &at);
        if (wrong)
            fail_msg("%s, %s %u%s%s: %s", w->name, what, n, all_behind ? " and all behind" : "", crash ? ", crash" : "",
                     wrong);
    }
    return calls;
}

static void every_call_fails(void **state) {
    for (const Work *w = works; w < works + WORKS; w++)
        for (unsigned all_behind = 0; all_behind < 2; all_behind++)
            for (unsigned n = 0; run_with_fault(w, "call", n, (int)n, all_behind) >= n && n < 1000; n++) continue;
}

/* ---- allocations: the linker has calls of malloc come here (--wrap) ---- */

static int allocations_left = -1; /* then one is refused; below 0: none is */

static bool is_refused(void) {
    return allocations_left >= 0 && allocations_left-- == 0;
}
void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes) {
    return is_refused() ? NULL : __real_malloc(bytes);
}
void *__real_calloc(size_t n, size_t bytes);
void *__wrap_calloc(size_t n, size_t bytes);
void *__wrap_calloc(size_t n, size_t bytes) {
    return is_refused() ? NULL : __real_calloc(n, bytes);
}
void *__real_realloc(void *at, size_t bytes);
void *__wrap_realloc(void *at, size_t bytes);
void *__wrap_realloc(void *at, size_t bytes) {
    return is_refused() ? NULL : __real_realloc(at, bytes);
}
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes) {
    return is_refused() ? NULL : __real_aligned_alloc(alignment, bytes);
}

static void every_allocation_fails(void **state) {
    for (const Work *w = works; w < works + WORKS; w++)
        for (int n = 0, left = -1; left < 0 && n < 2000; n++) {
            allocations_left = n;
            disk_begin(folder);
            (void)w->run();
            left = allocations_left;
            allocations_left = -1;
            disk_stop();
            const Crash at = {.promised = disk_promised()};
            const char *wrong = check_quietly(w, &at);
            if (wrong) fail_msg("%s, allocation %d: %s", w->name, n, wrong);
        }
}

#include "test_crash_list.h"

int main(int argc, char **argv) {
    if (argc > 1) crashes = (unsigned)strtoul(argv[1], NULL, 10);
    make_games();
    training.network = calloc(1, sizeof *training.network);
    training.moments = calloc(1, sizeof *training.moments);
    const int failed = cmocka_run_group_tests(tests, make_folder, remove_folder_with_files);
    free(training.network), free(training.moments);
    return failed;
}

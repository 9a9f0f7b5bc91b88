/* SPDX-License-Identifier: MIT */
/* The trainer: samples keep pieces and inputs, gradients equal difference quotients, synthetic samples have the values
   of the evaluation by material, a network is trained on both, also from an initial network; the result is the same bytes
   for any number of threads and wherever it was stopped. */
#include "train_tools.h"

#include "network/network_file.h"
#include "train/expected_score.h"
#include "train/network_step.h"
#include "train/synthetic_samples.h"

/* ---- positions ---- */

static Position pieces_only(const Position *p) {
    Position pieces = *p;
    pieces.castle[0] = pieces.castle[1] = pieces.ep = 0, pieces.halfmove = 0, pieces.fullmove = 1;
    return pieces;
}

/* The same inputs as the engine's, in any order. */
static void check_features(const Position *p, const Position *kept, bool mirrored) {
    NetworkFeatures in;
    network_features(kept, mirrored, &in);
    assert_int_equal(in.count, popcount(occupied(p)));
    assert_int_equal(in.bucket, network_bucket(p));
    for (int side = 0; side < 2; side++) {
        const Colour c = (Colour)(side ? !p->turn : p->turn);
        int64_t sum = 0;
        EACH (s, occupied(p))
            sum += network_feature(c, network_orientation(mirrored, p, c), p->side[BLACK] & bit((int)s) ? BLACK : WHITE,
                                   piece_type_at(p, (int)s), (int)s);
        for (int i = 0; i < in.count; i++) sum -= in.input[side][i];
        assert_int_equal(sum, 0);
    }
}

static void check_position(void *context, const Position *p, Key key) {
    (void)context, (void)key;
    const TrainSample sample = train_sample(p, 0, 1);
    const Position kept = train_sample_position(&sample), pieces = pieces_only(p);
    assert_memory_equal(&kept, &pieces, sizeof kept);
    check_features(p, &kept, true);
    check_features(p, &kept, false);
}

static void samples_keep_positions(void **state) {
    Zobrist z;
    zobrist_init(&z, 1);
    random_games(check_position, NULL, &z);
}

/* ---- gradients ---- */

static Position position_of(const char *fen) {
    Position p;
    assert_true(fen_parse(&p, fen, NULL));
    return p;
}

static const char middlegame[] = "r1bqk2r/pp2bppp/2n2n2/2pp4/8/2N1PN2/PPP1BPPP/R1BQ1RK1 b kq - 0 1";

static void gradients_are_difference_quotients(void **state) {
    FloatNetwork *n = aligned(sizeof *n), *gradients = aligned(sizeof *gradients);
    float *weight = (float *)n, *gradient = (float *)gradients;
    uint64_t seed = 8;
    n->shape = network_full_shape();
    for (int i = 0; i < FLOAT_NETWORK_WEIGHTS; i++) weight[i] = ((float)random_below(&seed, 2000) - 1000) / 4000;
    const Position b = position_of(middlegame);
    ForwardPass t;
    const float value = float_network_forward(n, &b, &t);
    float_network_backward(n, &t, 1, (NetworkColumns){0, NETWORK_WIDTH / 2}, gradients);
    float_network_backward(n, &t, 1, (NetworkColumns){NETWORK_WIDTH / 2, NETWORK_WIDTH}, gradients);
    gradients->output_bias[t.features.bucket] += 1;
    unsigned nonzero = 0;
    for (int i = 0; i < FLOAT_NETWORK_WEIGHTS; i += 1 + (int)random_below(&seed, 20)) {
        const float original = weight[i], by = 1.0f / 256;
        ForwardPass other;
        weight[i] = original + by;
        const float up = (float_network_forward(n, &b, &other) - value) / by;
        weight[i] = original - by;
        const float down = (value - float_network_forward(n, &b, &other)) / by;
        weight[i] = original;
        const float min = up < down ? up : down, max = up < down ? down : up;
        assert_true(gradient[i] >= min - 0.02f && gradient[i] <= max + 0.02f);
        nonzero += fabsf(gradient[i]) > 0.02f;
    }
    assert_true(nonzero > 100);
    free(n), free(gradients);
}

static double always_won(void *context, unsigned worker, size_t number, TrainSample *sample) {
    (void)context, (void)worker, (void)number, (void)sample;
    return 1;
}

/* The first step moves each weight that has a gradient by the rate. */
static void weights_stay_in_their_range(void **state) {
    const float limit = (float)NETWORK_OUTPUT_WEIGHT_MAX / NETWORK_OUTPUT_ONE;
    FloatNetwork *n = aligned(sizeof *n);
    NetworkMoments *moments = aligned(sizeof *moments);
    float *weight = (float *)n;
    uint64_t seed = 8;
    TabiaError error;
    memset(moments, 0, sizeof *moments);
    n->shape = network_full_shape();
    for (int i = 0; i < FLOAT_NETWORK_WEIGHTS; i++) weight[i] = ((float)random_below(&seed, 2000) - 1000) / 4000;
    const Position b = position_of(middlegame);
    const TrainSample sample = train_sample(&b, 0, 2);
    const NetworkBatch batch = {.sample = &sample, .count = 1, .k = 0.004, .rate = 10, .target = always_won};
    NetworkStepper *s = network_stepper_create(1, &error);
    double errors = 0, lowest = 0, highest = 0;
    assert_true(s && network_step(s, n, moments, &batch, &errors, &error));
    for (int i = 0; i < FLOAT_NETWORK_WEIGHTS; i++) {
        lowest = fmin(lowest, (double)weight[i]);
        highest = fmax(highest, (double)weight[i]);
    }
    assert_true(lowest == -(double)limit && highest == (double)limit && n->output_bias[NETWORK_BUCKETS - 1] == limit);
    network_stepper_destroy(s);
    free(n), free(moments);
}

/* ---- the unit of scores ---- */

static const double K_OF_SCORES = 0.004;

/* Results drawn with the expected score of their scores. */
static void k_is_that_of_the_results(void **state) {
    enum { SAMPLES = 100000 };
    TrainSample *sample = calloc(SAMPLES, sizeof *sample);
    uint64_t seed = 1;
    for (int i = 0; i < SAMPLES; i++) {
        sample[i].score = (int16_t)((int)random_below(&seed, 800) - 400);
        const double expected = expected_score(K_OF_SCORES, sample[i].score);
        sample[i].result = (double)random_below(&seed, 1 << 20) < expected * (1 << 20) ? 2 : 0;
    }
    assert_true(fabs(expected_score_fit(sample, SAMPLES) / K_OF_SCORES - 1) < 0.05);
    assert_true(expected_score_fit(&(TrainSample){.score = 100, .result = 0}, 1) < 0.001);
    free(sample);
}

/* ---- synthetic samples ---- */

static void synthetic_samples_have_the_value_by_material(void **state) {
    Evaluator *e = aligned(sizeof *e);
    evaluator_init(e, EVALUATION_MATERIAL);
    const Position start = position_of(middlegame);
    const TrainSample from = train_sample(&start, 0, 1);
    unsigned made = 0, moved = 0, poorer = 0;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        TrainSample synthetic, again;
        if (!synthetic_sample(e, &from, seed, &synthetic)) continue;
        assert_true(synthetic_sample(e, &from, seed, &again));
        assert_memory_equal(synthetic.position, again.position, sizeof again.position);
        const Position p = train_sample_position(&synthetic);
        assert_false(in_check(&p));
        assert_int_equal(synthetic.score, evaluate(e, &p, 0));
        made++, moved += occupied(&p) != occupied(&start),
            poorer += popcount(occupied(&p)) < popcount(occupied(&start));
    }
    assert_true(made > 1000 && moved > made / 2 && poorer > made / 10);
    free(e);
}

/* ---- training ---- */

static const TrainOptions usual = {.epochs = 12,
                                   .batch = 1024,
                                   .shuffle = 1 << 20,
                                   .rate = 0.003,
                                   .finetune_rate = 1,
                                   .shape = {NETWORK_WIDTH, NETWORK_BUCKETS, true},
                                   .seed = 2,
                                   .threads = 2};

typedef struct {
    const char *data;
    double errors[16];
    double k;
    size_t validation;
    unsigned calls, calls_left; /* until it is stopped; 0: never */
} Run;

static bool follow(void *context, const TrainReport *r) {
    Run *run = context;
    assert_true(r->done <= r->all && r->epoch_ends == (r->done == r->all));
    if (r->epoch_ends) run->errors[r->epoch - 1] = r->validation_error;
    run->k = r->k, run->validation = r->validation, run->calls++;
    return !run->calls_left || --run->calls_left;
}

static DataOutcome train_to(const char *path, const TrainOptions *options, bool resume, Run *run, TabiaError *error) {
    OneFile file;
    SampleStatistics statistics;
    statistics_of_file(&statistics, run->data);
    const TrainJob job = {.path = path, .resume = resume, .report = follow, .context = run};
    const DataOutcome outcome = train_network(options, &job, one_file(&file, run->data), &statistics, error);
    sample_statistics_free(&statistics);
    return outcome;
}

static void train_whole(const char *path, const TrainOptions *options, Run *run) {
    TabiaError error = {0};
    if (train_to(path, options, false, run, &error) != DATA_DONE) fail_msg("%s", error.text);
}

/* The variance of the expected scores. */
static double spread(const char *data, double k) {
    OneFile file;
    SampleReader reader = {.source = one_file(&file, data)};
    TrainSample sample;
    double sum = 0, square = 0;
    while (sample_read(&reader, &sample, NULL, NULL)) {
        const double p = 1 / (1 + exp(-k * sample.score));
        sum += p, square += p * p;
    }
    data_source_close(&file.source);
    const double n = (double)reader.count;
    return square / n - sum / n * (sum / n);
}

/* Material, from random games: nearly all of the variance is explained. It goes on from a file, at a low rate. */
static void a_network_is_trained(void **state) {
    Run run = {.data = in_folder("data.bin")};
    const char *path = in_folder("network");
    write_labelled_games(run.data, false, UINT32_MAX);
    train_whole(path, &usual, &run);
    assert_true(run.validation > 2000 && run.errors[11] < spread(run.data, run.k) / 10);
    double min = 1;
    for (int i = 0; i < 12; i++) min = run.errors[i] < min ? run.errors[i] : min;
    assert_true(min == run.errors[11] && same_files(path, in_folder("network.best")));

    Network *from = network_read(path, NULL);
    assert_non_null(from);
    TrainOptions on = usual;
    on.epochs = 1, on.rate = 0.00001, on.from = from;
    Run further = {.data = run.data};
    train_whole(in_folder("further"), &on, &further);
    assert_true(further.errors[0] < 1.2 * run.errors[11]);
    free(from);
}

/* The scores of the positions are all 0: a network trained on synthetic samples only predicts material all the same. */
static void synthetic_samples_are_used(void **state) {
    const char *labelled = in_folder("labelled.bin"), *path = in_folder("network");
    Run run = {.data = in_folder("silent.bin")};
    write_labelled_games(labelled, false, UINT32_MAX), write_labelled_games(run.data, true, UINT32_MAX);
    TrainOptions options = usual;
    options.synthetic_epochs = 6, options.epochs = 1, options.finetune_rate = 0, options.synthetic_fraction = 1;
    train_whole(path, &options, &run);
    Network *trained = network_read(path, NULL);
    FloatNetwork *n = aligned(sizeof *n);
    network_dequantize(n, trained);
    OneFile file;
    SampleReader reader = {.source = one_file(&file, labelled)};
    TrainSample sample;
    ForwardPass t;
    double right = 0, all = 0;
    while (sample_read(&reader, &sample, NULL, NULL)) {
        const Position p = train_sample_position(&sample);
        if (abs(sample.score) >= 400) all++, right += (float_network_forward(n, &p, &t) > 0) == (sample.score > 0);
    }
    assert_true(all > 1000 && right > 0.9 * all);
    data_source_close(&file.source);
    free(n), free(trained);
}

/* ---- the same bytes ---- */

static TrainOptions short_training(void) {
    TrainOptions o = usual;
    o.synthetic_epochs = 1, o.epochs = 2, o.synthetic_fraction = 0.25;
    o.epoch_samples = 5000, o.shuffle = 3000, o.batch = 700;
    o.result_weight = 0.3;
    return o;
}

/* The log without what the clock says: all before "seconds". */
static char *log_without_clock(const char *path) {
    size_t n;
    char *text = read_path(path, &n), *to = text;
    for (char *line = text; *line; line += strcspn(line, "\n") + 1) {
        const size_t kept = (size_t)(strstr(line, "\"seconds\"") - line);
        memmove(to, line, kept), to += kept;
    }
    *to = '\0';
    return text;
}

/* Stopped after each number of batches, also in the middle of chunks and parts, it comes to the same network, best
   network and log as without a stop. The checkpoint is gone at the end. */
static void a_stop_changes_nothing(void **state) {
    Run run = {.data = in_folder("data.bin")};
    write_labelled_games(run.data, false, 19000);
    TrainOptions options = short_training();
    train_whole(in_folder("whole"), &options, &run);
    char *log = log_without_clock(in_folder("whole.log"));
    const unsigned all = run.calls;
    for (unsigned batches = 1; batches < all; batches += 6) {
        DataOutcome outcome = DATA_STOPPED;
        TabiaError error = {0};
        for (unsigned begun = 0; outcome == DATA_STOPPED; begun++) {
            run.calls_left = batches;
            options.threads = 1 + begun % 3;
            outcome = train_to(in_folder("parts"), &options, true, &run, &error);
            assert_true(begun <= all / batches + 1);
        }
        if (outcome != DATA_DONE) fail_msg("%s", error.text);
        assert_true(same_files(in_folder("whole"), in_folder("parts")));
        assert_true(same_files(in_folder("whole.best"), in_folder("parts.best")));
        char *other = log_without_clock(in_folder("parts.log"));
        assert_string_equal(other, log);
        free(other);
        assert_int_not_equal(access(in_folder("parts.checkpoint"), F_OK), 0);
    }
    free(log);
}

/* A checkpoint is of one training, whole, and not overwritten unasked. */
static void checkpoints_are_checked(void **state) {
    Run run = {.data = in_folder("data.bin"), .calls_left = 3};
    const char *path = in_folder("network"), *checkpoint = in_folder("network.checkpoint");
    write_labelled_games(run.data, false, 12000);
    const TrainOptions options = short_training();
    TabiaError error = {0};
    assert_int_equal(train_to(path, &options, false, &run, &error), DATA_STOPPED);
    assert_int_equal(train_to(path, &options, false, &run, &error), DATA_BAD_INPUT);
    assert_non_null(strstr(error.text, "--resume continues it"));
    TrainOptions other = options;
    other.batch = 600;
    assert_int_equal(train_to(path, &other, true, &run, &error), DATA_BAD_INPUT);
    assert_non_null(strstr(error.text, "was written with batch 700, not batch 600"));
    write_labelled_games(run.data, true, 12000);
    assert_int_equal(train_to(path, &options, true, &run, &error), DATA_BAD_INPUT);
    assert_non_null(strstr(error.text, "was written with data of "));
    write_labelled_games(run.data, false, 12000);
    FILE *file = fopen(checkpoint, "r+");
    assert_true(file && !fseek(file, 100000, SEEK_SET) && putc(77, file) == 77 && !fclose(file));
    assert_int_equal(train_to(path, &options, true, &run, &error), DATA_BAD_INPUT);
    assert_non_null(strstr(error.text, "is damaged"));
    assert_int_equal(truncate(checkpoint, 5), 0);
    assert_int_equal(train_to(path, &options, true, &run, &error), DATA_BAD_INPUT);
    assert_non_null(strstr(error.text, "is not a checkpoint"));
}

/* A narrow network of one output that is not mirrored: what lies beyond stays 0, and one output stands in all buckets. */
static void shapes_are_kept(void **state) {
    Run run = {.data = in_folder("data.bin")};
    const char *path = in_folder("network");
    write_labelled_games(run.data, false, 12000);
    TrainOptions options = usual;
    options.epochs = 6, options.shape = (NetworkShape){.width = 48, .buckets = 1, .mirrored = false};
    train_whole(path, &options, &run);
    assert_true(run.errors[5] < spread(run.data, run.k) / 4);
    Network *n = network_read(path, NULL);
    assert_non_null(n);
    assert_true(n->shape.width == 48 && n->shape.buckets == 1 && !n->shape.mirrored);
    assert_memory_equal(n->output[0], n->output[7], sizeof n->output[0]);
    free(n);
}

#include "test_train_list.h"

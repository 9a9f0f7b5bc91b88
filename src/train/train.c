/* SPDX-License-Identifier: MIT */
#include "train.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/stop.h"
#include "base/time.h"
#include "expected_score.h"
#include "sample_stream.h"
#include "synthetic_samples.h"
#include "train_files.h"

enum { PARTS_OF_EPOCH = 16, THOUSAND = 1000 };

/* A training as it runs. */
typedef struct {
    const TrainOptions *options;
    const TrainJob *job;
    const SampleStatistics *statistics;
    uint64_t epoch_samples, start_samples; /* of an epoch; before this run */
    double begun_at, saved_at;             /* seconds of tabia_clock_wall */
    double seconds_before;                 /* of earlier runs */
    double synthetic_fraction;             /* of the batch */
    TrainSample *batch;
    Evaluator *evaluator; /* that labels, and that a network is added to; one for each thread */
    NetworkStepper *stepper;
    SampleStream *stream;
    TrainState state;
    TrainFiles files;
} Training;

/* ---- where it stands ---- */

static unsigned all_epochs(const Training *t) {
    return t->options->synthetic_epochs + t->options->epochs;
}

static bool is_synthetic(const Training *t) {
    return t->state.place.epoch <= t->options->synthetic_epochs;
}

static bool is_over(const Training *t) {
    return t->state.place.epoch > all_epochs(t);
}

/* The fraction of the phase, synthetic epochs or the others, that is done. */
static double phase_done(const Training *t) {
    const TrainPlace *p = &t->state.place;
    const unsigned before = is_synthetic(t) ? 0 : t->options->synthetic_epochs,
                   epochs = is_synthetic(t) ? t->options->synthetic_epochs : t->options->epochs;
    assert(p->epoch > before && p->epoch <= before + epochs);
    const double samples = (double)(p->epoch - 1 - before) * (double)t->epoch_samples + (double)p->epoch_samples;
    return samples / ((double)epochs * (double)t->epoch_samples);
}

/* Down to a hundredth, on half a cosine (Ilya Loshchilov and Frank Hutter, "SGDR", 2017). */
static double current_rate(const Training *t) {
    const double left = 0.01 + 0.99 * (1 + cos(acos(-1) * phase_done(t))) / 2;
    return t->options->rate * left * (is_synthetic(t) ? 1 : t->options->finetune_rate);
}

static double seconds(const Training *t) {
    return t->seconds_before + tabia_clock_wall() - t->begun_at;
}

static double mean(double sum, uint64_t n) {
    return n ? sum / (double)n : 0;
}

/* ---- samples ---- */

/* What a sample's expected score is to be. Some samples are replaced by synthetic ones, by a seed of their own. */
static double target(void *training, unsigned worker, size_t number, TrainSample *sample) {
    Training *t = training;
    uint64_t seed = t->options->seed ^ (t->state.place.samples + number + 1) * 0x9fb21c651e98df25ull;
    if (random_below(&seed, THOUSAND) < t->synthetic_fraction * THOUSAND) {
        TrainSample synthetic;
        if (synthetic_sample(&t->evaluator[worker], sample, seed, &synthetic)) {
            *sample = synthetic;
            return expected_score(t->statistics->k, sample->score);
        }
    }
    const double weight = t->options->result_weight;
    return weight * sample->result / 2 + (1 - weight) * expected_score(t->statistics->k, sample->score);
}

static NetworkBatch batch_of(Training *t, const TrainSample *samples, size_t n) {
    return (NetworkBatch){.sample = samples, .count = n, .k = t->statistics->k, .target = target, .context = t};
}

/* Trains on the next batch of the epoch. */
static DataOutcome train_batch(Training *t, TabiaError *error) {
    TrainPlace *p = &t->state.place;
    const uint64_t left = t->epoch_samples - p->epoch_samples;
    const size_t n = left < t->options->batch ? (size_t)left : t->options->batch;
    double sum = 0;
    const DataOutcome outcome = sample_stream_take(t->stream, t->batch, n, error);
    if (outcome != DATA_DONE) return outcome;
    NetworkBatch batch = batch_of(t, t->batch, n);
    batch.rate = current_rate(t);
    t->synthetic_fraction = is_synthetic(t) ? 1 : t->options->synthetic_fraction;
    if (!network_step(t->stepper, t->state.network, t->state.moments, &batch, &sum, error)) return DATA_SYSTEM_ERROR;
    p->samples += n, p->epoch_samples += n, p->part_samples += n;
    p->epoch_error += sum, p->part_error += sum;
    return DATA_DONE;
}

/* The mean error of the validation set, without synthetic samples; 0 of none. DATA_STOPPED: it is not known. */
static DataOutcome validate(Training *t, double *validation_error, TabiaError *error) {
    enum { PIECE = 1 << 14 };
    const SampleSpread *v = &t->statistics->validation;
    double sum = 0;
    t->synthetic_fraction = 0;
    for (size_t at = 0; at < v->count; at += PIECE) {
        const NetworkBatch batch = batch_of(t, v->sample + at, v->count - at < PIECE ? v->count - at : PIECE);
        if (tabia_stop_requested()) return DATA_STOPPED;
        if (!network_errors(t->stepper, t->state.network, &batch, &sum, error)) return DATA_SYSTEM_ERROR;
    }
    *validation_error = mean(sum, v->count);
    return DATA_DONE;
}

/* ---- what others see ---- */

static TrainReport report_of(const Training *t) {
    const TrainPlace *p = &t->state.place;
    return (TrainReport){.epoch = p->epoch,
                         .error = mean(p->epoch_error, p->epoch_samples),
                         .rate = current_rate(t),
                         .k = t->statistics->k,
                         .seconds = seconds(t),
                         .done = p->epoch_samples,
                         .all = t->epoch_samples,
                         .done_here = p->samples - t->start_samples,
                         .left = (all_epochs(t) - p->epoch + 1) * t->epoch_samples - p->epoch_samples,
                         .validation = t->statistics->validation.count};
}

/* False if the training is to stop. */
static bool report(const Training *t, const TrainReport *r) {
    return !t->job->report || t->job->report(t->job->context, r);
}

static TrainLogLine log_line(const Training *t) {
    const TrainPlace *p = &t->state.place;
    const double here = tabia_clock_wall() - t->begun_at;
    return (TrainLogLine){.epoch = p->epoch,
                          .synthetic = is_synthetic(t),
                          .all_samples = p->samples,
                          .validation_error = -1,
                          .rate = current_rate(t),
                          .seconds = seconds(t),
                          .samples_per_second = here > 0 ? (double)(p->samples - t->start_samples) / here : 0};
}

static uint64_t part_of(const Training *t, uint64_t epoch_samples) {
    return epoch_samples * PARTS_OF_EPOCH / t->epoch_samples;
}

/* A line for each part of an epoch that is complete. */
static bool log_part(Training *t, uint64_t samples_before, TabiaError *error) {
    TrainPlace *p = &t->state.place;
    if (part_of(t, samples_before) == part_of(t, p->epoch_samples)) return true;
    TrainLogLine line = log_line(t);
    line.samples = p->part_samples, line.error = mean(p->part_error, p->part_samples);
    p->part_samples = 0, p->part_error = 0;
    return train_files_log(&t->files, &t->state, &line, error);
}

static bool log_epoch(Training *t, const TrainReport *r, TabiaError *error) {
    TrainLogLine line = log_line(t);
    line.is_epoch = true, line.is_best = r->is_best;
    line.samples = r->done, line.error = r->error;
    if (r->validation) line.validation_error = r->validation_error;
    return train_files_log(&t->files, &t->state, &line, error);
}

/* ---- epochs ---- */

/* At the beginning of a phase the optimizer knows nothing. */
static void begin_epoch(Training *t) {
    const TrainPlace *p = &t->state.place;
    const bool begins_phase = p->epoch == 1 || p->epoch == t->options->synthetic_epochs + 1;
    if (begins_phase && !p->epoch_samples) memset(t->state.moments, 0, sizeof *t->state.moments);
}

static bool save(Training *t, TabiaError *error) {
    t->state.place.seconds = seconds(t);
    t->saved_at = tabia_clock_wall();
    return train_files_checkpoint(&t->files, &t->state, error);
}

/* DATA_STOPPED: by the report, or before the epoch has ended: then it ends when the training resumes. */
static DataOutcome end_epoch(Training *t, TabiaError *error) {
    TrainPlace *p = &t->state.place;
    TrainReport r = report_of(t);
    r.epoch_ends = true;
    const DataOutcome outcome = validate(t, &r.validation_error, error);
    if (outcome != DATA_DONE) return outcome;
    r.is_best = r.validation && !is_synthetic(t) && (!p->best_epoch || r.validation_error < p->best_error);
    if (r.is_best) p->best_error = r.validation_error, p->best_epoch = p->epoch;
    if (!log_epoch(t, &r, error) || !train_files_network(&t->files, t->state.network, r.is_best, error))
        return DATA_SYSTEM_ERROR;
    p->epoch++;
    p->epoch_samples = p->part_samples = 0, p->epoch_error = p->part_error = 0;
    if (!save(t, error)) return DATA_SYSTEM_ERROR;
    return report(t, &r) || is_over(t) ? DATA_DONE : DATA_STOPPED;
}

/* The rest of an epoch. DATA_STOPPED: by the report, or while samples were read. */
static DataOutcome run_epoch(Training *t, TabiaError *error) {
    TrainPlace *p = &t->state.place;
    begin_epoch(t);
    while (p->epoch_samples < t->epoch_samples) {
        const uint64_t before = p->epoch_samples;
        const DataOutcome outcome = train_batch(t, error);
        if (outcome != DATA_DONE) return outcome;
        if (!log_part(t, before, error)) return DATA_SYSTEM_ERROR;
        const TrainReport r = report_of(t);
        if (p->epoch_samples < t->epoch_samples && !report(t, &r)) return DATA_STOPPED;
        if (tabia_clock_wall() - t->saved_at >= t->job->checkpoint_seconds && !save(t, error)) return DATA_SYSTEM_ERROR;
    }
    return end_epoch(t, error);
}

static DataOutcome run_epochs(Training *t, TabiaError *error) {
    DataOutcome outcome = save(t, error) ? DATA_DONE : DATA_SYSTEM_ERROR; /* a network without one is whole */
    while (outcome == DATA_DONE && !is_over(t)) outcome = run_epoch(t, error);
    if (outcome == DATA_STOPPED && (!save(t, error) || !train_files_network(&t->files, t->state.network, false, error)))
        return DATA_SYSTEM_ERROR;
    if (outcome == DATA_DONE && !train_files_finish(&t->files, t->state.network, error)) return DATA_SYSTEM_ERROR;
    return outcome;
}

/* ---- beginning and ending ---- */

static float random_weight(uint64_t *seed, float limit) {
    return limit * ((float)random_below(seed, 1 << 20) / (1 << 19) - 1);
}

/* Columns beyond the width stay 0: so do their gradients. */
static void random_weights(FloatNetwork *n, NetworkShape shape, uint64_t seed) {
    memset(n, 0, sizeof *n);
    n->shape = shape;
    for (int i = 0; i < NETWORK_INPUTS; i++)
        for (uint32_t j = 0; j < shape.width; j++) n->input[i][j] = random_weight(&seed, 0.1f);
    for (uint32_t j = 0; j < shape.width; j++) n->input_bias[j] = random_weight(&seed, 0.1f);
    for (int side = 0; side < 2; side++)
        for (uint32_t j = 0; j < shape.width; j++) {
            const float weight = random_weight(&seed, 0.1f); /* the same in all buckets at first */
            for (uint32_t b = 0; b < shape.buckets; b++) n->output[b][side][j] = weight;
        }
}

static void begin_state(Training *t) {
    t->state.place = (TrainPlace){.epoch = 1};
    memset(t->state.moments, 0, sizeof *t->state.moments);
    if (t->options->from)
        network_dequantize(t->state.network, t->options->from);
    else
        random_weights(t->state.network, t->options->shape, t->options->seed);
}

static bool allocate(Training *t, TabiaError *error) {
    const unsigned threads = t->options->threads;
    t->batch = malloc(t->options->batch * sizeof *t->batch);
    t->evaluator = tabia_aligned_get(_Alignof(Evaluator), threads * sizeof *t->evaluator);
    t->state.network = tabia_aligned_get(_Alignof(FloatNetwork), sizeof *t->state.network);
    t->state.moments = calloc(1, sizeof *t->state.moments);
    if (!t->batch || !t->evaluator || !t->state.network || !t->state.moments)
        return tabia_fail(error, "no memory to train with %u threads", threads);
    for (unsigned i = 0; i < threads; i++) evaluator_init(&t->evaluator[i], t->options->synthetic_labels);
    return (t->stepper = network_stepper_create(threads, error)) != NULL;
}

static bool open_stream(Training *t, DataSource *source, TabiaError *error) {
    const SampleStreamOptions options = {.seed = t->options->seed,
                                         .pass_samples = t->statistics->training,
                                         .chunk_samples = (size_t)t->options->shuffle,
                                         .holds_out = t->statistics->holds_out,
                                         .td_lambda = t->options->td_lambda,
                                         .from = t->state.place.samples};
    t->stream = sample_stream_open(source, &options, error);
    t->start_samples = t->state.place.samples, t->seconds_before = t->state.place.seconds;
    t->begun_at = t->saved_at = tabia_clock_wall();
    return t->stream != NULL;
}

static void free_training(Training *t) {
    sample_stream_close(t->stream);
    network_stepper_destroy(t->stepper);
    train_files_close(&t->files);
    free(t->batch), tabia_aligned_free(t->evaluator), tabia_aligned_free(t->state.network), free(t->state.moments);
}

DataOutcome train_network(const TrainOptions *options, const TrainJob *job, DataSource *source,
                          const SampleStatistics *statistics, TabiaError *error) {
    assert(options->threads && options->batch && options->epochs && statistics->training);
    Training t = {.options = options, .job = job, .statistics = statistics};
    t.epoch_samples = options->epoch_samples ? options->epoch_samples : statistics->training;
    DataOutcome outcome = allocate(&t, error) ? DATA_DONE : DATA_SYSTEM_ERROR;
    if (outcome == DATA_DONE) {
        begin_state(&t);
        outcome = train_files_open(&t.files, job, options, statistics, &t.state, error);
    }
    if (outcome == DATA_DONE && !open_stream(&t, source, error)) outcome = DATA_SYSTEM_ERROR;
    if (outcome == DATA_DONE) outcome = run_epochs(&t, error);
    free_training(&t);
    return outcome;
}

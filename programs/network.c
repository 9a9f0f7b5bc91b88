/* SPDX-License-Identifier: MIT */
/* Networks: what they are, and what else a game's program does with them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "commands.h"
#include "eval/evaluate.h"
#include "help.h"
#include "json_document.h"
#include "network/network_file.h"
#include "network_forms.h"
#include "options.h"
#include "program.h"

/* ---- info ---- */

static bool is_built_in(const Network *n) {
    return evaluation_identity(EVALUATION_NETWORK, n) == evaluation_identity(EVALUATION_NETWORK, NULL);
}

/* The largest weights, without sign. */
typedef struct {
    int input, output;
    int32_t bias;
} NetworkRange;

static int largest(const int16_t *row, int so_far) {
    for (int i = 0; i < NETWORK_WIDTH; i++)
        if (abs(row[i]) > so_far) so_far = abs(row[i]);
    return so_far;
}

static NetworkRange network_range(const Network *n) {
    NetworkRange r = {.input = largest(n->input_bias, 0)};
    for (int i = 0; i < NETWORK_INPUTS; i++) r.input = largest(n->input[i], r.input);
    for (int b = 0; b < NETWORK_BUCKETS; b++) {
        for (int side = 0; side < 2; side++) r.output = largest(n->output[b][side], r.output);
        if (abs(n->output_bias[b]) > r.bias) r.bias = abs(n->output_bias[b]);
    }
    return r;
}

void network_print_info(const NetworkOptions *o, const Network *n) {
    if (n->foreign) {
        printf("%s: a network of YaneuraOu for %s, %s\n  identity %016" PRIX64 "\n", o->in, NETWORK_GAME,
               n->foreign->name, n->identity);
        return;
    }
    const NetworkRange r = network_range(n);
    printf("%s: a network for %s, (%d -> %u)x2 -> %u%s, %zu bytes\n", o->in, NETWORK_GAME, NETWORK_INPUTS,
           n->shape.width, n->shape.buckets, n->shape.mirrored ? ", mirrored" : "", network_file_bytes(n->shape));
    printf("  identity %016" PRIX64 "%s\n", n->identity, is_built_in(n) ? ", the one that is built in" : "");
    printf("  largest weights: input %d of %d, output %d of %d; bias %d\n", r.input, NETWORK_INPUT_WEIGHT_MAX, r.output,
           NETWORK_OUTPUT_WEIGHT_MAX, r.bias);
}

static void json_shape(Json *j, NetworkShape shape) {
    tabia_json_count(j, "inputs", NETWORK_INPUTS);
    tabia_json_count(j, "width", shape.width);
    tabia_json_count(j, "outputs", shape.buckets);
    tabia_json_boolean(j, "mirrored", shape.mirrored);
}

static int print_json(const NetworkOptions *o, const Network *n) {
    char identity[20];
    TabiaError error;
    Json j;
    snprintf(identity, sizeof identity, "%016" PRIX64, n->identity);
    json_document(&j, "network info");
    tabia_json_text(&j, "file", o->in);
    tabia_json_text(&j, "game", NETWORK_GAME);
    if (n->foreign)
        tabia_json_text(&j, "architecture", n->foreign->name);
    else
        json_shape(&j, n->shape);
    tabia_json_boolean(&j, "built_in", is_built_in(n));
    tabia_json_text(&j, "identity", identity);
    return tabia_json_end(&j, &error) ? EXIT_GOOD : report_error("network", &error, EXIT_OUTSIDE);
}

int network_info(const NetworkOptions *o) {
    TabiaError error;
    Network *n = evaluation_network_read(o->in, EVALUATION_SCALE, &error);
    if (!n) return report_error("network", &error, EXIT_USAGE);
    int status = EXIT_GOOD;
    if (o->json)
        status = print_json(o, n);
    else
        network_print_info(o, n);
    tabia_aligned_free(n);
    return status;
}

/* ---- the command line ---- */

/* The row without a name: there is no such form. */
static const NetworkForm *form_of(const char *name) {
    const NetworkForm *form = network_forms;
    while (form->name && (!name || strcmp(form->name, name) != 0)) form++;
    return form;
}

/* What the form takes; the others' options are not understood. */
static bool read_options(int argc, char **argv, const NetworkForm *form, NetworkOptions *o, TabiaError *error) {
    OptionRow rows[6] = {{0}};
    int n = 0;
    bool any_writes = false;
    for (const NetworkForm *f = network_forms; f->name; f++) any_writes = any_writes || f->writes;
    if (form->name ? form->writes : any_writes)
        rows[n++] = file_option("out", &o->out), rows[n++] = flag_option("force", &o->force);
    if (!form->name || !form->writes) rows[n++] = flag_option("json", &o->json);
    if (form->has_shape) {
        rows[n++] = outputs_option(&o->shape.buckets);
        rows[n++] = flag_option("mirrored", &o->shape.mirrored);
    }
    return option_rows(argc, argv, "network", rows, error);
}

static bool check_options(int argc, char **argv, const NetworkForm *form, NetworkOptions *o, TabiaError *error) {
    const char *program = program_texts.name;
    if (optind == argc) return tabia_fail(error, "FILE is missing; %s network --help", program);
    if (optind + 1 < argc) return tabia_fail(error, "'%s' is one argument too many", argv[optind + 1]);
    o->in = argv[optind];
    if (form->writes && !o->out) return tabia_fail(error, "--out FILE is missing; %s network --help", program);
    return option_is_apart("--out", o->out, o->in, error) && option_may_write("--out", o->out, o->force, error);
}

int command_network(int argc, char **argv) {
    const NetworkForm *form = form_of(argv[1]);
    const int words = form->name != NULL;
    NetworkOptions o = {.shape.buckets = 1};
    TabiaError error;
    if (argc < 2) return fputs(help_text("network"), stderr), EXIT_USAGE;
    if (!read_options(argc - words, argv + words, form, &o, &error)) return report_error("network", &error, EXIT_USAGE);
    if (!form->name) tabia_fail(&error, "'%s' is none of %s", argv[1], network_form_names);
    if (!form->name || !check_options(argc - words, argv + words, form, &o, &error))
        return report_error("network", &error, EXIT_USAGE);
    return form->run(&o);
}

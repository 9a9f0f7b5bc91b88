/* SPDX-License-Identifier: MIT */
/* tabia network: what a network is; from and to the layout of other trainers. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "json_document.h"
#include "network/network_bullet.h"
#include "network/network_file.h"
#include "options.h"

static const char help[] =
    "usage: tabia network info FILE [--json]\n"
    "       tabia network export FILE --out FILE\n"
    "       tabia network import FILE --out FILE [--outputs N] [--mirrored]\n"
    "\n"
    "Networks that evaluate positions: files that `tabia train` writes, and that the option EvalFile and --network of\n"
    "uci, gensfen and data rescore read.\n"
    "\n"
    "  info             the network's shape, its identity, and its largest weights\n"
    "  export           writes it in the layout of bullet's examples (quantised.bin), which many engines read, with "
    "as\n"
    "                   many outputs as it was trained with. The example simple.rs is a network that was trained by\n"
    "                   --outputs 1 --mirrored off, progression/2_output_buckets.rs one of --outputs 8\n"
    "  import           makes a network of such a file, of up to 256 accumulators a side, trained with squared "
    "clipped\n"
    "                   ReLU, quantization 255 and 64, and scale 400\n"
    "\n"
    "  --outputs N      that the imported file has: 1, or 8 by the number of pieces (MaterialCount); default 1\n"
    "  --mirrored       its features are mirrored by the file of the king (ChessBucketsMirrored, one bucket)\n"
    "  --out FILE       appears when it is complete\n"
    "  --json           one JSON object\n"
    "\n"
    "Exit status: 0 done, 2 wrong options or a file that is no such network, 3 memory, disk or a file failed.\n"
    "\n"
    "Examples\n"
    "  tabia network import checkpoints/simple-40/quantised.bin --out simple.network\n"
    "  tabia uci --network simple.network\n"
    "  tabia network export mine.network --out quantised.bin\n";

typedef struct {
    const char *in, *out;
    NetworkShape shape; /* of an imported file */
    bool json;
} NetworkOptions;

/* ---- info ---- */

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

static void print_info(const NetworkOptions *o, const Network *n) {
    const NetworkRange r = network_range(n);
    printf("%s: a network for %s, (%d -> %u)x2 -> %u%s, %zu bytes\n", o->in, NETWORK_GAME, NETWORK_INPUTS,
           n->shape.width, n->shape.buckets, n->shape.mirrored ? ", mirrored" : "", network_file_bytes(n->shape));
    printf("  identity %016" PRIX64 "%s\n", n->identity,
           n->identity == network_built_in.identity ? ", the one that is built in" : "");
    printf("  largest weights: input %d of %d, output %d of %d; bias %d\n", r.input, NETWORK_INPUT_WEIGHT_MAX, r.output,
           NETWORK_OUTPUT_WEIGHT_MAX, r.bias);
}

static int print_json(const NetworkOptions *o, const Network *n) {
    char identity[20];
    TabiaError error;
    Json j;
    snprintf(identity, sizeof identity, "%016" PRIX64, n->identity);
    json_document(&j, "network info");
    tabia_json_text(&j, "file", o->in);
    tabia_json_text(&j, "game", NETWORK_GAME);
    tabia_json_count(&j, "inputs", NETWORK_INPUTS);
    tabia_json_count(&j, "width", n->shape.width);
    tabia_json_count(&j, "outputs", n->shape.buckets);
    tabia_json_boolean(&j, "mirrored", n->shape.mirrored);
    tabia_json_boolean(&j, "built_in", n->identity == network_built_in.identity);
    tabia_json_text(&j, "identity", identity);
    tabia_json_close(&j);
    return tabia_json_end(&j, &error) ? EXIT_GOOD : report_error("network", &error, EXIT_OUTSIDE);
}

static int network_info(const NetworkOptions *o) {
    TabiaError error;
    Network *n = network_read(o->in, &error);
    if (!n) return report_error("network", &error, EXIT_USAGE);
    int status = EXIT_GOOD;
    if (o->json)
        status = print_json(o, n);
    else
        print_info(o, n);
    free(n);
    return status;
}

/* ---- import and export ---- */

static int network_export(const NetworkOptions *o) {
    TabiaError error;
    Network *n = network_read(o->in, &error);
    if (!n) return report_error("network", &error, EXIT_USAGE);
    const bool good = network_bullet_write(n, o->out, &error);
    if (good)
        printf("%s: (%d -> %u)x2 -> %u%s in bullet's layout, %zu bytes\n", o->out, NETWORK_INPUTS, n->shape.width,
               n->shape.buckets, n->shape.mirrored ? ", mirrored" : "", network_bullet_bytes(n->shape));
    free(n);
    return good ? EXIT_GOOD : report_error("network", &error, EXIT_OUTSIDE);
}

static int network_import(const NetworkOptions *o) {
    TabiaError error;
    Network *n = network_bullet_read(o->in, o->shape, &error);
    if (!n) return report_error("network", &error, EXIT_USAGE);
    const bool good = network_write(n, o->out, &error);
    if (good) print_info(&(NetworkOptions){.in = o->out}, n);
    free(n);
    return good ? EXIT_GOOD : report_error("network", &error, EXIT_OUTSIDE);
}

/* ---- the command line ---- */

static const struct {
    const char *name;
    int (*run)(const NetworkOptions *o);
    bool writes, has_shape;
} forms[] = {{"info", network_info, false, false},
             {"export", network_export, true, false},
             {"import", network_import, true, true}};
enum { FORMS = sizeof forms / sizeof *forms };

static int form_of(const char *name) {
    int i = 0;
    while (i < FORMS && (!name || strcmp(forms[i].name, name) != 0)) i++;
    return i;
}

static bool read_outputs(void *to, const char *text, TabiaError *error) {
    uint32_t *outputs = to;
    uint64_t n = 0;
    if (!option_number("--outputs", text, 1, NETWORK_BUCKETS, &n, error)) return false;
    *outputs = (uint32_t)n;
    return n == 1 || n == NETWORK_BUCKETS || tabia_fail(error, "--outputs: '%s' is neither 1 nor 8", text);
}

/* What form `form` takes; the others' options are not understood. */
static bool read_options(int argc, char **argv, int form, NetworkOptions *o, bool *wants_help, TabiaError *error) {
    OptionRow rows[4] = {{0}};
    int n = 0;
    if (form == FORMS || forms[form].writes) rows[n++] = text_option("out", &o->out);
    if (form == FORMS || !forms[form].writes) rows[n++] = flag_option("json", &o->json);
    if (form < FORMS && forms[form].has_shape) {
        rows[n++] = reader_option("outputs", read_outputs, &o->shape.buckets);
        rows[n++] = flag_option("mirrored", &o->shape.mirrored);
    }
    return option_rows(argc, argv, rows, wants_help, error);
}

static bool check_options(int argc, char **argv, int form, NetworkOptions *o, TabiaError *error) {
    if (optind == argc) return tabia_fail(error, "FILE is missing; tabia network --help");
    if (optind + 1 < argc) return tabia_fail(error, "'%s' is one argument too many", argv[optind + 1]);
    o->in = argv[optind];
    return !forms[form].writes || o->out || tabia_fail(error, "--out FILE is missing; tabia network --help");
}

int command_network(int argc, char **argv) {
    const int form = form_of(argv[1]);
    const bool has_form = form < FORMS;
    NetworkOptions o = {.shape.buckets = 1};
    TabiaError error;
    bool wants_help = false;
    if (argc < 2) return fputs(help, stderr), EXIT_USAGE;
    if (!read_options(argc - has_form, argv + has_form, form, &o, &wants_help, &error))
        return report_error("network", &error, EXIT_USAGE);
    if (wants_help) return fputs(help, stdout), EXIT_GOOD;
    if (!has_form) tabia_fail(&error, "'%s' is none of info, export, import", argv[1]);
    if (!has_form || !check_options(argc - has_form, argv + has_form, form, &o, &error))
        return report_error("network", &error, EXIT_USAGE);
    return forms[form].run(&o);
}

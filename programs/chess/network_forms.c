/* SPDX-License-Identifier: MIT */
/* What `tabia network` does with networks of chess: from and to the layout of other trainers. */
#include "../network_forms.h"

#include <stdio.h>
#include <stdlib.h>

#include "../commands.h"
#include "../options.h"
#include "network/network_bullet.h"
#include "network/network_file.h"

const char network_help[] =
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
    if (good) network_print_info(&(NetworkOptions){.in = o->out}, n);
    free(n);
    return good ? EXIT_GOOD : report_error("network", &error, EXIT_OUTSIDE);
}

const NetworkForm network_forms[] = {{"info", network_info, false, false},
                                     {"export", network_export, true, false},
                                     {"import", network_import, true, true},
                                     {0}};
const char network_form_names[] = "info, export, import";

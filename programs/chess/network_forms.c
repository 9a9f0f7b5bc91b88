/* SPDX-License-Identifier: MIT */
/* What `tabia network` does with networks of chess: from and to the layout of other trainers. */
#include "../network_forms.h"

#include <stdio.h>
#include <stdlib.h>

#include "../commands.h"
#include "../options.h"
#include "base/memory.h"
#include "network/network_bullet.h"
#include "network/network_file.h"

static int network_export(const NetworkOptions *o) {
    TabiaError error;
    Network *n = network_read(o->in, &error);
    if (!n) return report_error("network", &error, EXIT_USAGE);
    const bool good = network_bullet_write(n, o->out, &error);
    if (good)
        printf("%s: (%d -> %u)x2 -> %u%s in bullet's layout, %zu bytes\n", o->out, NETWORK_INPUTS, n->shape.width,
               n->shape.buckets, n->shape.mirrored ? ", mirrored" : "", network_bullet_bytes(n->shape));
    tabia_aligned_free(n);
    return good ? EXIT_GOOD : report_error("network", &error, EXIT_OUTSIDE);
}

static int network_import(const NetworkOptions *o) {
    TabiaError error;
    Network *n = network_bullet_read(o->in, o->shape, &error);
    if (!n) return report_error("network", &error, EXIT_USAGE);
    const bool good = network_write(n, o->out, &error);
    if (good) network_print_info(&(NetworkOptions){.in = o->out}, n);
    tabia_aligned_free(n);
    return good ? EXIT_GOOD : report_error("network", &error, EXIT_OUTSIDE);
}

const NetworkForm network_forms[] = {{"info", network_info, false, false},
                                     {"export", network_export, true, false},
                                     {"import", network_import, true, true},
                                     {0}};
const char network_form_names[] = "info, export, import";

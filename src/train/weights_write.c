/* SPDX-License-Identifier: MIT */
/* weights.c, as the tuner writes it. */
#include <math.h>
#include <stdio.h>

#include "base/atomic_file.h"
#include "linear_fit.h"

static const struct {
    const char *name;
    int n;
} terms[] = {
#define TERM_ROW(name, n, lie, about) {#name, n},
    TERMS(TERM_ROW)
#undef TERM_ROW
};

static void write_all(const Fit *fit, FILE *out) {
    fputs("/* SPDX-License-Identifier: MIT */\n"
          "/* The weights of the evaluation, in the order of terms.h: {middlegame, endgame}. Written by `tabia tune`. "
          "*/\n"
          "#include \"terms.h\"\n\n"
          "/* clang-format off */\n\n"
          "const Weight weights[WEIGHTS] = {\n",
          out);
    int w = 0;
    for (size_t t = 0; t < sizeof terms / sizeof *terms; t++) {
        fprintf(out, "    /* %s */\n", terms[t].name);
        for (int i = 0; i < terms[t].n; i++, w++)
            fprintf(out, "%s{%ld, %ld},%s", i % 8 ? " " : "    ", lround((double)fit->weight[w][0]),
                    lround((double)fit->weight[w][1]), i % 8 == 7 || i + 1 == terms[t].n ? "\n" : "");
    }
    fputs("};\n", out);
}

bool fit_write(const Fit *fit, const char *path, TabiaError *error) {
    WholeFile file;
    FILE *out = tabia_whole_begin(&file, path, error);
    if (!out) return false;
    write_all(fit, out);
    return tabia_whole_end(&file, true, error);
}

/* SPDX-License-Identifier: MIT */
/* Writes weights.c. */
#include <math.h>
#include <stdio.h>

#include "base/atomic_file.h"
#include "linear_fit.h"

static const struct {
    const char *name;
    int count;
} terms[] = {
#define TERM_ROW(name, n, layout, about) {#name, n},
    TERMS(TERM_ROW)
#undef TERM_ROW
};

static void write_all(const LinearWeights *fitted, FILE *out) {
    fputs("/* SPDX-License-Identifier: MIT */\n"
          "/* The weights of the evaluation, in the order of terms.h: {middlegame, endgame}. Written by `tabia-shogi "
          "tune`. "
          "*/\n"
          "#include \"terms.h\"\n\n"
          "/* clang-format off */\n\n"
          "const Weight weights[WEIGHTS] = {\n",
          out);
    int w = 0;
    for (size_t t = 0; t < sizeof terms / sizeof *terms; t++) {
        fprintf(out, "    /* %s */\n", terms[t].name);
        for (int i = 0; i < terms[t].count; i++, w++)
            fprintf(out, "%s{%ld, %ld},%s", i % 8 ? " " : "    ", lround((double)fitted->weight[w][0]),
                    lround((double)fitted->weight[w][1]), i % 8 == 7 || i + 1 == terms[t].count ? "\n" : "");
    }
    fputs("};\n", out);
}

bool linear_weights_write(const LinearWeights *fitted, const char *path, TabiaError *error) {
    AtomicFile file;
    FILE *out = tabia_atomic_file_begin(&file, path, error);
    if (!out) return false;
    write_all(fitted, out);
    return tabia_atomic_file_commit(&file, true, error);
}

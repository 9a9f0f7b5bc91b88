/* SPDX-License-Identifier: MIT */
/* tabia perft --explain: how a count would be done, and why so. Nothing is counted but the frontier. */
#include <stdio.h>

#include "base/text.h"
#include "commands.h"
#include "json_document.h"
#include "notation/fen.h"
#include "notation/protocol.h"
#include "perft_forms.h"
#include "program.h"

/* The last ply whose positions the table knows. Below it nothing is played, or the moves are tried for mate. */
static int last_merged_ply(const PerftOptions *o) {
    return o->job.depth - (o->job.mates ? 1 : 2);
}

static void print_table(const PerftOptions *o, const PerftPlan *p) {
    char bytes[SHORT_TEXT_MAX], useful[SHORT_TEXT_MAX];
    tabia_size_text(p->table_bytes, bytes);
    tabia_size_text(p->useful_bytes, useful);
    if (o->job.kinds)
        printf("table     none: --kinds uses none\n");
    else if (!o->job.hash_bytes)
        printf("table     none: --hash off, every path is counted\n");
    else if (o->job.table.name)
        printf("table     %s, named: another process may share it\n", bytes);
    else if (p->table_bytes < o->job.hash_bytes)
        printf("table     %s: the count cannot fill more\n", bytes);
    else
        printf("table     %s of the %s that the count could fill at most (--hash)\n", bytes, useful);
    if (p->table_bytes && p->ply < last_merged_ply(o))
        printf("          merges equal positions from ply %d to ply %d\n", p->ply + 1, last_merged_ply(o));
}

static void print_plan(const PerftOptions *o, const PerftPlan *p, const char *fen) {
    char paths[U128_TEXT_MAX];
    tabia_u128_text(p->paths, paths);
    printf("perft %d of %s\n", o->job.depth, fen);
    printf("kernel    %s%s\n", o->job.kernel->name,
           o->job.kernel == perft_kernel_at(0) ? ": the fastest that this CPU runs" : " (--kernel)");
    printf("threads   %u\n", p->threads);
    printf("frontier  ply %d: %zu %sposition%s on %s path%s, each counted once\n", p->ply, p->units,
           p->merges ? "unique " : "", p->units == 1 ? "" : "s", paths, p->paths == 1 ? "" : "s");
    print_table(o, p);
    if (o->job.depth - p->ply >= 2 && !o->job.kinds && !o->job.mates)
        printf("last two  plies %d and %d are counted without playing their moves\n", o->job.depth - 1, o->job.depth);
}

static bool print_json(const PerftOptions *o, const PerftPlan *p, const char *fen, TabiaError *error) {
    Json j;
    json_document(&j, "perft --explain");
    tabia_json_text(&j, protocol_words.position_name, fen);
    tabia_json_integer(&j, "depth", o->job.depth);
    tabia_json_text(&j, "kernel", o->job.kernel->name);
    tabia_json_count(&j, "threads", p->threads);
    tabia_json_integer(&j, "frontier_ply", p->ply);
    tabia_json_count(&j, "units", p->units);
    tabia_json_count(&j, "paths", p->paths);
    tabia_json_boolean(&j, "merges", p->merges);
    tabia_json_count(&j, "table_bytes", p->table_bytes);
    tabia_json_count(&j, "table_useful_bytes", p->useful_bytes);
    return tabia_json_end(&j, error);
}

int perft_explain(const PerftOptions *o) {
    char fen[FEN_MAX];
    TabiaError error;
    PerftPlan plan;
    fen_write(&o->job.root, o->chess960 ? FEN_SHREDDER : FEN_STANDARD, fen);
    if (!perft_plan(&o->job, &plan, &error) || (o->json && !print_json(o, &plan, fen, &error)))
        return report_error("perft", &error, EXIT_OUTSIDE);
    if (!o->json) print_plan(o, &plan, fen);
    return EXIT_GOOD;
}

/* SPDX-License-Identifier: MIT */
/*
 * Filters a binpack by the rules of nnue-pytorch's loader, whose sources are given by path (filters.py compiles this together with
 * its training_data_loader.cpp): no captures, no checks, no plies up to 15, and its curve of piece counts. What is left is written
 * as bin.
 *
 *   nnue_filter FILE OUT
 */
#include <cstdio>

#include "lib/nnue_training_data_stream.h"
#include "training_data_loader_internal.h"

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    DataloaderSkipConfig config{};
    config.filtered = true;
    config.early_fen_skipping = 15;
    config.pc_y0 = config.pc_y1 = config.pc_y2 = config.pc_y3 = config.pc_y4 = 1.0;
    const auto skip = make_skip_predicate(config);
    auto stream = training_data::open_sfen_input_file(argv[1], false);
    std::FILE *out = std::fopen(argv[2], "wb");
    if (!stream || !out) return 2;
    while (auto e = stream->next()) {
        if (skip(*e)) continue;
        const auto record = binpack::trainingDataEntryToPackedSfenValue(*e);
        std::fwrite(&record, sizeof record, 1, out);
    }
    return std::fclose(out) != 0;
}

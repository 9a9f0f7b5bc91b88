/* SPDX-License-Identifier: MIT */
/*
 * Filters a binpack by the rules of nnue-pytorch's loader, whose sources are given by path (filters.py compiles this together with
 * its training_data_loader.cpp): no captures, no checks, no plies up to 15. What is left is written as bin.
 *
 *   nnue_filter quiet FILE OUT    these rules, and no promotions, by the loader's own functions
 *   nnue_filter curve FILE OUT    the loader's predicate, with its curve of piece counts
 */
#include <cstdio>
#include <cstring>
#include <vector>

#include "lib/nnue_training_data_stream.h"
#include "training_data_loader_internal.h"

static constexpr int last_early_ply = 15;

static bool is_quiet(const binpack::TrainingDataEntry &e) {
    if (e.ply <= last_early_ply) return false;
    const bool promotes = e.move.type == chess::MoveType::Promotion || e.move.type == chess::MoveType::EnPassant;
    return !promotes && !e.isCapturingMove() && !e.isInCheck();
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    DataloaderSkipConfig config{};
    config.filtered = true;
    config.early_fen_skipping = last_early_ply;
    config.pc_y0 = config.pc_y1 = config.pc_y2 = config.pc_y3 = config.pc_y4 = 1.0;
    const auto skip = make_skip_predicate(config);
    const bool with_curve = !std::strcmp(argv[1], "curve");
    auto stream = training_data::open_sfen_input_file(argv[2], false);
    std::FILE *out = std::fopen(argv[3], "wb");
    if (!stream || !out) return 2;
    std::vector<decltype(binpack::trainingDataEntryToPackedSfenValue({}))> kept;
    while (auto e = stream->next()) {
        if (with_curve ? skip(*e) : !is_quiet(*e)) continue;
        kept.push_back(binpack::trainingDataEntryToPackedSfenValue(*e));
        if (kept.size() < 1 << 15) continue;
        std::fwrite(kept.data(), sizeof kept[0], kept.size(), out);
        kept.clear();
    }
    std::fwrite(kept.data(), sizeof kept[0], kept.size(), out);
    return std::fclose(out) != 0;
}

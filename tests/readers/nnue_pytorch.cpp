/* SPDX-License-Identifier: MIT */
/*
 * Reads training data by the loader of nnue-pytorch, whose headers are given by path (compare.py compiles this).
 *
 *   nnue_pytorch text FILE            a line a record: FEN without its move number | move | score | ply | result
 *   nnue_pytorch binpack FILE OUT     written as binpack
 */
#include <cstdio>
#include <cstring>

#include "lib/nnue_training_data_stream.h"

static void print_record(const binpack::TrainingDataEntry &e) {
    std::string fen = e.pos.fen();
    fen.resize(fen.find_last_of(' '));
    std::printf("%s|%s|%d|%d|%d\n", fen.c_str(), chess::uci::moveToUci(e.pos, e.move).c_str(), e.score, e.ply, e.result);
}

int main(int argc, char **argv) {
    const bool writes = argc == 4 && !std::strcmp(argv[1], "binpack");
    if (!writes && !(argc == 3 && !std::strcmp(argv[1], "text"))) return 2;
    auto stream = training_data::open_sfen_input_file(argv[2], false);
    if (!stream) return 2;
    if (!writes) {
        while (auto e = stream->next()) print_record(*e);
        return 0;
    }
    binpack::CompressedTrainingDataEntryWriter out(argv[3], std::ios_base::trunc | std::ios_base::binary);
    while (auto e = stream->next()) out.addTrainingDataEntry(*e);
    return 0;
}

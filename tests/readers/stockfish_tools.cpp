/* SPDX-License-Identifier: MIT */
/*
 * Reads and writes training data by the header that `convert` of Stockfish's tools is made of, given by path (compare.py
 * compiles this). The names of files say their formats.
 *
 *   stockfish_tools FILE.binpack|FILE.bin OUT.plain
 *   stockfish_tools FILE.plain OUT.binpack|OUT.bin
 */
#include "extra/nnue_data_binpack_format.h"

static bool ends_with(const std::string &name, const std::string &end) {
    return name.size() >= end.size() && !name.compare(name.size() - end.size(), end.size(), end);
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    const std::string in = argv[1], out = argv[2];
    const auto mode = std::ios_base::trunc;
    if (ends_with(in, ".binpack"))
        binpack::convertBinpackToPlain(in, out, mode, true);
    else if (ends_with(in, ".bin"))
        binpack::convertBinToPlain(in, out, mode, true);
    else if (ends_with(out, ".binpack"))
        binpack::convertPlainToBinpack(in, out, mode, true);
    else
        binpack::convertPlainToBin(in, out, mode, true);
    return 0;
}

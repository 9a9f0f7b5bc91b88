/* SPDX-License-Identifier: MIT */
/*
 * The FEN reader under libFuzzer:
 *
 *     CC=clang meson setup build-fuzz -Dfuzz=true -Db_sanitize=address,undefined -Db_lundef=false
 *     ninja -C build-fuzz tests/fuzz/libfuzzer_fen
 *     build-fuzz/tests/fuzz/libfuzzer_fen -max_len=200 -max_total_time=60
 */
#include "fen_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (!text) return 0;
    if (size) memcpy(text, data, size);
    text[size] = '\0';
    fen_check(text);
    free(text);
    return 0;
}

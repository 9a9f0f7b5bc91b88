/* SPDX-License-Identifier: MIT */
/* The readers of training data under libFuzzer (see fen.c); the first byte chooses the format. */
#include "fuzz/data_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size) data_check(data_format(data[0] % DATA_FORMATS_N), data + 1, size - 1);
    return 0;
}

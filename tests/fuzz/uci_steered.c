/* SPDX-License-Identifier: MIT */
/* libFuzzer's way in to conversations with the engine. */
#include "fuzz/uci_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    UciCheck *c = uci_check_begin(); /* a new one each time: what is found must come from these bytes alone */
    uci_check(c, data, size);
    uci_check_end(c);
    return 0;
}

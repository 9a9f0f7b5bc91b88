/* SPDX-License-Identifier: MIT */
/* libFuzzer's way in: what it gives is XORed over a good file of two buckets, whose checksums are then made right
   unless the first byte is odd. The second byte says how much is cut off or added. */
#include "fuzz/table_file_check.h"

#include "tabia/entry.h"

enum { GOOD_MAX = 4096 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static TabiaTable *t;
    static MemoryFile memory;
    static uint8_t good[GOOD_MAX];
    static size_t good_bytes;
    if (!t) {
        const TabiaOptions o = {.bytes = 128, .threads = 1};
        if (tabia_table_create(&t, &o, NULL)) abort();
        for (uint64_t i = 0; i < 3; i++)
            tabia_entry_store(t, (TabiaKey){i << 63, (i + 1) << 50}, i, (TabiaEntry){.draft = 3, .bound = 1});
        char path[] = "/tmp/tabia-fuzz-XXXXXX";
        close(mkstemp(path));
        if (tabia_table_save(t, path, NULL, NULL)) abort();
        FILE *saved = fopen(path, "rb");
        good_bytes = fread(good, 1, GOOD_MAX, saved);
        fclose(saved);
        unlink(path);
        memory = memory_file();
    }
    if (size < 2) return 0;
    uint8_t file[GOOD_MAX] = {0};
    memcpy(file, good, good_bytes);
    const size_t bytes = good_bytes + (size_t)(data[1] < 128 ? 0 : data[1] - 192);
    for (size_t i = 2; i < size && i - 2 < bytes; i++) file[i - 2] ^= data[i];
    if (data[0] % 2 == 0) sign_file(file, bytes, true);
    check_load(t, memory, file, bytes);
    return 0;
}

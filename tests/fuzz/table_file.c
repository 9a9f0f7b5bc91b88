/* SPDX-License-Identifier: MIT */
/*
 * Damaged files of saved tables, the same on every machine: flipped bits, cut ends, pieces of other files, and numbers
 * changed with all checksums made right again.
 *
 *     fuzz_table_file COUNT SEED
 */
#include "fuzz/table_file_check.h"

#include "base/random.h"
#include "tabia/counts.h"
#include "tabia/entry.h"
#include "tabia/record.h"

enum { FACES = 5, FILE_MAX = 1 << 17 };

typedef struct {
    uint8_t data[FILE_MAX];
    size_t bytes;
} File;

/* More than a block of buckets, a few hundred slots in use. */
static TabiaTable *make_table(unsigned i, uint64_t *seed, unsigned threads) {
    static const TabiaOptions kind[FACES] = {
        {.bytes = 5000 * 64},
        {.bytes = 4096 * 64, .type = TABIA_COUNTS},
        {.bytes = 4500 * 64, .type = TABIA_RECORDS},
        {.bytes = 5000 * 64, .counters = true, .path_bits = 5},
        {.bytes = 4097 * 64, .type = TABIA_RECORDS, .record_words = 7},
    };
    TabiaOptions o = kind[i];
    o.threads = threads;
    TabiaTable *t;
    if (tabia_table_create(&t, &o, NULL)) abort();
    for (unsigned n = 0; n < 400; n++) {
        const TabiaKey key = {random_next(seed), random_next(seed)};
        uint64_t words[TABIA_RECORD_WORDS_MAX];
        for (unsigned w = 0; w < TABIA_RECORD_WORDS_MAX; w++) words[w] = random_next(seed);
        if (o.type == TABIA_ENTRIES)
            tabia_entry_store(t, key, words[0], (TabiaEntry){.move = 1, .draft = (uint8_t)words[1], .bound = n % 4});
        if (o.type == TABIA_COUNTS) tabia_counts_store(t, key, 1, words[0]);
        if (o.type == TABIA_RECORDS) tabia_record_store(t, key, words);
        if (n % 100 == 99) tabia_table_new_generation(t);
    }
    return t;
}

static void save(const TabiaTable *t, File *f) {
    char path[] = "/tmp/tabia-fuzz-XXXXXX";
    const int file = mkstemp(path);
    if (file < 0 || tabia_table_save(t, path, NULL, NULL)) abort();
    close(file);
    FILE *saved = fopen(path, "rb");
    f->bytes = fread(f->data, 1, FILE_MAX, saved);
    fclose(saved);
    unlink(path);
    if (f->bytes == FILE_MAX) abort();
}

/* A number that is at home in the wrong place. */
static uint64_t hostile(uint64_t *seed, uint64_t was) {
    const uint64_t bit = (uint64_t)1 << random_below(seed, 64);
    const uint64_t all[] = {0,   1, was + 1, was - 1, was ^ bit, bit, bit - 1, ~(uint64_t)0, random_below(seed, 5000),
                            4096};
    return all[random_below(seed, 10)];
}

static void change_number(uint64_t *seed, File *f, size_t at) {
    uint64_t number;
    if (at + sizeof number > f->bytes) return;
    memcpy(&number, f->data + at, sizeof number);
    number = hostile(seed, number);
    memcpy(f->data + at, &number, sizeof number);
}

/* One change; true: one that only a checksum made right could hide. */
static void mutate(uint64_t *seed, File *f, const File *other) {
    const size_t at = random_below(seed, (unsigned)f->bytes), from = random_below(seed, (unsigned)other->bytes);
    size_t length = 1 + random_below(seed, 600);
    switch (random_below(seed, 8)) {
    case 0:
        f->data[at] ^= (uint8_t)(1 << random_below(seed, 8));
        break;
    case 1:
        f->bytes = random_below(seed, 4) ? at : f->bytes - 1;
        break;
    case 2: /* a piece of another file, at its place or anywhere */
        if (length > other->bytes - from) length = other->bytes - from;
        if (at + length <= f->bytes) memcpy(f->data + at, other->data + from, length);
        break;
    case 3: /* the end of another file */
        if (at < other->bytes) memcpy(f->data + at, other->data + at, other->bytes - at), f->bytes = other->bytes;
        break;
    case 4:
        change_number(seed, f, 8 * random_below(seed, sizeof(FileHeader) / 8));
        break;
    case 5: /* the first block's header or counts */
        change_number(seed, f, sizeof(FileHeader) + 8 * random_below(seed, 5));
        break;
    case 6:
        f->data[sizeof(FileHeader) + sizeof(BlockHeader) + random_below(seed, 4096)] ^= (uint8_t)hostile(seed, 1);
        break;
    default: /* bytes doubled or taken out */
        if (length > f->bytes - at) length = f->bytes - at;
        if (f->bytes + length < FILE_MAX && random_below(seed, 2)) {
            memmove(f->data + at + length, f->data + at, f->bytes - at);
            f->bytes += length;
        } else {
            memmove(f->data + at, f->data + at + length, f->bytes - at - length);
            f->bytes -= length;
        }
    }
}

int main(int argc, char **argv) {
    if (argc != 3) return fputs("usage: fuzz_table_file COUNT SEED\n", stderr), 2;
    const unsigned n = (unsigned)strtoul(argv[1], NULL, 10);
    uint64_t seed = strtoull(argv[2], NULL, 10);
    static File file[FACES], work;
    TabiaTable *table[FACES];
    for (unsigned i = 0; i < FACES; i++) {
        TabiaTable *t = make_table(i, &seed, 1);
        save(t, &file[i]);
        tabia_table_destroy(t);
        table[i] = make_table(i, &seed, 1 + i % 2);
    }
    const MemoryFile memory = memory_file();
    unsigned accepted = 0, whole = 0;
    for (unsigned i = 0; i < n; i++) {
        const unsigned type = i % FACES;
        work = file[type];
        const unsigned changes = random_below(&seed, 3);
        const File *other = &file[random_below(&seed, 2) ? type : random_below(&seed, FACES)];
        for (unsigned c = 0; c <= changes && work.bytes; c++) mutate(&seed, &work, other);
        const bool resign = random_below(&seed, 3) != 0;
        if (resign) sign_file(work.data, work.bytes, random_below(&seed, 8) != 0);
        const bool same = work.bytes == file[type].bytes && !memcmp(work.data, file[type].data, work.bytes);
        const bool good = check_load(table[type], memory, work.data, work.bytes);
        if (good && !same && !resign) {
            printf("number %u of seed %s: a damaged file was accepted\n", i, argv[2]);
            return 1;
        }
        whole += same, accepted += good;
    }
    printf("%u files, %u of them unharmed after all, %u accepted\n", n, whole, accepted);
    for (unsigned i = 0; i < FACES; i++) tabia_table_destroy(table[i]);
    return accepted < whole;
}

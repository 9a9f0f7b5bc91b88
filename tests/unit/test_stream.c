/* SPDX-License-Identifier: MIT */
/* Streams: what is recorded is a real perft, comes back from a file as it was, and no damaged file is believed. */
#include "stream_tools.h"

#include <stdio.h>
#include <unistd.h>

#include "base/random.h"

static void records_the_known_counts(void **state) {
    (void)state;
    Stream s = new_stream((StreamJob){.depth = 4, .threads = 2, .text = "kiwi"}, KIWI);
    assert_int_equal(s.runs, 1);
    assert_int_equal(s.floor, 2);
    assert_int_equal(s.records, 1 + 48 + 2039);
    assert_int_equal(s.record[0].size, s.records);
    assert_int_equal(s.record[0].leaves, 4085603);
    assert_int_equal(s.record[0].depth, 4);
    assert_string_equal(s.text, "kiwi");
    stream_free(&s);
    s = new_stream((StreamJob){.depth = 6, .floor = 4}, NULL);
    assert_int_equal(s.records, 1 + 20 + 400);
    assert_int_equal(s.record[0].leaves, 119060324);
    stream_free(&s);
}

/* Every node's leaves are the sum of its children's, and its key is that of its position: equal keys of equal depth
   have equal leaves and, one of a pair having been recorded apart, equal subtrees. */
static void nodes_are_sums(void **state) {
    (void)state;
    Stream s = new_stream((StreamJob){.depth = 5, .threads = 2}, NULL);
    for (uint64_t i = 0; i < s.records; i++) {
        const StreamRecord *r = &s.record[i];
        uint64_t sum = 0;
        for (const StreamRecord *c = r + 1; c < r + r->size; c += c->size) {
            assert_int_equal(c->depth, r->depth - 1);
            sum += c->leaves;
        }
        if (r->size > 1) assert_int_equal(sum, r->leaves);
    }
    /* 1. Nf3 Nf6 2. Nc3 and 1. Nc3 Nf6 2. Nf3 are the same position, in two places of the tree. */
    unsigned twins = 0;
    const StreamRecord *a = &s.record[2];
    while (a->depth != 2) a++;
    for (uint64_t i = 0; i < s.records; i++) {
        const StreamRecord *r = &s.record[i];
        if (r->depth != a->depth || r->key[0] != a->key[0]) continue;
        assert_int_equal(r->key[1], a->key[1]);
        assert_int_equal(r->leaves, a->leaves);
        twins++;
    }
    assert_true(twins >= 2);
    stream_free(&s);
}

static void assert_same(const Stream *a, const Stream *b) {
    assert_int_equal(a->records, b->records);
    assert_int_equal(a->runs, b->runs);
    assert_int_equal(a->floor, b->floor);
    assert_string_equal(a->text, b->text);
    assert_memory_equal(a->record, b->record, a->records * sizeof *a->record);
    assert_memory_equal(a->run, b->run, a->runs * sizeof *a->run);
}

static void threads_change_nothing(void **state) {
    (void)state;
    Stream one = new_stream((StreamJob){.depth = 5, .threads = 1}, NULL);
    Stream three = new_stream((StreamJob){.depth = 5, .threads = 3}, NULL);
    assert_same(&one, &three);
    stream_free(&one);
    stream_free(&three);
}

static void a_game_has_generations(void **state) {
    (void)state;
    Stream s = new_game();
    static const uint64_t leaves[] = {8902, 197281, 13160, 405385};
    assert_int_equal(s.runs, 8);
    for (unsigned i = 0; i < s.runs; i++) {
        assert_int_equal(s.run[i].generation, i / 2);
        assert_int_equal(s.run[i].depth, 3 + i % 2);
        if (i < 4) assert_int_equal(s.record[s.run[i].first].leaves, leaves[i]);
    }
    stream_free(&s);
}

static void comes_back_from_a_file(void **state) {
    (void)state;
    char path[64];
    close(temporary_file(path));
    Stream s = new_game(), back;
    TabiaError error = {0};
    assert_true(stream_write(&s, path, &error));
    if (!stream_read(&back, path, &error)) fail_msg("%s", error.text);
    assert_same(&s, &back);
    stream_free(&s);
    stream_free(&back);
    unlink(path);
}

/* ---- damage ---- */

static size_t read_bytes(const char *path, unsigned char **bytes) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    const size_t n = (size_t)ftell(file);
    rewind(file);
    *bytes = malloc(n + 100);
    assert_int_equal(fread(*bytes, 1, n, file), n);
    fclose(file);
    return n;
}

static void write_bytes(const char *path, const unsigned char *bytes, size_t n) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    fclose(file);
}

static void assert_refused(const char *path) {
    Stream s;
    TabiaError error = {0};
    assert_false(stream_read(&s, path, &error));
    assert_non_null(strstr(error.text, path));
    assert_null(s.record);
}

static void refuses_every_damaged_byte(void **state) {
    (void)state;
    char path[64];
    unsigned char *bytes;
    close(temporary_file(path));
    Stream s = new_stream((StreamJob){.depth = 4, .floor = 3}, NULL);
    assert_true(stream_write(&s, path, NULL));
    const size_t n = read_bytes(path, &bytes);
    memset(bytes + n, 0, 100);
    for (size_t i = 0; i < n; i++) {
        bytes[i] ^= (unsigned char)(1 << i % 8);
        write_bytes(path, bytes, n);
        assert_refused(path);
        bytes[i] ^= (unsigned char)(1 << i % 8);
    }
    for (size_t cut = 0; cut < n; cut += 7) {
        write_bytes(path, bytes, cut);
        assert_refused(path);
    }
    write_bytes(path, bytes, n + 32);
    assert_refused(path);
    write_bytes(path, bytes, n);
    Stream good;
    assert_true(stream_read(&good, path, NULL));
    stream_free(&good);
    stream_free(&s);
    free(bytes);
    unlink(path);
    assert_refused(path);
}

/* A file whose sums are right but whose trees are none: written by stream_write from a stream made crooked. */
static void refuses_what_is_no_tree(void **state) {
    (void)state;
    char path[64];
    close(temporary_file(path));
    Stream s = new_game();
    uint64_t seed = 5;
    for (unsigned i = 0; i < 300; i++) {
        StreamRecord *r = &s.record[random_below(&seed, (unsigned)s.records)];
        const StreamRecord was = *r;
        if (i % 2)
            r->size = i % 3 ? r->size + 1 + random_below(&seed, 5) : 0;
        else
            r->depth = (uint8_t)(r->depth + 1 + random_below(&seed, 200));
        assert_true(stream_write(&s, path, NULL));
        assert_refused(path);
        *r = was;
    }
    s.run[1].first++;
    assert_true(stream_write(&s, path, NULL));
    assert_refused(path);
    s.run[1].first--;
    s.run[7].records--;
    assert_true(stream_write(&s, path, NULL));
    assert_refused(path);
    stream_free(&s);
    unlink(path);
}

static void says_what_it_cannot_do(void **state) {
    (void)state;
    Stream s = new_stream((StreamJob){.depth = 4, .floor = 3}, NULL), none;
    TabiaError error = {0};
    assert_false(stream_write(&s, "/nowhere/at/all.stream", &error));
    assert_non_null(strstr(error.text, "/nowhere/at/all.stream"));
    StreamJob job = {.depth = 2};
    assert_true(fen_parse(&job.root, fen_start, &error));
    assert_false(stream_make(&none, &job, &error));
    assert_non_null(strstr(error.text, "depth 2"));
    stream_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_the_known_counts), cmocka_unit_test(nodes_are_sums),
        cmocka_unit_test(threads_change_nothing),   cmocka_unit_test(a_game_has_generations),
        cmocka_unit_test(comes_back_from_a_file),   cmocka_unit_test(refuses_every_damaged_byte),
        cmocka_unit_test(refuses_what_is_no_tree),  cmocka_unit_test(says_what_it_cannot_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

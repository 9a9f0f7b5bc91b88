/* SPDX-License-Identifier: MIT */
/*
 * The promise under test: whatever happens to the bytes of a ledger, a count is never wrong, and no record is lost
 * whose own line is whole.
 */
#include "base/random.h"
#include "base/threads.h"
#include "perft/ledger.h"
#include "unit.h"

#include <fcntl.h>
#include <sys/file.h>

static const char run_name[] = "perft 11 of rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1, units of depth 4";
static const char known_header[] = "tabia-ledger 1 05b4643e3a0aa105 ";

enum { RECORDS = 6, FILE_MAX = 4096 };
static const U128 big = ((U128)0x0123456789abcdef << 64) | 0xfedcba9876543210;

static uint64_t unit_of(int i) {
    return i == RECORDS - 1 ? UINT64_MAX : (uint64_t)(i * 7);
}

static U128 count_of(int i) {
    return i == 0 ? 0 : i == 1 ? ~(U128)0 : big >> (20 * i);
}

typedef struct {
    char path[64], text[FILE_MAX]; /* text: the good ledger */
    size_t length, starts[RECORDS + 1];
} LedgerFixture;

/* What a visit saw: which records, and nothing else. */
typedef struct {
    unsigned seen; /* bit i: record i */
    int visits, wrong;
} Seen;

static void see(void *context, uint64_t unit, U128 n) {
    Seen *seen = context;
    seen->visits++;
    for (int i = 0; i < RECORDS; i++)
        if (unit == unit_of(i) && n == count_of(i)) {
            seen->seen |= 1u << i;
            return;
        }
    seen->wrong++;
}

/* In place: a file emptied first is hurried to the disk by some file systems when it is closed, 60000 times here. */
static void put(const LedgerFixture *fixture, const char *bytes, size_t length) {
    int fd = open(fixture->path, O_WRONLY);
    assert_true(fd >= 0);
    assert_int_equal(pwrite(fd, bytes, length, 0), length);
    assert_int_equal(ftruncate(fd, (off_t)length), 0);
    assert_int_equal(close(fd), 0);
}

static size_t get(const LedgerFixture *fixture, char out[FILE_MAX]) {
    FILE *file = fopen(fixture->path, "r");
    assert_non_null(file);
    size_t length = fread(out, 1, FILE_MAX, file);
    fclose(file);
    return length;
}

/* Opens with good manners, or fails the test. */
static Ledger *open_ledger(const LedgerFixture *fixture, Seen *seen, uint64_t *cut) {
    TabiaError error;
    *seen = (Seen){0};
    Ledger *l = ledger_open(fixture->path, run_name, see, seen, cut, &error);
    if (!l) fail_msg("%s", error.text);
    return l;
}

static void assert_refused(const LedgerFixture *fixture, const char *run, const char *because) {
    char before[FILE_MAX], after[FILE_MAX];
    size_t length = get(fixture, before);
    Seen seen = {0};
    TabiaError error = {0};
    assert_null(ledger_open(fixture->path, run, see, &seen, NULL, &error));
    if (!strstr(error.text, because)) fail_msg("\"%s\" was expected in: %s", because, error.text);
    assert_int_equal(seen.visits, 0);
    assert_int_equal(get(fixture, after), length);
    assert_memory_equal(before, after, length);
}

static int enter(void **state) {
    static LedgerFixture fixture;
    int fd = temporary_file(fixture.path);
    if (fd < 0) return -1;
    close(fd);
    Seen seen;
    uint64_t cut = 1;
    Ledger *l = open_ledger(&fixture, &seen, &cut);
    if (seen.visits || cut) return -1;
    for (int i = 0; i < RECORDS; i++) {
        fixture.starts[i] = get(&fixture, fixture.text);
        if (!ledger_append(l, unit_of(i), count_of(i), NULL)) return -1;
    }
    if (!ledger_close(l, NULL)) return -1;
    fixture.starts[RECORDS] = fixture.length = get(&fixture, fixture.text);
    *state = &fixture;
    return 0;
}

static int leave(void **state) {
    return unlink(((LedgerFixture *)*state)->path);
}

/* The format is a promise to people with old ledgers: these bytes may change only together with its version. */
static void known_text(void **state) {
    const LedgerFixture *fixture = *state;
    assert_memory_equal(fixture->text, known_header, strlen(known_header));
    assert_memory_equal(fixture->text + strlen(known_header), run_name, strlen(run_name));
    static const char record[] = "7 340282366920938463463374607431768211455 62cbb14460ae8e1c\n";
    assert_memory_equal(fixture->text + fixture->starts[1], record, strlen(record));
}

static void everything_comes_back(void **state) {
    const LedgerFixture *fixture = *state;
    Seen seen;
    uint64_t cut = 1;
    assert_true(ledger_close(open_ledger(fixture, &seen, &cut), NULL));
    assert_int_equal(seen.seen, (1 << RECORDS) - 1);
    assert_int_equal(seen.visits, RECORDS);
    assert_int_equal(cut, 0);
    assert_true(ledger_close(NULL, NULL));
}

static void every_length_goes_on(void **state) {
    const LedgerFixture *fixture = *state;
    for (size_t length = 0; length <= fixture->length; length++) {
        put(fixture, fixture->text, length);
        int whole = 0;
        while (whole < RECORDS && fixture->starts[whole + 1] <= length) whole++;
        Seen seen;
        uint64_t cut = 1;
        Ledger *l = open_ledger(fixture, &seen, &cut);
        if (seen.seen != (1u << whole) - 1 || seen.visits != whole) fail_msg("wrong records at length %zu", length);
        assert_int_equal(cut, length < fixture->starts[0] ? 0 : length - fixture->starts[whole]);
        for (int i = whole; i < RECORDS; i++) assert_true(ledger_append(l, unit_of(i), count_of(i), NULL));
        assert_true(ledger_close(l, NULL));
        char now[FILE_MAX];
        assert_int_equal(get(fixture, now), fixture->length);
        assert_memory_equal(now, fixture->text, fixture->length);
    }
}

/* Every byte becomes every other one. In the first line that must be refused. In a record, that record is lost (and the
   next, when its line break went), all others stay, and what is lost can be appended again. */
static void every_damaged_byte(void **state) {
    const LedgerFixture *fixture = *state;
    char bytes[FILE_MAX];
    for (size_t at = 0; at < fixture->length; at++) {
        unsigned lost = 0;
        for (int i = 0; i < RECORDS; i++) {
            bool in = at >= fixture->starts[i] && at < fixture->starts[i + 1];
            bool break_before = i > 0 && at == fixture->starts[i] - 1;
            if (in || break_before) lost |= 1u << i;
        }
        for (int value = 0; value < 256; value++) {
            memcpy(bytes, fixture->text, fixture->length);
            if ((char)value == bytes[at]) continue;
            bytes[at] = (char)value;
            put(fixture, bytes, fixture->length);
            if (at < fixture->starts[0]) {
                assert_refused(fixture, run_name, "the file is left as it is");
                continue;
            }
            Seen seen;
            uint64_t cut = 0;
            assert_true(ledger_close(open_ledger(fixture, &seen, &cut), NULL));
            if (seen.wrong || seen.seen != (~lost & ((1u << RECORDS) - 1)) || cut == 0)
                fail_msg("byte %zu as %d: records %#x, %d wrong", at, value, seen.seen, seen.wrong);
        }
    }
}

/* Records between, before and behind much rubbish, with line breaks and without: longer than what is read at once. */
static void rubbish_is_skipped(void **state) {
    const LedgerFixture *fixture = *state;
    uint64_t seed = 4;
    for (int round = 0; round < 20; round++) {
        FILE *file = fopen(fixture->path, "w");
        size_t rubbish = 0;
        fwrite(fixture->text, 1, fixture->starts[0], file);
        for (int i = 0; i < RECORDS; i++) {
            size_t length = random_below(&seed, 100000);
            for (size_t b = 0; b < length; b++) {
                int byte = (int)random_below(&seed, 256);
                if (round % 2 && byte == '\n') byte = 0;
                putc(b + 1 == length ? '\n' : byte, file);
            }
            rubbish += length;
            fwrite(fixture->text + fixture->starts[i], 1, fixture->starts[i + 1] - fixture->starts[i], file);
        }
        fputs("5 12345 ", file);
        fclose(file);
        Seen seen;
        uint64_t cut = 0;
        assert_true(ledger_close(open_ledger(fixture, &seen, &cut), NULL));
        assert_int_equal(seen.seen, (1 << RECORDS) - 1);
        assert_int_equal(seen.visits, RECORDS);
        assert_int_equal(cut, rubbish + 8);
    }
}

static void another_run_is_refused(void **state) {
    const LedgerFixture *fixture = *state;
    put(fixture, fixture->text, fixture->length);
    static const char other[] =
        "perft 10 of rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1, units of depth 4";
    assert_refused(fixture, other, "perft 10 of");
    assert_refused(fixture, other, "perft 11 of");
    assert_refused(fixture, "", "of another run");
    assert_refused(fixture, " two", "of another run");
    assert_refused(fixture, "two\nlines", "one line");
    char longest[LEDGER_RUN_MAX + 2];
    memset(longest, 'x', sizeof longest);
    longest[LEDGER_RUN_MAX + 1] = '\0';
    assert_refused(fixture, longest, "one line");
}

static void every_run_name_works(void **state) {
    const LedgerFixture *fixture = *state;
    char longest[LEDGER_RUN_MAX + 1];
    memset(longest, 'x', sizeof longest);
    longest[LEDGER_RUN_MAX] = '\0';
    const char *const names[] = {"", " ", "  two", "1", longest};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        put(fixture, "", 0);
        for (int times = 0; times < 2; times++) {
            Seen seen = {0};
            Ledger *l = ledger_open(fixture->path, names[i], see, &seen, NULL, NULL);
            assert_non_null(l);
            assert_int_equal(seen.visits, times);
            if (times == 0) assert_true(ledger_append(l, unit_of(2), count_of(2), NULL));
            assert_true(ledger_close(l, NULL));
        }
        assert_refused(fixture, "x", "of another run");
    }
}

/* Even below its own first line a record of another run is none. */
static void records_of_another_run_do_not_pass(void **state) {
    const LedgerFixture *fixture = *state;
    put(fixture, "", 0);
    assert_true(ledger_close(ledger_open(fixture->path, "another", see, &(Seen){0}, NULL, NULL), NULL));
    char bytes[FILE_MAX];
    size_t length = get(fixture, bytes);
    memcpy(bytes + length, fixture->text + fixture->starts[0], fixture->length - fixture->starts[0]);
    put(fixture, bytes, length + fixture->length - fixture->starts[0]);
    Seen seen = {0};
    uint64_t cut = 0;
    assert_true(ledger_close(ledger_open(fixture->path, "another", see, &seen, &cut, NULL), NULL));
    assert_int_equal(seen.visits, 0);
    assert_int_equal(cut, fixture->length - fixture->starts[0]);
}

static void what_is_no_ledger_is_left_alone(void **state) {
    const LedgerFixture *fixture = *state;
    static const char *const others[] = {"\n", "a letter to my aunt\n", "tabia-ledge", "tabia_ledger 1",
                                         "tabia-ledger 2 x"};
    static const char *const why[] = {"not a ledger", "not a ledger", NULL, "not a ledger", "version 2"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        put(fixture, others[i], strlen(others[i]));
        if (why[i]) assert_refused(fixture, run_name, why[i]);
    }
    put(fixture, "\0\0\0\0\0\0\0\0", 8);
    assert_refused(fixture, run_name, "not a ledger");
    put(fixture, fixture->text, fixture->starts[0] - 1);
    assert_refused(fixture, "x", "left as it is");
    TabiaError error;
    assert_null(ledger_open("/dev/null", run_name, see, NULL, NULL, &error));
    assert_non_null(strstr(error.text, "not a regular file"));
    assert_null(ledger_open("/", run_name, see, NULL, NULL, &error));
    assert_null(ledger_open("/dev/null/none", run_name, see, NULL, NULL, &error));
    assert_non_null(strstr(error.text, "/dev/null/none: cannot open it: "));
}

static void only_one_at_a_time(void **state) {
    const LedgerFixture *fixture = *state;
    put(fixture, fixture->text, fixture->length);
    Seen seen;
    Ledger *l = open_ledger(fixture, &seen, NULL);
    assert_refused(fixture, run_name, "in use");
    assert_true(ledger_append(l, unit_of(1), count_of(1), NULL));
    assert_true(ledger_close(l, NULL));
    assert_true(ledger_close(open_ledger(fixture, &seen, NULL), NULL));
    assert_int_equal(seen.visits, RECORDS + 1); /* a unit that comes twice is reported twice */
}

static void assert_read(const LedgerFixture *fixture, bool in_use, int visits, size_t damaged) {
    LedgerFacts facts;
    Seen seen = {0};
    assert_true(ledger_read(fixture->path, see, &seen, &facts, NULL));
    assert_string_equal(facts.run, run_name);
    assert_int_equal(facts.in_use, in_use);
    assert_int_equal(seen.visits, visits);
    assert_int_equal(facts.damaged_bytes, damaged);
}

/* In use is what a run has open; another reader is none. */
static void reading_tells_of_a_run(void **state) {
    const LedgerFixture *fixture = *state;
    const size_t cut = fixture->length - 1, whole = fixture->starts[RECORDS - 1];
    put(fixture, fixture->text, cut);
    const int reader = open(fixture->path, O_RDONLY);
    assert_int_equal(flock(reader, LOCK_SH), 0);
    assert_read(fixture, false, RECORDS - 1, cut - whole);
    close(reader);
    Ledger *l = open_ledger(fixture, &(Seen){0}, NULL);
    assert_read(fixture, true, RECORDS - 1, 0);
    assert_true(ledger_close(l, NULL));
}

enum { THREADS = 4, EACH_THREAD = 500 };

static void append_many(void *context, unsigned worker) {
    for (unsigned i = 0; i < EACH_THREAD; i++) {
        uint64_t unit = (uint64_t)worker * EACH_THREAD + i;
        if (!ledger_append(context, unit, (U128)unit * unit * big, NULL)) abort();
    }
}

static void check_many(void *context, uint64_t unit, U128 n) {
    unsigned char *seen = context;
    assert_true(unit < THREADS * EACH_THREAD && n == (U128)unit * unit * big);
    seen[unit]++;
}

/* Several threads write one ledger. */
static void many_threads(void **state) {
    const LedgerFixture *fixture = *state;
    put(fixture, "", 0);
    unsigned char seen[THREADS * EACH_THREAD] = {0};
    Ledger *l = ledger_open(fixture->path, run_name, check_many, seen, NULL, NULL);
    assert_true(tabia_threads_run(THREADS, append_many, l, NULL));
    assert_true(ledger_close(l, NULL));
    uint64_t cut = 1;
    assert_true(ledger_close(ledger_open(fixture->path, run_name, check_many, seen, &cut, NULL), NULL));
    assert_int_equal(cut, 0);
    for (int i = 0; i < THREADS * EACH_THREAD; i++) assert_int_equal(seen[i], 1);
}

#define RUN(tests) cmocka_run_group_tests(tests, enter, leave)
#include "test_ledger_list.h"

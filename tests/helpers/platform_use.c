/* SPDX-License-Identifier: MIT */
/*
 * What the library asks of a system, in one program that runs on each of them: memory in large pages where there are any,
 * threads, a table saved and loaded, and one that two processes share by a name.
 *
 *     platform_use FOLDER NAME          all of it; runs itself once more, as
 *     platform_use FOLDER NAME child    the second process
 */
#include <tabia/counts.h>
#include <tabia/entry.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 4, KEYS = 20000 };

static uint64_t mixed(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

static TabiaKey key_of(uint64_t number) {
    return (TabiaKey){mixed(2 * number + 1), mixed(2 * number + 2)};
}

/* What is stored of a key follows from it, so that a hit can be checked. */
static TabiaEntry entry_of(uint64_t number, unsigned draft) {
    return (TabiaEntry){.score = (int16_t)mixed(number),
                        .draft = (uint8_t)draft,
                        .bound = TABIA_BOUND_LOWER,
                        .move = (uint16_t)(number + 1)};
}

static int fail(const char *what, const char *why) {
    printf("%s: %s\n", what, why);
    return 1;
}

typedef struct {
    TabiaTable *table;
    unsigned worker;
    uint64_t hits, wrong;
} Work;

static void *probe_and_store(void *context) {
    Work *w = context;
    for (uint64_t i = 0; i < 20 * KEYS; i++) {
        const uint64_t number = mixed(i * THREADS + w->worker) % KEYS;
        const TabiaHit hit = tabia_entry_probe(w->table, key_of(number), 0);
        w->hits += hit.move_ok;
        w->wrong +=
            hit.move_ok && (hit.entry.move != (uint16_t)(number + 1) || hit.entry.score != (int16_t)mixed(number));
        tabia_entry_store(w->table, key_of(number), 0, entry_of(number, (unsigned)i % 30));
    }
    return NULL;
}

static int use_threads(TabiaTable *table) {
    Work work[THREADS];
    pthread_t thread[THREADS];
    uint64_t hits = 0, wrong = 0;
    for (unsigned i = 0; i < THREADS; i++) {
        work[i] = (Work){.table = table, .worker = i};
        if (pthread_create(&thread[i], NULL, probe_and_store, &work[i])) return fail("threads", "refused");
    }
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        hits += work[i].hits, wrong += work[i].wrong;
    }
    if (wrong || hits < 10 * KEYS) return fail("threads", wrong ? "wrong entries" : "too few hits");
    printf("%d threads: no wrong entry\n", THREADS);
    return 0;
}

static unsigned known(const TabiaTable *table) {
    unsigned n = 0;
    for (uint64_t i = 0; i < KEYS; i++) n += tabia_entry_probe(table, key_of(i), 0).move_ok;
    return n;
}

static int use_files(TabiaTable *table, const char *folder) {
    TabiaError error;
    char path[1000];
    snprintf(path, sizeof path, "%s/saved.tt", folder);
    const unsigned before = known(table);
    for (int twice = 0; twice < 2; twice++) /* over what is there, too */
        if (tabia_table_save(table, path, NULL, &error)) return fail("save", error.text);
    tabia_table_clear(table);
    if (known(table)) return fail("clear", "something is left");
    if (tabia_table_load(table, path, NULL, &error)) return fail("load", error.text);
    if (known(table) != before) return fail("load", "not all came back");
    snprintf(path, sizeof path, "%s/none/saved.tt", folder);
    if (!tabia_table_save(table, path, NULL, &error)) return fail("save", "into no folder");
    printf("saved and loaded\n");
    return 0;
}

static int use_memory(void) {
    TabiaTable *table;
    TabiaError error;
    TabiaInfo info;
    for (int small = 0; small < 2; small++) {
        const TabiaOptions options = {.bytes = 64 << 20, .pages = small ? TABIA_PAGES_SMALL : TABIA_PAGES_LARGEST};
        if (tabia_table_create(&table, &options, &error)) return fail("create", error.text);
        tabia_table_info(table, &info);
        if (info.bytes != options.bytes || info.page_bytes < 4096) return fail("info", "not what was asked for");
        tabia_table_destroy(table);
    }
    const TabiaOptions much = {.bytes = (uint64_t)1 << 50};
    const int code = tabia_table_create(&table, &much, &error);
    if (code != TABIA_ERROR_MEMORY || table) return fail("1 PiB", code ? error.text : "given");
    printf("memory\n");
    return 0;
}

static int open_named(TabiaTable **table, const char *name, uint64_t bytes, TabiaError *error) {
    const TabiaOptions options = {.bytes = bytes, .name = name};
    return tabia_table_create(table, &options, error);
}

/* The second process: finds what the first has stored, and stores something itself. */
static int child(const char *name) {
    TabiaTable *table;
    TabiaError error;
    TabiaInfo info;
    if (open_named(&table, name, 1 << 20, &error)) return fail("join", error.text);
    tabia_table_info(table, &info);
    if (!info.joined || tabia_entry_probe(table, key_of(1), 0).entry.move != 2) return fail("join", "another table");
    tabia_entry_store(table, key_of(2), 0, entry_of(2, 5));
    tabia_table_new_generation(table);
    tabia_table_destroy(table);
    return 0;
}

static int use_name(const char *program, const char *folder, const char *prefix) {
    TabiaTable *table, *other;
    TabiaError error;
    char command[3000], name[100];
    snprintf(name, sizeof name, "%.60s-%ld", prefix, (long)getpid());
    if (open_named(&table, name, 1 << 20, &error)) return fail("name", error.text);
    tabia_entry_store(table, key_of(1), 0, entry_of(1, 5));
    if (open_named(&other, name, 1 << 21, &error) != TABIA_ERROR_FOREIGN) return fail("name", "another size joined");
    snprintf(command, sizeof command, "%s %s %s child", program, folder, name);
    if (system(command)) return fail("child", "failed");
    if (tabia_entry_probe(table, key_of(2), 0).entry.move != 3) return fail("child", "stored nothing");
    tabia_table_destroy(table);
    if (open_named(&table, name, 1 << 21, &error)) return fail("name, after the last", error.text);
    if (tabia_entry_probe(table, key_of(1), 0).move_ok) return fail("name", "outlived its last process");
    tabia_table_destroy(table);
    printf("two processes\n");
    return 0;
}

int main(int argc, char **argv) {
    TabiaTable *table;
    TabiaError error;
    if (argc == 4 && !strcmp(argv[3], "child")) return child(argv[2]);
    if (argc != 3) return fail("usage", "platform_use FOLDER NAME");
    if (tabia_version_check(TABIA_VERSION_NUMBER, &error)) return fail("version", error.text);
    const TabiaOptions options = {.bytes = 1 << 20, .threads = 3};
    if (tabia_table_create(&table, &options, &error)) return fail("create", error.text);
    const int code =
        use_threads(table) || use_files(table, argv[1]) || use_memory() || use_name(argv[0], argv[1], argv[2]);
    tabia_table_destroy(table);
    return code;
}

/* SPDX-License-Identifier: MIT */
#include "options.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "fen.h"
#include "notation.h"

int complain(const char *command, const Fault *fault, int status) {
    fprintf(stderr, "tabia %s: %s\n", command, fault->text);
    return status;
}

bool option_number(const char *name, const char *text, uint64_t least, uint64_t most, uint64_t *n, Fault *fault) {
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (errno || end == text || *end || *text == '-' || value < least || value > most)
        return tabia_fault(fault, "%s: '%s' is not a whole number from %ju to %ju", name, text, (uintmax_t)least,
                           (uintmax_t)most);
    *n = value;
    return true;
}

bool option_rows(const char *command, int argc, char **argv, const OptionRow *rows, bool *wants_help, Fault *fault) {
    enum { FIRST = 256 };
    struct option names[OPTION_ROWS_MAX + 2] = {{"help", 0, NULL, 'h'}};
    for (int i = 0; rows[i].name; i++) {
        assert(i < OPTION_ROWS_MAX);
        names[i + 1] = (struct option){rows[i].name, 1, NULL, FIRST + i};
    }
    *wants_help = false;
    for (int c; (c = getopt_long(argc, argv, "h", names, NULL)) != -1;) {
        if (c == 'h') return *wants_help = true;
        if (c < FIRST) return tabia_fault(fault, "tabia %s --help lists the options", command);
        const OptionRow *r = &rows[c - FIRST];
        char name[64];
        snprintf(name, sizeof name, "--%s", r->name);
        if (!r->number)
            *r->text = optarg;
        else if (!option_number(name, optarg, r->least, r->most, r->number, fault))
            return false;
    }
    return true;
}

bool option_hash(const char *text, uint64_t *bytes, Fault *fault) {
    enum { LEAST = 64 * 1024 };
    if (!strcmp(text, "off") || !strcmp(text, "0")) {
        *bytes = 0;
        return true;
    }
    if (!tabia_size_parse(text, bytes, fault)) return false;
    return *bytes >= LEAST || tabia_fault(fault, "--hash: %s is too small a table; at least 64K, or off", text);
}

bool option_search_hash(const char *text, uint64_t *bytes, Fault *fault) {
    if (!tabia_size_parse(text, bytes, fault)) return false;
    return *bytes >= 1 << 20 || tabia_fault(fault, "--hash: %s is too small; at least 1M", text);
}

bool option_integrity(const char *text, TabiaIntegrity *integrity, Fault *fault) {
    static const char *const integrity_names[] = {
        [TABIA_XOR] = "xor", [TABIA_WIDE] = "wide", [TABIA_LOCKED] = "locked", [TABIA_NONE] = "none"};
    for (int i = TABIA_XOR; i <= TABIA_NONE; i++)
        if (!strcmp(text, integrity_names[i])) return *integrity = (TabiaIntegrity)i, true;
    return tabia_fault(fault, "--integrity: '%s' is none of xor, wide, locked, none", text);
}

bool option_position(const char *fen, const char *moves, Position *p, Fault *fault) {
    return fen_parse(p, fen ? fen : fen_start, fault) && (!moves || position_play_text(p, moves, fault));
}

uint64_t default_hash_bytes(void) {
    const uint64_t whole = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGE_SIZE),
                   gib = (uint64_t)1 << 30;
    return whole / 8 < gib ? whole / 8 : gib;
}

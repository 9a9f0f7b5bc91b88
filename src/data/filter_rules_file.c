/* SPDX-License-Identifier: MIT */
/* The file of rules: keys and values of TOML, without tables, strings and dates, which no rule needs. */
#include "data/filter_rules.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { RULES_BYTES_MAX = 64 << 10, VALUE_BYTES_MAX = 2048, NAME_BYTES_MAX = 64 };

/* What is left of the text, and the line it is in. */
typedef struct {
    const char *at;
    unsigned line;
} RulesText;

/* Skips blanks and comments, and ends of lines too if `lines`. */
static void skip_blanks(RulesText *t, bool lines) {
    for (;; t->at++) {
        if (*t->at == '#') t->at += strcspn(t->at, "\n");
        if (*t->at == '\n' && !lines) return;
        if (*t->at == '\n') t->line++;
        if (!*t->at || !strchr(" \t\r\n", *t->at)) return;
    }
}

/* The characters of a name: the next word up to a blank or '='. */
static void read_name(RulesText *t, char name[NAME_BYTES_MAX]) {
    const size_t n = strcspn(t->at, " \t\r\n=#");
    snprintf(name, NAME_BYTES_MAX, "%.*s", (int)(n < NAME_BYTES_MAX ? n : NAME_BYTES_MAX - 1), t->at);
    t->at += n;
}

/* A value without brackets, blanks, comments, the '_' within numbers, and a comma behind the last one. */
static bool read_value(RulesText *t, char value[VALUE_BYTES_MAX], TabiaError *error) {
    size_t n = 0;
    const bool is_list = *t->at == '[';
    t->at += is_list;
    for (;;) {
        skip_blanks(t, is_list);
        if (!*t->at || *t->at == '\n' || *t->at == ']') break;
        if (n == VALUE_BYTES_MAX - 1)
            return tabia_fail(error, "the value is longer than %d characters", VALUE_BYTES_MAX);
        if (*t->at != '_') value[n++] = *t->at;
        t->at++;
    }
    if (is_list && *t->at != ']') return tabia_fail(error, "no ']' ends the array");
    if (!is_list && *t->at == ']') return tabia_fail(error, "a ']' without '['");
    t->at += is_list;
    if (is_list && n && value[n - 1] == ',') n--;
    value[n] = '\0';
    return true;
}

/* The index of a rule, or the number of rules. */
static unsigned find_rule(const char *name) {
    unsigned i = 0;
    for (const unsigned n = filter_rule_count(); i < n; i++)
        if (!strcmp(filter_rule(i).name, name)) break;
    return i;
}

static bool read_rule(FilterRules *rules, RulesText *t, TabiaError *error) {
    char name[NAME_BYTES_MAX], value[VALUE_BYTES_MAX];
    read_name(t, name);
    const unsigned index = find_rule(name);
    if (index == filter_rule_count())
        return tabia_fail(error, "there is no rule '%s'; tabia data filter --help lists them", name);
    skip_blanks(t, false);
    if (*t->at != '=') return tabia_fail(error, "%s: '=' and a value are expected", name);
    t->at++;
    skip_blanks(t, false);
    if (!read_value(t, value, error) || !filter_rule_set(rules, index, value, error)) return false;
    skip_blanks(t, false);
    return !*t->at || *t->at == '\n' || tabia_fail(error, "%s: something follows the value", name);
}

static bool read_text(const char *path, char text[RULES_BYTES_MAX], TabiaError *error) {
    FILE *file = fopen(path, "r");
    if (!file) return tabia_fail(error, "%s: cannot be read: %s", path, strerror(errno));
    const size_t n = fread(text, 1, RULES_BYTES_MAX - 1, file);
    const bool failed = ferror(file), is_long = !feof(file);
    fclose(file);
    if (failed) return tabia_fail(error, "%s: cannot be read: %s", path, strerror(errno));
    if (is_long) return tabia_fail(error, "%s: is longer than %d bytes, too long for rules", path, RULES_BYTES_MAX - 2);
    text[n] = '\0';
    return strlen(text) == n || tabia_fail(error, "%s: contains a zero byte", path);
}

bool filter_rules_read(FilterRules *rules, const char *path, TabiaError *error) {
    char text[RULES_BYTES_MAX];
    TabiaError cause;
    if (!read_text(path, text, error)) return false;
    RulesText t = {text, 1};
    for (;;) {
        skip_blanks(&t, true);
        if (!*t.at) return true;
        if (!read_rule(rules, &t, &cause))
            return tabia_fail(error, "%.200s, line %u: %.250s", path, t.line, cause.text);
    }
}

/* SPDX-License-Identifier: MIT */
#include "serve/served_filter.h"

#include "serve/answer.h"

bool served_filter_read(FilterRules *rules, const HttpRequest *request, TabiaError *error) {
    *rules = filter_rules_none();
    for (unsigned i = 0; i < filter_rule_count(); i++) {
        const FilterRule rule = filter_rule(i);
        const char *text = rule.is_certain ? http_argument(request, rule.name) : NULL;
        if (text && !filter_rule_set(rules, i, text, error)) return false;
    }
    return true;
}

bool served_filter_fits(const FilterRules *rules, const DataFormat *format, TabiaError *error) {
    if (!format || format->fields & DATA_MOVE || !filter_rules_need_moves(rules)) return true;
    return tabia_fail(error, "a rule asks for moves, and %s stores none", format->name);
}

void served_filter_answer(void *unused, HttpRequest *request) {
    (void)unused;
    Answer a;
    if (!answer_begin_reply(&a, request)) return;
    tabia_json_array(&a.json, "rules");
    for (unsigned i = 0; i < filter_rule_count(); i++) {
        const FilterRule rule = filter_rule(i);
        if (!rule.is_certain) continue;
        tabia_json_object(&a.json, NULL);
        tabia_json_text(&a.json, "name", rule.name);
        tabia_json_text(&a.json, "words", rule.words);
        tabia_json_boolean(&a.json, "is_switch", rule.is_switch);
        tabia_json_close(&a.json);
    }
    tabia_json_close(&a.json);
    answer_reply(&a, request);
}

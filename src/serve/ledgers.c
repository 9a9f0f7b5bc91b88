/* SPDX-License-Identifier: MIT */
#include "serve/ledgers.h"

#include "perft/ledger_summary.h"
#include "serve/answer.h"

static void write_summary(Json *j, const LedgerSummary *s) {
    tabia_json_text(j, "count", s->what);
    tabia_json_integer(j, "depth", s->depth);
    tabia_json_text(j, "position", s->position);
    tabia_json_count(j, "units", s->units);
    tabia_json_count(j, "units_done", s->units_done);
    tabia_json_real(j, "seconds_since", s->facts.seconds);
    tabia_json_boolean(j, "in_use", s->facts.in_use);
}

void ledger_answer(void *file_name, HttpRequest *request) {
    LedgerSummary s;
    TabiaError error;
    Answer a;
    bool outside;
    if (file_name && !ledger_summary_read(&s, file_name, &outside, &error)) return answer_error(request, &error);
    if (!answer_begin_reply(&a, request)) return;
    if (file_name) write_summary(&a.json, &s);
    answer_reply(&a, request);
}

/* SPDX-License-Identifier: MIT */
#include "serve/answer.h"

#include <stdlib.h>

#include "base/system.h"

bool answer_begin(Answer *a, const char *event) {
    *a = (Answer){.is_event = event != NULL};
    a->out = tabia_buffer_begin(&a->text, &a->n);
    if (!a->out) return false;
    if (event) fprintf(a->out, "event: %s\ndata: ", event);
    tabia_json_begin(&a->json, a->out);
    tabia_json_object(&a->json, NULL);
    return true;
}

bool answer_begin_reply(Answer *a, HttpRequest *request) {
    if (answer_begin(a, NULL)) return true;
    http_reply(request, HTTP_UNAVAILABLE, HTTP_JSON, "", 0);
    return false;
}

/* The text is whole. An event is one line, with an empty one behind it. */
static bool finish(Answer *a) {
    TabiaError error;
    bool good = tabia_json_end_line(&a->json, &error);
    if (a->is_event) good = fputc('\n', a->out) != EOF && good;
    return tabia_buffer_end(a->out, &a->text, &a->n) == 0 && good;
}

void answer_reply(Answer *a, HttpRequest *request) {
    if (finish(a))
        http_reply(request, HTTP_GOOD, HTTP_JSON, a->text, a->n);
    else
        http_reply(request, HTTP_UNAVAILABLE, HTTP_JSON, "", 0);
    free(a->text);
}

bool answer_send(Answer *a, Stream *stream) {
    const bool read = finish(a) && stream_write(stream, a->text, a->n);
    free(a->text);
    return read;
}

void answer_move(Json *j, const Position *p, Move m) {
    char text[UCI_MAX], san[SAN_MAX];
    move_to_uci(p, m, false, text);
    move_to_san(p, m, san);
    tabia_json_text(j, "move", text);
    tabia_json_text(j, "san", san);
}

static bool error_object(Answer *a, const char *event, const TabiaError *error) {
    if (!answer_begin(a, event)) return false;
    tabia_json_text(&a->json, "error", error->text);
    return true;
}

void answer_error(HttpRequest *request, const TabiaError *error) {
    Answer a;
    if (!error_object(&a, NULL, error)) return http_reply(request, HTTP_UNAVAILABLE, HTTP_JSON, "", 0);
    if (finish(&a)) http_reply(request, HTTP_BAD_REQUEST, HTTP_JSON, a.text, a.n);
    free(a.text);
}

void answer_send_error(Stream *stream, const TabiaError *error) {
    Answer a;
    if (error_object(&a, "fault", error)) answer_send(&a, stream);
}

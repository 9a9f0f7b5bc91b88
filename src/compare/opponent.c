/* SPDX-License-Identifier: MIT */
#include "opponent.h"

#include "base/process.h"
#include "base/stop.h"
#include "base/time.h"
#include "notation/protocol.h"
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    LINE = 1024,
    UNKNOWN_LINES_MAX = 10000, /* lines that mean nothing, in one answer */
    HANDSHAKE_SECONDS = 5,     /* for PROTOCOL_AUTO */
    EXIT_SECONDS = 1,          /* from the end of output to the end of the program */
    EXIT_NOT_EXECUTABLE = 126, /* the shell's statuses */
    EXIT_NOT_FOUND = 127,
};

/* After a total that is doubtful, before it is believed: one that is not the sum, and 0 without any move. */
static const double quiet_seconds = 1, quiet_seconds_of_none = 0.1;

struct Opponent {
    const char *command;
    Protocol protocol;
    bool is_unusable, no_engine;
    bool is_checked, is_missing; /* is there such a program? */
    double seconds, until;       /* for each question; for the present one */
    TabiaProcess *process;
    bool offers_960, is_960;
    bool (*is_over)(void *context); /* or NULL */
    void *context;                  /* its */
    TabiaError why_no_engine;
    char query_text[300]; /* the query, for errors */
    char line[LINE];      /* the last one read */
};

bool protocol_parse(const char *name, Protocol *protocol, TabiaError *error) {
    const char *const names[] = {"auto", protocol_words.word, "perftree"};
    for (int i = 0; i < 3; i++)
        if (!strcmp(name ? name : "auto", names[i])) return *protocol = (Protocol)i, true;
    return tabia_fail(error, "--protocol %s: it is %s, perftree or auto", name, protocol_words.word);
}

Opponent *opponent_new(const char *command, Protocol protocol, double seconds, TabiaError *error) {
    Opponent *o = calloc(1, sizeof *o);
    if (!o) tabia_fail(error, "no memory");
    if (o) *o = (Opponent){.command = command, .protocol = protocol, .seconds = seconds};
    return o;
}

bool opponent_is_unusable(const Opponent *o) {
    return o->is_unusable;
}

void opponent_watch(Opponent *o, bool (*is_over)(void *context), void *context) {
    o->is_over = is_over;
    o->context = context;
}

static bool is_stopped(const Opponent *o) {
    return tabia_stop_requested() || (o->is_over && o->is_over(o->context));
}

static void stop(Opponent *o) {
    tabia_process_close(o->process);
    o->process = 0;
}

void opponent_free(Opponent *o) {
    if (o) stop(o);
    free(o);
}

/* ---- errors; the program is killed ---- */

static bool fail(Opponent *o, TabiaError *error, const char *what) {
    stop(o);
    return tabia_fail(error, "%s: %s (%s)", o->command, what, o->query_text);
}

/* No end of the answer in time; a line that was not understood may tell why. */
static bool fail_timeout(Opponent *o, TabiaError *error, const char *sample) {
    char words[200];
    snprintf(words, sizeof words, "did not finish its answer within %g s%s%.80s%s", o->seconds,
             *sample ? "; it printed \"" : "", sample, *sample ? "\"" : "");
    return fail(o, error, is_stopped(o) ? "stopped" : words);
}

static bool fail_silent(Opponent *o, TabiaError *error) {
    char words[60];
    snprintf(words, sizeof words, "said nothing within %g s", o->seconds);
    return fail(o, error, is_stopped(o) ? "stopped" : words);
}

static bool fail_ended(Opponent *o, TabiaError *error) {
    char words[TABIA_EXIT_TEXT_MAX], text[TABIA_EXIT_TEXT_MAX + 20];
    if (!tabia_process_ended(o->process, EXIT_SECONDS, words))
        return fail(o, error, "closed its output in the middle of an answer");
    const int status = tabia_process_status(o->process);
    o->is_missing = status == EXIT_NOT_FOUND || status == EXIT_NOT_EXECUTABLE;
    if (status == 0 || o->is_missing)
        snprintf(text, sizeof text, "%s before it answered", words);
    else
        snprintf(text, sizeof text, "crashed: it %s", words);
    return fail(o, error, text);
}

static bool fail_unknown(Opponent *o, TabiaError *error, const char *sample) {
    char words[120];
    snprintf(words, sizeof words, "prints unknown lines, such as \"%.80s\"", sample);
    return fail(o, error, words);
}

/* ---- one line, waiting until o->until ---- */

/* In slices, so that a Ctrl-C is noticed. */
static TabiaRead read_line(Opponent *o, double until) {
    for (;;) {
        double left = until - tabia_clock_wall();
        TabiaRead result = tabia_process_read(o->process, o->line, LINE, left < 0 ? 0 : left > 0.2 ? 0.2 : left);
        if (result != TABIA_READ_TIMEOUT || left <= 0 || is_stopped(o)) return result;
    }
}

static bool send(Opponent *o, const char *text, TabiaError *error) {
    if (tabia_process_send(o->process, text, o->until - tabia_clock_wall())) return true;
    char words[TABIA_EXIT_TEXT_MAX];
    if (tabia_process_ended(o->process, 0.2, words)) return fail_ended(o, error);
    return fail(o, error, "does not read its input");
}

/* ---- UCI, or what the game has in its place ---- */

static bool is_960_option(const char *line) {
    static const char option[] = "option name ";
    const char *name = strstr(line, option);
    if (!name || !protocol_words.chess960_option) return false;
    return !strncmp(name + sizeof option - 1, protocol_words.chess960_option, strlen(protocol_words.chess960_option));
}

/* Reads lines up to the one that is the given word. */
static bool wait_for_line(Opponent *o, const char *word, TabiaError *error) {
    char sample[LINE] = "";
    for (unsigned n = 0; n < UNKNOWN_LINES_MAX; n++) {
        TabiaRead result = read_line(o, o->until);
        if (result == TABIA_READ_TIMEOUT) return n ? fail_timeout(o, error, sample) : fail_silent(o, error);
        if (result == TABIA_READ_END) return fail_ended(o, error);
        if (!strcmp(o->line, word)) return true;
        if (is_960_option(o->line)) o->offers_960 = true;
        if (n == 0) memcpy(sample, o->line, LINE);
    }
    return fail_unknown(o, error, sample);
}

static bool handshake(Opponent *o, TabiaError *error) {
    o->offers_960 = o->is_960 = false;
    snprintf(o->query_text, sizeof o->query_text, "asked: %s", protocol_words.word);
    o->process = tabia_process_start(o->command, 0, error);
    if (!o->process) return false;
    return send(o, protocol_words.hello, error) && wait_for_line(o, protocol_words.ok, error) &&
           send(o, protocol_words.new_game, error);
}

/* Makes sure that a program runs that knows the protocol. */
static bool start_engine(Opponent *o, TabiaError *error) {
    if (o->process) return true;
    const double seconds = o->seconds;
    if (o->protocol == PROTOCOL_AUTO && o->seconds > HANDSHAKE_SECONDS) o->seconds = HANDSHAKE_SECONDS;
    o->until = tabia_clock_wall() + o->seconds;
    const bool good = handshake(o, error);
    o->seconds = seconds;
    return good;
}

static bool set_960(Opponent *o, bool wanted, TabiaError *error) {
    if (wanted == o->is_960) return true;
    if (!o->offers_960) return fail(o, error, "has no option UCI_Chess960, which this position needs");
    char line[100];
    snprintf(line, sizeof line, "setoption name %s value %s\n", protocol_words.chess960_option,
             wanted ? "true" : "false");
    o->is_960 = wanted;
    return send(o, line, error);
}

/* The text, in memory that the caller frees. Null if there is none. */
static char *engine_text(const DivideQuery *q) {
    const size_t room = strlen(q->fen) + strlen(q->moves) + 60;
    char *text = malloc(room);
    if (text)
        snprintf(text, room, "%s %s%s%s\ngo perft %d\n", protocol_words.position, q->fen, *q->moves ? " moves " : "",
                 q->moves, q->depth);
    return text;
}

static bool starts_with(const char *line, const char *word) {
    return !strncasecmp(line, word, strlen(word));
}

/*
 * Reads the answer. A total that is not the sum, or of no moves, is believed only when nothing follows it: it may have
 * been some heading. A program that prints no moves is found out at a small depth, where silence is no work.
 */
static bool read_engine(Opponent *o, int depth, Divide *d, TabiaError *error) {
    bool maybe = false;
    char sample[LINE] = "";
    U128 total = 0;
    for (unsigned unknown_lines = 0; unknown_lines < UNKNOWN_LINES_MAX;) {
        const double quiet = tabia_clock_wall() + (d->n || total ? quiet_seconds : quiet_seconds_of_none);
        const TabiaRead result = read_line(o, maybe && quiet < o->until ? quiet : o->until);
        if (result == TABIA_READ_TIMEOUT && maybe && !is_stopped(o)) {
            d->total = total;
            if (d->n || !total) return true;
            return fail(o, error, "gives a total but no moves: its go perft does not divide");
        }
        if (result == TABIA_READ_TIMEOUT) return fail_timeout(o, error, sample);
        if (result == TABIA_READ_END) return fail_ended(o, error);
        const DivideLine kind = divide_read(d, o->line);
        if (kind == DIVIDE_TOTAL && d->n) return true;
        if (kind == DIVIDE_FULL) return fail(o, error, "prints more moves than any position has");
        if (kind == DIVIDE_TOTAL || (kind == DIVIDE_MAYBE_TOTAL && (d->n || depth <= 2)))
            maybe = true, total = d->total;
        if (kind == DIVIDE_MOVE) maybe = false;
        if (starts_with(o->line, "bestmove")) return fail(o, error, "searches instead: it does not know go perft");
        if (!d->n && starts_with(o->line, "unknown")) return fail(o, error, "says that it does not know go perft");
        if (kind == DIVIDE_OTHER && o->line[0] && !unknown_lines++) memcpy(sample, o->line, LINE);
    }
    return fail_unknown(o, error, sample);
}

static bool divide_engine(Opponent *o, const DivideQuery *q, Divide *d, TabiaError *error) {
    assert(o->process && q->depth > 0);
    char *text = engine_text(q);
    if (!text) return tabia_fail(error, "no memory");
    o->until = tabia_clock_wall() + o->seconds;
    snprintf(o->query_text, sizeof o->query_text, "asked: go perft %d, %s %.100s%s%.130s", q->depth,
             protocol_words.position, q->fen, *q->moves ? " moves " : "", q->moves);
    /* isready first: what an earlier answer left in the pipe is not taken for this one */
    const bool good = set_960(o, q->chess960, error) && send(o, "isready\n", error) &&
                      wait_for_line(o, "readyok", error) && send(o, text, error) && read_engine(o, q->depth, d, error);
    free(text);
    return good;
}

/* ---- perftree ---- */

/* Reads all that the script prints. The last number alone, or what looks most like a total, is it. */
static bool read_perftree(Opponent *o, Divide *d, TabiaError *error) {
    bool total = false;
    char sample[LINE] = "";
    U128 last = 0;
    for (unsigned unknown_lines = 0; unknown_lines < UNKNOWN_LINES_MAX;) {
        const TabiaRead result = read_line(o, o->until);
        if (result == TABIA_READ_TIMEOUT) return fail_timeout(o, error, sample);
        if (result == TABIA_READ_END) {
            char words[TABIA_EXIT_TEXT_MAX];
            tabia_process_ended(o->process, EXIT_SECONDS, words);
            if (tabia_process_status(o->process) != 0) return fail_ended(o, error);
            d->total = last;
            if (total) return true;
            if (unknown_lines) return fail_unknown(o, error, sample);
            return fail(o, error, d->n ? "ended without a total" : "ended without an answer");
        }
        const DivideLine kind = divide_read(d, o->line);
        if (kind == DIVIDE_FULL) return fail(o, error, "prints more moves than any position has");
        if (kind == DIVIDE_TOTAL || kind == DIVIDE_MAYBE_TOTAL) total = true, last = d->total;
        if (kind == DIVIDE_OTHER && o->line[0] && !unknown_lines++) memcpy(sample, o->line, LINE);
    }
    return fail_unknown(o, error, sample);
}

static bool divide_perftree(Opponent *o, const DivideQuery *q, Divide *d, TabiaError *error) {
    char depth[12];
    const char *const arguments[] = {depth, q->fen, *q->moves ? q->moves : 0, 0};
    snprintf(depth, sizeof depth, "%d", q->depth);
    snprintf(o->query_text, sizeof o->query_text, "run with: %d \"%.100s\" \"%.130s\"", q->depth, q->fen, q->moves);
    o->until = tabia_clock_wall() + o->seconds;
    o->process = tabia_process_start(o->command, arguments, error);
    if (!o->process || !read_perftree(o, d, error)) return false;
    stop(o);
    return true;
}

/* ---- either ---- */

/* The first question to a perftree script, after its protocol was tried: if that fails too, both reasons are given. */
static bool divide_first(Opponent *o, const DivideQuery *q, Divide *d, TabiaError *error) {
    TabiaError cause;
    assert(o->no_engine && !o->process);
    if (divide_perftree(o, q, d, &cause)) {
        o->protocol = PROTOCOL_PERFTREE;
        return true;
    }
    o->is_unusable = true;
    return tabia_fail(error, "neither a %s engine nor a perftree script; as the one: %.150s; as the other: %.150s",
                      protocol_words.name, o->why_no_engine.text, cause.text);
}

/* Before the first start, so that one line says it, and not the shell. */
static bool check_program(Opponent *o, TabiaError *error) {
    char name[200];
    if (o->is_checked) return true;
    o->is_checked = true;
    if (tabia_process_exists(o->command, name, sizeof name)) return true;
    o->is_unusable = true;
    return tabia_fail(error, "there is no program '%s'; name one by its path, or one that PATH has", name);
}

bool opponent_divide(Opponent *o, const DivideQuery *q, Divide *d, TabiaError *error) {
    *d = (Divide){0};
    if (!check_program(o, error)) return false;
    if (o->protocol != PROTOCOL_PERFTREE && !o->no_engine) {
        if (start_engine(o, o->protocol == PROTOCOL_AUTO ? &o->why_no_engine : error)) {
            o->protocol = PROTOCOL_ENGINE;
            return divide_engine(o, q, d, error);
        }
        if (o->protocol == PROTOCOL_ENGINE || o->is_missing || is_stopped(o)) {
            if (o->protocol != PROTOCOL_ENGINE) *error = o->why_no_engine;
            o->is_unusable = true;
            return false;
        }
        o->no_engine = true;
    }
    return o->protocol == PROTOCOL_PERFTREE ? divide_perftree(o, q, d, error) : divide_first(o, q, d, error);
}

/* SPDX-License-Identifier: MIT */
/* --against, tried on a program with known faults (tests/helpers/faulty_engine.c), and on Stockfish where installed. */
#include "compare/against.h"
#include "count_plainly.h"
#include "notation/fen.h"
#include "unit.h"

#define KIWI "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -"

static const char *engine, *data; /* set once by main */

/* What a run printed and returned. */
typedef struct {
    int status;
    char *out, *messages;
    TabiaError error;
} Outcome;

static Outcome run(AgainstOptions o, const char *command) {
    Outcome r = {0};
    size_t out_n, messages_n;
    o.command = command;
    if (!o.seconds) o.seconds = 60;
    o.suite.count = count_plainly;
    o.suite.out = open_memstream(&r.out, &out_n);
    o.suite.messages = open_memstream(&r.messages, &messages_n);
    r.status = against_run(&o, &r.error);
    fclose(o.suite.out), fclose(o.suite.messages);
    return r;
}

static Outcome run_faulty(AgainstOptions o, const char *faults) {
    char command[1000];
    snprintf(command, sizeof command, "'%s' %s 2>/dev/null", engine, faults);
    /* a perftree script gets its arguments behind the command */
    if (strstr(faults, "--perftree")) snprintf(command, sizeof command, "'%s' %s", engine, faults);
    return run(o, command);
}

static void done(Outcome *r) {
    free(r->out), free(r->messages);
}

static void expect(Outcome r, int status, const char *const *parts) {
    if (r.status != status) fail_msg("status %d, not %d: %s%s%s", r.status, status, r.out, r.messages, r.error.text);
    for (; *parts; parts++)
        if (!strstr(r.out, *parts) && !strstr(r.messages, *parts) && !strstr(r.error.text, *parts))
            fail_msg("no \"%s\" in: %s%s%s", *parts, r.out, r.messages, r.error.text);
    done(&r);
}

#define EXPECT(outcome, status, ...) expect(outcome, status, (const char *const[]){__VA_ARGS__, 0})

static void no_fault_no_difference(void **state) {
    static const char *const ways[] = {"", "plain960", "header", "--perftree", "--perftree plain960", "ep-lost"};
    for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++)
        EXPECT(run_faulty((AgainstOptions){.depth = 3, .fen = KIWI}, ways[i]), 0, "no difference", "99949 nodes");
}

/* The exact position, and the move in both notations. */
static void finds_dropped_en_passant(void **state) {
    const AgainstOptions o = {.depth = 3, .fen = KIWI};
    static const char fen[] = "  fen      r3k2r/p1ppqpb1/bn2pnp1/3PN3/Pp2P3/2N2Q1p/1PPBBPPP/R3K2R b KQkq a3 0 1\n";
    EXPECT(run_faulty(o, "no-ep"), 1, fen, "  moves    a2a4\n", "  missing  b4a3   bxa3\n", "FEN alone");
    EXPECT(run_faulty(o, "--perftree no-ep"), 1, fen, "  moves    a2a4\n", "  missing  b4a3   bxa3\n");
}

static void finds_castling_through_check(void **state) {
    EXPECT(run_faulty((AgainstOptions){.depth = 3, .fen = "4k3/8/8/5n2/8/8/8/R3K2R b KQ -"}, "through-check"), 1,
           "  fen      4k3/8/8/8/8/4n3/8/R3K2R w KQ - 1 2\n",
           "  extra    e1c1   O-O-O: white cannot castle through check on d1\n",
           "  extra    e1g1   O-O: white cannot castle through check on f1\n");
    EXPECT(run_faulty((AgainstOptions){.depth = 1, .fen = "5rk1/8/8/8/8/8/8/4K2R w K -"}, "through-check plain960"), 1,
           "  extra    e1h1   O-O: white cannot castle through check on f1\n");
}

/* Five plies down: from the start, the only moves that matter are found among all of them. */
static void follows_a_deep_line(void **state) {
    EXPECT(run_faulty((AgainstOptions){.depth = 4, .moves = "1. e4 1...a6"}, "no-ep"), 1,
           "  moves    e2e4 a7a6 e4e5 d7d5\n", "  missing  e5d6   exd6\n");
}

/* A program that loses its en passant square by playing moves generates well: the move is to blame that is played. */
static void tells_playing_from_generating(void **state) {
    EXPECT(run_faulty((AgainstOptions){.depth = 2, .fen = "4k3/3p4/8/4P3/8/8/8/4K3 w - -", .moves = "e1e2 d7d5"},
                      "ep-lost"),
           1, "  missing  e5d6   exd6\n", "playing moves",
           "position fen 4k3/3p4/8/4P3/8/8/4K3/8 b - - 1 1 moves d7d5\n");
}

static void finds_wrong_sums(void **state) {
    const AgainstOptions o = {.depth = 3};
    EXPECT(run_faulty(o, "bad-count"), 1, "below a move", "20 here, 21 there", "depth    2");
    EXPECT(run_faulty((AgainstOptions){.depth = 1}, "bad-leaf"), 1, "1 here, 2 there", ", 1 question, ");
    EXPECT(run_faulty(o, "bad-total"), 1, "adds wrongly", "20 here, 21 there");
    EXPECT(run_faulty(o, "twice"), 1, "listed twice");
}

/* What goes wrong is reported in a word, with the question, and ends in time. */
static void survives_everything(void **state) {
    static const struct {
        const char *faults, *words;
    } cases[] = {
        {"crash", "crashed: it was killed by signal 11"},
        {"exit", "crashed: it ended with status 7"},
        {"flood", "prints unknown lines, such as \"rubbish without an end\""},
        {"search", "does not know go perft"},
        {"hang", "did not finish its answer within 0.3 s"},
        {"rubbish", "did not finish its answer within 0.3 s; it printed \"e2e4:\""},
        {"--perftree crash", "killed by signal 11"},
        {"--perftree exit", "ended with status 7"},
        {"--perftree rubbish", "prints unknown lines, such as \"e2e4:\""},
        {"--perftree hang", "did not finish its answer within 0.3 s"},
        {"--perftree flood", "prints unknown lines"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bool waits = strstr(cases[i].words, "0.3") != 0;
        const AgainstOptions o = {
            .depth = 3,
            .seconds = waits ? 0.3 : 60,
            .protocol = strstr(cases[i].faults, "perftree") ? PROTOCOL_PERFTREE : PROTOCOL_ENGINE,
        };
        Outcome r = run_faulty(o, cases[i].faults);
        /* on a machine under load 0.3 s may be over before the first question is answered */
        if (waits && r.status == 3 && strstr(r.error.text, "within 0.3 s")) {
            done(&r);
            continue;
        }
        EXPECT(r, 3, cases[i].words, strstr(cases[i].faults, "perftree") ? "run with: 2 \"rnbq" : "go perft 2");
    }
    EXPECT(run((AgainstOptions){.depth = 1}, "exec 2>/dev/null; no-such-program-here"), 3, "no such program");
    EXPECT(run((AgainstOptions){.depth = 1}, "echo hello"), 3, "neither a UCI engine nor a perftree script");
    EXPECT(run_faulty((AgainstOptions){.depth = 1}, "no-divide"), 3, "does not divide");
}

/* One line, and no summary that could be taken for a result. */
static void expect_one_line(Outcome r, const char *words) {
    if (r.status != 3 || r.out[0] || r.messages[0] || !strstr(r.error.text, words))
        fail_msg("status %d, no \"%s\" alone in: %s%s%s", r.status, words, r.out, r.messages, r.error.text);
    done(&r);
}

static void an_unusable_engine_is_reported_once(void **state) {
    char path[1000];
    snprintf(path, sizeof path, "%s/rules.epd", data);
    const AgainstOptions one = {.depth = 2}, suite = {.suite.file_name = path, .suite.max_nodes = 100};
    expect_one_line(run(one, "no-such-engine x"), "there is no program 'no-such-engine'");
    expect_one_line(run(suite, "no-such-engine x"), "there is no program 'no-such-engine'");
    expect_one_line(run(one, "exec 2>/dev/null; /etc/passwd"), "no program that may be run");
    expect_one_line(run(one, "true"), "ended with status 0 before it answered (asked: uci)");
    expect_one_line(run(one, "false"), "it ended with status 1");
    const AgainstOptions silent = {.depth = 2, .seconds = 0.2, .protocol = PROTOCOL_ENGINE};
    expect_one_line(run(silent, "exec sleep 100"), "said nothing within 0.2 s (asked: uci)");
}

static void chess960_needs_the_option(void **state) {
    const AgainstOptions o = {.depth = 2, .fen = "nrk2r1q/8/8/8/8/8/8/NRK2R1Q w FBfb - 0 1"};
    EXPECT(run_faulty(o, ""), 0, "no difference");
    EXPECT(run_faulty(o, "no-960"), 3, "has no option UCI_Chess960");
}

static void bad_input_is_refused(void **state) {
    EXPECT(run_faulty((AgainstOptions){.depth = 1, .fen = "nonsense"}, ""), 2, "FEN");
    EXPECT(run_faulty((AgainstOptions){.depth = 1, .moves = "e2e5"}, ""), 2, "e2e5");
    EXPECT(run_faulty((AgainstOptions){.suite.file_name = "there/is/no.epd"}, ""), 2, "there/is/no.epd");
    Protocol protocol;
    TabiaError error;
    assert_true(protocol_parse("uci", &protocol, &error) && protocol == PROTOCOL_ENGINE);
    assert_true(protocol_parse(0, &protocol, &error) && protocol == PROTOCOL_AUTO);
    assert_false(protocol_parse("xboard", &protocol, &error));
}

/* A whole suite: every faulty line is named; a program that dies at each line is started again for each. */
static void whole_suites(void **state) {
    char path[1000];
    snprintf(path, sizeof path, "%s/rules.epd", data);
    AgainstOptions o = {.suite.file_name = path, .suite.max_nodes = 20000};
    EXPECT(run_faulty(o, ""), 0, "22 positions", "no difference");
    EXPECT(run_faulty(o, "no-ep"), 1, "rules.epd:5: ", "missing  e5d6", "missing  e4d3", "missing  f5e6");
    EXPECT(run_faulty(o, "crash"), 3, "nothing compared, 22 not answered");
    o.suite.json = &(JsonOrigin){"perft --against", "1", "commit", "compiler"};
    EXPECT(run_faulty(o, "no-ep"), 1, "\"uci\": \"e4d3\"", "needed\": ", "\"found\": \"nothing\"", "\"differ\": ");
}

static void stockfish_agrees(void **state) {
    char path[1000];
    if (access("/usr/games/stockfish", X_OK)) skip();
    snprintf(path, sizeof path, "%s/rules.epd", data);
    EXPECT(run((AgainstOptions){.suite.file_name = path}, "/usr/games/stockfish"), 0, "22 positions", "no difference");
}

#include "test_against_list.h"

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    engine = argv[1];
    data = argv[2];
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * The distributed engine on clusters that misbehave by a seed: messages are delayed and overtake each other, ranks die, or
 * stop and come back. A client plays on rank 0: each `go` gets one legal move in time, `quit` ends all ranks, and without
 * rank 0 the others end. As with MPI, no message between ranks that live is lost or doubled. Some seeds run twice and must do
 * the same. A process for each seed, because dead ranks leave their memory.
 */
#include "simulated_threads.h"

#include "unit.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/random.h"
#include "cluster/transport_simulated.h"
#include "distributed/engine/distributed_engine_internal.h"
#include "notation/fen.h"
#include "notation/move_text.h"

#ifndef SEEDS
#define SEEDS (whole_tests() ? 10000 : 150)
#endif

enum { RUN_TWICE = 16, TEXT_MAX = 1 << 16 };

static const char *const positions[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/8/8/8/5k2/4q3/7K w - - 0 1",
};

typedef struct {
    TabiaTransport base, *inner; /* base first */
    DistributedEngineOptions options;
    bool good, orderly;
    TabiaError error;
    const DistributedEngine *engine;
    uint32_t stop;                 /* the search that the last message of its kind was about */
    bool pending[SIMULATED_RANKS]; /* sends to a rank that receives nothing */
} Rank;

typedef struct {
    unsigned ranks, gos, answers, deaths, stops, failed, orderly;
    uint64_t trace;
} Result;

/* The seed's cluster, and its client. */
static struct {
    uint64_t seed, random;
    SimulatedNetwork *network;
    Rank rank[SIMULATED_RANKS];
    double node; /* seconds */
    unsigned nodes;
    double late; /* seconds that stops of ranks may cost */
    FILE *answers;
    Pipe in, out, commands; /* of rank 0; commands: what it says to the others */
    Position position;
    char moves[4096];
    Result *result;
} c;

static void give_up(const char *what) {
    fprintf(stderr, "seed %u: %s\n", (unsigned)c.seed, what);
    _exit(1);
}

static unsigned draw(unsigned n) {
    return random_below(&c.random, n);
}

/* Between two numbers, each power of ten as likely as another. */
static double draw_between(double min, double max) {
    return min * pow(max / min, draw(1000001) / 1e6);
}

/* ---- ranks ---- */

static void set_clock(const TabiaTransport *t) {
    pass(1e-7);
    simulated_network_advance(c.network, t->rank, now() - simulated_network_now(c.network, t->rank));
}

/* Dead, or stopped just now. */
static bool is_away(unsigned rank) {
    return sim.fault_at[rank] && now() >= sim.fault_at[rank] && now() < sim.fault_ends[rank];
}

static bool rank_send(TabiaTransport *t, unsigned to, const void *bytes, size_t n) {
    TabiaTransport *inner = ((Rank *)t)->inner;
    set_clock(t);
    ((Rank *)t)->pending[to] |= is_away(to);
    return inner->send(inner, to, bytes, n);
}

static unsigned rank_poll(TabiaTransport *t, TransportReceive *receive, void *context) {
    TabiaTransport *inner = ((Rank *)t)->inner;
    set_clock(t);
    return inner->poll(inner, receive, context);
}

/* MPI may keep what it sends to a rank until that receives. */
static bool rank_is_empty(TabiaTransport *t) {
    bool is_empty = true;
    for (unsigned to = 0; to < t->ranks; to++) is_empty &= !(((Rank *)t)->pending[to] && is_away(to));
    return is_empty;
}

static double rank_now(TabiaTransport *t) {
    set_clock(t);
    return now();
}

static void *run_rank(void *rank) {
    Rank *r = rank;
    r->good = distributed_engine_run(&r->options, &r->orderly, &r->error);
    return NULL;
}

/* What a node costs. */
struct Worker;
void __real_peers_serve(struct Worker *w);
void __wrap_peers_serve(struct Worker *w) {
    enum { NODES = 16 };
    if (++c.nodes % NODES == 0) pass(NODES * c.node);
    __real_peers_serve(w);
}

void __real_progress_broadcast(DistributedEngine *d, const char *text, size_t n);
void __wrap_progress_broadcast(DistributedEngine *d, const char *text, size_t n) {
    write_pipe(&c.commands, text, n);
    __real_progress_broadcast(d, text, n);
}

/* What a message may not do that others have overtaken: stop a later search, or take the place of a later report. */
void __real_remote_ranks_receive(void *context, unsigned source, unsigned tag, const void *bytes, size_t n);
void __wrap_remote_ranks_receive(void *context, unsigned source, unsigned tag, const void *bytes, size_t n) {
    const DistributedEngine *d = context;
    const uint32_t before = d->search.remote[source].search_number;
    c.rank[d->rank].engine = d;
    if (tag == ENGINE_TAG_STOP) memcpy(&c.rank[d->rank].stop, bytes, n);
    __real_remote_ranks_receive(context, source, tag, bytes, n);
    if (d->search.remote[source].search_number < before) give_up("an older report");
}

void __real_engine_stop(Engine *e);
void __wrap_engine_stop(Engine *e) {
    const Rank *r = c.rank + sim.running->rank;
    if (r->stop != r->engine->search.number) give_up("a stop of another search");
    __real_engine_stop(e);
}

/* ---- the client ---- */

static void say(const char *format, ...) {
    char line[TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    write_pipe(&c.in, line, (size_t)n);
}

/* The next line that begins so. */
static char *await(const char *beginning, char *line, size_t room) {
    do {
        if (!fgets(line, (int)room, c.answers)) give_up("the engine is gone");
        if (!strncmp(line, "bestmove", 8)) c.result->answers++;
    } while (strncmp(line, beginning, strlen(beginning)) != 0);
    return line + strlen(beginning);
}

static void new_game(void) {
    const char *fen = positions[draw(sizeof positions / sizeof *positions)];
    assert_true(fen_parse(&c.position, fen, NULL));
    snprintf(c.moves, sizeof c.moves, "position fen %s moves", fen);
}

/* The engine's move is played, if it is legal. */
static void play(const char *move) {
    Move list[MOVES_MAX];
    char text[UCI_MAX];
    const unsigned n = game_moves(&c.position, list);
    for (unsigned i = 0; i < n; i++) {
        move_to_uci(&c.position, list[i], false, text);
        if (strncmp(text, move, strlen(text)) != 0 || !strchr(" \n", move[strlen(text)])) continue;
        position_make_move(&c.position, &c.position, list[i]);
        strcat(strcat(c.moves, " "), text);
        return;
    }
    if (n || strncmp(move, "(none)", 6) != 0) give_up(move);
    new_game();
}

static void go(void) {
    const double pause = draw_between(1e-4, 0.03);
    switch (draw(7)) {
    case 0:
        say("go depth %u\n", 1 + draw(4));
        return;
    case 1:
        say("go movetime %u\n", 1 + draw(30));
        return;
    case 2:
        say("go nodes %u\n", 1 + draw(2000));
        return;
    case 3:
        say("go wtime %u btime %u winc 10\n", 1 + draw(300), 1 + draw(300));
        return;
    case 4:
        say("go infinite\n"), pass(pause), say("stop\n");
        return;
    case 5:
        say("go ponder wtime 100 btime 100\n"), pass(pause), say("ponderhit\n");
        return;
    default:
        say("go ponder wtime 100 btime 100\n"), pass(pause), say("stop\n");
    }
}

static void change_something(char *line) {
    if (!draw(8)) say("ucinewgame\n"), new_game();
    if (!draw(8)) say("setoption name Hash value %u\n", 1 + draw(2));
    if (!draw(8)) say("setoption name Threads value %u\n", 1 + draw(2));
    if (!draw(8)) say("stop\n");
    if (!draw(8)) say("isready\n"), await("readyok", line, TEXT_MAX);
    if (!draw(4)) pass(draw_between(1e-4, 0.5));
}

static void *run_client(void *unused) {
    static const double patience = 8;
    static char line[TEXT_MAX];
    say("setoption name Hash value 1\nisready\n");
    await("readyok", line, sizeof line);
    new_game();
    for (unsigned left = 1 + draw(6); left; left--) {
        change_something(line);
        const double began = now();
        c.result->gos++;
        say("%s\n", c.moves), go();
        const char *move = await("bestmove ", line, sizeof line);
        if (now() - began > patience + c.late) give_up("late");
        play(move);
    }
    say("isready\n"), await("readyok", line, sizeof line);
    if (c.result->answers != c.result->gos) give_up("two answers");
    say("quit\n");
    return unused;
}

/* ---- a seed ---- */

static void draw_faults(void) {
    for (unsigned left = draw(3); left; left--) {
        const unsigned rank = draw(draw(2) ? c.result->ranks : 1 + draw(c.result->ranks));
        const double pause = draw(2) ? INFINITY : draw_between(1e-3, 2);
        sim.fault_at[rank] = EPOCH + draw_between(0.01, 0.5), sim.fault_ends[rank] = sim.fault_at[rank] + pause;
    }
    for (unsigned r = 0; r < c.result->ranks; r++) {
        const bool is_stopped = sim.fault_at[r] && !is_dead(r);
        c.result->deaths += is_dead(r), c.result->stops += is_stopped;
        if (is_stopped) c.late += sim.fault_ends[r] - sim.fault_at[r];
    }
}

static void start_ranks(void) {
    const double timeout = 0.5;
    const int store_depth = 1 + (int)draw(5), probe_depth = 1 + (int)draw(5);
    SimulatedNetworkOptions o = {
        .ranks = c.result->ranks, .seed = c.seed, .own_clocks = true, .latency = 5e-6, .step = 1e-8};
    o.delay = draw_between(1e-6, 0.05), o.capacity = o.ranks * (2 + draw(30));
    c.network = simulated_network_create(o, NULL);
    c.node = draw_between(2e-6, 1e-4);
    for (unsigned i = 0; i < o.ranks; i++) {
        Rank *r = c.rank + i;
        r->base = (TabiaTransport){i, o.ranks, rank_send, rank_poll, rank_is_empty, rank_now, NULL};
        r->inner = simulated_network_rank(c.network, i);
        r->options = (DistributedEngineOptions){.transport = &r->base,
                                                .program = "test",
                                                .timeout = timeout,
                                                .store_depth = store_depth,
                                                .probe_depth = probe_depth};
        start_thread(i, EPOCH + 1e-6 * i, run_rank, r);
    }
    c.rank->options.in = pipe_reader(&c.in);
    c.rank->options.out = fopencookie(&c.out, "w", (cookie_io_functions_t){.write = write_pipe});
    c.answers = pipe_reader(&c.out);
    start_thread(CLIENT, EPOCH, run_client, NULL);
}

/* What the others have read is what rank 0 has said, as far as they read it. */
static void check_commands(void) {
    static const char end[] = "\nquit\n"; /* said by themselves, when rank 0 is lost */
    for (unsigned i = 0; i < sim.pipes; i++) {
        const Pipe *p = sim.pipe + i;
        size_t n = p->written;
        if (n >= sizeof end - 1 && !memcmp(p->bytes + n - (sizeof end - 1), end, sizeof end - 1)) n -= sizeof end - 2;
        if (n && (n - 1 > c.commands.written || memcmp(p->bytes, c.commands.bytes, n - 1) != 0))
            give_up("another command");
    }
}

static void run_seed(uint64_t seed) {
    c.seed = c.random = seed;
    c.result->ranks = 2 + draw(draw(4) ? 4 : SIMULATED_RANKS - 1);
    draw_faults();
    start_ranks();
    if (!run_threads(100) && !is_dead(0)) give_up("no end");
    for (unsigned r = 0; r < c.result->ranks; r++) {
        if (is_dead(r)) continue;
        c.result->failed += !c.rank[r].good, c.result->orderly += c.rank[r].orderly;
        const bool may_fail = r && (sim.fault_at[0] || sim.fault_at[r]);
        if (!c.rank[r].good && !may_fail) give_up(c.rank[r].error.text);
        if (!c.result->deaths && !c.result->stops && !c.rank[r].orderly) give_up("not orderly");
    }
    check_commands();
    c.result->trace = simulated_network_counters(c.network).trace;
    for (size_t i = 0; i < c.out.written; i++) c.result->trace = c.result->trace * 31 + (unsigned char)c.out.bytes[i];
}

static void fork_seed(uint64_t seed, Result *result) {
    int status;
    *result = (Result){0}, c.result = result;
    const pid_t child = fork();
    if (!child) {
        setrlimit(RLIMIT_CPU, &(struct rlimit){60, 60}); /* no clock, which goes on while the machine stands still */
        run_seed(seed);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (status) fail_msg("seed %u: status %x", (unsigned)seed, (unsigned)status);
}

static void games_go_on(void **state) {
    Result *r = mmap(NULL, sizeof *r, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), sum = {0};
    const char *first = getenv("SEED");
    for (uint64_t seed = first ? strtoull(first, NULL, 10) : 0; seed < SEEDS; seed++) {
        fork_seed(seed, r);
        const uint64_t trace = r->trace;
        sum.gos += r->gos, sum.answers += r->answers, sum.deaths += r->deaths, sum.stops += r->stops;
        sum.failed += r->failed, sum.orderly += r->orderly;
        if (seed % RUN_TWICE) continue;
        fork_seed(seed, r);
        assert_true(r->trace == trace);
    }
    print_message("%u searches, %u answers; %u deaths, %u stops; %u ranks ended without rank 0, %u in an orderly way\n",
                  sum.gos, sum.answers, sum.deaths, sum.stops, sum.failed, sum.orderly);
    assert_true(sum.answers && sum.deaths && sum.stops && sum.failed && sum.orderly);
}

#include "test_engine_seeds_list.h"

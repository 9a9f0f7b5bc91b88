/* SPDX-License-Identifier: MIT */
#include "model.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "distributed/perft/unit_group.h"

static const double us = 1e-6;

/* ---- the constants ---- */

typedef struct {
    const char *name;
    size_t offset;
} CostName;

static const CostName cost_names[] = {
#define COST_NAME(member, unit, value, text) {#member, offsetof(ModelCosts, member)},
    MODEL_COSTS(COST_NAME)
#undef COST_NAME
};
enum { COSTS = sizeof cost_names / sizeof *cost_names };

ModelCosts model_costs_default(void) {
    return (ModelCosts){
#define COST_DEFAULT(member, unit, value, text) .member = value,
        MODEL_COSTS(COST_DEFAULT)
#undef COST_DEFAULT
    };
}

/* Parses one `name=number`, up to a comma or the end; returns the rest, or NULL if it is invalid. */
static const char *parse_one(ModelCosts *c, const char *text) {
    for (unsigned i = 0; i < COSTS; i++) {
        const size_t length = strlen(cost_names[i].name);
        if (strncmp(text, cost_names[i].name, length) || text[length] != '=') continue;
        char *end;
        const double value = strtod(text + length + 1, &end);
        if (end == text + length + 1 || (*end && *end != ',') || !isfinite(value) || value < 0 || value > 1e9)
            return NULL;
        memcpy((char *)c + cost_names[i].offset, &value, sizeof value);
        return *end ? end + 1 : end;
    }
    return NULL;
}

bool model_costs_parse(ModelCosts *c, const char *text, TabiaError *error) {
    ModelCosts read = *c;
    for (const char *at = text; *at;) {
        const char *next = parse_one(&read, at);
        if (!next)
            return tabia_fail(
                error, "--costs: '%.60s' is no NAME=NUMBER of the list in --help; like latency=50,batch_sets=64", at);
        at = next;
    }
    if (read.batch_sets < 1 || read.groups_in_flight < 1 || read.chunk < 1)
        return tabia_fail(error, "--costs: batch_sets, groups_in_flight and chunk are at least 1");
    *c = read;
    return true;
}

/* ---- messages ---- */

/* Sizes in bytes, from cluster/message.h and distributed/perft/wire.h; ENTRY: of an entry as the constant prices it. */
enum { HEADER = 24, MOVE = sizeof(Move), ENTRY = 24, BATCH = sizeof(WireBatchHeader), SUM = sizeof(uint64_t) };
static const double padding = 3; /* of moves to a multiple of 8 bytes: 0 to 6 */

/* What both ends of a connection spend on messages, half each; what the owner spends besides; and how long the owner and
   the network take to answer one message. Seconds. */
typedef struct {
    double transfer, owner, answer;
} Traffic;

/* A batch is sent when no set fits, however many moves it has; the last one to each owner is half full. */
static Traffic traffic_of(const ModelCounts *n, const ModelCosts *c, ModelResult *r) {
    if (!n->sets) return (Traffic){0};
    const double sets = (double)n->sets, set_bytes = sizeof(WireSiblings) + padding + (double)n->moves / sets * MOVE;
    const double room = (TABIA_CLUSTER_BYTES_MAX - BATCH - sizeof(WireSiblings) - MOVES_MAX * MOVE) / set_bytes + 1;
    const double batches = sets / fmin(c->batch_sets, floor(room)) + (n->ranks - 1) / 2.0;
    r->messages += 2 * (uint64_t)ceil(batches), r->entries += 2 * n->sets;
    const double bytes = batches * 2 * (HEADER + BATCH) + sets * (set_bytes + SUM);
    const double cost = 2 * batches * c->message + bytes / ENTRY * c->entry, unpacking = sets * c->siblings;
    return (Traffic){cost * us, unpacking * us, (cost + unpacking) / batches * us};
}

/* Requests for units of ranks other than rank 0, the units, and the results. */
static double scheduling_time(const ModelCosts *c, double requests) {
    const double units = UNIT_GROUP_SIZE_MAX * c->chunk;
    const double packs = ceil(units / WIRE_UNITS_MAX), results = units / WIRE_RESULTS_MAX;
    const double bytes =
        HEADER + packs * (HEADER + 8) + results * 2 * HEADER + units * (sizeof(WireUnit) + sizeof(WireResult));
    return requests * (c->service + (1 + packs + results) * c->message + bytes / ENTRY * c->entry) * us;
}

/* ---- time ---- */

static void limit_time(ModelResult *r, double seconds, const char *limit) {
    if (seconds <= r->wall) return;
    r->wall = seconds, r->limit = limit;
}

ModelResult model_forecast(const ModelCounts *one, const ModelCounts *many, const ModelCosts *c) {
    ModelResult r = {.ranks = many->ranks, .work = one->work, .wall = one->work, .efficiency = 1, .imbalance = 1};
    r.limit = "processors";
    if (many->ranks == 1 || one->work <= 0) return r;
    const double growth = (double)many->counted / (double)one->counted - 1;
    const Traffic t = traffic_of(many, c, &r);
    const double groups = ceil((double)many->units / UNIT_GROUP_SIZE_MAX), chunks = groups / c->chunk;
    const double requests = chunks * (many->ranks - 1) / many->ranks;
    r.recounted = growth;
    r.requesting = t.transfer / 2 / one->work;
    r.serving = (t.transfer / 2 + t.owner) / one->work;
    r.polling = c->poll_interval > 0 ? c->empty_poll / c->poll_interval : 0;
    r.scheduling = scheduling_time(c, requests) / one->work;
    r.overhead = r.recounted + r.requesting + r.serving + r.polling + r.scheduling;
    r.imbalance = (double)many->busiest * many->ranks / (double)many->counted;
    const double busy = one->work * (1 + r.overhead);
    const double answer = 2 * c->latency * us + 1.5 * c->poll_interval * us + t.answer;
    limit_time(&r, busy, "processors");
    limit_time(&r, one->work * (1 + growth) * r.imbalance, "owner");
    limit_time(&r, (busy + groups * answer) / c->groups_in_flight, "answers");
    limit_time(&r, chunks * many->ranks * c->service * us, "coordinator");
    r.efficiency = r.work / r.wall;
    r.entries_each = r.messages ? (double)r.entries / (double)r.messages : 0;
    return r;
}

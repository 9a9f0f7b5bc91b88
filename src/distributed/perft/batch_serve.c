/* SPDX-License-Identifier: MIT */
/* The home's side of families (family.h): letters that came, counted family by family. */
#include <stdlib.h>
#include <string.h>

#include "state.h"

/* Some are kept for the next letters: memory that was just used is in the caches, and new memory is not there yet. */
static Task *new_task(Families *f) {
    Task *task = f->spare;
    if (!task) return malloc(sizeof *task);
    f->spare = task->next;
    return task;
}

bool families_received(DistributedPerft *r, unsigned from, const void *bytes, size_t n) {
    Task *task = n < sizeof(WireBatchHeader) || n > sizeof task->word ? NULL : new_task(&r->families);
    if (!task) return false;
    WireBatchHeader head;
    memcpy(&head, bytes, sizeof head);
    task->next = NULL, task->from = from, task->families = head.families, task->begun = task->done = 0;
    task->at = sizeof head, task->n = n;
    memcpy(task->word, bytes, n);
    *r->families.last = task;
    r->families.last = &task->next;
    if (!r->families.open) r->families.open = task;
    return true;
}

static WireBatchHeader head_of(const Task *task) {
    WireBatchHeader head;
    memcpy(&head, task->word, sizeof head);
    return head;
}

static void answer_task(DistributedPerft *r, Task *task) {
    uint64_t answer[1 + 2 * WIRE_BATCH_SETS_MAX];
    const size_t words = task->families * wire_sum_words(head_of(task).depth), n = (1 + words) * sizeof *answer;
    memcpy(answer, task->word, sizeof *answer);
    memcpy(answer + 1, task->sum, words * sizeof *answer);
    if (task->from == r->rank)
        families_answered(r, r->rank, answer, n);
    else
        ranks_post(r, task->from, WIRE_SUMS, answer, n);
}

/* Letters are counted about in the order in which they came, so it is one of the first. */
static void forget_task(Families *f, Task *task) {
    Task **at = &f->first;
    while (*at != task) at = &(*at)->next;
    *at = task->next;
    if (!task->next) f->last = at;
    if (f->open == task) f->open = task->next;
    task->next = f->spare;
    f->spare = task;
}

/* The next family of a task; its moves follow it. False: it is from another program, though its check was right. */
static bool read_family(const Task *task, WireSiblings *family) {
    if (!task->families || task->families > WIRE_BATCH_SETS_MAX || task->at + sizeof *family > task->n) return false;
    memcpy(family, (const char *)task->word + task->at, sizeof *family);
    const unsigned moves = family->position.moves;
    return moves && moves <= MOVES_MAX && task->at + wire_siblings_words(moves) * 8 <= task->n;
}

/* Nothing more of it is laid out, and it is not answered: the asker will take it back. */
static void give_up_task(DistributedPerft *r, Task *task) {
    r->families.open = task->next;
    task->families = 0;
    if (task->done == task->begun) forget_task(&r->families, task);
}

/* What lies a few families ahead is brought into the caches: the letter may have come long ago. */
static void expect_family(const Task *task) {
    enum { AHEAD = 256, CACHE_LINE = 64 };
    const char *ahead = (const char *)task->word + task->at + AHEAD;
    __builtin_prefetch(ahead);
    __builtin_prefetch(ahead + CACHE_LINE);
}

bool families_work(DistributedPerft *r) {
    Task *task = r->families.open;
    WireSiblings family;
    if (!task) return false;
    if (!read_family(task, &family)) return give_up_task(r, task), true;
    const unsigned moves = family.position.moves;
    WorkItem *e = worker_pool_acquire(&r->crew);
    e->kind = WORK_SIBLINGS, e->of = task, e->number = task->begun++;
    e->key = (Key){family.key[0], family.key[1]}, e->depth = head_of(task).depth, e->moves = moves;
    e->position = wire_position_read(&family.position);
    memcpy(e->move, (char *)task->word + task->at + sizeof family, moves * sizeof *e->move);
    r->kernel->keys(&r->zobrist, &e->position, e->key, e->move, moves, e->child);
    worker_pool_submit(&r->crew, e);
    task->at += wire_siblings_words(moves) * 8;
    expect_family(task);
    if (task->begun == task->families) r->families.open = task->next;
    return true;
}

static void write_sum(Task *task, uint64_t family, U128 sum) {
    const unsigned words = wire_sum_words(head_of(task).depth);
    task->sum[words * family] = (uint64_t)sum;
    if (words > 1) task->sum[words * family + 1] = (uint64_t)(sum >> 64);
}

void sibling_sets_served(DistributedPerft *r, const WorkItem *e) {
    if (e->kind == WORK_LEAF_PARENT) {
        Group *g = e->of;
        g->ply[g->floor].leaves[e->number] += e->sum;
        worker_answered(r, g);
        return;
    }
    Task *task = e->of;
    write_sum(task, e->number, e->sum);
    task->done++;
    r->tally.sibling_sets_served += task->from != r->rank;
    const bool given_up = !task->families;
    if (task->done < (given_up ? task->begun : task->families)) return;
    if (!given_up && !atomic_load_explicit(&r->stop, memory_order_relaxed)) answer_task(r, task);
    forget_task(&r->families, task);
}

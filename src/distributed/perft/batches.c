/* SPDX-License-Identifier: MIT */
/* The asker's side of families (family.h): letters, from the first word until their answer. */
#include "batches.h"

#include <stdlib.h>
#include <string.h>

#include "state.h"

bool families_begin(Families *f, unsigned ranks, Fault *fault) {
    f->letter = calloc(LETTERS, sizeof *f->letter);
    f->draft = calloc(ranks, sizeof *f->draft);
    f->under_way = calloc(ranks, sizeof *f->under_way);
    f->instead = malloc(ranks * sizeof *f->instead);
    f->next = calloc(ranks, sizeof *f->next);
    f->first = f->spare = NULL, f->last = &f->first;
    if (!f->letter || !f->draft || !f->under_way || !f->instead || !f->next)
        return tabia_fault(fault, "not enough memory for messages");
    for (unsigned home = 0; home < ranks; home++) f->instead[home] = (uint16_t)home;
    return true;
}

static void free_tasks(Task *task) {
    for (Task *next; task; task = next) {
        next = task->next;
        free(task);
    }
}

void families_free(Families *f) {
    free_tasks(f->first);
    free_tasks(f->spare);
    free(f->letter);
    free(f->draft);
    free(f->under_way);
    free(f->instead);
    free(f->next);
}

static void letter_send(DistributedPerft *r, Letter *l) {
    Families *f = &r->families;
    const unsigned number = (unsigned)(l - f->letter);
    l->message.head.id = number | (uint32_t)l->round << 16;
    l->message.head.families = (uint16_t)l->n;
    l->sent = true;
    l->at = ranks_now(r);
    f->draft[l->home] = 0;
    f->under_way[l->home]++;
    r->tally.sibling_sets_sent += l->n;
    ranks_post(r, l->home, WIRE_BATCH, l->message.word, l->words * sizeof(uint64_t));
}

static void letter_end(DistributedPerft *r, Letter *l) {
    if (l->home != r->rank) r->families.under_way[l->home]--;
    l->busy = false;
    l->round++;
}

static Letter *letter_new(DistributedPerft *r, unsigned home) {
    Families *f = &r->families;
    if (f->under_way[home] >= LETTERS_A_HOME) return NULL;
    for (unsigned i = 0; i < LETTERS; i++) {
        Letter *l = f->letter + i;
        if (l->busy) continue;
        l->busy = true, l->sent = false, l->home = home, l->n = 0, l->words = 1;
        f->draft[home] = (uint16_t)(i + 1);
        if (i == f->used) f->used++;
        return l;
    }
    return NULL;
}

Letter *letter_for(DistributedPerft *r, unsigned home, int depth) {
    const unsigned draft = r->families.draft[home];
    Letter *l = draft ? r->families.letter + draft - 1 : NULL;
    const unsigned most = sizeof l->message.word / 8;
    const bool full = l && (l->n == WIRE_BATCH_SETS_MAX || l->words + wire_siblings_words(MOVES_MAX) > most);
    if (full || (l && l->n && l->message.head.depth != depth)) {
        letter_send(r, l);
        l = NULL;
    }
    if (!l) l = letter_new(r, home);
    if (l) l->message.head.depth = (uint16_t)depth;
    return l;
}

void letter_add(Letter *l, FamilyOf of, const Position *p, Key key, unsigned moves) {
    WireSiblings family = {.position = wire_position(p), .key = {key[0], key[1]}};
    family.position.moves = (uint16_t)moves;
    memcpy(l->message.word + l->words, &family, sizeof family);
    l->words += wire_siblings_words(moves);
    l->of[l->n++] = of;
}

void families_send_drafts(DistributedPerft *r) {
    for (unsigned home = 0; home < r->ranks; home++) {
        const unsigned draft = r->families.draft[home];
        if (draft && r->families.letter[draft - 1].n) letter_send(r, r->families.letter + draft - 1);
    }
}

/* `words` of each. */
static void use_sums(DistributedPerft *r, Letter *l, const uint64_t *sum, unsigned words) {
    for (unsigned i = 0; i < l->n; i++, sum += words) {
        Group *g = r->group + l->of[i].group;
        g->ply[g->floor].leaves[l->of[i].position] += wire_u128(sum[0], words > 1 ? sum[1] : 0);
        worker_answered(r, g);
    }
    letter_end(r, l);
}

void families_answered(DistributedPerft *r, unsigned from, const void *bytes, size_t n) {
    WireBatchHeader head;
    uint64_t sum[2 * WIRE_BATCH_SETS_MAX];
    if (n < sizeof head) return;
    memcpy(&head, bytes, sizeof head);
    Letter *l = r->families.letter + head.id % 0x10000 % LETTERS;
    const bool ours = l->busy && l->sent && l->home == from && l->round == head.id >> 16 && l->n == head.families;
    const unsigned words = wire_sum_words(l->message.head.depth);
    if (!ours || n != sizeof head + l->n * words * sizeof *sum) return; /* taken back before it came */
    memcpy(sum, (const char *)bytes + sizeof head, l->n * words * sizeof *sum);
    use_sums(r, l, sum, words);
}

/* What was asked of homes that are dead, or too long ago, is counted here, and answered to ourselves. A home that lives
   may have much to do, so it is waited for much longer: a letter may be lost, but hardly ever is. */
void families_take_back(DistributedPerft *r) {
    for (unsigned home = 0; home < r->ranks; home++)
        if (tabia_cluster_alive(r->cluster, home)) r->families.instead[home] = (uint16_t)home; /* again */
    const double before = ranks_now(r) - 4 * r->job.timeout;
    for (unsigned i = 0; i < r->families.used; i++) {
        Letter *l = r->families.letter + i;
        if (!l->busy || !l->sent || l->home == r->rank) continue;
        if (l->at > before && tabia_cluster_alive(r->cluster, l->home)) continue;
        if (!families_received(r, r->rank, l->message.word, l->words * sizeof(uint64_t))) continue;
        r->tally.sibling_sets_recounted += l->n;
        r->families.under_way[l->home]--;
        l->home = r->rank;
    }
}

/* SPDX-License-Identifier: MIT */
#include "family.h"

#include <stdlib.h>
#include <string.h>

#include "core.h"
#include "movegen.h"

bool families_begin(Families *f, unsigned ranks, Fault *fault) {
    f->letter = calloc(LETTERS, sizeof *f->letter);
    f->draft = calloc(ranks, sizeof *f->draft);
    f->under_way = calloc(ranks, sizeof *f->under_way);
    f->first = NULL, f->last = &f->first;
    return (f->letter && f->draft && f->under_way) || tabia_fault(fault, "not enough memory for messages");
}

void families_free(Families *f) {
    for (Task *task = f->first, *next; task; task = next) {
        next = task->next;
        free(task);
    }
    free(f->letter);
    free(f->draft);
    free(f->under_way);
}

/* ---- the asker ---- */

static void letter_send(RanksPerft *r, Letter *l) {
    Families *f = &r->families;
    const unsigned number = (unsigned)(l - f->letter);
    l->message.head.id = number | (uint32_t)l->round << 16;
    l->message.head.families = (uint16_t)l->n;
    l->sent = true;
    l->at = ranks_now(r);
    f->draft[l->home] = 0;
    f->under_way[l->home]++;
    r->tally.families_sent += l->n;
    ranks_post(r, l->home, TALK_FAMILIES, l->message.word, l->words * sizeof(uint64_t));
}

static void letter_end(RanksPerft *r, Letter *l) {
    if (l->home != r->rank) r->families.under_way[l->home]--;
    l->busy = false;
    l->round++;
}

static Letter *letter_new(RanksPerft *r, unsigned home) {
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

static unsigned family_words(unsigned moves) {
    return sizeof(TalkFamily) / 8 + (moves + 3) / 4;
}

/* The letter to a home with room for so many moves; NULL when there is none just now. */
static Letter *letter_for(RanksPerft *r, unsigned home, unsigned moves, int depth) {
    const unsigned draft = r->families.draft[home];
    Letter *l = draft ? r->families.letter + draft - 1 : NULL;
    const unsigned most = sizeof l->message.word / 8;
    if (l && (l->n == TALK_FAMILIES_MAX || l->words + family_words(moves) > most || l->message.head.depth != depth)) {
        letter_send(r, l);
        l = NULL;
    }
    if (!l) l = letter_new(r, home);
    if (l) l->message.head.depth = (uint16_t)depth;
    return l;
}

static void letter_add(Letter *l, FamilyOf of, const Position *p, Key key, const Move *list, unsigned n) {
    TalkFamily family = {.key = {key[0], key[1]}, .moves = n};
    memcpy(family.position, p, sizeof *p);
    memcpy(l->message.word + l->words, &family, sizeof family);
    memcpy(l->message.word + l->words + sizeof family / 8, list, n * sizeof *list);
    l->words += family_words(n);
    l->of[l->n++] = of;
}

/* Moves sorted by the homes of what they lead to. */
typedef struct {
    unsigned homes, home[MOVES_MAX], end[MOVES_MAX];
    Move move[MOVES_MAX];
} Sorted;

/* Where the home stands among those met so far; a dead one's part is ours. */
static unsigned part_of(const RanksPerft *r, Sorted *s, unsigned home) {
    for (unsigned k = 0; k < s->homes; k++)
        if (s->home[k] == home) return k;
    if (home != r->rank && !tabia_cluster_alive(r->cluster, home)) return part_of(r, s, r->rank);
    s->home[s->homes] = home, s->end[s->homes] = 0;
    return s->homes++;
}

static void sort_by_home(const RanksPerft *r, const Position *p, Sorted *s) {
    Move list[MOVES_MAX];
    unsigned part[MOVES_MAX], begin[MOVES_MAX], n = moves_list(p, list);
    s->homes = 0;
    for (unsigned i = 0; i < n; i++) {
        const unsigned home = r->job.private_tables ? r->rank : home_of(&r->homes, home_view_of_move(p, list[i]));
        s->end[part[i] = part_of(r, s, home)]++;
    }
    for (unsigned k = 0, sum = 0; k < s->homes; k++) begin[k] = sum, s->end[k] = sum += s->end[k];
    for (unsigned i = 0; i < n; i++) s->move[begin[part[i]]++] = list[i];
}

static void lay_out(RanksPerft *r, Errand *e, const Position *p, Key key, const Move *list, unsigned n, int depth) {
    e->position = *p, e->key = key, e->moves = n, e->depth = depth;
    memcpy(e->move, list, n * sizeof *list);
    crew_lay_out(&r->crew, e);
}

/* Sends a position of a group's floor to its children's homes, and lays out those whose home is here, for which the
   crew must have room. False, and nothing is done, if a letter is missing. */
bool families_send(RanksPerft *r, unsigned group, size_t position) {
    GroupPly *floor = r->group[group].ply + r->group[group].floor;
    const Position *p = floor->position + position;
    const Key key = floor->key[position];
    const int depth = floor->depth - 1;
    Sorted s;
    sort_by_home(r, p, &s);
    for (unsigned h = 0; h < s.homes; h++) {
        const unsigned n = s.end[h] - (h ? s.end[h - 1] : 0);
        if (s.home[h] != r->rank && !letter_for(r, s.home[h], n, depth)) return false;
    }
    for (unsigned h = 0; h < s.homes; h++) {
        const unsigned begin = h ? s.end[h - 1] : 0, n = s.end[h] - begin;
        if (s.home[h] == r->rank) {
            Errand *e = crew_blank(&r->crew);
            e->kind = ERRAND_FLOOR, e->of = r->group + group, e->number = position;
            lay_out(r, e, p, key, s.move + begin, n, depth);
            r->group[group].open++;
        } else {
            const FamilyOf of = {group, (uint32_t)position};
            letter_add(letter_for(r, s.home[h], n, depth), of, p, key, s.move + begin, n);
            r->group[group].open++;
            if (r->job.trace)
                r->job.trace(r->job.trace_context, TABIA_CLUSTER_WORK, (unsigned)depth, s.home[h], ranks_now(r));
        }
    }
    return true;
}

void families_send_drafts(RanksPerft *r) {
    for (unsigned home = 0; home < r->ranks; home++) {
        const unsigned draft = r->families.draft[home];
        if (draft && r->families.letter[draft - 1].n) letter_send(r, r->families.letter + draft - 1);
    }
}

static void use_sums(RanksPerft *r, Letter *l, const TalkSum *sum) {
    for (unsigned i = 0; i < l->n; i++) {
        Group *g = r->group + l->of[i].group;
        g->ply[g->floor].leaves[l->of[i].position] += talk_u128(sum[i].low, sum[i].high);
        worker_answered(r, g);
    }
    letter_end(r, l);
}

void families_answered(RanksPerft *r, unsigned from, const void *bytes, size_t n) {
    TalkFamilies head;
    TalkSum sum[TALK_FAMILIES_MAX];
    if (n < sizeof head) return;
    memcpy(&head, bytes, sizeof head);
    Letter *l = r->families.letter + head.id % 0x10000 % LETTERS;
    const bool ours = l->busy && l->sent && l->home == from && l->round == head.id >> 16 && l->n == head.families;
    if (!ours || n != sizeof head + l->n * sizeof *sum) return; /* taken back before it came */
    memcpy(sum, (const char *)bytes + sizeof head, l->n * sizeof *sum);
    use_sums(r, l, sum);
}

/* ---- the home ---- */

static bool add_task(RanksPerft *r, unsigned from, const void *bytes, size_t n) {
    Task *task = malloc(sizeof *task + n);
    if (!task) return false; /* it will be taken back */
    TalkFamilies head;
    memcpy(&head, bytes, sizeof head);
    *task = (Task){.from = from, .families = head.families, .at = sizeof head, .n = n};
    memcpy(task->word, bytes, n);
    *r->families.last = task;
    r->families.last = &task->next;
    if (!r->families.open) r->families.open = task;
    return true;
}

void families_received(RanksPerft *r, unsigned from, const void *bytes, size_t n) {
    if (n >= sizeof(TalkFamilies)) add_task(r, from, bytes, n);
}

/* What was asked of homes that are dead, or too long ago, is counted here, and answered to ourselves. A home that lives
   may have much to do, so it is waited for much longer: a letter may be lost, but hardly ever is. */
void families_take_back(RanksPerft *r) {
    const double before = ranks_now(r) - 4 * r->job.patience;
    for (unsigned i = 0; i < r->families.used; i++) {
        Letter *l = r->families.letter + i;
        if (!l->busy || !l->sent || l->home == r->rank) continue;
        if (l->at > before && tabia_cluster_alive(r->cluster, l->home)) continue;
        if (!add_task(r, r->rank, l->message.word, l->words * sizeof(uint64_t))) continue;
        r->tally.families_taken_back += l->n;
        r->families.under_way[l->home]--;
        l->home = r->rank;
    }
}

static TalkFamilies head_of(const Task *task) {
    TalkFamilies head;
    memcpy(&head, task->word, sizeof head);
    return head;
}

static void answer_task(RanksPerft *r, Task *task) {
    uint64_t answer[1 + 2 * TALK_FAMILIES_MAX];
    memcpy(answer, task->word, sizeof *answer);
    memcpy(answer + 1, task->sum, task->families * sizeof *task->sum);
    const size_t n = (1 + 2 * task->families) * sizeof *answer;
    if (task->from == r->rank)
        families_answered(r, r->rank, answer, n);
    else
        ranks_post(r, task->from, TALK_SUMS, answer, n);
}

/* Letters are counted about in the order in which they came, so it is one of the first. */
static void forget_task(Families *f, Task *task) {
    Task **at = &f->first;
    while (*at != task) at = &(*at)->next;
    *at = task->next;
    if (!task->next) f->last = at;
    if (f->open == task) f->open = task->next;
    free(task);
}

/* The next family of a task; its moves follow it. False: it is from another program, though its check was right. */
static bool read_family(const Task *task, TalkFamily *family) {
    if (!task->families || task->families > TALK_FAMILIES_MAX || task->at + sizeof *family > task->n) return false;
    memcpy(family, (const char *)task->word + task->at, sizeof *family);
    return family->moves && family->moves <= MOVES_MAX && task->at + family_words(family->moves) * 8 <= task->n;
}

/* Nothing more of it is laid out, and it is not answered: the asker will take it back. */
static void give_up_task(RanksPerft *r, Task *task) {
    r->families.open = task->next;
    task->families = 0;
    if (task->done == task->begun) forget_task(&r->families, task);
}

/* Lays out a family of the oldest task. False: there is none. The crew must have room. */
bool families_work(RanksPerft *r) {
    Task *task = r->families.open;
    TalkFamily family;
    Position p;
    Move list[MOVES_MAX];
    if (!task) return false;
    if (!read_family(task, &family)) return give_up_task(r, task), true;
    memcpy(&p, family.position, sizeof p);
    memcpy(list, (char *)task->word + task->at + sizeof family, family.moves * sizeof *list);
    Errand *e = crew_blank(&r->crew);
    e->kind = ERRAND_FAMILY, e->of = task, e->number = task->begun++;
    lay_out(r, e, &p, (Key){family.key[0], family.key[1]}, list, family.moves, head_of(task).depth);
    task->at += family_words(family.moves) * 8;
    if (task->begun == task->families) r->families.open = task->next;
    return true;
}

/* The sum of a family, of a floor here or of a task. */
void families_counted(RanksPerft *r, const Errand *e) {
    if (e->kind == ERRAND_FLOOR) {
        Group *g = e->of;
        g->ply[g->floor].leaves[e->number] += e->sum;
        worker_answered(r, g);
        return;
    }
    Task *task = e->of;
    task->sum[e->number] = (TalkSum){(uint64_t)e->sum, (uint64_t)(e->sum >> 64)};
    task->done++;
    r->tally.families_counted += task->from != r->rank;
    const bool given_up = !task->families;
    if (task->done < (given_up ? task->begun : task->families)) return;
    if (!given_up && !atomic_load_explicit(&r->stop, memory_order_relaxed)) answer_task(r, task);
    forget_task(&r->families, task);
}

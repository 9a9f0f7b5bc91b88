/* SPDX-License-Identifier: MIT */
#include "table/move.h"

typedef unsigned __int128 U128;

static const uint64_t TOP = (uint64_t)1 << 63;

Moment tabia_move_moment(const TabiaTable *t) {
    return (Moment){generation_now(t), clock_read(&t->clock->era), clock_tag(t)};
}

/* The least index that falls into a bucket; for bucket = of, one past the last, 2^64, which is 0. */
static uint64_t least_index(uint64_t bucket, uint64_t of) {
    return (uint64_t)((((U128)bucket << 64) + of - 1) / of);
}

Span tabia_move_span(uint64_t bucket, uint64_t of, uint64_t into) {
    if (of == into) return (Span){bucket, bucket};
    const uint64_t least = least_index(bucket, of), most = least_index(bucket + 1, of) - 1;
    return (Span){(uint64_t)((U128)least * into >> 64), (uint64_t)((U128)most * into >> 64)};
}

static Word *group_at(const TabiaTable *t, uint64_t bucket) {
    return (Word *)(t->base + bucket * t->group_bytes);
}

/* ---- taking ---- */

/* Unused, of another strict generation, or signed by nobody as far as that can be seen. */
INLINE bool dead(const TabiaTable *t, const Word *group, uint64_t identity, uint64_t data, const Moment *m,
                 TabiaFace face) {
    const uint64_t seal_mask = t->sealed ? (uint64_t)0xff << t->path_bits : 0;
    if (identity & ~(t->signature_mask | t->path_mask | seal_mask)) return true;
    if (face != TABIA_ENTRIES && ((identity ^ m->tag) & t->path_mask)) return true;
    if (face == TABIA_ENTRIES && t->options.strict_generations && entry_age(data, m->generation)) return true;
    if (face != TABIA_RECORDS && data == 0) return true;
    const uint64_t signature = identity & t->signature_mask;
    return signature == 0 || (t->sealed && (identity & seal_mask) != seal_of(t, group, signature) << t->path_bits);
}

INLINE unsigned take_text(const TabiaTable *t, const Word *group, const Moment *m, uint64_t *items, TabiaFace face,
                          Integrity how, unsigned words, unsigned ways) {
    const uint64_t kept = t->signature_mask | (face == TABIA_ENTRIES ? t->path_mask : 0);
    unsigned n = 0;
    group_lock(t, group, how);
    for (unsigned i = 0; i < ways; i++) {
        uint64_t *item = items + n * (words + 1);
        const uint64_t identity = slot_load_words(group + i * (words + 1), item + 1, words, how);
        item[0] = identity & kept;
        n += !dead(t, group, identity, item[1], m, face);
    }
    group_unlock(t, group, how);
    return n;
}

unsigned tabia_move_take(const TabiaTable *t, uint64_t bucket, const Moment *m, uint64_t *items) {
    const Word *group = group_at(t, bucket);
    if (segment_stale(t, group)) return 0;
    if (t->route == ROUTE_XOR && t->options.face == TABIA_ENTRIES)
        return take_text(t, group, m, items, TABIA_ENTRIES, TABIA_XOR, 1, 4);
    if (t->route == ROUTE_XOR && t->options.face == TABIA_COUNTS)
        return take_text(t, group, m, items, TABIA_COUNTS, TABIA_XOR, 1, 4);
    return take_text(t, group, m, items, t->options.face, t->how, t->words, t->slots);
}

/* ---- putting ---- */

/* The signatures that a slot of another era has here. */
INLINE unsigned signatures(const TabiaTable *t, uint64_t signature, uint64_t eras_apart, uint64_t out[2]) {
    const uint64_t apart = eras_apart & t->signature_mask, plain = signature ^ apart;
    out[0] = plain ? plain : TOP;
    if (LIKELY(signature != TOP)) return 1;
    out[1] = apart ? apart : TOP;
    return 1 + (out[0] != out[1]);
}

/* What a slot is worth to the bucket; 0 is unused or forgotten. */
INLINE uint64_t worth(const TabiaTable *t, uint64_t identity, uint64_t data, const Moment *now, TabiaFace face) {
    const uint64_t above_all_ages = 1 << 20;
    if (face == TABIA_ENTRIES) {
        if (data == 0 || (t->options.strict_generations && entry_age(data, now->generation))) return 0;
        return (uint64_t)((int64_t)above_all_ages + entry_worth(t, data, now->generation));
    }
    if (identity == 0 || ((identity ^ now->tag) & t->path_mask)) return 0;
    return face == TABIA_COUNTS ? data : 1;
}

/* An entry's data as it would be had it been stored in this table, that many generations ago. */
INLINE uint64_t with_age(uint64_t data, unsigned age, unsigned field_now) {
    const uint64_t field = field_now > age ? field_now - age : field_now + GENERATIONS - age;
    return (data & ~(uint64_t)0 >> 6) | field << 58;
}

/* A bucket as it was read, and what comes. */
typedef struct {
    Word *group;
    uint64_t identity[SLOTS_MAX], data[SLOTS_MAX], worth[SLOTS_MAX];
} Bucket;

typedef struct {
    uint64_t identity, data, worth;
    const uint64_t *words;
} Coming;

INLINE void read_bucket(const TabiaTable *t, Bucket *b, const Moment *now, TabiaFace face, Integrity how,
                        unsigned words, unsigned ways) {
    uint64_t copy[TABIA_RECORD_WORDS_MAX];
    for (unsigned i = 0; i < ways; i++) {
        b->identity[i] = slot_load_words(b->group + i * (words + 1), copy, words, how);
        b->data[i] = copy[0];
        b->worth[i] = worth(t, b->identity[i], copy[0], now, face);
    }
}

INLINE void write_slot(Bucket *b, unsigned i, const Coming *c, Integrity how, unsigned words) {
    if (words == 1)
        slot_store(b->group + 2 * i, c->identity, c->data, how);
    else
        slot_store_words(b->group + i * (words + 1), c->identity, c->words, words, how);
    b->identity[i] = c->identity, b->data[i] = c->data, b->worth[i] = c->worth;
}

/* The position is there already. A move that only the loser knows goes to the winner. */
INLINE void put_over_own(Bucket *b, unsigned i, const Coming *c, TabiaFace face, Integrity how, unsigned words) {
    if (b->worth[i] == 0) write_slot(b, i, c, how, words);
    if (b->worth[i] == 0 || face != TABIA_ENTRIES) return;
    const uint64_t move_mask = 0xffff;
    Coming stays = *c, leaves = {b->identity[i], b->data[i], b->worth[i], NULL};
    const bool better = c->worth > b->worth[i];
    if (!better) {
        const Coming other = stays;
        stays = leaves, leaves = other;
    }
    const bool gives_move = !(stays.data & move_mask) && (leaves.data & move_mask);
    if (gives_move) stays.data |= leaves.data & move_mask;
    if (better || gives_move) write_slot(b, i, &stays, how, 1);
}

INLINE void put_one(const TabiaTable *t, Bucket *b, const Coming *c, TabiaFace face, Integrity how, unsigned words,
                    unsigned ways) {
    unsigned least = 0, own = ways;
    for (unsigned i = 0; i < ways; i++) {
        const uint64_t differs = b->identity[i] ^ c->identity;
        if ((face == TABIA_ENTRIES ? differs & ~t->path_mask : differs) == 0) own = i;
        least = b->worth[i] < b->worth[least] ? i : least;
    }
    if (own < ways)
        put_over_own(b, own, c, face, how, words);
    else if (c->worth > b->worth[least])
        write_slot(b, least, c, how, words);
}

/* One slot under each of its signatures. empty: the bucket has never been used, and the slot's place is `at`. */
INLINE void put_item(const TabiaTable *t, Bucket *b, const Moment *now, const uint64_t *item, const Moment *from,
                     unsigned field_now, bool empty, unsigned at, TabiaFace face, Integrity how, unsigned words,
                     unsigned ways) {
    Coming c = {.data = item[1], .words = item + 1};
    const unsigned age = face == TABIA_ENTRIES ? entry_age(c.data, from->generation) : 0;
    if (face == TABIA_ENTRIES && t->options.strict_generations && age) return;
    if (face == TABIA_ENTRIES) c.data = with_age(c.data, age, field_now);
    if (face == TABIA_COUNTS && c.data == 0) return; /* of a file made to deceive: 0 is no count */
    uint64_t signature[2];
    const unsigned both = signatures(t, item[0] & t->signature_mask, from->era ^ now->era, signature);
    for (unsigned s = 0; s < both; s++) {
        const uint64_t seal = t->sealed ? seal_of(t, b->group, signature[s]) << t->path_bits : 0;
        const uint64_t low = face == TABIA_ENTRIES ? item[0] & t->path_mask : now->tag;
        c.identity = signature[s] | seal | low;
        if (empty && both == 1) {
            write_slot(b, at, &c, how, words);
            continue;
        }
        c.worth = worth(t, c.identity, c.data, now, face);
        put_one(t, b, &c, face, how, words, ways);
    }
}

/* Into a bucket that was never used, as most are when a table is new, slots go one after the other. */
INLINE void put_text(TabiaTable *t, Word *group, const Moment *now, const uint64_t *items, unsigned n,
                     const Moment *from, TabiaFace face, Integrity how, unsigned words, unsigned ways) {
    Bucket b = {.group = group};
    const unsigned field_now = (unsigned)generation_field(now->generation);
    group_lock(t, group, how);
    read_bucket(t, &b, now, face, how, words, ways);
    uint64_t used = n > ways;
    for (unsigned i = 0; i < ways; i++) used |= b.identity[i] | b.data[i];
    for (unsigned i = 0; i < n; i++) used |= (items[i * (words + 1)] & t->signature_mask) == TOP;
    for (unsigned i = 0; i < n; i++)
        put_item(t, &b, now, items + i * (words + 1), from, field_now, !used, i, face, how, words, ways);
    group_unlock(t, group, how);
}

void tabia_move_put(TabiaTable *t, uint64_t bucket, const Moment *now, const uint64_t *items, unsigned n,
                    const Moment *from) {
    Word *group = group_at(t, bucket);
    segment_prepare(t, group);
    if (t->route == ROUTE_XOR && t->options.face == TABIA_ENTRIES)
        put_text(t, group, now, items, n, from, TABIA_ENTRIES, TABIA_XOR, 1, 4);
    else if (t->route == ROUTE_XOR && t->options.face == TABIA_COUNTS)
        put_text(t, group, now, items, n, from, TABIA_COUNTS, TABIA_XOR, 1, 4);
    else
        put_text(t, group, now, items, n, from, t->options.face, t->how, t->words, t->slots);
}

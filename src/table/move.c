/* SPDX-License-Identifier: MIT */
#include "table/move.h"

#include "base/u128.h"

static const uint64_t TOP = (uint64_t)1 << 63;

GenerationSnapshot tabia_move_snapshot(const TabiaTable *t) {
    return (GenerationSnapshot){generation_now(t), load_relaxed(&t->generations->epoch), epoch_tag_of(t)};
}

/* The first index that falls into a bucket; for bucket = of, one past the last, 2^64, which is 0. */
static uint64_t first_index(uint64_t number, uint64_t of) {
    return (uint64_t)((((U128)number << 64) + of - 1) / of);
}

BucketSpan tabia_move_span(uint64_t number, uint64_t of, uint64_t into) {
    assert(number < of && into > 0);
    if (of == into) return (BucketSpan){number, number};
    const uint64_t first = first_index(number, of), last = first_index(number + 1, of) - 1;
    return (BucketSpan){(uint64_t)((U128)first * into >> 64), (uint64_t)((U128)last * into >> 64)};
}

static Word *bucket_at(const TabiaTable *t, uint64_t number) {
    return (Word *)(t->base + number * CACHE_LINE_BYTES);
}

/* How slots are laid out: constants where it matters, so that one text serves all record types. */
typedef struct {
    TabiaRecordType type;
    unsigned words, slots; /* data words of a slot; slots of a bucket */
} Mode;

static const Mode ENTRIES = {TABIA_ENTRIES, 1, BUCKET_SLOTS}, COUNTS = {TABIA_COUNTS, 1, BUCKET_SLOTS};

/* ---- reading ---- */

/* Unused, of another strict generation, or signed by nobody as far as that can be seen. */
INLINE bool is_unused(const TabiaTable *t, uint64_t identity, uint64_t data, const GenerationSnapshot *m,
                      TabiaRecordType type) {
    if (identity & ~(t->signature_mask | t->path_mask | t->extra_mask)) return true;
    if (type != TABIA_ENTRIES && ((identity ^ m->epoch_tag) & t->path_mask)) return true;
    if (type == TABIA_ENTRIES && t->options.strict_generations && entry_age(data, generation_field(m->generation)))
        return true;
    if (type != TABIA_RECORDS && data == 0) return true;
    return (identity & t->signature_mask) == 0;
}

INLINE unsigned read_inline(const TabiaTable *t, const Word *bucket, const GenerationSnapshot *m, uint64_t *items,
                            Mode mode) {
    const uint64_t kept = t->signature_mask | (mode.type == TABIA_ENTRIES ? t->path_mask | t->extra_mask : 0);
    const unsigned size = mode.words + 1;
    unsigned n = 0;
    for (unsigned i = 0; i < mode.slots; i++) {
        uint64_t *item = items + n * size;
        const uint64_t identity = slot_load_words(bucket + i * size, item + 1, mode.words);
        item[0] = identity & kept;
        n += !is_unused(t, identity, item[1], m, mode.type);
    }
    assert(n <= SLOTS_MAX);
    return n;
}

unsigned tabia_move_read(const TabiaTable *t, uint64_t number, const GenerationSnapshot *m, uint64_t *items) {
    assert(number < t->buckets);
    const Word *bucket = bucket_at(t, number);
    if (segment_stale(t, bucket)) return 0;
    if (t->options.type == TABIA_ENTRIES) return read_inline(t, bucket, m, items, ENTRIES);
    if (t->options.type == TABIA_COUNTS) return read_inline(t, bucket, m, items, COUNTS);
    return read_inline(t, bucket, m, items, (Mode){TABIA_RECORDS, t->words, t->slots});
}

/* ---- writing ---- */

/* The signatures that a slot of another epoch has here. */
INLINE unsigned signatures(const TabiaTable *t, uint64_t signature, uint64_t epochs_apart, uint64_t out[2]) {
    assert(signature && !(signature & ~t->signature_mask));
    const uint64_t apart = epochs_apart & t->signature_mask, plain = signature ^ apart;
    out[0] = plain ? plain : TOP;
    if (LIKELY(signature != TOP)) return 1;
    out[1] = apart ? apart : TOP;
    return 1 + (out[0] != out[1]);
}

/* What a slot is worth to the bucket; 0 is unused or forgotten. */
INLINE uint64_t priority(const TabiaTable *t, uint64_t identity, uint64_t data, const GenerationSnapshot *now,
                         TabiaRecordType type) {
    const uint64_t above_all_ages = 1 << 20;
    if (type == TABIA_ENTRIES) {
        if (data == 0 || (t->options.strict_generations && entry_age(data, generation_field(now->generation))))
            return 0;
        return (uint64_t)((int64_t)above_all_ages + entry_priority(t, data, generation_field(now->generation)));
    }
    if (identity == 0 || ((identity ^ now->epoch_tag) & t->path_mask)) return 0;
    return type == TABIA_COUNTS ? data : 1;
}

/* An entry's data as it would be had it been stored in this table, that many generations ago. */
INLINE uint64_t with_age(uint64_t data, unsigned age, unsigned field_now) {
    const uint64_t field = field_now > age ? field_now - age : field_now + GENERATIONS - age;
    assert(field >= 1 && field <= GENERATIONS);
    return (data & ~(uint64_t)0 >> 6) | field << 58;
}

/* A bucket as it was read, and what comes. */
typedef struct {
    Word *bucket;
    uint64_t identity[SLOTS_MAX], data[SLOTS_MAX], priority[SLOTS_MAX];
} BucketCopy;

typedef struct {
    uint64_t identity, data, priority;
    const uint64_t *words;
} IncomingSlot;

/* From which generations to which slots go, and how they are laid out. */
typedef struct {
    const GenerationSnapshot *from, *now;
    unsigned field_now; /* the generation field that an entry stored now has */
    Mode mode;
} Transfer;

INLINE void read_bucket(const TabiaTable *t, BucketCopy *b, const GenerationSnapshot *now, Mode mode) {
    uint64_t copy[TABIA_RECORD_WORDS_MAX];
    for (unsigned i = 0; i < mode.slots; i++) {
        b->identity[i] = slot_load_words(b->bucket + i * (mode.words + 1), copy, mode.words);
        b->data[i] = copy[0];
        b->priority[i] = priority(t, b->identity[i], copy[0], now, mode.type);
    }
}

INLINE void write_slot(BucketCopy *b, unsigned i, const IncomingSlot *c, Mode mode) {
    assert(i < mode.slots);
    if (mode.words == 1)
        slot_store(b->bucket + 2 * i, c->identity, c->data);
    else
        slot_store_words(b->bucket + i * (mode.words + 1), c->identity, c->words, mode.words);
    b->identity[i] = c->identity, b->data[i] = c->data, b->priority[i] = c->priority;
}

/* The bits of a move, where they lie in the data word and in the identity. */
typedef struct {
    uint64_t low, high;
} EntryMove;

INLINE EntryMove move_of(const TabiaTable *t, const IncomingSlot *c) {
    const uint64_t user_mask = (((uint64_t)1 << t->options.user_bits) - 1) << t->path_bits;
    return (EntryMove){c->data & 0xffff, c->identity & t->extra_mask & ~user_mask};
}

/* The position is there already. A move that only the loser knows goes to the winner. */
INLINE void write_over_own(const TabiaTable *t, BucketCopy *b, unsigned i, const IncomingSlot *c, Mode mode) {
    if (b->priority[i] == 0) write_slot(b, i, c, mode);
    if (b->priority[i] == 0 || mode.type != TABIA_ENTRIES) return;
    IncomingSlot stays = *c, leaves = {b->identity[i], b->data[i], b->priority[i], NULL};
    const bool better = c->priority > b->priority[i];
    if (!better) {
        const IncomingSlot other = stays;
        stays = leaves, leaves = other;
    }
    const EntryMove left = move_of(t, &leaves), own = move_of(t, &stays);
    const bool gives_move = !own.low && !own.high && (left.low || left.high);
    if (gives_move) stays.data |= left.low, stays.identity |= left.high;
    if (better || gives_move) write_slot(b, i, &stays, mode);
}

INLINE void write_one(const TabiaTable *t, BucketCopy *b, const IncomingSlot *c, Mode mode) {
    unsigned victim = 0, own = mode.slots;
    for (unsigned i = 0; i < mode.slots; i++) {
        const uint64_t differs = b->identity[i] ^ c->identity;
        if ((mode.type == TABIA_ENTRIES ? differs & t->position_mask : differs) == 0) own = i;
        victim = b->priority[i] < b->priority[victim] ? i : victim;
    }
    if (own < mode.slots)
        write_over_own(t, b, own, c, mode);
    else if (c->priority > b->priority[victim])
        write_slot(b, victim, c, mode);
}

/* One slot under each of its signatures. empty_slot: where it goes in a bucket that has never been used, else -1. */
INLINE void write_item(const TabiaTable *t, BucketCopy *b, const Transfer *x, const uint64_t *item, int empty_slot) {
    const TabiaRecordType type = x->mode.type;
    const uint64_t stored = item[0] & t->signature_mask;
    if (!stored) return; /* of a file made to deceive: no key has it */
    IncomingSlot c = {.data = item[1], .words = item + 1};
    const unsigned age = type == TABIA_ENTRIES ? entry_age(c.data, generation_field(x->from->generation)) : 0;
    if (type == TABIA_ENTRIES && t->options.strict_generations && age) return;
    if (type == TABIA_ENTRIES) c.data = with_age(c.data, age, x->field_now);
    if (type == TABIA_COUNTS && c.data == 0) return; /* of a file made to deceive: 0 is no count */
    uint64_t signature[2];
    const unsigned both = signatures(t, stored, x->from->epoch ^ x->now->epoch, signature);
    for (unsigned s = 0; s < both; s++) {
        const uint64_t low = type == TABIA_ENTRIES ? item[0] & (t->path_mask | t->extra_mask) : x->now->epoch_tag;
        c.identity = signature[s] | low;
        if (empty_slot >= 0 && both == 1) {
            write_slot(b, (unsigned)empty_slot, &c, x->mode);
            continue;
        }
        c.priority = priority(t, c.identity, c.data, x->now, type);
        write_one(t, b, &c, x->mode);
    }
}

/* Into a bucket that was never used, as most are when a table is new, slots go one after the other. */
INLINE void write_inline(TabiaTable *t, Word *bucket, const Transfer x, const uint64_t *items, unsigned n) {
    const unsigned size = x.mode.words + 1;
    BucketCopy b = {.bucket = bucket};
    read_bucket(t, &b, x.now, x.mode);
    uint64_t used = n > x.mode.slots;
    for (unsigned i = 0; i < x.mode.slots; i++) used |= b.identity[i] | b.data[i];
    for (unsigned i = 0; i < n; i++) used |= (items[i * size] & t->signature_mask) == TOP;
    for (unsigned i = 0; i < n; i++) write_item(t, &b, &x, items + i * size, used ? -1 : (int)i);
}

void tabia_move_write(TabiaTable *t, uint64_t number, const GenerationSnapshot *now, const uint64_t *items, unsigned n,
                      const GenerationSnapshot *from) {
    assert(number < t->buckets);
    Word *bucket = bucket_at(t, number);
    const unsigned field_now = (unsigned)generation_field(now->generation);
    segment_prepare(t, bucket);
    if (t->options.type == TABIA_ENTRIES)
        write_inline(t, bucket, (Transfer){from, now, field_now, ENTRIES}, items, n);
    else if (t->options.type == TABIA_COUNTS)
        write_inline(t, bucket, (Transfer){from, now, field_now, COUNTS}, items, n);
    else
        write_inline(t, bucket, (Transfer){from, now, field_now, {TABIA_RECORDS, t->words, t->slots}}, items, n);
}

/* SPDX-License-Identifier: MIT */
/*
 * Probes and stores of what most tables are: entries by xor, four slots, the default rule; in the standard layout (route
 * standard) or with user bits and longer moves beside the path (route beside). They do what the text for all tables does
 * (entry_inline.h), in half of the instructions.
 *
 * That text hashes all four slots. Here sixteen bits of each, those above the path, are compared first: bits 16 to 31
 * of a product depend on the lower halves of its factors only, which one multiplication of vectors has.
 *
 *     (data 64 x factor 64) XOR check  =  [ ................ ................ | 16 bits | path 16 ]  =  identity?
 *
 * A slot where they agree is read again and asked whole, by the check that tells torn entries; where they do not, it is
 * no slot of the position. Once in 16,384 times a slot agrees that is not the position's: then all are looked through.
 * What lies beside the path is left out of the comparison. It leaves eight bits at least: then once in 64 times.
 *
 * The slot that agreed is read a second time, but by probes with AVX-512, which pick its words out of the vectors: what is
 * returned or merged is of one reading only.
 */
#pragma once
#include "entry_inline.h"

/* An entry as calls pass it on: its first word, and its move. */
typedef struct {
    uint64_t fields, move;
} EntryArgument;

INLINE EntryArgument entry_argument(TabiaEntry e) {
    EntryArgument a = {0, e.move};
    memcpy(&a.fields, &e, sizeof a.fields);
    return a;
}

INLINE TabiaEntry entry_of_argument(EntryArgument a) {
    TabiaEntry e;
    memcpy(&e, &a.fields, sizeof a.fields);
    e.move = (uint32_t)a.move;
    return e;
}

/* What a probe does: constants. Bits of a number, because gcc sees too late what is in a structure. */
enum {
    STANDARD_BESIDE = 1,  /* the layout has bits beside the path */
    STANDARD_REFRESH = 2, /* what is hit gets the present generation */
};

#ifndef BUCKET_SCALAR
#define STANDARD_SIMD
static const Route ROUTE_HOT = ROUTE_STANDARD;

/* The lanes of 32 bytes as they lie in memory, once and no more: what others write meanwhile is not seen in part. */
INLINE __m256i standard_half(const Word *slots) {
    __m256i both;
    __asm__ volatile("vmovdqa %1, %0" : "=x"(both) : "m"(*(const __m256i *)slots));
    return both;
}

/* The data words of slots 0, 2, 1 and 3. */
INLINE __m256i standard_data(const Word *bucket, __m256i low) {
    __m256i data;
    __asm__ volatile("vpunpckhqdq %2, %1, %0" : "=x"(data) : "x"(low), "m"(*(const __m256i *)(bucket + 4)));
    return data;
}

INLINE __m256i standard_check(const Word *bucket, __m256i low) {
    __m256i check;
    __asm__ volatile("vpunpcklqdq %2, %1, %0" : "=x"(check) : "x"(low), "m"(*(const __m256i *)(bucket + 4)));
    return check;
}

/* The slots that may be the position's: bit 8 i + 2 for slot i. An identity has no bits beside the path. */
INLINE unsigned standard_glance(const TabiaTable *t, __m256i check, __m256i data, uint64_t identity, bool beside) {
    __m256i found = _mm256_xor_si256(check, _mm256_mul_epu32(data, simd_of(hash_factor)));
    if (beside) found = _mm256_and_si256(found, _mm256_loadu_si256((const __m256i *)t->lanes[LANES_SIGNATURE]));
    const __m256i agree = _mm256_cmpeq_epi16(found, simd_of(identity));
    return (unsigned)_mm256_movemask_epi8(_mm256_permute4x64_epi64(agree, 0xd8)) & 0x04040404;
}

/* The first of them. */
INLINE Word *standard_first(Word *bucket, unsigned slots) {
    return (Word *)((char *)bucket + 2 * (size_t)(unsigned)__builtin_ctz(slots) - 4);
}

/* slot_load, in which compilers do not join what is read with what is done with it. */
INLINE SlotPair standard_load(const Word *slot) {
    SlotPair p = {hash_factor, load_relaxed(slot + 1)};
    p.check *= p.data;
    __asm__ volatile("xorq %1, %0" : "+r"(p.check) : "m"(*slot) : "cc");
    return p;
}

INLINE bool standard_same(const TabiaTable *t, SlotPair found, uint64_t identity) {
    return ((found.check ^ identity) & t->signature_mask) == 0;
}

INLINE __m128i lanes_of(const TabiaTable *t, TableLanes which) {
    return _mm_loadu_si128((const __m128i *)t->lanes[which]);
}

/*
 * The slot of lowest priority, the first of several. In the upper sixteen bits of data words, where the generation, the
 * bound and the draft are:
 *
 *     draft + bonus of exact + weight * (63 - age)
 *
 * 0 is an empty slot's; of others the upper bits are more than any priority.
 */
INLINE Word *standard_least(const TabiaTable *t, Word *bucket, __m256i data) {
    const __m256i spread = _mm256_shuffle_epi8(data, _mm256_loadu_si256((const __m256i *)t->lanes[LANES_PLACE]));
    const __m128i upper = _mm_or_si128(_mm256_castsi256_si128(spread), _mm256_extracti128_si256(spread, 1));
    __m128i now;
    __asm__ volatile("vpbroadcastw %1, %0" : "=x"(now) : "m"(((const uint16_t *)&t->generations->generation)[3]));
    const __m128i later = _mm_sub_epi16(_mm_srli_epi16(now, 10), _mm_srli_epi16(upper, 10));
    const __m128i age_left = _mm_max_epu16(later, _mm_sub_epi16(later, lanes_of(t, LANES_GENERATIONS))); /* age - 63 */
    const __m128i exact = _mm_cmpeq_epi16(_mm_and_si128(upper, lanes_of(t, LANES_EXACT)), lanes_of(t, LANES_EXACT));
    const __m128i bonus = _mm_and_si128(exact, lanes_of(t, LANES_BONUS));
    const __m128i draft = _mm_add_epi16(_mm_and_si128(upper, lanes_of(t, LANES_DRAFT)), bonus);
    const __m128i priority = _mm_sub_epi16(draft, _mm_mullo_epi16(age_left, lanes_of(t, LANES_WEIGHT)));
    const __m128i keyed = _mm_or_si128(_mm_min_epu16(priority, upper), lanes_of(t, LANES_NONE));
    return bucket + 2 * (unsigned)_mm_extract_epi16(_mm_minpos_epu16(keyed), 1);
}

/* Is the path too that of what is known to be the position's? */
INLINE bool standard_same_path(const TabiaTable *t, SlotPair found, uint64_t identity, bool beside) {
    return beside ? ((found.check ^ identity) & t->path_mask) == 0 : found.check == identity;
}

/* What becomes of the position's own entry, as entry_merged says it; made: what comes, in check what lies beside the path. */
INLINE SlotPair standard_merged(const TabiaTable *t, SlotPair old, uint64_t identity, SlotPair made, bool has_move,
                                bool beside) {
    const uint64_t move = ((uint64_t)1 << MOVE_BITS) - 1, exact = (uint64_t)TABIA_BOUND_EXACT << BOUND_SHIFT;
    const unsigned draft = (unsigned)(made.data >> DRAFT_SHIFT & UINT8_MAX),
                   known = (unsigned)(old.data >> DRAFT_SHIFT & UINT8_MAX);
    if (!has_move) {
        made.data |= old.data & move;
        if (beside) made.check |= old.check & t->beside.move_mask;
    }
    if (draft + t->keep_margin > known) return made;
    if ((made.data & exact) == exact || (old.data & exact) == 0) return made;
    if (!standard_same_path(t, old, identity, beside) || (old.data ^ made.data) >> GENERATION_SHIFT) return made;
    made.data = (old.data & ~move) | (made.data & move);
    if (beside) made.check = (old.check & t->beside.user_mask) | (made.check & t->beside.move_mask);
    return made;
}

/* What a probe answers of a slot of the position. */
INLINE TabiaHit standard_hit(const TabiaTable *t, SlotPair found, uint64_t identity, unsigned how) {
    const BesideShape *beside = &t->beside;
    const bool same = standard_same_path(t, found, identity, how & STANDARD_BESIDE);
    const uint64_t bound = (found.data & (uint64_t)3 << BOUND_SHIFT) != 0;
    const uint64_t flags = 1 | (same & bound) << 8 | found.data >> GENERATION_SHIFT << 16;
    uint64_t fields = found.data << 6 >> (6 + FIELDS_SHIFT), rest = (uint16_t)found.data | flags << 32;
    TabiaHit hit;
    if (how & STANDARD_BESIDE) {
        fields |= found.check << beside->user_up & beside->user_top;
        rest |= (found.check << beside->move_up & beside->move_top) >> 32;
    }
    memcpy(&hit, &fields, sizeof fields);
    memcpy((char *)&hit + sizeof fields, &rest, sizeof rest);
    hit.path = (uint32_t)(found.check & t->path_mask);
    return hit;
}

/* In check what lies beside the path. */
INLINE SlotPair standard_pack(const TabiaTable *t, EntryArgument a, bool beside) {
    const uint64_t field = load_relaxed(&t->generations->generation) >> GENERATION_SHIFT << GENERATION_SHIFT;
    SlotPair made = {0, a.fields << 22 >> 6 | (uint16_t)a.move | field};
    if (beside)
        made.check = (a.fields & t->beside.user_top) >> t->beside.user_up |
                     (a.move << 32 & t->beside.move_top) >> t->beside.move_up;
    return made;
}

/* Where a slot agreed at a glance and is not the position's. */
NOINLINE void standard_store_all(const TabiaTable *t, SlotRef p, EntryArgument a) {
    const EntryMode mode = {TABIA_XOR, 4, ENTRIES_REPLACEMENT, true}; /* with the table's own constants */
    entry_store_scalar(t, p, entry_of_argument(a), mode);
}

/* Into a bucket that is not stale. */
INLINE void standard_store(const TabiaTable *t, SlotRef p, EntryArgument a, bool beside) {
    const __m256i low = standard_half(p.bucket), slots = standard_data(p.bucket, low);
    const unsigned agree = standard_glance(t, standard_check(p.bucket, low), slots, p.identity, beside);
    SlotPair made = standard_pack(t, a, beside);
    Word *slot;
    assert(t->store_route == (beside ? ROUTE_BESIDE : ROUTE_STANDARD));
    if (agree) {
        slot = standard_first(p.bucket, agree);
        const SlotPair old = standard_load(slot);
        if (UNLIKELY(!standard_same(t, old, p.identity))) {
            standard_store_all(t, p, a);
            return;
        }
        made = standard_merged(t, old, p.identity, made, a.move != 0, beside);
    } else
        slot = standard_least(t, p.bucket, slots);
    slot_store(slot, p.identity | made.check, made.data, TABIA_XOR);
}

/* entry_rewrite_inline of what a probe found. */
INLINE void standard_refresh(const TabiaTable *t, Word *slot, SlotPair found) {
    const uint64_t apart = (load_relaxed(&t->generations->generation) ^ found.data) >> GENERATION_SHIFT;
    if (!apart) return;
    pause_at(PAUSE_BEFORE_REWRITE);
    slot_store(slot, found.check, found.data ^ apart << GENERATION_SHIFT, TABIA_XOR);
}

#ifdef BUCKET_AVX512
/* standard_glance by a bit for each lane. */
INLINE SimdMask standard_lanes(const TabiaTable *t, SimdSlots l, uint64_t identity, bool beside) {
    const __m256i found = _mm256_xor_si256(l.identity, _mm256_mul_epu32(l.data, simd_of(hash_factor)));
    __m256i apart = _mm256_xor_si256(found, simd_of(identity));
    if (beside) apart = _mm256_and_si256(apart, _mm256_loadu_si256((const __m256i *)t->lanes[LANES_SIGNATURE]));
    return _mm256_testn_epi64_mask(apart, simd_of(0xffff0000));
}
#endif

/* False: some slot agrees at a glance and is not the position's, and nothing is answered. */
INLINE bool standard_probe(const TabiaTable *t, SlotRef p, TabiaHit *hit, unsigned how) {
    const __m256i low = standard_half(p.bucket);
    const __m256i check = standard_check(p.bucket, low), data = standard_data(p.bucket, low);
    *hit = (TabiaHit){{0, 0, 0, 0, 0, 0}, false, false, 0, 0, 0};
#ifdef BUCKET_AVX512
    const SimdSlots lanes = {check, data};
    const SimdMask agree = standard_lanes(t, lanes, p.identity, how & STANDARD_BESIDE);
    if (!agree) return true;
    Word *slot = p.bucket + 2 * (0xd8 >> 2 * lsb(agree) & 3); /* the lanes are slots 0, 2, 1 and 3 */
    SlotPair found = simd_pick(lanes, agree);                 /* sooner than they are read again */
    found.check ^= hash_word(found.data);
#else
    const unsigned agree = standard_glance(t, check, data, p.identity, how & STANDARD_BESIDE);
    if (!agree) return true;
    Word *slot = standard_first(p.bucket, agree);
    const SlotPair found = standard_load(slot);
#endif
    if (UNLIKELY(!standard_same(t, found, p.identity))) return false;
    if (how & STANDARD_REFRESH) standard_refresh(t, slot, found);
    *hit = standard_hit(t, found, p.identity, how);
    return true;
}
#else
static const Route ROUTE_HOT = ROUTE_XOR; /* no table is on the route standard */
#endif

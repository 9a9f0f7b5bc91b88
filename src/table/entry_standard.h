/* SPDX-License-Identifier: MIT */
/*
 * Probes and stores of what most tables are: entries by xor, four slots, the default rule, in the standard layout, with 16
 * path bits or fewer (route standard). They do what the text for all tables does
 * (entry_inline.h), in half of the instructions.
 *
 * That text hashes all four slots. Here sixteen bits of each, those above the path, are compared first: bits 16 to 31
 * of a product depend on the lower halves of its factors only, which one multiplication of vectors has.
 *
 *     (data 64 x factor 64) XOR check  =  [ ................ ................ | 16 bits | path 16 ]  =  identity?
 *
 * A slot where they agree is read again and asked whole, by the check that tells torn entries; where they do not, it is
 * no slot of the position. Once in 16,384 times a slot agrees that is not the position's: then all are looked through.
 *
 * The slot that agreed is read a second time: what is returned or merged is of that reading only.
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

/* The slots that may be the position's: bit 8 i + 2 for slot i. */
INLINE unsigned standard_glance(__m256i check, __m256i data, uint64_t identity) {
    const __m256i found = _mm256_xor_si256(check, _mm256_mul_epu32(data, simd_of(hash_factor)));
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

/* What becomes of the position's own entry, as entry_merged says it; made: the data of what comes. */
INLINE uint64_t standard_merged(const TabiaTable *t, SlotPair old, uint64_t identity, uint64_t made, bool has_move) {
    const uint64_t move = ((uint64_t)1 << MOVE_BITS) - 1, exact = (uint64_t)TABIA_BOUND_EXACT << BOUND_SHIFT;
    const unsigned draft = (unsigned)(made >> DRAFT_SHIFT & UINT8_MAX),
                   known = (unsigned)(old.data >> DRAFT_SHIFT & UINT8_MAX);
    if (!has_move) made |= old.data & move;
    if (draft + t->keep_margin > known) return made;
    if ((made & exact) == exact || (old.data & exact) == 0) return made;
    if (old.check != identity || (old.data ^ made) >> GENERATION_SHIFT) return made;
    return (old.data & ~move) | (made & move);
}

/* What a probe answers of a slot of the position. */
INLINE TabiaHit standard_hit(const TabiaTable *t, SlotPair found, uint64_t identity) {
    const uint64_t bound = (found.data & (uint64_t)3 << BOUND_SHIFT) != 0;
    const uint64_t flags = 1 | ((found.check == identity) & bound) << 8 | found.data >> GENERATION_SHIFT << 16;
    const uint64_t fields = found.data << 6 >> (6 + FIELDS_SHIFT), rest = (uint16_t)found.data | flags << 32;
    TabiaHit hit;
    memcpy(&hit, &fields, sizeof fields);
    memcpy((char *)&hit + sizeof fields, &rest, sizeof rest);
    hit.path = (uint32_t)(found.check & t->path_mask);
    return hit;
}

INLINE uint64_t standard_pack(const TabiaTable *t, EntryArgument a) {
    const uint64_t field = load_relaxed(&t->generations->generation) >> GENERATION_SHIFT << GENERATION_SHIFT;
    return a.fields << 22 >> 6 | (uint16_t)a.move | field;
}

/* Where a slot agreed at a glance and is not the position's. */
NOINLINE void standard_store_all(const TabiaTable *t, SlotRef p, EntryArgument a) {
    const EntryMode mode = {TABIA_XOR, 4, ENTRIES_REPLACEMENT, true}; /* with the table's own constants */
    entry_store_scalar(t, p, entry_of_argument(a), mode);
}

/* Into a bucket that is not stale. */
INLINE void standard_store(const TabiaTable *t, SlotRef p, EntryArgument a) {
    const __m256i low = standard_half(p.bucket), slots = standard_data(p.bucket, low);
    const unsigned agree = standard_glance(standard_check(p.bucket, low), slots, p.identity);
    uint64_t made = standard_pack(t, a);
    Word *slot;
    assert(t->store_route == ROUTE_STANDARD);
    if (agree) {
        slot = standard_first(p.bucket, agree);
        const SlotPair old = standard_load(slot);
        if (UNLIKELY(!standard_same(t, old, p.identity))) {
            standard_store_all(t, p, a);
            return;
        }
        made = standard_merged(t, old, p.identity, made, a.move != 0);
    } else
        slot = standard_least(t, p.bucket, slots);
    slot_store(slot, p.identity, made, TABIA_XOR);
}

/* False: some slot agrees at a glance and is not the position's, and nothing is answered. */
INLINE bool standard_probe(const TabiaTable *t, SlotRef p, TabiaHit *hit) {
    const __m256i low = standard_half(p.bucket);
    const unsigned agree = standard_glance(standard_check(p.bucket, low), standard_data(p.bucket, low), p.identity);
    *hit = (TabiaHit){{0, 0, 0, 0, 0, 0}, false, false, 0, 0, 0};
    if (!agree) return true;
    const SlotPair found = standard_load(standard_first(p.bucket, agree));
    if (UNLIKELY(!standard_same(t, found, p.identity))) return false;
    *hit = standard_hit(t, found, p.identity);
    return true;
}
#else
static const Route ROUTE_HOT = ROUTE_XOR; /* no table is on the route standard */
#endif

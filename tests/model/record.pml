/* SPDX-License-Identifier: MIT */
/*
 * A record of two data words (src/table/bucket.h, record_inline.h): two writers and a reader, in all orders. Words are as
 * in slot.pml. The data words are small on purpose, 0, 1 and 2, and the same ones appear in several stores:
 *
 *     store   1: A (1, 1)     2: B (2, 2)     3: A (0, 2)     4: B (1, 0)
 *
 * The property: a reader who takes the slot for key k holds the words of one store for k.
 *
 * Exactly one of                XOR   NONE
 * With XOR also   RELAXED       a reader sees, of each word, any value that it ever had
 *                 PLAIN         wrong: the words are XORed as they are, so that equal differences cancel
 */
#define A 1
#define B 2
#define STORES 4

#define WHO(s) ((s) % 2 == 1 -> A : B)
#define WORD_1(s) ((s) == 1 -> 1 : ((s) == 2 -> 2 : ((s) == 3 -> 0 : 1)))
#define WORD_2(s) ((s) == 1 -> 1 : ((s) == 2 -> 2 : ((s) == 3 -> 2 : 0)))
#define IS_STORE(s, k, w1, w2) (WHO(s) == (k) && WORD_1(s) == (w1) && WORD_2(s) == (w2))

#ifdef PLAIN
#define HASH_1(w) ((w) << 2)
#define HASH_2(w) ((w) << 2)
#else
#define HASH_1(w) ((w) << 2)
#define HASH_2(w) ((w) << 4)
#endif

#ifdef XOR
#define SIGNED(identity, w1, w2) ((identity) ^ HASH_1(w1) ^ HASH_2(w2))
#else
#define SIGNED(identity, w1, w2) (identity)
#endif

#ifdef RELAXED
#define HELD (STORES + 1) /* all that a word ever held, the empty slot being number 0 */
#else
#define HELD 1
#endif
int word[3 * HELD]; /* of check, word 1, word 2 */
byte writes[3];

inline put_word(which, w) {
#ifdef RELAXED
    atomic { writes[which]++; word[which * HELD + writes[which]] = w }
#else
    word[which] = w
#endif
}

inline get_word(which, w) {
#ifdef RELAXED
    atomic { i = 0; do :: i < writes[which] -> i++ :: break od; w = word[which * HELD + i]; i = 0 }
#else
    w = word[which]
#endif
}

/* left: which of the three are still to be done, as bits; they are done in any order. */
proctype writer(byte s) {
    byte left;
    do
    :: s <= STORES ->
        left = 7;
        do
        :: left & 1 -> put_word(0, SIGNED(WHO(s), WORD_1(s), WORD_2(s))); left = left & 6
        :: left & 2 -> put_word(1, WORD_1(s)); left = left & 5
        :: left & 4 -> put_word(2, WORD_2(s)); left = left & 3
        :: left == 0 -> break
        od;
        s = s + 2
    :: else -> break
    od
}

proctype reader() {
    int c, w1, w2, want;
    byte left = 7, i;
    if
    :: want = A
    :: want = B
    fi;
    do
    :: left & 1 -> get_word(0, c); left = left & 6
    :: left & 2 -> get_word(1, w1); left = left & 5
    :: left & 4 -> get_word(2, w2); left = left & 3
    :: left == 0 -> break
    od;
    if
    :: SIGNED(c, w1, w2) == want ->
        assert(IS_STORE(1, want, w1, w2) || IS_STORE(2, want, w1, w2) || IS_STORE(3, want, w1, w2) ||
               IS_STORE(4, want, w1, w2))
    :: else
    fi
}

init {
    atomic {
        run writer(1);
        run writer(2);
        run reader()
    }
}

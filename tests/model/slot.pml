/* SPDX-License-Identifier: MIT */
/*
 * A slot of one data word (src/table/bucket.h, entry_inline.h): two writers, one who refreshes, and a reader, in all orders.
 * One reader is enough: readers change nothing, so what one of several can see, one alone can see.
 *
 * A word of the check is a set of independent parts, written as bits, and XOR is the symmetric difference. Each identity
 * is a part, each hash of a data word is a part of its own: so what holds here holds but for accidents of the hash,
 * which 48 and more bits make rare. Empty is 0 in both words, and its hash is 0.
 *
 * Data words are names: 1 to 4, each written by one store only, and 5 to 8, the same after a refresh. WHO(d) is the
 * identity that d was stored for. The property: a reader who takes the slot for identity c holds data with WHO(d) == c.
 *
 * Exactly one of                XOR   NONE
 * With XOR also   RELAXED       a reader sees, of each word, any value that it ever had: more than any processor does
 *                 IN_PLACE      wrong: refresh changes the word that is there, not the one it has looked at
 *                 PLAIN         wrong: the data is XORed without a hash, and differs in the path's bits only
 */
#define A 1
#define B 2
#define PATH 4 /* not compared when only the move is wanted */
#define STORES 4

#define WHO(d) (((d) % 2 == 1 -> A : B) | ((((d) - 1) % STORES) / 2) * PATH)
#define SAME_POSITION(a, b) ((((a) ^ (b)) & ~PATH) == 0)

#ifdef PLAIN
#define HASH(d) ((d) == 0 -> 0 : 8 | ((d) % 2) * PATH)
#else
#define HASH(d) ((d) == 0 -> 0 : 8 << (d))
#endif

#ifdef XOR
#define SIGNED(identity, d) ((identity) ^ HASH(d))
#else
#define SIGNED(identity, d) (identity)
#endif

int check;
byte data;

/* ---- the words, with all they ever held ---- */

#ifdef RELAXED
#define WRITES 5 /* four stores and a refresh; the empty slot is number 0 */
int was_check[WRITES + 1];
byte was_data[WRITES + 1];
byte checks, datas;

inline put_check(c) {
    atomic { checks++; was_check[checks] = c }
}
inline put_data(d) {
    atomic { datas++; was_data[datas] = d }
}
inline get_check(c) {
    atomic { i = 0; do :: i < checks -> i++ :: break od; c = was_check[i]; i = 0 }
}
inline get_data(d) {
    atomic { i = 0; do :: i < datas -> i++ :: break od; d = was_data[i]; i = 0 }
}
#else
inline put_check(c) {
    check = c
}
inline put_data(d) {
    data = d
}
inline get_check(c) {
    c = check
}
inline get_data(d) {
    d = data
}
#endif

/* ---- the slot ---- */

/* The two stores become visible in either order. */
inline put(identity, d) {
    if
    :: put_check(SIGNED(identity, d)); put_data(d)
    :: put_data(d); put_check(SIGNED(identity, d))
    fi
}

/* The two loads happen in either order. c becomes the identity. */
inline get(c, d) {
    if
    :: get_check(c); get_data(d)
    :: get_data(d); get_check(c)
    fi;
    c = SIGNED(c, d)
}

/* ---- who uses it ---- */

/* Two stores, one after the other, of two positions. */
proctype writer(byte first) {
    byte d = first;
    do
    :: d <= STORES ->
        put(WHO(d), d);
        d = d + 2
    :: else -> break
    od
}

/* Copy, change, sign, store. What a refresh made is left as it is by the next. */
proctype refresher() {
    int c, key;
    byte d, i;
    if
    :: key = A
    :: key = B
    fi;
    get(c, d);
    if
    :: SAME_POSITION(c, key) && d <= STORES ->
#ifdef IN_PLACE
        get_data(d);
        d = (d == 0 || d > STORES -> d : d + STORES);
#else
        d = d + STORES;
#endif
        put(c, d)
    :: else
    fi
}

proctype reader() {
    int c, want;
    byte d, i;
    if
    :: want = A
    :: want = B
    :: want = A | PATH
    :: want = B | PATH
    fi;
    get(c, d);
    if
    :: SAME_POSITION(c, want) ->
        assert(d != 0);
        assert(SAME_POSITION(WHO(d), want)); /* the move is the position's */
        assert(WHO(d) == c)                  /* and whether the score may be used is rightly reported */
    :: else
    fi
}

init {
    atomic {
        run writer(1);
        run writer(2);
        run refresher();
        run reader()
    }
}

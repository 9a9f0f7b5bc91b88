/* SPDX-License-Identifier: MIT */
/* The functions that clang and gcc call for each access under -fsanitize=thread. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "explore.h"

/* Of the linker's --wrap: what compilers call for copies that they do not inline. */
void *__real_memcpy(void *to, const void *from, size_t bytes);
void *__wrap_memcpy(void *to, const void *from, size_t bytes);
void *__tsan_memcpy(void *to, const void *from, size_t bytes);

void *__wrap_memcpy(void *to, const void *from, size_t bytes) {
    model_plain(from, bytes, false);
    model_plain(to, bytes, true);
    return __real_memcpy(to, from, bytes);
}
void *__tsan_memcpy(void *to, const void *from, size_t bytes) {
    return __wrap_memcpy(to, from, bytes);
}

#define EMPTY(name, type)                                                                                              \
    void name(type unused);                                                                                            \
    void name(type unused) {                                                                                           \
        (void)unused;                                                                                                  \
    }
EMPTY(__tsan_func_entry, void *)
EMPTY(__tsan_atomic_signal_fence, int)
void __tsan_init(void);
void __tsan_init(void) {
}
void __tsan_func_exit(void);
void __tsan_func_exit(void) {
}

#define PLAIN(name, bytes, writes)                                                                                     \
    void name(const void *at);                                                                                         \
    void name(const void *at) {                                                                                        \
        model_plain(at, bytes, writes);                                                                                \
    }
#define PLAIN_BOTH(bytes) PLAIN(__tsan_read##bytes, bytes, false) PLAIN(__tsan_write##bytes, bytes, true)
#define UNALIGNED(bytes)                                                                                               \
    PLAIN(__tsan_unaligned_read##bytes, bytes, false) PLAIN(__tsan_unaligned_write##bytes, bytes, true)
PLAIN_BOTH(1)
PLAIN_BOTH(2)
PLAIN_BOTH(4)
PLAIN_BOTH(8)
PLAIN_BOTH(16)
UNALIGNED(2)
UNALIGNED(4)
UNALIGNED(8)
UNALIGNED(16)

void __tsan_read_range(const void *at, size_t bytes);
void __tsan_write_range(const void *at, size_t bytes);
void __tsan_read_range(const void *at, size_t bytes) {
    model_plain(at, bytes, false);
}
void __tsan_write_range(const void *at, size_t bytes) {
    model_plain(at, bytes, true);
}

#define OPERATION(kind_, bits, at_, value_, expected_, order_)                                                         \
    (uint##bits##_t) model_perform((ModelOperation){.kind = kind_,                                                     \
                                                    .at = (void *)at_,                                                 \
                                                    .bytes = bits / 8,                                                 \
                                                    .value = value_,                                                   \
                                                    .expected = expected_,                                             \
                                                    .order = order_,                                                   \
                                                    .site = __builtin_return_address(0)})
#define CHANGE(bits, name, kind)                                                                                       \
    uint##bits##_t __tsan_atomic##bits##_##name(void *at, uint##bits##_t value, int order);                            \
    uint##bits##_t __tsan_atomic##bits##_##name(void *at, uint##bits##_t value, int order) {                           \
        return OPERATION(kind, bits, at, value, 0, order);                                                             \
    }
/* Clang has the first of these, gcc the others. The weak one never fails by accident here. */
#define COMPARE(bits)                                                                                                  \
    uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(void *, uint##bits##_t, uint##bits##_t, int, int);       \
    uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(void *at, uint##bits##_t expected, uint##bits##_t value, \
                                                              int order, int refused) {                                \
        (void)refused;                                                                                                 \
        return OPERATION(MODEL_COMPARE, bits, at, value, expected, order);                                             \
    }
#define COMPARE_BOOL(bits, strength)                                                                                   \
    bool __tsan_atomic##bits##_compare_exchange_##strength(void *, uint##bits##_t *, uint##bits##_t, int, int);        \
    bool __tsan_atomic##bits##_compare_exchange_##strength(void *at, uint##bits##_t *expected, uint##bits##_t value,   \
                                                           int order, int refused) {                                   \
        const uint##bits##_t wanted = *expected;                                                                       \
        (void)refused;                                                                                                 \
        *expected = OPERATION(MODEL_COMPARE, bits, at, value, wanted, order);                                          \
        return *expected == wanted;                                                                                    \
    }
#define ATOMIC(bits)                                                                                                   \
    uint##bits##_t __tsan_atomic##bits##_load(const void *at, int order);                                              \
    uint##bits##_t __tsan_atomic##bits##_load(const void *at, int order) {                                             \
        return OPERATION(MODEL_LOAD, bits, at, 0, 0, order);                                                           \
    }                                                                                                                  \
    void __tsan_atomic##bits##_store(void *at, uint##bits##_t value, int order);                                       \
    void __tsan_atomic##bits##_store(void *at, uint##bits##_t value, int order) {                                      \
        (void)OPERATION(MODEL_STORE, bits, at, value, 0, order);                                                       \
    }                                                                                                                  \
    CHANGE(bits, exchange, MODEL_EXCHANGE)                                                                             \
    CHANGE(bits, fetch_add, MODEL_ADD)                                                                                 \
    CHANGE(bits, fetch_sub, MODEL_SUB) COMPARE(bits) COMPARE_BOOL(bits, strong) COMPARE_BOOL(bits, weak)
ATOMIC(8)
ATOMIC(16)
ATOMIC(32)
ATOMIC(64)

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order) {
    model_perform((ModelOperation){.kind = MODEL_FENCE, .order = order, .site = __builtin_return_address(0)});
}

/* SPDX-License-Identifier: MIT */
/*
 * Refuses one request of a program to the system: the one of number REFUSE_AT, of those for memory and for threads together. It
 * is loaded before the program (LD_PRELOAD), and says "refused" on standard error when it was asked so often.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef int ThreadCreate(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

/* What these functions stand before; the names are glibc's. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t n, size_t bytes);
void *__libc_realloc(void *at, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

static bool is_refused(void) {
    static atomic_long asked;
    static long refused_at;
    if (!refused_at) {
        const char *text = getenv("REFUSE_AT");
        refused_at = text ? atol(text) : -1;
    }
    if (atomic_fetch_add(&asked, 1) + 1 != refused_at) return false;
    errno = ENOMEM;
    return write(STDERR_FILENO, "refused\n", 8) == 8;
}

void *malloc(size_t bytes) {
    return is_refused() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t n, size_t bytes) {
    return is_refused() ? NULL : __libc_calloc(n, bytes);
}

void *realloc(void *at, size_t bytes) {
    return is_refused() ? NULL : __libc_realloc(at, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    return is_refused() ? NULL : __libc_memalign(alignment, bytes);
}

int posix_memalign(void **at, size_t alignment, size_t bytes) {
    *at = is_refused() ? NULL : __libc_memalign(alignment, bytes);
    return *at ? 0 : ENOMEM;
}

void *mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset) {
    return is_refused() ? MAP_FAILED : (void *)syscall(SYS_mmap, at, bytes, protection, flags, file, offset);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*begin)(void *), void *argument) {
    ThreadCreate *create = (ThreadCreate *)dlsym(RTLD_NEXT, "pthread_create");
    return is_refused() || !create ? EAGAIN : create(thread, attributes, begin, argument);
}

/* SPDX-License-Identifier: MIT */
/*
 * What can go wrong, and how it is said.
 *
 * A call that can fail returns an int: 0 for success, a code of the list below, all negative, for failure. It also
 * takes a TabiaReason, where one line for a person is left: what is wrong, where, and what would be right. Calls
 * without an int result cannot fail.
 */
#ifndef TABIA_ERROR_H
#define TABIA_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

/* What the library shows to others; all else in it is hidden. */
#define TABIA_API __attribute__((visibility("default")))

/* name, code, what it means in general */
#define TABIA_ERRORS(X)                                                                                                \
    X(OPTION, -1, "an option has a value that it cannot have")                                                         \
    X(MEMORY, -2, "the system has not that much memory to give")                                                       \
    X(UNSUPPORTED, -3, "this machine or system cannot do what was asked for")                                          \
    X(SYSTEM, -4, "the system refused a file, a thread or a name")                                                     \
    X(DAMAGED, -5, "the file is damaged")                                                                              \
    X(FOREIGN, -6, "the file or the named table is of another kind than this table")                                   \
    X(STOPPED, -7, "ended early because the caller asked for it")

typedef enum TabiaError {
    TABIA_OK = 0,
#define TABIA_ERROR_MEMBER(name, code, text) TABIA_ERROR_##name = code,
    TABIA_ERRORS(TABIA_ERROR_MEMBER)
#undef TABIA_ERROR_MEMBER
} TabiaError;

/* Why a call failed, in one line that ends in '\0' without a line's end. The caller owns it; it is written on failure
   only. */
typedef struct TabiaReason {
    char text[400];
} TabiaReason;

/* What a code means in general, a constant text. Also for 0 and for codes that are unknown. Any thread. */
TABIA_API const char *tabia_error_text(int code);

#ifdef __cplusplus
}
#endif
#endif

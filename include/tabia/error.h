/* SPDX-License-Identifier: MIT */
/*
 * What can go wrong, and how it is said.
 *
 * A call that can fail returns an int: 0 for success, a code of the list below, all negative, for failure. It also
 * takes a TabiaError, where the same code and one line for a person are left: what is wrong, where, and what would be
 * right. Calls without an int result cannot fail.
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
    X(STOPPED, -7, "ended early because the caller asked for it")                                                      \
    X(OTHER, -8, "failed for the reason that the line of text names")

typedef enum TabiaErrorCode {
    TABIA_OK = 0,
#define TABIA_ERROR_MEMBER(name, code, text) TABIA_ERROR_##name = code,
    TABIA_ERRORS(TABIA_ERROR_MEMBER)
#undef TABIA_ERROR_MEMBER
} TabiaErrorCode;

/*
 * Why a call failed. The caller owns it; a call writes it on failure only, so it means nothing after a success. NULL is
 * allowed wherever a call takes one. No call of the library sets TABIA_ERROR_OTHER: programs use it for their own
 * failures.
 */
typedef struct TabiaError {
    int code;       /* a TabiaErrorCode below 0: what the call returned */
    char text[400]; /* one line without a line break, ended by '\0'; a longer one is cut */
} TabiaError;

/* What a code means in general, a constant text. Also for 0 and for codes that are unknown. Any thread. */
TABIA_API const char *tabia_error_text(int code);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: MIT */
/*
 * Errors of libtabia and libtabia-cluster.
 *
 * A function that can fail returns an int: TABIA_OK (0) for success, a negative code of TABIA_ERRORS for failure. It
 * also takes a TabiaError, where it leaves the same code and one line of text for a person: what is wrong, where, and
 * what would be right. A function without an int result cannot fail.
 *
 * Caveats first.
 * - A TabiaError is written on failure only: after a success it holds whatever it held before.
 * - Only tabia_cluster_ready() returns a positive int; test the others for != 0, and that one for < 0.
 * - The wording of the line may change between versions. Programs compare the code.
 * - The line is English and names no function of the library; it is meant to be printed as it is.
 *
 * Ownership: a TabiaError is the caller's, usually on the stack, and points to nothing. NULL is permitted wherever a
 * function takes one; the code is then all that is reported.
 * Threads: one TabiaError belongs to one call at a time. The library keeps none.
 *
 * Example:
 *
 *     TabiaError error;
 *     if (tabia_table_create(&table, &options, &error)) return fprintf(stderr, "%s\n", error.text), 1;
 */
#ifndef TABIA_ERROR_H
#define TABIA_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Marks what libtabia exports. All other names in the library are hidden, so they never meet those of a program. It
 * must not be defined by programs.
 *
 * On Windows there are two kinds of objects. Those of the library are compiled with TABIA_EXPORTS, which has their
 * functions listed in the DLL. Those of programs see no mark: the linker finds the functions by the import library
 * that lies beside the DLL, libtabia.dll.a, and a static library needs nothing of the kind. A function that is called
 * through the import library takes a jump more; who counts instructions takes the static library or the amalgamation.
 */
#if defined(_WIN32) && defined(TABIA_EXPORTS)
#define TABIA_API __declspec(dllexport)
#elif defined(_WIN32)
#define TABIA_API
#else
#define TABIA_API __attribute__((visibility("default")))
#endif

/*
 * The errors: name, code, what it means in general. Codes keep their meaning between versions.
 *
 * MEMORY: more than the system, or the control group (cgroup) of the process, can give is refused by create and resize,
 * before it is touched; the kernel would end the process at the touch instead. OTHER is set by no function of the
 * libraries; programs may use it for failures of their own.
 */
#define TABIA_ERRORS(X)                                                                                                \
    X(OPTION, -1, "an option has a value that it cannot have")                                                         \
    X(MEMORY, -2, "the system does not have that much memory")                                                         \
    X(UNSUPPORTED, -3, "this machine or system cannot do what was asked for")                                          \
    X(SYSTEM, -4, "the system refused a file, a thread or a name")                                                     \
    X(DAMAGED, -5, "the file is damaged")                                                                              \
    X(FOREIGN, -6, "the file or the named table is of another kind than this table")                                   \
    X(STOPPED, -7, "ended early because the caller asked for it")                                                      \
    X(OTHER, -8, "failed for the reason that the line of text names")

/*
 * The codes: TABIA_OK and TABIA_ERROR_OPTION to TABIA_ERROR_OTHER, of the list above. Functions return them as int,
 * because tabia_cluster_ready() also returns 1.
 */
typedef enum TabiaErrorCode {
    TABIA_OK = 0,
#define TABIA_ERROR_MEMBER(name, code, text) TABIA_ERROR_##name = code,
    TABIA_ERRORS(TABIA_ERROR_MEMBER)
#undef TABIA_ERROR_MEMBER
} TabiaErrorCode;

/*
 * Why a call failed. Defined after a failure only. It may be copied like any struct, and kept as long as one likes.
 *
 * A program that shows the line need not know what went wrong: the line says which option, which file or how much
 * memory, and what would have been right. One that acts on a failure, for instance by a smaller table after
 * TABIA_ERROR_MEMORY, compares the code.
 *
 * It holds 404 bytes, so that it is cheap on the stack and needs no memory that a failure might lack.
 */
typedef struct TabiaError {
    /*
     * A TabiaErrorCode below 0: the value that the call returned. It is the part to compare and to keep; what it means
     * in general is what tabia_error_text() returns for it.
     */
    int code;
    /*
     * One line without a line break, ended by '\0'. A longer line is cut to 399 bytes.
     */
    char text[400];
} TabiaError;

/*
 * Returns what a code means in general, as one constant line: for a program that kept the code and not the TabiaError.
 * 0 and unknown codes have a line too, so the result is never NULL.
 *
 * Ownership: the text is constant and the library's; it is never freed.
 * Errors: none.
 * Threads: any number at any time.
 *
 * Example:
 *
 *     const int code = tabia_table_save(table, "/no/such/folder/file", NULL, NULL);
 *     if (code) printf("not saved: %s\n", tabia_error_text(code));
 */
TABIA_API const char *tabia_error_text(int code);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: MIT */
/*
 * Another program, run as a child and talked to line by line over two pipes. Nothing here waits longer than its
 * timeout: the child may hang, crash, close its input or write without end.
 *
 *      this process                       child: /bin/sh -c COMMAND, a process group of its own
 *        send  ------ pipe --------------->  standard input
 *        read  <----- pipe ----------------  standard output         (standard error stays the parent's)
 *
 * The group is killed as a whole, so that what the shell started dies with it. As the group is its own, Ctrl-C on the
 * terminal does not reach the child: whoever handles that signal closes the child. On Windows there is no shell: the first word
 * of COMMAND is a program, and the group is a job of the system.
 *
 * Threads: a TabiaProcess belongs to one thread at a time. SIGPIPE never reaches the caller.
 */
#pragma once
#include "base/error.h"
#include <stddef.h>

typedef struct TabiaProcess TabiaProcess;

/*
 * Starts a command line, split into words by the shell. The arguments (ended by a null; or null: none) follow the
 * command as they are, whatever characters they hold. Null with an error when the system refuses; a command that does
 * not exist starts all the same, and ends at once with the shell's status 127. To be given to tabia_process_close.
 */
TabiaProcess *tabia_process_start(const char *command, const char *const *arguments, TabiaError *error);

/*
 * Is there a program of the name that the command line begins with, by its path, in PATH or in the shell? The name is
 * copied to `name`, cut to its room. True as well where only the shell can tell what the name is (quotes, variables,
 * assignments).
 */
bool tabia_process_exists(const char *command, char *name, size_t room);

/* This process becomes another program, in the same terminal, with arguments that begin with its path. On Windows it runs that
   program to its end, and exits with its status. Returns only if it cannot be started, with errno set. */
void tabia_process_become(char *const *arguments);

/* Writes the text to the child. False when it has not taken all of it after so many seconds, or has closed its input
   (most often because it is dead). */
bool tabia_process_send(TabiaProcess *process, const char *text, double seconds);

typedef enum {
    TABIA_READ_LINE,    /* a line was read */
    TABIA_READ_TIMEOUT, /* no whole line came in time; what came of it is kept for the next call */
    TABIA_READ_END,     /* the child, and whatever shares its output, has closed it: no line will come again */
} TabiaRead;

/*
 * Reads the next line, without its end (LF or CR LF), as a string: of a line that is longer than the room (or 4 KiB)
 * only the beginning, and a zero byte in it becomes a blank. A last line without an end counts. Waits at most so
 * many seconds; 0 takes only what is there. A signal that is handled ends the wait early, with TABIA_READ_TIMEOUT.
 */
TabiaRead tabia_process_read(TabiaProcess *process, char *line, size_t room, double seconds);

enum { TABIA_EXIT_TEXT_MAX = 64 };

/*
 * Has the child ended? Waits for that so many seconds at most. Writes how, in words that follow its name: "ended with
 * status 3", "was killed by signal 11 (Segmentation fault)", or "is still running" (and then returns false).
 */
bool tabia_process_ended(TabiaProcess *process, double seconds, char words[TABIA_EXIT_TEXT_MAX]);

/* The child's exit status, or -1 while it runs or if a signal killed it. */
int tabia_process_status(TabiaProcess *process);

/* Kills the child and its group, if they still run, and frees what start took. Null is fine. */
void tabia_process_close(TabiaProcess *process);

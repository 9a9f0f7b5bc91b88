/* SPDX-License-Identifier: MIT */
/* What programs ask of the system beyond the calls of a library (base/file_calls.h), by POSIX and by Windows. Any thread. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { PROCESSOR_TEXT_MAX = 128 };

/* The model's name of the first processor as the system tells it, or "unknown processor". */
void tabia_processor_name(char out[PROCESSOR_TEXT_MAX]);

/* The columns of a terminal whose lines can be cleared and written again, 80 where it does not say; 0: it is none. */
unsigned tabia_terminal_columns(FILE *out);

/* The path of the program beside this one that has `behind` after this one's name. False where the system does not tell, or there
   is no room. */
bool tabia_program_path(const char *behind, char *path, size_t room);

/* A number that cannot be predicted. */
bool tabia_random_number(uint64_t *to);

/* Shares an open file with those who want to share it, or has it alone, until it is closed, as flock does; EWOULDBLOCK: another has it. */
bool tabia_file_lock(int file, bool shared);

/* Is it a regular file with content, which a writer would lose? */
bool tabia_path_has_content(const char *path);

/* Are both a regular file, and the same? */
bool tabia_path_same(const char *a, const char *b);

/* A new file in the folder of that path, gone when it is closed or the program ends. NULL with errno set. */
FILE *tabia_file_scratch(const char *path);

/* A stream into memory. What was written, owned by the caller, is there after the end, which returns 0 or errno. */
FILE *tabia_buffer_begin(char **bytes, size_t *size);
int tabia_buffer_end(FILE *out, char **bytes, size_t *size);

/* An open file's bytes, of which there is at least one, to read; NULL with errno set. */
const char *tabia_file_map(int file, size_t bytes);
void tabia_file_unmap(const char *at, size_t bytes);

/* Waits until a read would not, for so long. False: it would. */
bool tabia_file_wait(int file, int milliseconds);

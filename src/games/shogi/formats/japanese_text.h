/* SPDX-License-Identifier: MIT */
/*
 * Lines of games in Shift_JIS, as most files of kif are, or in EUC-JP, turned into UTF-8. Only the signs that say something of
 * a game are known; others, in names and comments, become '?'.
 *
 * Threads: no shared state; any thread may call any function.
 */
#pragma once

enum { JAPANESE_TEXT_GROWTH = 2 }; /* the text in UTF-8 has at most so many times the bytes, its '\0' included */

/* A line that is good UTF-8 is copied, without a byte order mark. */
void japanese_text_to_utf8(const char *line, char *text);

/* SPDX-License-Identifier: MIT */
/* base/process.h by Windows, where no other program is run yet: each start is refused with that reason. */
#include "base/process.h"

#include <stdio.h>

TabiaProcess *tabia_process_start(const char *command, const char *const *arguments, TabiaError *error) {
    (void)arguments;
    tabia_fail(error, "cannot start \"%s\": Tabia runs no other program on Windows", command);
    return NULL;
}

bool tabia_process_exists(const char *command, char *name, size_t room) {
    snprintf(name, room, "%s", command);
    return true; /* the start says what is wrong */
}

bool tabia_process_send(TabiaProcess *p, const char *text, double seconds) {
    (void)p, (void)text, (void)seconds;
    return false;
}

TabiaRead tabia_process_read(TabiaProcess *p, char *line, size_t room, double seconds) {
    (void)p, (void)line, (void)room, (void)seconds;
    return TABIA_READ_END;
}

bool tabia_process_ended(TabiaProcess *p, double seconds, char words[TABIA_EXIT_TEXT_MAX]) {
    (void)p, (void)seconds;
    snprintf(words, TABIA_EXIT_TEXT_MAX, "never began");
    return true;
}

int tabia_process_status(TabiaProcess *p) {
    (void)p;
    return -1;
}

void tabia_process_close(TabiaProcess *p) {
    (void)p;
}

/* SPDX-License-Identifier: MIT */
#include "position_list.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "notation/fen.h"

static bool read_line(const char *line, PositionCallback *take, void *context, TabiaError *cause) {
    Position p;
    const char *operations;
    if (line[strspn(line, " \t\r\n")] == '\0' || line[0] == '#') return true;
    return fen_parse_epd(&p, line, &operations, cause) && take(context, &p, operations, cause);
}

bool positions_read(const char *path, PositionCallback *take, void *context, TabiaError *error) {
    char line[1024];
    unsigned number = 0;
    TabiaError cause;
    FILE *f = fopen(path, "r");
    if (!f) return tabia_fail(error, "%s cannot be read: %s", path, strerror(errno));
    bool good = true;
    while (good && fgets(line, sizeof line, f)) {
        number++;
        good =
            read_line(line, take, context, &cause) || tabia_fail(error, "%.120s:%u: %.250s", path, number, cause.text);
    }
    if (good && ferror(f)) good = tabia_fail(error, "%s cannot be read: %s", path, strerror(errno));
    fclose(f);
    return good;
}

/* realloc() does not keep the alignment. */
void *position_list_reserve(void *list, unsigned n, size_t size, TabiaError *error) {
    if (n & (n - 1)) return list;
    void *more = aligned_alloc(64, (n ? 2 * n : 1) * size);
    if (!more) return tabia_fail(error, "no memory for %u positions", n + 1), NULL;
    assert(size % 64 == 0 && (!n || list)); /* so that every element is aligned */
    if (n) memcpy(more, list, n * size);
    free(list);
    return more;
}

/* SPDX-License-Identifier: MIT */
#include "named_shape.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"
#include "options.h"

void tabia_named_shape(const TabiaTable *t, uint64_t shape[SHAPE_N]) {
#define SHAPE_COPY(name, value) shape[SHAPE_##name] = (uint64_t)(value);
    SHAPE(SHAPE_COPY)
#undef SHAPE_COPY
}

static void value_text(ShapeField field, uint64_t value, char out[32]) {
    static const char *const types[] = {"entries", "counts", "records"};
    if (field == SHAPE_type && value < sizeof types / sizeof *types)
        snprintf(out, 32, "%s", types[value]);
    else if (field == SHAPE_replacement && value <= INT32_MAX)
        snprintf(out, 32, "%s", tabia_replacement_name((TabiaReplacement)value));
    else
        snprintf(out, 32, "%" PRIu64, value);
}

int tabia_named_compare(const uint64_t there[SHAPE_N], const uint64_t mine[SHAPE_N], const char *name,
                        const char *where, TabiaError *error) {
    static const char *const names[] = {
#define SHAPE_NAME(name, value) #name,
        SHAPE(SHAPE_NAME)
#undef SHAPE_NAME
    };
    for (unsigned i = 0; i < SHAPE_N; i++) {
        if (there[i] == mine[i]) continue;
        char a[32], b[32];
        value_text((ShapeField)i, there[i], a);
        value_text((ShapeField)i, mine[i], b);
        return tabia_error_set(error, TABIA_ERROR_FOREIGN,
                               "name '%s': the table in %s has %s %s, this one %s: the same for all, or another name",
                               name, where, names[i], a, b);
    }
    return 0;
}

void tabia_named_place(TabiaTable *t, char *start) {
    const uint64_t lines = named_buckets_offset(t);
    assert(lines >= named_segments_end(t) && lines % BUCKETS_ALIGN == 0);
    t->base = start + lines;
    t->generations = &((NamedHeader *)start)->generations;
    t->segment = (_Atomic uint8_t *)(start + HEADER_BYTES);
}

/* SPDX-License-Identifier: MIT */
/* Saved tables for tests: a folder in memory that must be empty again at the end. */
#pragma once
#include "folder.h"
#include "move_tools.h"

static inline void save(const TabiaTable *t, const char *name) {
    TabiaError error = {0};
    if (tabia_table_save(t, in_folder(name), NULL, &error)) fail_msg("%s", error.text);
}

static inline void load(TabiaTable *t, const char *name) {
    TabiaError error = {0};
    if (tabia_table_load(t, in_folder(name), NULL, &error)) fail_msg("%s", error.text);
}

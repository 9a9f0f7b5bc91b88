/* SPDX-License-Identifier: MIT */
/* The files of web/, as tools/embed_page.py writes them when Tabia is built. */
#pragma once
#include "serve/http.h"

extern const HttpFile page_files[];

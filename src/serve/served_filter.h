/* SPDX-License-Identifier: MIT */
/* The rules of a filter of training data that a request names: those that are certain (data/filter_rules.h). */
#pragma once
#include "data/filter_rules.h"
#include "data/format.h"
#include "serve/http.h"

/* Reads the rules among a request's arguments. False with an error. */
bool served_filter_read(FilterRules *rules, const HttpRequest *request, TabiaError *error);

/* Can a file of this format (NULL: not known yet) be filtered by them? False with an error. */
bool served_filter_fits(const FilterRules *rules, const DataFormat *format, TabiaError *error);

/* A route's `answer`: which rules there are. */
void served_filter_answer(void *unused, HttpRequest *request);

/* SPDX-License-Identifier: MIT */
/* FILE.json beside rescored data: what reproduces it, and what a run that resumes compares. */
#pragma once
#include "rescore.h"

/* Writes FILE.json. False with an error. */
bool rescore_settings_write(const RescoreSettings *s, const RescoreJob *job, TabiaError *error);

/* True if FILE.json is what rescore_settings_write would write. False with an error that names the first difference. */
bool rescore_settings_check(const RescoreSettings *s, const RescoreJob *job, TabiaError *error);

/* SPDX-License-Identifier: MIT */
/* Two clocks in seconds. Only differences mean anything: where the zero lies is the system's affair. */
#pragma once

/* Time that passes for everybody; never goes back, whatever happens to the date. */
double tabia_clock_wall(void);

/* Time that all threads of this process together have spent on processors. */
double tabia_clock_cpu(void);

/* SPDX-License-Identifier: MIT */
/* What `tabia-shogi network` does with networks of shogi. */
#include "../network_forms.h"

#include <stddef.h>

const NetworkForm network_forms[] = {{"info", network_info, false, false}, {0}};
const char network_form_names[] = "info";

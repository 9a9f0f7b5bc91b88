/* SPDX-License-Identifier: MIT */
/* What `tabia-shogi network` does with networks of shogi. */
#include "../network_forms.h"

#include <stddef.h>

const char network_help[] =
    "usage: tabia-shogi network info FILE [--json]\n"
    "\n"
    "Networks that are added to the evaluation by terms: files that `tabia-shogi train` writes, and that the option\n"
    "EvalFile and --network of usi, gensfen and data rescore read. Default: the network that is built in\n"
    "\n"
    "  info             the network's shape, its identity, and its largest weights\n"
    "\n"
    "  --json           one JSON object\n"
    "\n"
    "Exit status: 0 done, 2 wrong options or a file that is no such network, 3 memory, disk or a file failed.\n"
    "\n"
    "Example\n"
    "  tabia-shogi network info mine.network\n";

const NetworkForm network_forms[] = {{"info", network_info, false, false}, {0}};
const char network_form_names[] = "info";

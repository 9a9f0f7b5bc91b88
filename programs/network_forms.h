/* SPDX-License-Identifier: MIT */
/* The forms of `network`: one for all games is in network.c, the others are in programs/GAME/network_forms.c. */
#pragma once
#include "network/network.h"

typedef struct {
    const char *in, *out;
    NetworkShape shape; /* of an imported file */
    bool json, force;
} NetworkOptions;

typedef struct {
    const char *name;
    int (*run)(const NetworkOptions *o);
    bool writes, has_shape;
} NetworkForm;

/* Those of the program, to a row without a name. */
extern const NetworkForm network_forms[];
extern const char network_form_names[];

int network_info(const NetworkOptions *o);
/* What a network is, for people. */
void network_print_info(const NetworkOptions *o, const Network *n);

/* SPDX-License-Identifier: MIT */
#include "gensfen_forms.h"
int gensfen_demonstrate(const GensfenOptions *o) {
    (void)o;
    return 0;
}

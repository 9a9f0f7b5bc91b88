/* SPDX-License-Identifier: MIT */
#include "features/network_features.h"

#include <string.h>

void network_features(const Position *p, bool mirrored, NetworkFeatures *in) {
    static const Position empty;
    const FeatureDifference all = feature_difference_to_empty(p);
    const int orientation[2] = {network_orientation(mirrored, p, (Colour)0),
                                network_orientation(mirrored, p, (Colour)1)};
    FeatureChanges changes[2];
    feature_changes(changes, all, &empty, p, orientation);
    for (int view = 0; view < 2; view++) {
        const FeatureChanges *own = &changes[view ? !p->turn : p->turn];
        memcpy(in->input[view], own->added, (size_t)own->added_n * sizeof *own->added);
        in->count = own->added_n;
    }
    in->bucket = network_bucket(p);
}

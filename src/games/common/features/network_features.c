/* SPDX-License-Identifier: MIT */
#include "features/network_features.h"

#include <string.h>

void network_features(const Position *p, bool mirrored, NetworkFeatures *in) {
    static const Position empty;
    const FeatureDifference all = feature_difference_to_empty(p);
    for (int view = 0; view < 2; view++) {
        const Colour c = (Colour)(view ? !p->turn : p->turn);
        FeatureChanges changes;
        feature_changes(&changes, all, &empty, p, c, network_orientation(mirrored, p, c));
        memcpy(in->input[view], changes.added, (size_t)changes.added_n * sizeof *changes.added);
        in->count = changes.added_n;
    }
    in->bucket = network_bucket(p);
}

/* SPDX-License-Identifier: MIT */
#include "json_document.h"

#include "version.h"

JsonOrigin json_origin(const char *command) {
    return (JsonOrigin){command, TABIA_VERSION, version_commit, TABIA_COMPILER};
}

void json_document(Json *j, const char *command) {
    const JsonOrigin origin = json_origin(command);
    tabia_json_document(j, stdout, &origin);
}

/* SPDX-License-Identifier: MIT */
/* Networks read from files and written to them, in both layouts. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/memory.h"
#include "network_bullet.h"
#include "network_file.h"

enum {
    BYTES_MAX =
        (int)NETWORK_FILE_BYTES_MAX > (int)NETWORK_BULLET_BYTES_MAX ? NETWORK_FILE_BYTES_MAX : NETWORK_BULLET_BYTES_MAX
};

/* At most BYTES_MAX + 1 bytes of a file: one more than any network has, so that a longer file is noticed. */
static bool read_bytes(const char *path, uint8_t *bytes, size_t *size, TabiaError *error) {
    FILE *file = fopen(path, "rb");
    if (!file) return tabia_fail(error, "%s: cannot be read: %s", path, strerror(errno));
    *size = fread(bytes, 1, BYTES_MAX + 1, file);
    const bool good = !ferror(file) || tabia_fail(error, "%s: cannot be read: %s", path, strerror(errno));
    fclose(file);
    return good;
}

/* bullet: what is known of the shape of a file of that layout; NULL: one of ours. */
static Network *read_network(const char *path, const NetworkShape *bullet, TabiaError *error) {
    Network *n = tabia_aligned_get(_Alignof(Network), sizeof *n);
    uint8_t *bytes = malloc(BYTES_MAX + 1);
    size_t size;
    TabiaError cause;
    bool good = (n && bytes) || tabia_fail(error, "%s: no memory for a network", path);
    if (good && (good = read_bytes(path, bytes, &size, error))) {
        good = bullet ? network_bullet_unpack(n, bytes, size, *bullet, &cause)
                      : network_file_unpack(n, bytes, size, &cause);
        if (!good) tabia_fail(error, "%.120s: %.270s", path, cause.text);
    }
    free(bytes);
    if (!good) tabia_aligned_free(n), n = NULL;
    return n;
}

Network *network_read(const char *path, TabiaError *error) {
    return read_network(path, NULL, error);
}

Network *network_bullet_read(const char *path, NetworkShape shape, TabiaError *error) {
    return read_network(path, &shape, error);
}

static bool write_network(const Network *n, bool bullet, const char *path, TabiaError *error) {
    uint8_t *bytes = malloc(BYTES_MAX);
    if (!bytes) return tabia_fail(error, "%s: no memory for a network", path);
    const size_t size = bullet ? network_bullet_pack(n, bytes, error) : network_file_pack(n, bytes);
    AtomicFile file;
    FILE *out = size ? tabia_atomic_file_begin(&file, path, error) : NULL;
    const bool good = out && tabia_atomic_file_commit(&file, fwrite(bytes, size, 1, out) == 1, error);
    free(bytes);
    return good;
}

bool network_write(const Network *n, const char *path, TabiaError *error) {
    return write_network(n, false, path, error);
}

bool network_bullet_write(const Network *n, const char *path, TabiaError *error) {
    return write_network(n, true, path, error);
}

/* SPDX-License-Identifier: MIT */
/* Networks read from files and written to them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/checksum.h"
#include "network_file.h"

/* The bytes of the file, at most one more than a network has. False with an error. */
static bool read_bytes(uint8_t bytes[NETWORK_FILE_BYTES_MAX + 1], size_t *n, const char *path, TabiaError *error) {
    FILE *file = fopen(path, "rb");
    if (!file) return tabia_fail(error, "%s: cannot be read: %s", path, strerror(errno));
    *n = fread(bytes, 1, NETWORK_FILE_BYTES_MAX + 1, file);
    const bool good = !ferror(file);
    if (!good) tabia_fail(error, "%s: cannot be read: %s", path, strerror(errno));
    fclose(file);
    return good;
}

Network *network_read(const char *path, TabiaError *error) {
    Network *n = aligned_alloc(_Alignof(Network), sizeof *n);
    uint8_t *bytes = malloc(NETWORK_FILE_BYTES_MAX + 1);
    TabiaError cause;
    size_t size;
    bool good = n && bytes;
    if (!good) tabia_fail(error, "%s: no memory for a network", path);
    good = good && read_bytes(bytes, &size, path, error);
    if (good && !network_file_unpack(n, bytes, size, &cause))
        good = tabia_fail(error, "%.200s: %.250s", path, cause.text);
    free(bytes);
    if (!good) free(n), n = NULL;
    return n;
}

bool network_write(const Network *n, const char *path, TabiaError *error) {
    uint8_t *bytes = malloc(NETWORK_FILE_BYTES_MAX);
    if (!bytes) return tabia_fail(error, "%s: no memory for a network", path);
    const size_t size = network_file_pack(n, bytes);
    AtomicFile file;
    FILE *out = tabia_atomic_file_begin(&file, path, error);
    const bool good = out && tabia_atomic_file_commit(&file, fwrite(bytes, size, 1, out) == 1, error);
    free(bytes);
    return good;
}

/* SPDX-License-Identifier: MIT */
/* Networks read from files and written to them, in both layouts. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "network_bullet.h"
#include "network_file.h"

enum {
    BYTES_MAX =
        (int)NETWORK_FILE_BYTES_MAX > (int)NETWORK_BULLET_BYTES_MAX ? NETWORK_FILE_BYTES_MAX : NETWORK_BULLET_BYTES_MAX
};

/* A network, and the bytes of a file: room for one more than any network has, so that a longer file is noticed. */
typedef struct {
    Network *network;
    uint8_t *bytes;
    size_t size;
} NetworkBuffer;

static bool buffer_create(NetworkBuffer *b, const char *path, TabiaError *error) {
    *b = (NetworkBuffer){.network = aligned_alloc(_Alignof(Network), sizeof(Network)), .bytes = malloc(BYTES_MAX + 1)};
    return (b->network && b->bytes) || tabia_fail(error, "%s: no memory for a network", path);
}

static bool read_bytes(NetworkBuffer *b, const char *path, TabiaError *error) {
    FILE *file = fopen(path, "rb");
    if (!file) return tabia_fail(error, "%s: cannot be read: %s", path, strerror(errno));
    b->size = fread(b->bytes, 1, BYTES_MAX + 1, file);
    const bool good = !ferror(file) || tabia_fail(error, "%s: cannot be read: %s", path, strerror(errno));
    fclose(file);
    return good;
}

/* Frees the bytes; returns the network if it is good, else NULL. */
static Network *buffer_take(NetworkBuffer *b, bool good) {
    free(b->bytes);
    if (good) return b->network;
    free(b->network);
    return NULL;
}

/* Puts the file's name into the error. */
static bool name_file(const char *path, const TabiaError *cause, TabiaError *error) {
    return tabia_fail(error, "%.120s: %.270s", path, cause->text);
}

Network *network_read(const char *path, TabiaError *error) {
    NetworkBuffer b;
    TabiaError cause;
    bool good = buffer_create(&b, path, error) && read_bytes(&b, path, error);
    if (good && !network_file_unpack(b.network, b.bytes, b.size, &cause)) good = name_file(path, &cause, error);
    return buffer_take(&b, good);
}

Network *network_bullet_read(const char *path, NetworkShape shape, TabiaError *error) {
    NetworkBuffer b;
    TabiaError cause;
    bool good = buffer_create(&b, path, error) && read_bytes(&b, path, error);
    if (good && !network_bullet_unpack(b.network, b.bytes, b.size, shape, &cause))
        good = name_file(path, &cause, error);
    return buffer_take(&b, good);
}

static bool write_bytes(const uint8_t *bytes, size_t size, const char *path, TabiaError *error) {
    AtomicFile file;
    FILE *out = tabia_atomic_file_begin(&file, path, error);
    return out && tabia_atomic_file_commit(&file, fwrite(bytes, size, 1, out) == 1, error);
}

bool network_write(const Network *n, const char *path, TabiaError *error) {
    uint8_t *bytes = malloc(BYTES_MAX);
    const bool good = bytes ? write_bytes(bytes, network_file_pack(n, bytes), path, error)
                            : tabia_fail(error, "%s: no memory for a network", path);
    free(bytes);
    return good;
}

bool network_bullet_write(const Network *n, const char *path, TabiaError *error) {
    uint8_t *bytes = malloc(BYTES_MAX);
    if (!bytes) return tabia_fail(error, "%s: no memory for a network", path);
    const size_t size = network_bullet_pack(n, bytes, error);
    const bool good = size && write_bytes(bytes, size, path, error);
    free(bytes);
    return good;
}

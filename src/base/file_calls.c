/* SPDX-License-Identifier: MIT */
#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "base/file_calls.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *tabia_path_resolve(const char *path) {
    char *real = realpath(path, NULL);
    return real ? real : strdup(path);
}

int tabia_file_create_new(const char *path) {
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

int tabia_file_open_read(const char *path) {
    return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

int64_t tabia_file_pread(int file, void *data, size_t bytes, uint64_t offset) {
    return pread(file, data, bytes, (off_t)offset);
}

int64_t tabia_file_pwrite(int file, const void *data, size_t bytes, uint64_t offset) {
    return pwrite(file, data, bytes, (off_t)offset);
}

void tabia_file_begin_sync(int file, uint64_t offset, size_t bytes) {
#ifdef __linux__
    sync_file_range(file, (off_t)offset, (off_t)bytes, SYNC_FILE_RANGE_WRITE);
#else
    (void)file, (void)offset, (void)bytes;
#endif
}

bool tabia_file_sync(int file) {
#ifdef __linux__
    return fdatasync(file) == 0;
#else
    return fsync(file) == 0;
#endif
}

bool tabia_file_replace(const char *from, const char *to) {
    return rename(from, to) == 0;
}

bool tabia_file_remove(const char *path) {
    return unlink(path) == 0;
}

/* EINVAL: a file system that has nothing to wait for. */
bool tabia_folder_sync(const char *path) {
    char *folder = strdup(path);
    if (!folder) return false;
    char *end = strrchr(folder, '/');
    if (end) end[end == folder] = '\0';
    const int file = open(end ? folder : ".", O_RDONLY | O_CLOEXEC);
    const bool good = file >= 0 && (fsync(file) == 0 || errno == EINVAL);
    const int code = errno;
    if (file >= 0) close(file);
    free(folder);
    errno = code;
    return good;
}

int tabia_file_open_write(const char *path) {
    return open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
}

bool tabia_file_truncate(int file, uint64_t bytes) {
    return ftruncate(file, (off_t)bytes) == 0;
}

static PathKind kind_of(int code, const struct stat *about) {
    if (code) return PATH_NONE;
    return S_ISREG(about->st_mode) ? PATH_REGULAR : S_ISDIR(about->st_mode) ? PATH_FOLDER : PATH_OTHER;
}

PathKind tabia_path_kind(const char *path) {
    struct stat about;
    return kind_of(stat(path, &about), &about);
}

PathKind tabia_file_kind(int file, uint64_t *bytes) {
    struct stat about;
    const PathKind kind = kind_of(fstat(file, &about), &about);
    *bytes = kind ? (uint64_t)about.st_size : 0;
    return kind;
}

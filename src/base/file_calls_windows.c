/* SPDX-License-Identifier: MIT */
/* base/file_calls.h by Windows. Paths are in the code page of the process, as those of fopen. */
#include "base/file_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <windows.h>

char *tabia_path_resolve(const char *path) {
    char *full = _fullpath(NULL, path, 0);
    return full ? full : _strdup(path);
}

static int errno_of(DWORD why) {
    switch (why) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
        return ENOENT;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
        return EEXIST;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
        return EACCES;
    case ERROR_DISK_FULL:
        return ENOSPC;
    default:
        return EIO;
    }
}

/* As open() of POSIX has it: others may remove the file and give it another name. */
static int open_shared(const char *path, DWORD rights, DWORD creation) {
    const DWORD sharing = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    const HANDLE handle = CreateFileA(path, rights, sharing, NULL, creation, FILE_ATTRIBUTE_NORMAL, NULL);
    if (handle != INVALID_HANDLE_VALUE) return _open_osfhandle((intptr_t)handle, _O_BINARY | _O_NOINHERIT);
    errno = errno_of(GetLastError());
    return -1;
}

int tabia_file_create_new(const char *path) {
    return open_shared(path, GENERIC_WRITE | DELETE, CREATE_NEW);
}

int tabia_file_open_read(const char *path) {
    return open_shared(path, GENERIC_READ, OPEN_EXISTING);
}

int tabia_file_open_write(const char *path) {
    return open_shared(path, GENERIC_READ | GENERIC_WRITE, OPEN_ALWAYS);
}

bool tabia_file_truncate(int file, uint64_t bytes) {
    return _chsize_s(file, (int64_t)bytes) == 0;
}

/* Where a read or a write is to be; the handle has no other position that counts. */
static OVERLAPPED place(uint64_t offset) {
    OVERLAPPED at;
    memset(&at, 0, sizeof at);
    at.Offset = (DWORD)offset, at.OffsetHigh = (DWORD)(offset >> 32);
    return at;
}

static DWORD capped(size_t bytes) {
    const size_t max = 1 << 30;
    return (DWORD)(bytes < max ? bytes : max);
}

int64_t tabia_file_pread(int file, void *data, size_t bytes, uint64_t offset) {
    OVERLAPPED at = place(offset);
    DWORD done = 0;
    if (ReadFile((HANDLE)_get_osfhandle(file), data, capped(bytes), &done, &at)) return done;
    if (GetLastError() == ERROR_HANDLE_EOF) return 0;
    errno = EIO;
    return -1;
}

int64_t tabia_file_pwrite(int file, const void *data, size_t bytes, uint64_t offset) {
    OVERLAPPED at = place(offset);
    DWORD done = 0;
    if (WriteFile((HANDLE)_get_osfhandle(file), data, capped(bytes), &done, &at)) return done;
    errno = errno_of(GetLastError());
    return -1;
}

void tabia_file_begin_sync(int file, uint64_t offset, size_t bytes) {
    (void)file, (void)offset, (void)bytes;
}

bool tabia_file_sync(int file) {
    return _commit(file) == 0;
}

bool tabia_file_replace(const char *from, const char *to) {
    if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH)) return true;
    errno = errno_of(GetLastError());
    return false;
}

bool tabia_file_remove(const char *path) {
    return _unlink(path) == 0;
}

/* MOVEFILE_WRITE_THROUGH has waited. */
bool tabia_folder_sync(const char *path) {
    (void)path;
    return true;
}

static PathKind kind_of(int code, unsigned mode) {
    if (code) return PATH_NONE;
    return (mode & _S_IFMT) == _S_IFREG ? PATH_REGULAR : (mode & _S_IFMT) == _S_IFDIR ? PATH_FOLDER : PATH_OTHER;
}

PathKind tabia_path_kind(const char *path) {
    struct _stat64 about;
    const int code = _stat64(path, &about);
    return kind_of(code, code ? 0 : about.st_mode);
}

PathKind tabia_file_kind(int file, uint64_t *bytes) {
    struct _stat64 about;
    const int code = _fstat64(file, &about);
    *bytes = code ? 0 : (uint64_t)about.st_size;
    return kind_of(code, code ? 0 : about.st_mode);
}

/* SPDX-License-Identifier: MIT */
/* base/system.h by Windows. Programs that have it begin with UTF-8 in the console and bytes as they are in all files. */
#include "base/system.h"

#include <cpuid.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <windows.h>

#include <ntsecapi.h> /* after windows.h */

#include "base/file_calls.h"

/* Before main: nothing of a program may be read or written as lines that end in CR LF. What the console had comes back. */
static UINT console_before;

static void leave_console(void) {
    SetConsoleOutputCP(console_before);
}

__attribute__((constructor)) static void begin(void) {
    _fmode = _O_BINARY;
    for (int file = 0; file < 3; file++) _setmode(file, _O_BINARY);
    console_before = GetConsoleOutputCP();
    if (console_before && SetConsoleOutputCP(CP_UTF8)) atexit(leave_console);
}

void tabia_processor_name(char out[PROCESSOR_TEXT_MAX]) {
    unsigned brand[12], max = 0;
    snprintf(out, PROCESSOR_TEXT_MAX, "unknown processor");
    __cpuid(0x80000000, max, brand[1], brand[2], brand[3]);
    if (max < 0x80000004) return;
    for (unsigned i = 0; i < 3; i++)
        __cpuid(0x80000002 + i, brand[4 * i], brand[4 * i + 1], brand[4 * i + 2], brand[4 * i + 3]);
    const char *name = (const char *)brand + strspn((const char *)brand, " ");
    snprintf(out, PROCESSOR_TEXT_MAX, "%.*s", (int)(sizeof brand - (size_t)(name - (const char *)brand)), name);
}

unsigned tabia_terminal_columns(FILE *out) {
    const HANDLE console = (HANDLE)_get_osfhandle(_fileno(out));
    CONSOLE_SCREEN_BUFFER_INFO about;
    DWORD mode;
    if (!GetConsoleMode(console, &mode) || !SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING))
        return 0;
    return GetConsoleScreenBufferInfo(console, &about) ? (unsigned)(about.srWindow.Right - about.srWindow.Left + 1)
                                                       : 80;
}

bool tabia_program_path(const char *behind, char *path, size_t room) {
    static const char ending[] = ".exe";
    const size_t n = GetModuleFileNameA(NULL, path, (DWORD)room), name = n - (sizeof ending - 1);
    if (n < sizeof ending || n + strlen(behind) >= room) return false;
    snprintf(path + name, room - name, "%s%s", behind, ending);
    return true;
}

bool tabia_random_number(uint64_t *to) {
    return RtlGenRandom(to, sizeof *to);
}

/* ---- files ---- */

/* The byte that is locked lies behind the end of any file: who reads the file is not kept out, as by flock. */
bool tabia_file_lock(int file, bool shared) {
    OVERLAPPED at = {.OffsetHigh = 0x7fffffff};
    const DWORD how = LOCKFILE_FAIL_IMMEDIATELY | (shared ? 0 : LOCKFILE_EXCLUSIVE_LOCK);
    if (LockFileEx((HANDLE)_get_osfhandle(file), how, 0, 1, 0, &at)) return true;
    errno = GetLastError() == ERROR_LOCK_VIOLATION || GetLastError() == ERROR_IO_PENDING ? EWOULDBLOCK : EIO;
    return false;
}

static bool identify(const char *path, BY_HANDLE_FILE_INFORMATION *about) {
    const int file = tabia_file_open_read(path);
    const bool known = file >= 0 && GetFileInformationByHandle((HANDLE)_get_osfhandle(file), about);
    if (file >= 0) _close(file);
    return known;
}

bool tabia_path_has_content(const char *path) {
    struct _stat64 status;
    return !_stat64(path, &status) && S_ISREG(status.st_mode) && status.st_size > 0;
}

bool tabia_path_same(const char *a, const char *b) {
    BY_HANDLE_FILE_INFORMATION first, second;
    return identify(a, &first) && identify(b, &second) && first.dwVolumeSerialNumber == second.dwVolumeSerialNumber &&
           first.nFileIndexHigh == second.nFileIndexHigh && first.nFileIndexLow == second.nFileIndexLow;
}

FILE *tabia_file_scratch(const char *path) {
    char name[4096];
    uint64_t number = 0;
    for (unsigned tries = 0; tries < 100; tries++) {
        if (!tabia_random_number(&number)) return errno = EIO, NULL;
        snprintf(name, sizeof name, "%s.%06x", path, (unsigned)(number & 0xffffff));
        const int file =
            _open(name, _O_RDWR | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT | _O_TEMPORARY, _S_IREAD | _S_IWRITE);
        if (file >= 0) return _fdopen(file, "w+b");
        if (errno != EEXIST) return NULL;
    }
    return NULL;
}

FILE *tabia_buffer_begin(char **bytes, size_t *size) {
    char folder[MAX_PATH];
    *bytes = NULL, *size = 0;
    const DWORD n = GetTempPathA(sizeof folder - sizeof "tabia", folder);
    if (!n || n >= sizeof folder - sizeof "tabia") return errno = ENOENT, NULL;
    return tabia_file_scratch(strcat(folder, "tabia"));
}

int tabia_buffer_end(FILE *out, char **bytes, size_t *size) {
    const int64_t end = fflush(out) ? -1 : _ftelli64(out);
    char *all = end < 0 ? NULL : malloc((size_t)end + 1);
    rewind(out);
    bool good = all && fread(all, 1, (size_t)end, out) == (size_t)end;
    if (good) all[end] = '\0', *bytes = all, *size = (size_t)end;
    if (!good) free(all);
    return fclose(out) || !good ? EIO : 0;
}

const char *tabia_file_map(int file, size_t bytes) {
    HANDLE mapping = CreateFileMappingA((HANDLE)_get_osfhandle(file), NULL, PAGE_READONLY, 0, 0, NULL);
    const char *at = mapping ? MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, bytes) : NULL;
    if (mapping) CloseHandle(mapping); /* the view holds it */
    if (!at) errno = ENOMEM;
    return at;
}

void tabia_file_unmap(const char *at, size_t bytes) {
    (void)bytes;
    UnmapViewOfFile(at);
}

/* Of a pipe it is known what is in it. The console's read is ended by Ctrl-C; no other file keeps a reader waiting. */
bool tabia_file_wait(int file, int milliseconds) {
    const HANDLE handle = (HANDLE)_get_osfhandle(file);
    const ULONGLONG until = GetTickCount64() + (ULONGLONG)milliseconds;
    DWORD bytes;
    if (GetFileType(handle) != FILE_TYPE_PIPE) return true;
    for (;;) {
        if (!PeekNamedPipe(handle, NULL, 0, NULL, &bytes, NULL) || bytes) return true;
        if (GetTickCount64() >= until) return false;
        Sleep(1);
    }
}

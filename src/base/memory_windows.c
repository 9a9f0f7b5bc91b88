/* SPDX-License-Identifier: MIT */
/*
 * base/memory.h by Windows. Large pages are asked for first; the user needs the right to lock pages in memory for them. All
 * memory is committed as it is got: more than the system has is refused then, and a touch cannot fail.
 */
#include "base/memory.h"

#include <malloc.h>
#include <windows.h>

static const uint64_t MIB = 1 << 20;

static uint64_t small_page(void) {
    SYSTEM_INFO about;
    GetSystemInfo(&about);
    return about.dwPageSize;
}

void *tabia_aligned_get(size_t alignment, size_t bytes) {
    return _aligned_malloc(bytes, alignment);
}

void tabia_aligned_free(void *at) {
    _aligned_free(at);
}

/* ---- getting ---- */

/* The right to large pages is switched on for the call alone; what it was before is kept in *before. */
static bool begin_right(HANDLE *token, TOKEN_PRIVILEGES *before) {
    TOKEN_PRIVILEGES wanted = {.PrivilegeCount = 1, .Privileges = {{.Attributes = SE_PRIVILEGE_ENABLED}}};
    DWORD bytes = sizeof *before;
    if (!OpenProcessToken(GetCurrentProcess(), TOKEN_ADJUST_PRIVILEGES | TOKEN_QUERY, token)) return false;
    if (LookupPrivilegeValueA(NULL, "SeLockMemoryPrivilege", &wanted.Privileges[0].Luid) &&
        AdjustTokenPrivileges(*token, FALSE, &wanted, sizeof *before, before, &bytes) &&
        GetLastError() == ERROR_SUCCESS)
        return true;
    CloseHandle(*token);
    return false;
}

static void end_right(HANDLE token, TOKEN_PRIVILEGES *before) {
    AdjustTokenPrivileges(token, FALSE, before, 0, NULL, NULL);
    CloseHandle(token);
}

static bool get_large(Memory *m, uint64_t bytes) {
    const uint64_t page = GetLargePageMinimum();
    const uint64_t whole = page ? (bytes + page - 1) / page * page : 0;
    HANDLE token;
    TOKEN_PRIVILEGES before;
    if (!page || whole - bytes > bytes / 8 || !begin_right(&token, &before)) return false;
    void *at = VirtualAlloc(NULL, whole, MEM_RESERVE | MEM_COMMIT | MEM_LARGE_PAGES, PAGE_READWRITE);
    end_right(token, &before);
    if (!at) return false;
    *m =
        (Memory){.at = at, .bytes = bytes, .page_bytes = page, .reserved = true, .mapping = at, .mapping_bytes = whole};
    return true;
}

bool tabia_memory_get(Memory *m, MemoryRequest request, TabiaError *error) {
    *m = (Memory){0};
    if (request.bytes == 0)
        return tabia_error_set(error, TABIA_ERROR_MEMORY, "0 bytes of memory were asked for: at least 1 is needed"),
               false;
    if (!request.small_pages && get_large(m, request.bytes)) return true;
    void *at = VirtualAlloc(NULL, request.bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
    if (!at) {
        tabia_error_set(error, TABIA_ERROR_MEMORY, "cannot get %.1f MiB of memory: error %lu of Windows",
                        (double)request.bytes / (double)MIB, GetLastError());
        return false;
    }
    *m = (Memory){
        .at = at, .bytes = request.bytes, .page_bytes = small_page(), .mapping = at, .mapping_bytes = request.bytes};
    return true;
}

void tabia_memory_free(Memory *m) {
    if (m->mapping && m->shared) UnmapViewOfFile(m->mapping);
    if (m->mapping && !m->shared) VirtualFree(m->mapping, 0, MEM_RELEASE);
    *m = (Memory){0};
}

/* ---- first touch ---- */

bool tabia_memory_touch(const Memory *m, unsigned part, unsigned parts) {
    if (!m->at || part >= parts) return true;
    volatile char *at = m->at;
    const uint64_t step = small_page(), pages = (m->bytes + m->page_bytes - 1) / m->page_bytes;
    const uint64_t from = (uint64_t)((unsigned __int128)pages * part / parts) * m->page_bytes;
    uint64_t to = (uint64_t)((unsigned __int128)pages * (part + 1) / parts) * m->page_bytes;
    if (to > m->bytes) to = m->bytes;
    for (uint64_t i = from; i < to; i += step) {
        if (m->shared)
            (void)at[i];
        else
            at[i] = 0;
    }
    return true;
}

uint64_t tabia_memory_page_bytes(const Memory *m) {
    return m->reserved ? m->page_bytes : small_page();
}

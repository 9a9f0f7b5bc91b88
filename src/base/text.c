/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void tabia_u128_text(U128 n, char out[U128_TEXT_MAX]) {
    char digits[U128_TEXT_MAX];
    char *at = digits + sizeof digits;
    *--at = '\0';
    do {
        *--at = (char)('0' + (int)(n % 10));
        n /= 10;
    } while (n);
    assert(at >= digits);
    memcpy(out, at, (size_t)(digits + sizeof digits - at));
}

bool tabia_u128_parse(const char *text, U128 *n) {
    U128 value = 0;
    const U128 max = ~(U128)0;
    if (!*text) return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9') return false;
        unsigned digit = (unsigned)(*text - '0');
        if (value > (max - digit) / 10) return false;
        value = value * 10 + digit;
    }
    *n = value;
    return true;
}

/* The power of two that a size's unit stands for, or -1. */
static int unit_shift(const char *unit) {
    static const char letters[] = "KMGT";
    if (!*unit) return 0;
    const char *letter = strchr(letters, toupper((unsigned char)*unit));
    if (!letter) return -1;
    const char *rest = unit + 1;
    if (*rest == 'i' || *rest == 'I') {
        rest++;
        if (!*rest) return -1;
    }
    if (*rest == 'b' || *rest == 'B') rest++;
    return *rest ? -1 : 10 * (int)(letter - letters + 1);
}

bool tabia_size_parse(const char *text, uint64_t *bytes, TabiaError *error) {
    char digits[U128_TEXT_MAX] = "";
    size_t length = strspn(text, "0123456789");
    int shift = unit_shift(text + length);
    if (length == 0 || shift < 0)
        return tabia_fail(error, "size \"%.40s\": a whole number with K, M, G or T was expected, such as 512M or 8GiB",
                          text);
    U128 value = 0;
    bool small = length < sizeof digits;
    if (small) {
        memcpy(digits, text, length);
        small = tabia_u128_parse(digits, &value) && value <= UINT64_MAX >> shift;
    }
    if (!small) return tabia_fail(error, "size \"%.40s\": more than 64 bits of bytes", text);
    *bytes = (uint64_t)value << shift;
    return true;
}

const char *tabia_size_text(uint64_t bytes, char out[SHORT_TEXT_MAX]) {
    static const char *const unit[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    unsigned u = 0;
    double amount = (double)bytes;
    while (amount >= 1024 && u + 1 < sizeof unit / sizeof *unit) amount /= 1024, u++;
    snprintf(out, SHORT_TEXT_MAX, "%.4g %s", amount, unit[u]);
    return out;
}

/* The amount, then a space if there is no unit letter and something follows, then that. */
static void scaled_text(double amount, const char *after, char out[SHORT_TEXT_MAX]) {
    static const char units[] = " kMGTPEZY";
    const char *space = *after ? " " : "";
    if (!(amount >= 0 && amount < 999e24)) { /* Y is the last unit */
        if (amount > 0 && amount < 1e99)
            snprintf(out, SHORT_TEXT_MAX, "%.2e%s%s", amount, space, after);
        else
            snprintf(out, SHORT_TEXT_MAX, "-%s%s", space, after);
        return;
    }
    int unit = 0;
    /* 999.5, not 1000: three digits would round it up to 1000. */
    for (; amount >= 999.5; unit++) amount /= 1000;
    int decimals = amount < 9.995 ? 2 : amount < 99.95 ? 1 : 0;
    if (unit == 0)
        snprintf(out, SHORT_TEXT_MAX, "%.0f%s%s", amount, space, after);
    else
        snprintf(out, SHORT_TEXT_MAX, "%.*f %c%s", decimals, amount, units[unit], after);
}

void tabia_amount_text(double amount, char out[SHORT_TEXT_MAX]) {
    scaled_text(amount, "", out);
}

void tabia_rate_text(double per_second, char out[SHORT_TEXT_MAX]) {
    scaled_text(per_second, "/s", out);
}

void tabia_duration_text(double seconds, char out[SHORT_TEXT_MAX]) {
    const double hundred_thousand_years = 3.2e12;
    if (!(seconds >= 0 && seconds < hundred_thousand_years)) {
        memcpy(out, "-", sizeof "-");
        return;
    }
    if (seconds < 59.95) {
        snprintf(out, SHORT_TEXT_MAX, "%.1f s", seconds);
        return;
    }
    uint64_t whole = (uint64_t)(seconds + 0.5);
    unsigned s = (unsigned)(whole % 60), m = (unsigned)(whole / 60 % 60), h = (unsigned)(whole / 3600 % 1000000000);
    if (h)
        snprintf(out, SHORT_TEXT_MAX, "%u:%02u:%02u", h, m, s);
    else
        snprintf(out, SHORT_TEXT_MAX, "%u:%02u", m, s);
}

void tabia_text_append(char *text, size_t room, const char *format, ...) {
    const size_t used = strlen(text);
    va_list arguments;
    assert(used < room);
    va_start(arguments, format);
    vsnprintf(text + used, room - used, format, arguments);
    va_end(arguments);
}

char *tabia_text_put(char *at, const char *text) {
    while (*text) *at++ = *text++;
    return at;
}

char *tabia_text_put_number(char *at, int64_t n) {
    char digits[20];
    unsigned count = 0;
    uint64_t left = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
    if (n < 0) *at++ = '-';
    do {
        digits[count++] = (char)('0' + left % 10);
        left /= 10;
    } while (left);
    while (count) *at++ = digits[--count];
    return at;
}

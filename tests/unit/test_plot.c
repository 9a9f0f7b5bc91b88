/* SPDX-License-Identifier: MIT */
#include "lab/plot/plot.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

/* Writes plots into a temporary file and reads it back; the caller frees the text. */
static char *written(const Plot *plot, unsigned plots) {
    char path[64];
    TabiaError error = {0};
    close(temporary_file(path));
    if (!plot_write(plot, plots, path, &error)) fail_msg("%s", error.text);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    unlink(path);
    return text;
}

static unsigned occurrences(const char *text, const char *part) {
    unsigned n = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part)) n++;
    return n;
}

/* Every element is closed, in order, and every '&' begins one of the entities that are written. */
static void assert_well_formed(const char *text) {
    char open[64][32];
    unsigned depth = 0;
    for (const char *at = strstr(text, "<svg"); (at = strchr(at, '<')); at++) {
        const char *end = strchr(at, '>');
        assert_non_null(end);
        const bool closing = at[1] == '/';
        char name[32] = "";
        sscanf(at + 1 + closing, "%31[a-z]", name);
        assert_true(name[0]);
        if (closing) {
            assert_true(depth > 0);
            assert_string_equal(open[--depth], name);
        } else if (end[-1] != '/') {
            assert_true(depth < 64);
            strcpy(open[depth++], name);
        }
    }
    assert_int_equal(depth, 0);
    for (const char *at = text; (at = strchr(at, '&')); at++)
        assert_true(!strncmp(at, "&amp;", 5) || !strncmp(at, "&lt;", 4) || !strncmp(at, "&gt;", 4) ||
                    !strncmp(at, "&quot;", 6));
}

static void points_lie_where_they_belong(void **state) {
    (void)state;
    const double x[] = {0, 5, 10}, y[] = {0, 50, 100};
    const PlotLine line = {"a", 3, x, y};
    const Plot plot = {.title = "t", .x_label = "x", .y_label = "y", .line = &line, .lines = 1};
    char *text = written(&plot, 1), expected[128];
    assert_well_formed(text);
    snprintf(expected, sizeof expected, "points=\"%d.0,%d.0 %.1f,%.1f %d.0,%d.0 \"", PLOT_LEFT, PLOT_BOTTOM,
             (PLOT_LEFT + PLOT_RIGHT) / 2.0, (PLOT_TOP + PLOT_BOTTOM) / 2.0, PLOT_RIGHT, PLOT_TOP);
    assert_non_null(strstr(text, expected));
    assert_non_null(strstr(text, ">20</text>")); /* a tick */
    free(text);
}

static void logarithms(void **state) {
    (void)state;
    const double x[] = {1, 10, 100, -3}, y[] = {0.001, 0.1, 10, 1};
    const PlotLine line = {"a", 4, x, y};
    const Plot plot = {.x_log = true, .y_log = true, .line = &line, .lines = 1};
    char *text = written(&plot, 1), expected[128];
    snprintf(expected, sizeof expected, "points=\"%d.0,%d.0 %.1f,%.1f %d.0,%d.0 \"", PLOT_LEFT, PLOT_BOTTOM,
             (PLOT_LEFT + PLOT_RIGHT) / 2.0, (PLOT_TOP + PLOT_BOTTOM) / 2.0, PLOT_RIGHT, PLOT_TOP);
    assert_non_null(strstr(text, expected)); /* the point that has no logarithm is left out */
    free(text);
}

static void texts_are_escaped(void **state) {
    (void)state;
    const double one = 1;
    const PlotLine line = {"<a & \"b\">", 1, &one, &one};
    const Plot plot = {.title = "1 < 2\n", .line = &line, .lines = 1};
    char *text = written(&plot, 1);
    assert_well_formed(text);
    assert_non_null(strstr(text, ">&lt;a &amp; &quot;b&quot;&gt;</text>"));
    assert_non_null(strstr(text, ">1 &lt; 2 </text>"));
    free(text);
}

static void several_plots_and_many_lines(void **state) {
    (void)state;
    const double x[] = {1, 2}, y[] = {3, 3};
    PlotLine line[20];
    for (unsigned i = 0; i < 20; i++) line[i] = (PlotLine){"l", i % 3, x, y};
    const Plot plot[] = {{.line = line, .lines = 20}, {.title = "empty"}, {.line = line, .lines = 1, .y_log = true}};
    char *text = written(plot, 3);
    assert_well_formed(text);
    assert_int_equal(occurrences(text, "<polyline"), 21);
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    free(text);
}

static void nothing_is_left_of_what_failed(void **state) {
    (void)state;
    const Plot plot = {.title = "t"};
    TabiaError error = {0};
    assert_false(plot_write(&plot, 1, "/nowhere/at/all.svg", &error));
    assert_non_null(strstr(error.text, "/nowhere/at/all.svg"));
    char path[64], part[128];
    close(temporary_file(path));
    unlink(path);
    assert_int_equal(mkdir(path, 0700), 0); /* a folder is in the way */
    assert_false(plot_write(&plot, 1, path, &error));
    snprintf(part, sizeof part, "%s.%ld.part", path, (long)getpid());
    assert_int_not_equal(access(part, F_OK), 0);
    rmdir(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_lie_where_they_belong),
        cmocka_unit_test(logarithms),
        cmocka_unit_test(texts_are_escaped),
        cmocka_unit_test(several_plots_and_many_lines),
        cmocka_unit_test(nothing_is_left_of_what_failed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

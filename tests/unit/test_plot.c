/* SPDX-License-Identifier: MIT */
#include "plot/plot.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/process.h"
#include "unit.h"

enum { TEXT_MAX = 1 << 16 };

/* The script, which the caller frees. */
static char *script_of(const Plot *plot, unsigned plots) {
    char *text = calloc(1, TEXT_MAX);
    assert_non_null(text);
    FILE *out = fmemopen(text, TEXT_MAX, "w");
    assert_non_null(out);
    plot_script(out, plot, plots, PLOT_SVG);
    assert_int_equal(fclose(out), 0);
    return text;
}

static unsigned occurrences(const char *text, const char *part) {
    unsigned n = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part)) n++;
    return n;
}

static void assert_says(const char *text, const char *part) {
    if (!strstr(text, part)) fail_msg("no '%s' in:\n%s", part, text);
}

static void points_are_written_as_they_are(void **state) {
    (void)state;
    const double x[] = {0, 5, 10}, y[] = {0, 50, 100}, low[] = {0, 40, 90}, high[] = {1, 60, 110};
    const PlotLine line[] = {{"a", 3, x, y, NULL, NULL}, {"b", 3, x, y, low, high}};
    const Plot plot = {.title = "t", .x_label = "x", .y_label = "y", .line = line, .lines = 2};
    char *text = script_of(&plot, 1);
    assert_says(text, "$p0l0 << EOD\n0 0\n5 50\n10 100\nEOD\n");
    assert_says(text, "$p0l1 << EOD\n0 0 0 1\n5 50 40 60\n10 100 90 110\nEOD\n");
    assert_says(text, "plot $p0l0 with linespoints");
    assert_says(text, ", $p0l1 with yerrorlines");
    assert_says(text, "set xlabel 'x'");
    assert_says(text, "set label 'b' at");
    free(text);
}

static void powers_of_two_are_ticks(void **state) {
    (void)state;
    const double x[] = {1, 2, 4, 16}, mixed[] = {1, 2, 3, 4}, bytes[] = {1 << 20, 1 << 21, 1 << 30, 1 << 29};
    const PlotLine line[] = {
        {"a", 4, x, x, NULL, NULL}, {"a", 4, mixed, x, NULL, NULL}, {"a", 4, bytes, x, NULL, NULL}};
    const Plot plot[] = {{.line = line, .lines = 1},
                         {.line = line + 1, .lines = 1},
                         {.line = line + 2, .lines = 1, .x_log = true, .x_bytes = true}};
    char *text = script_of(plot, 1);
    assert_says(text, "set logscale x 2\nset xtics ('1' 1, '2' 2, '4' 4, '16' 16)\n");
    free(text);
    text = script_of(plot + 1, 1);
    assert_says(text, "unset logscale x\nset xtics ('1' 1, '2' 2, '3' 3, '4' 4)\n");
    free(text);
    text = script_of(plot + 2, 1);
    assert_says(text, "('1 MiB' 1048576, '2 MiB' 2097152, '512 MiB' 536870912, '1 GiB' 1073741824)");
    free(text);
}

/* Two numbers of threads have no 1.2 between them; a histogram has bars of one width; neighbours leave room for numbers. */
static void ticks_are_where_points_are(void **state) {
    (void)state;
    const double threads[] = {1, 2}, bits[] = {16, 24, 32, 48, 64}, close[] = {1, 2, 400}, half[] = {0.5, 1, 1.5};
    const PlotLine line[] = {{"a", 2, threads, threads, NULL, NULL},
                             {"a", 5, bits, bits, NULL, NULL},
                             {"a", 3, close, close, NULL, NULL},
                             {"a", 3, half, half, NULL, NULL}};
    const char *const expected[] = {"set logscale x 2\nset xtics ('1' 1, '2' 2)\n",
                                    "set xtics ('16' 16, '24' 24, '32' 32, '48' 48, '64' 64)\n", "set xtics autofreq\n",
                                    "set xtics autofreq\n"};
    for (unsigned i = 0; i < 4; i++) {
        const Plot plot = {.line = line + i, .lines = 1};
        char *text = script_of(&plot, 1);
        assert_says(text, expected[i]);
        free(text);
    }
    const Plot histogram = {.style = PLOT_HISTOGRAM, .line = line, .lines = 1};
    char *text = script_of(&histogram, 1);
    assert_says(text, "unset logscale x\nset xtics autofreq\n");
    free(text);
}

/* An axis of few decades has no more room than the curve, and always a number; one that counts ends at a number. */
static void axes_use_the_room(void **state) {
    (void)state;
    const double x[] = {1, 2, 3}, y[][3] = {{77000, 100000, 195000}, {1.1, 1.1, 1.1}, {1e-18, 1e-9, 1e-3}};
    const char *const expected[] = {"set ytics ('60000' 60000, ", "'1' 1)",
                                    "set ytics autofreq\nset yrange [*:*] extend\n"};
    for (unsigned i = 0; i < 3; i++) {
        const PlotLine line = {"a", 3, x, y[i], NULL, NULL};
        const Plot plot = {.y_label = "nodes", .y_log = true, .line = &line, .lines = 1};
        char *text = script_of(&plot, 1);
        assert_says(text, expected[i]);
        assert_int_equal(occurrences(text, "set yrange"), 1);
        assert_says(text, "set label 'nodes' at screen 0.0186,"); /* gnuplot's own label would leave the page */
        free(text);
    }
    const PlotLine line = {"a", 3, x, x, NULL, NULL};
    const Plot plot[] = {{.style = PLOT_AREAS, .line = &line, .lines = 1}, {.line = &line, .lines = 1}};
    char *text = script_of(plot, 2);
    assert_says(text, "set yrange [0:*] extend\n");
    free(text);
}

static void points_without_a_logarithm_are_left_out(void **state) {
    (void)state;
    const double x[] = {1, 10, 100, -3}, y[] = {0.001, 0.1, 10, 1};
    const PlotLine line = {"a", 4, x, y, NULL, NULL};
    const Plot plot = {.x_log = true, .y_log = true, .line = &line, .lines = 1};
    char *text = script_of(&plot, 1);
    assert_says(text, "$p0l0 << EOD\n1 0.001\n10 0.1\n100 10\nEOD\n");
    assert_says(text, "set logscale x 10\n");
    assert_says(text, "set logscale y 10\n");
    free(text);
}

static void areas_add_up(void **state) {
    (void)state;
    const double x[] = {1, 2}, one[] = {10, 20}, other[] = {5, 7};
    const PlotLine line[] = {{"a", 2, x, one, NULL, NULL}, {"b", 2, x, other, NULL, NULL}};
    const Plot plot = {.style = PLOT_AREAS, .line = line, .lines = 2};
    char *text = script_of(&plot, 1);
    assert_says(text, "$p0l0 << EOD\n1 10\n2 20\nEOD\n$p0l1 << EOD\n1 15\n2 27\nEOD\n");
    assert_says(text, "plot $p0l1 with filledcurves y1=0"); /* the highest is drawn first */
    free(text);
}

static void bars_have_names_figures_and_whiskers(void **state) {
    (void)state;
    const double x = 1, y[] = {3, 4.25}, low = 4, high = 5;
    const PlotLine line[] = {{"without", 1, &x, y, NULL, NULL}, {"with", 1, &x, y + 1, &low, &high}};
    const Plot plot = {.style = PLOT_BARS, .y_label = "ns", .line = line, .lines = 2};
    char *text = script_of(&plot, 1);
    assert_says(text, "$p0l0 << EOD\n3 0 3 3\nEOD\n");
    assert_says(text, "$p0l1 << EOD\n4.25 1 4 5\nEOD\n");
    assert_says(text, "set xrange [0:5]\n");
    assert_says(text, "set label '4.25' at first 5,");
    assert_int_equal(occurrences(text, "with xerrorbars"), 1);
    free(text);
}

static void texts_are_quoted(void **state) {
    (void)state;
    const double one = 1;
    const PlotLine line[] = {{"it's", 1, &one, &one, NULL, NULL}, {"`id`", 1, &one, &one, NULL, NULL}};
    const Plot plot = {.title = "1 < 2\n'", .line = line, .lines = 2};
    char *text = script_of(&plot, 1);
    assert_says(text, "set label 'it''s' at");
    assert_says(text, "set label '`id`' at");
    assert_says(text, "set label '1 < 2 ''' at");
    free(text);
}

static bool read_text(const char *path, char *text) {
    FILE *file = fopen(path, "r");
    if (!file) return false;
    memset(text, 0, TEXT_MAX);
    const bool any = fread(text, 1, TEXT_MAX - 1, file) > 0;
    fclose(file);
    return any;
}

/* The script is written without gnuplot; a picture of all styles by it, where there is one. */
static void files_by_the_end_of_their_names(void **state) {
    (void)state;
    const double x[] = {1, 2, 4}, y[] = {3, 2, 4};
    PlotLine line[20];
    for (unsigned i = 0; i < 20; i++) line[i] = (PlotLine){"l", i % 4, x, y, i % 2 ? y : NULL, i % 2 ? y : NULL};
    const Plot plot[] = {{.title = "<&>", .line = line + 3, .lines = 17},
                         {.title = "empty"},
                         {.style = PLOT_HISTOGRAM, .line = line + 3, .lines = 1, .y_log = true},
                         {.style = PLOT_AREAS, .line = line + 3, .lines = 1},
                         {.style = PLOT_BARS, .line = line + 1, .lines = 3}};
    char path[64], file[80], program[16], *text = calloc(1, TEXT_MAX);
    TabiaError error = {0};
    assert_non_null(text);
    close(temporary_file(path));
    snprintf(file, sizeof file, "%s.gp", path);
    assert_true(plot_write(plot, 5, file, &error));
    assert_true(read_text(file, text));
    assert_int_equal(occurrences(text, "\nplot "), 5);
    unlink(file);
    snprintf(file, sizeof file, "%s.svg", path);
    if (tabia_process_exists("gnuplot", program, sizeof program)) {
        if (!plot_write(plot, 5, file, &error)) fail_msg("%s", error.text);
        assert_true(read_text(file, text));
        assert_says(text, "&lt;&amp;>");
        unlink(file);
    }
    assert_false(plot_write(plot, 5, path, &error));
    assert_says(error.text, "ends with .svg, .png or .gp");
    unlink(path);
    free(text);
}

static void nothing_is_left_of_what_failed(void **state) {
    (void)state;
    const Plot plot = {.title = "t"};
    TabiaError error = {0};
    assert_false(plot_write(&plot, 1, "/nowhere/at/all.svg", &error));
    assert_says(error.text, "/nowhere/at/all.svg");
    char path[64], file[80], part[128];
    close(temporary_file(path));
    snprintf(file, sizeof file, "%s.svg", path);
    snprintf(part, sizeof part, "%s.%ld.part", file, (long)getpid());
    assert_int_equal(setenv("PATH", "/nowhere", 1), 0);
    assert_false(plot_write(&plot, 1, file, &error));
    assert_says(error.text, "gnuplot is missing");
    assert_int_not_equal(access(part, F_OK), 0);
    assert_int_equal(mkdir(file, 0700), 0); /* a folder is in the way */
    assert_false(plot_write(&plot, 1, file, &error));
    assert_int_not_equal(access(part, F_OK), 0);
    rmdir(file);
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_written_as_they_are),
        cmocka_unit_test(powers_of_two_are_ticks),
        cmocka_unit_test(ticks_are_where_points_are),
        cmocka_unit_test(axes_use_the_room),
        cmocka_unit_test(points_without_a_logarithm_are_left_out),
        cmocka_unit_test(areas_add_up),
        cmocka_unit_test(bars_have_names_figures_and_whiskers),
        cmocka_unit_test(texts_are_quoted),
        cmocka_unit_test(files_by_the_end_of_their_names),
        cmocka_unit_test(nothing_is_left_of_what_failed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

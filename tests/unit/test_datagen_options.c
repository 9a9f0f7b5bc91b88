/* SPDX-License-Identifier: MIT */
/* Command lines of the generator as a whole: which options need or exclude each other, and what follows from them. */
#include "unit.h"

#include "datagen/filter.h"
#include "datagen/settings.h"

typedef struct {
    DatagenSettings settings;
    const char *path;
    const char *names[8];
    DatagenGivenOptions given;
} CommandLine;

/* A valid command line to which a test adds options. */
static CommandLine command_line(const char *path) {
    CommandLine c = {.path = path};
    datagen_settings_default(&c.settings);
    return c;
}

static void give(CommandLine *c, const char *name) {
    c->names[c->given.count++] = name;
}

static bool check(CommandLine *c, TabiaError *error) {
    c->given.names = c->names;
    *error = (TabiaError){0};
    return datagen_options_check(&c->given, &c->settings, c->path, error);
}

static void accepts(CommandLine *c) {
    TabiaError error;
    if (!check(c, &error)) fail_msg("%s", error.text);
}

static void rejects(CommandLine *c, const char *message) {
    TabiaError error;
    assert_false(check(c, &error));
    if (!strstr(error.text, message)) fail_msg("'%s' does not contain '%s'", error.text, message);
}

static void extension_chooses_the_format(void **state) {
    static const struct {
        const char *path;
        const DataFormat *format;
    } cases[] = {{"a.viri", &data_format_viri},
                 {"a.VF", &data_format_viri},
                 {"x/a.bin", &data_format_bin},
                 {"a.txt", &data_format_plain},
                 {"a.b.binpack", &data_format_binpack}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        CommandLine c = command_line(cases[i].path);
        accepts(&c);
        assert_ptr_equal(c.settings.output.format, cases[i].format);
    }
}

static void unknown_extension_needs_a_format(void **state) {
    static const char *const paths[] = {"x.zzz", "x", "x.", "bin", "viri/x", "a.viri/x", ".binpack9"};
    for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++) {
        CommandLine c = command_line(paths[i]);
        rejects(&c, paths[i]);
        rejects(&c, "none of viri vf marlin mf bin bullet bf data binpack plain txt text pgn;");
        rejects(&c, "--format");
        c.settings.output.format = &data_format_bin;
        accepts(&c);
        assert_ptr_equal(c.settings.output.format, &data_format_bin);
    }
}

static void named_format_beats_the_extension(void **state) {
    CommandLine c = command_line("a.viri");
    c.settings.output.format = &data_format_bin;
    accepts(&c);
    assert_ptr_equal(c.settings.output.format, &data_format_bin);
}

static void a_file_is_needed(void **state) {
    CommandLine c = command_line(NULL);
    rejects(&c, "--out FILE");
}

static void one_kind_of_start_is_chosen(void **state) {
    CommandLine c = command_line("a.viri");
    accepts(&c);
    assert_int_equal(c.settings.opening.start, START_standard);
    give(&c, "dfrc");
    accepts(&c);
    assert_int_equal(c.settings.opening.start, START_dfrc);
    c.settings.opening.book = "book.epd";
    rejects(&c, "not both");
    c.settings.opening.book = NULL;
    give(&c, "chess960");
    rejects(&c, "--chess960, --dfrc");
}

static void dependent_options_need_another(void **state) {
    static const char *const options[] = {"random-multipv-diff", "random-multipv-depth"};
    for (unsigned i = 0; i < 2; i++) {
        CommandLine c = command_line("a.viri");
        give(&c, options[i]);
        rejects(&c, "--random-multipv only");
        c.settings.opening.random_multi_pv = 3;
        accepts(&c);
    }
}

/* ---- settings as numbers and as text ---- */

static void numbers_have_defaults_in_range(void **state) {
    DatagenSettings s;
    datagen_settings_default(&s);
    unsigned n = 0;
    for (; datagen_number(n); n++) {
        const DatagenNumber *number = datagen_number(n);
        const uint64_t value = *datagen_number_of(&s, number);
        assert_int_equal(value, number->initial);
        assert_true(value <= number->max && (value >= number->min || (value == 0 && !strstr(number->help, "0:"))));
        assert_ptr_equal(datagen_number_named(number->option), number);
    }
    assert_int_equal(n, 17);
    for (unsigned i = 0; datagen_number_spelling(i); i++)
        assert_non_null(datagen_number_named(datagen_number_spelling(i)));
    assert_null(datagen_number_named("positions"));
}

static const char *setting(const DatagenSettings *s, const char *name) {
    static SettingText t;
    for (unsigned i = 0; datagen_setting_text(s, i, &t); i++)
        if (!strcmp(t.name, name)) return t.value;
    fail_msg("no setting '%s'", name);
    return NULL;
}

static void settings_have_texts(void **state) {
    DatagenSettings s;
    datagen_settings_default(&s);
    assert_string_equal(setting(&s, "depth"), "0");
    assert_string_equal(setting(&s, "format"), "none");
    assert_string_equal(setting(&s, "resign"), "2500,4");
    assert_string_equal(setting(&s, "draw"), "4,12,80");
    assert_string_equal(setting(&s, "start"), "standard");
    assert_string_equal(setting(&s, "book"), "none");
    assert_string_equal(setting(&s, "filter"), "none");
    assert_true(filters_parse("score=1500,quiet", &s.output, NULL));
    assert_string_equal(setting(&s, "filter"), "check,capture,promotion,score=1500");
    s.opening.book = "b.epd", s.opening.book_checksum = 0xab;
    assert_string_equal(setting(&s, "book"), "b.epd 00000000000000ab");
}

/* The error of the default settings with one or two of them set; NULL: there is none. */
static const char *error_with(const char *name, uint64_t value, const char *other, uint64_t other_value) {
    static TabiaError error;
    DatagenSettings s;
    datagen_settings_default(&s);
    *datagen_number_of(&s, datagen_number_named(name)) = value;
    if (other) *datagen_number_of(&s, datagen_number_named(other)) = other_value;
    return datagen_settings_check(&s, &error) ? NULL : error.text;
}

static void assert_says(const char *text, const char *part) {
    if (!text || !strstr(text, part)) fail_msg("'%s' is not in: %s", part, text ? text : "no error");
}

static void settings_must_fit_each_other(void **state) {
    assert_null(error_with("random-move-max-ply", 399, NULL, 0));
    assert_says(error_with("random-move-max-ply", 400, NULL, 0), "games end at ply 400");
    assert_says(error_with("random-move-min-ply", 10, NULL, 0), "is less than --random-move-min-ply 10");
    assert_null(error_with("random-move-count", 9, NULL, 0));
    assert_says(error_with("random-move-count", 10, NULL, 0), "there are only 9");
    assert_null(error_with("random-move-min-ply", 10, "random-move-count", 0));
    assert_null(error_with("write-min-ply", 399, NULL, 0));
    assert_says(error_with("write-min-ply", 400, NULL, 0), "no game is that long");
    assert_says(error_with("depth2", 3, NULL, 0), "needs --depth D");
    assert_says(error_with("depth2", 3, "depth", 4), "must be at least --depth 4");
    assert_null(error_with("depth2", 4, "depth", 4));
}

/* Without any limit a search has one, and one of soft nodes ends at eight times as many. */
static void limits_are_completed(void **state) {
    static const struct {
        DatagenSearchLimits given;
        uint64_t nodes, soft_nodes;
    } rows[] = {{{0}, 40000, 5000},
                {{.soft_nodes = 100}, 800, 100},
                {{.soft_nodes = 100, .nodes = 300}, 300, 100},
                {{.nodes = 300}, 300, 0},
                {{.depth = 5}, 0, 0}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        DatagenSettings s;
        TabiaError error;
        datagen_settings_default(&s);
        s.search = rows[i].given;
        assert_true(datagen_settings_check(&s, &error));
        assert_int_equal(s.search.nodes, rows[i].nodes);
        assert_int_equal(s.search.soft_nodes, rows[i].soft_nodes);
    }
}

static void games_must_differ(void **state) {
    DatagenSettings s;
    TabiaError error = {0};
    datagen_settings_default(&s);
    assert_true(datagen_settings_check_variety(&s, 1, &error));
    s.opening.random_count = 0;
    assert_false(datagen_settings_check_variety(&s, 1, &error));
    assert_non_null(strstr(error.text, "--random-move-count 0"));
    assert_true(datagen_settings_check_variety(&s, 2, &error));
    s.search.depth = 2, s.search.depth2 = 3;
    assert_true(datagen_settings_check_variety(&s, 1, &error));
    s.search.depth2 = 2, s.opening.random_max_ply = 0;
    assert_false(datagen_settings_check_variety(&s, 1, &error));
    assert_non_null(strstr(error.text, "--random-move-max-ply 0"));
}

#include "test_datagen_options_list.h"

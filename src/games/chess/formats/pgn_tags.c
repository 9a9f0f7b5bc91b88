/* SPDX-License-Identifier: MIT */
/* The tags of a game of PGN. What no record needs may hold anything; FEN, Result, SetUp and Variant are read to the letter. */
#include <string.h>
#include <strings.h>

#include "formats/pgn_text.h"
#include "notation/fen.h"

const char *const pgn_results[] = {"0-1", "1/2-1/2", "1-0"};

/* The tags whose values matter, and the one that begins a game. */
enum { TAG_EVENT, TAG_FEN, TAG_RESULT, TAG_SETUP, TAG_VARIANT, TAGS_N };
static const char *const tag_names[TAGS_N] = {"Event", "FEN", "Result", "SetUp", "Variant"};

static int tag_index(const char *name) {
    int i = 0;
    while (i < TAGS_N && strcasecmp(name, tag_names[i]) != 0) i++;
    return i;
}

static bool has_tag(const PgnTags *tags, int index) {
    return tags->seen >> index & 1;
}

/* Chess and Chess960 under the names that servers and programs give them, without blanks and hyphens. */
static bool is_chess(const char *variant) {
    static const char *const names[] = {"standard",       "chess",         "classical",          "normal",
                                        "fromposition",   "chess960",      "fischerandom",       "frc",
                                        "dfrc",           "fischerrandom", "fischerrandomchess", "freestyle",
                                        "freestylechess", "wild/fr"};
    char name[PGN_WORD_MAX], *end = name;
    for (; *variant && end < name + sizeof name - 1; variant++)
        if (!strchr(" -_", *variant)) *end++ = *variant;
    *end = '\0';
    if (!strncasecmp(name, "fischerandom/", 13)) name[12] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!*variant && !strcasecmp(name, names[i])) return true;
    return false;
}

static bool take_result(DataDecoder *d, const char *value, TabiaError *error) {
    for (int i = 0; i < 3; i++)
        if (!strcmp(value, pgn_results[i])) return d->white_result = (int8_t)(i - 1), true;
    return tabia_fail(error, "the result of the game is '%.20s', not 1-0, 0-1 or 1/2-1/2", value);
}

static bool take_tag(DataDecoder *d, const PgnTag *tag, int index, PgnTags *tags, TabiaError *error) {
    if (index == TAG_EVENT || index == TAGS_N) return true;
    if (strcmp(tag->name, tag_names[index]) != 0)
        return tabia_fail(error, "the tag '%s' is spelled '%s'", tag->name, tag_names[index]);
    if (has_tag(tags, index)) return tabia_fail(error, "a second tag '%s'; a game has one", tag->name);
    if (tag->cut)
        return tabia_fail(error, "the value of the tag '%s' is longer than %d bytes", tag->name, PGN_TAG_MAX - 1);
    if (index == TAG_FEN) return fen_parse(&d->next_position, tag->value, error);
    if (index == TAG_RESULT) return take_result(d, tag->value, error);
    if (index == TAG_VARIANT)
        return is_chess(tag->value) || tabia_fail(error, "the variant '%.40s' is not chess", tag->value);
    tags->is_set_up = !strcmp(tag->value, "1");
    return tags->is_set_up || !strcmp(tag->value, "0") ||
           tabia_fail(error, "the tag SetUp is '%.20s', not 0 or 1", tag->value);
}

/* Is a tag the first of the next game? One blank line may stand between tags of a game, two may not; before Event one is enough.
   Where a tag says what is played, it holds for the moves that follow: two blank lines and Event end such a game. */
static bool is_followed_by(const DataDecoder *d, const PgnTags *tags, int index) {
    const unsigned line_ends = d->state.line_ends, played = 1u << TAG_FEN | 1u << TAG_SETUP | 1u << TAG_VARIANT;
    const unsigned signs = (line_ends > 1) + (line_ends > 2) + (index == TAG_EVENT);
    if (tags->seen && line_ends > 1 && signs >= (tags->seen & played ? 3 : 2)) return true;
    return index < TAGS_N && has_tag(tags, index) && (index == TAG_EVENT || line_ends > 1);
}

/* The first fault of the tags is the one that counts. */
static void note_fault(PgnTags *tags, uint64_t line, const TabiaError *fault) {
    if (tags->fault_line) return;
    tags->fault_line = line;
    tags->fault = *fault;
}

/* What the tags lack, or say against each other; null: nothing. */
static const char *missing_tag(DataDecoder *d, const PgnTags *tags) {
    const int next = pgn_peek(d);
    if (!tags->is_followed && tags->last_line == d->line_number && next != PGN_END && (next < '0' || next > '9'))
        return "a tag is followed by neither the end of its line nor a tag, a comment or a move number";
    if (!has_tag(tags, TAG_RESULT)) return "the game has no tag Result, [Result \"1-0\"]";
    if (has_tag(tags, TAG_SETUP) && !tags->is_set_up && has_tag(tags, TAG_FEN))
        return "the tag SetUp is 0: the game begins at the start, and yet there is a FEN";
    if (tags->is_set_up && !has_tag(tags, TAG_FEN)) return "the tag SetUp is 1, and there is no FEN";
    return tags->is_followed ? "the game has neither moves nor its result after its tags" : NULL;
}

void pgn_read_tags(DataDecoder *d, PgnTags *tags, PgnComments *comments) {
    bool is_good = true;
    TabiaError fault;
    while (is_good && pgn_peek(d) == '[') {
        PgnTag tag;
        const uint64_t line = d->line_number + 1;
        const bool is_tag = pgn_peek_tag(d, &tag, &fault);
        const int index = tag_index(tag.name);
        tags->is_followed = is_followed_by(d, tags, index);
        if (tags->is_followed) break;
        if (!is_tag || !take_tag(d, &tag, index, tags, &fault)) note_fault(tags, line, &fault);
        tags->seen |= 1u << index;
        is_tag ? pgn_skip(d, tag.bytes) : pgn_skip_line(d);
        tags->last_line = d->line_number;
        is_good = pgn_read_annotations(d, PGN_BEFORE_TAGS, comments, &fault);
        if (!is_good) note_fault(tags, d->line_number + 1, &fault);
    }
    const char *missing = missing_tag(d, tags);
    if (missing) tabia_fail(&fault, "%s", missing), note_fault(tags, d->line_number + 1, &fault);
}

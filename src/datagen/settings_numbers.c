/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <string.h>

#include "settings.h"

#define OFFSET(member) offsetof(DatagenSettings, member)

static const DatagenNumber numbers[] = {
    {"depth", SECTION_SEARCH, OFFSET(search.depth), 0, 1, 100, "D", "search each position to D plies"},
    {"depth2", SECTION_SEARCH, OFFSET(search.depth2), 0, 1, 100, "D",
     "to a random depth from --depth to D, drawn for each position"},
    {"nodes", SECTION_SEARCH, OFFSET(search.nodes), 0, 1, 1000000000000, "N",
     "search N nodes; an iteration may end incomplete"},
    {"soft-nodes", SECTION_SEARCH, OFFSET(search.soft_nodes), 0, 1, 1000000000000, "N",
     "end after the iteration that reaches N nodes, and at 8 N nodes\nin any case; default 5000 if there is no other "
     "limit"},

    {"random-move-min-ply", SECTION_OPENING, OFFSET(opening.random_min_ply), 1, 1, 2000, "P",
     "random moves are played from this ply (1: the first), ..."},
    {"random-move-max-ply", SECTION_OPENING, OFFSET(opening.random_max_ply), 9, 0, 2000, "P",
     "... to this one; 0: no random moves"},
    {"random-move-count", SECTION_OPENING, OFFSET(opening.random_count), 8, 0, 2000, "N",
     "the number of random moves among these plies, which are drawn;\npositions before the last random move are not "
     "written"},
    {"random-move-like-apery", SECTION_OPENING, OFFSET(opening.random_like_apery), 0, 0, 1000, "N",
     "one random move in N is a king move if there is one, and in half\nof these cases the reply is random too; 0: no"},
    {"random-multipv", SECTION_OPENING, OFFSET(opening.random_multi_pv), 0, 0, 200, "N",
     "a random move is one of the N best moves; 0: of all moves"},
    {"random-multipv-diff", SECTION_OPENING, OFFSET(opening.random_multi_pv_margin), 32000, 0, 32000, "CP",
     "... and at most CP worse than the best"},
    {"random-multipv-depth", SECTION_OPENING, OFFSET(opening.random_multi_pv_depth), 0, 0, 100, "D",
     "... by a search to D plies; 0: --depth, or 4"},
    {"opening-limit", SECTION_OPENING, OFFSET(opening.score_limit), 1000, 0, 32000, "CP",
     "an opening whose first score is beyond CP is drawn again;\n0: all are played"},

    {"eval-limit", SECTION_ADJUDICATION, OFFSET(adjudication.eval_limit), 3000, 0, 32000, "CP",
     "a game is won at the first score of CP, whose position is not\nwritten; 0: no limit"},
    {"write-max-ply", SECTION_ADJUDICATION, OFFSET(adjudication.max_ply), 400, 1, 2000, "P",
     "a game of P plies is a draw"},
#define RULE_OPTION(member, option, initial, min, max, argument, help)                                                 \
    {option, SECTION_ADJUDICATION, OFFSET(rules.member), initial, min, max, argument, help},
    GAME_RULE_OPTIONS(RULE_OPTION)
#undef RULE_OPTION

        {"write-min-ply", SECTION_OUTPUT, OFFSET(output.min_ply), 0, 0, 2000, "P", "positions from this ply on"},
    {"dedupe-slots", SECTION_OUTPUT, OFFSET(output.dedupe_slots), 4194304, 1, 1073741824, "N",
     "slots of the table of --dedupe, 8 bytes each"},
    {"save-every", SECTION_OUTPUT, OFFSET(output.block_positions), 10000, 1, 1000000000, "N",
     "positions after which a block is written; a kill costs at most\nan unfinished block"},
};

static const struct {
    const char *spelling, *option;
} spellings[] = {
    {"random-move-minply", "random-move-min-ply"},
    {"random-move-maxply", "random-move-max-ply"},
    {"write-minply", "write-min-ply"},
    {"write-maxply", "write-max-ply"},
};

const DatagenNumber *datagen_number(unsigned index) {
    return index < sizeof numbers / sizeof *numbers ? &numbers[index] : NULL;
}

const char *datagen_number_spelling(unsigned index) {
    return index < sizeof spellings / sizeof *spellings ? spellings[index].spelling : NULL;
}

const DatagenNumber *datagen_number_named(const char *option) {
    for (unsigned i = 0; i < sizeof spellings / sizeof *spellings; i++)
        if (!strcmp(option, spellings[i].spelling)) option = spellings[i].option;
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!strcmp(option, numbers[i].option)) return &numbers[i];
    return NULL;
}

uint64_t *datagen_number_of(DatagenSettings *s, const DatagenNumber *n) {
    assert(n->offset % _Alignof(uint64_t) == 0 && n->offset + sizeof(uint64_t) <= sizeof *s);
    return (void *)((char *)s + n->offset);
}

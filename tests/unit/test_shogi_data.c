/* SPDX-License-Identifier: MIT */
/* Training data of shogi: known bytes of each format both ways, records of random games through all of them, damage. */
#include "fen_tools.h"
#include "format_tools.h"

#include "base/random.h"
#include "data/pack.h"
#include "data/recognize.h"
#include "formats/move16.h"
#include "formats/packed_sfen.h"
#include "notation/fen.h"
#include "notation/move_text.h"
#include "notation/validate.h"
#include "records/filters.h"
#include "records/statistics.h"

#define START "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
#define MATSURI "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"

/* ---- known bytes ---- */

/* Those of psv agree between YaneuraOu and cshogi; those of hcp are cshogi's. */
static const struct {
    const char *sfen, *packed[PACKED_LAYOUTS];
} vectors[] = {
    {START,
     {"58a451220ceb67227e9653221caf447824c22b119e53221ceb6f223e9651220c",
      "58a449210cd757217e8e4d212caf427814c2ab109e4d212cd75f213e8e49210c"}},
    {MATSURI,
     {"2381510a86f515e900473c3ed5010020c52758530004cb48123fc3f99024ebbc",
      "2381490986eb1565014b3cbee40200a0c417b84a0004c744113fc3f9912467bd"}},
    {"R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
     {"6e010007c00100181c1f00c0000030fc002094711e1f922449922449d65aefbd",
      "6e01000bc00200182c1f00c0000030fc00208c723e3f922449922449ce39efbd"}},
    {"8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
     {"8dcb51120c24e11f3c201e808f14342978f8738ae36094ab58c8251806c97a9f",
      "8dcb49110c14e11f3c201e808f12342578f8b5896561529738a823180ac979bf"}},
    {"9/9/9/3k5/9/5K3/9/9/9 b RB2G2S2N2L9Prb2g2s2n2l9p 1",
     {"4030000000000000000000000000004228658c731e1f922449c658eb9cf73ebf",
      "4030000000000000000000000000004218a394733e3f922449c63867adf77eff"}},
    {"lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
     {"59a451220cab44fc2ca744385e89f0488457223ca744385689f858468930bc7e",
      "59a449210c9742fc1c9b42585e85f0288457213c9b42582e85f8382685303c5e"}},
};

static void packed_positions(void **state) {
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        for (PackedLayout layout = PACKED_PSV; layout < PACKED_LAYOUTS; layout++) {
            uint8_t known[PACKED_BYTES], written[PACKED_BYTES];
            const Position p = parsed(vectors[i].sfen);
            Position back;
            TabiaError error;
            assert_int_equal(from_hex(vectors[i].packed[layout], known), PACKED_BYTES);
            packed_sfen_encode(layout, &p, written);
            assert_memory_equal(written, known, PACKED_BYTES);
            if (!packed_sfen_decode(layout, known, &back, &error)) fail_msg("%s: %s", vectors[i].sfen, error.text);
            assert_true(position_same(&p, &back));
        }
}

static void moves_in_16_bits(void **state) {
    static const struct {
        const char *sfen, *move;
        unsigned code[MOVE16_ENCODINGS];
    } known[] = {
        {START, "7g7f", {0x1e3b, 0x1e3b, 0x1e3b}},
        {"4k4/9/4B4/9/9/9/9/9/4K4 b - 1", "5c9g+", {0x934e, 0x534e, 0x934e}},
        {"4k4/9/9/9/9/9/9/9/4K4 b R 1", "R*5e", {0x4328, 0x2b28, 0x2b28}},
        {"4k4/9/9/9/9/9/9/9/4K4 b N 1", "N*7d", {0x41b9, 0x29b9, 0x29b9}},
        {"4k4/9/9/9/9/9/9/9/4K4 w - 1", "5a5b", {0x1225, 0x1225, 0x1225}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const Position p = parsed(known[i].sfen);
        const Move m = move_from_uci(&p, known[i].move);
        assert_int_not_equal(m, 0);
        for (Move16Encoding d = MOVE16_YANEURAOU; d < MOVE16_ENCODINGS; d++) {
            Move back;
            assert_int_equal(move16_encode(d, m), known[i].code[d]);
            assert_true(move16_decode(d, &p, known[i].code[d], &back, NULL));
            assert_int_equal(back, m);
        }
    }
}

/* Another encoding's move is refused, and named. */
static void other_encodings(void **state) {
    TabiaError error;
    Move m;
    const Position rook = parsed("4k4/9/9/9/9/9/9/9/4K4 b R 1"), bishop = parsed("4k4/9/4B4/9/9/9/9/9/4K4 b - 1");
    assert_false(move16_decode(MOVE16_YANEURAOU, &rook, 0x2b28, &m, &error));
    assert_non_null(strstr(error.text, "no legal move in YaneuraOu's encoding; in Apery's one they are R*5e"));
    assert_false(move16_decode(MOVE16_APERY, &bishop, 0x934e, &m, &error));
    assert_non_null(strstr(error.text, "in YaneuraOu's one they are 5c9g+"));
    assert_false(move16_decode(MOVE16_YANEURAOU, &rook, 0xffff, &m, &error));
    assert_non_null(strstr(error.text, "in any encoding"));
    for (unsigned code = 0; code <= UINT16_MAX; code++)
        for (Move16Encoding d = MOVE16_YANEURAOU; d < MOVE16_ENCODINGS; d++)
            if (move16_decode(d, &rook, code, &m, &error) && code) {
                assert_true(move_is_legal(&rook, m));
                assert_int_equal(move16_encode(d, m), code);
            }
}

/* ---- records of random games ---- */

enum { GAMES = 40, PLIES = 200, RECORDS_MAX = GAMES * PLIES };

static unsigned make_records(DataRecord *r, uint64_t seed) {
    unsigned n = 0;
    for (unsigned game = 0; game < GAMES; game++) {
        Position p = parsed(game % 4 ? START : "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
        const int8_t white = (int8_t)(game % 3) - 1;
        for (unsigned ply = 0; ply < PLIES; ply++) {
            Move list[MOVES_MAX];
            const unsigned moves = moves_list(&p, list);
            if (!moves) break;
            r[n] = (DataRecord){.position = p, .move = list[random_below(&seed, moves)], .starts_game = !ply};
            r[n].ply = move_counters_ply(&p);
            r[n].score = (int32_t)random_below(&seed, 60000) - 30000;
            r[n].result = p.turn == WHITE ? white : (int8_t)-white;
            r[n].extra = (RecordExtra){(int16_t)(7 * (int)n - 30000), true, n % 3 == 0};
            position_make_move(&p, &p, r[n++].move);
        }
    }
    return n;
}

static void same_record(const DataRecord *a, const DataRecord *b) {
    assert_true(position_same(&a->position, &b->position));
    assert_int_equal(a->position.ply, b->position.ply);
    assert_int_equal(a->move, b->move);
    assert_int_equal(a->score, b->score);
    assert_int_equal(a->ply, b->ply);
    assert_int_equal(a->result, b->result);
    assert_int_equal(a->starts_game, b->starts_game);
    assert_int_equal(a->extra.deeper_score, b->extra.deeper_score);
    assert_int_equal(a->extra.has_deeper_score, b->extra.has_deeper_score);
    assert_int_equal(a->extra.keeps_score, b->extra.keeps_score);
}

/* What a format without some fields reads of a record; where no move leads on, each begins a game. */
static DataRecord as_stored(const DataFormat *format, const DataRecord *r) {
    DataRecord stored = *r;
    if (!(format->fields & DATA_MOVE)) stored.move = 0, stored.starts_game = true;
    if (!(format->fields & DATA_DEEPER_SCORE)) stored.extra = (RecordExtra){0};
    return stored;
}

static void through_every_format(void **state) {
    DataRecord *r = aligned_alloc(64, RECORDS_MAX * sizeof *r), *got = aligned_alloc(64, RECORDS_MAX * sizeof *got);
    const unsigned n = make_records(r, 1);
    for (unsigned f = 0; f < DATA_FORMATS_N; f++) {
        const DataFormat *format = data_format(f);
        if (!format->write) continue;
        DataEncoder e = encoded(format, r, n);
        assert_int_equal(e.records, n);
        assert_int_equal(e.games, GAMES);
        const DataInputStart start = {e.bytes.data, e.bytes.size, true};
        assert_ptr_equal(data_recognize(&start, format->named_only ? format : NULL), format);
        assert_int_equal(decoded(format, e.bytes.data, e.bytes.size, got), n);
        for (unsigned i = 0; i < n; i++) {
            const DataRecord stored = as_stored(format, &r[i]);
            same_record(&stored, &got[i]);
        }
        data_encoder_free(&e);
    }
    free(r), free(got);
}

/* Damaged bytes are refused, or read as something valid; what is read is written back as it was. */
static void damage(void **state) {
    DataRecord *r = aligned_alloc(64, RECORDS_MAX * sizeof *r);
    const unsigned n = make_records(r, 2);
    uint64_t seed = 3;
    unsigned good = 0, bad = 0;
    for (unsigned f = 0; f < DATA_FORMATS_N; f++) {
        if (!data_format(f)->write) continue;
        DataEncoder e = encoded(data_format(f), r, n);
        for (unsigned i = 0; i < n; i++)
            e.bytes.data[random_below(&seed, e.bytes.size)] ^= (uint8_t)(1u << random_below(&seed, 8));
        TabiaError error;
        DataRecord got;
        DataReader *reader = data_reader_memory(e.bytes.data, e.bytes.size, data_format(f), &error);
        for (DataReadStatus status; (status = data_read(reader, &got, &error)) <= DATA_READ_BAD_RECORD;) {
            if (status == DATA_READ_END) break;
            good += status == DATA_READ_OK, bad += status == DATA_READ_BAD_RECORD;
            if (status == DATA_READ_OK) assert_true(position_validate(&got.position, &error));
        }
        data_reader_close(reader);
        data_encoder_free(&e);
    }
    assert_true(good > n && bad > n / 2);
    free(r);
}

static void compact_positions(void **state) {
    DataRecord *r = aligned_alloc(64, RECORDS_MAX * sizeof *r), back;
    const unsigned n = make_records(r, 4);
    r[0].position = parsed("9/RRR1B1B1B/9/9/9/9/9/9/4k4 w 18p 7"); /* more than a set, and no king of black */
    r[0].move = 0;
    for (unsigned i = 0; i < n; i++) {
        DataPackedRecord packed;
        data_pack(&packed, &r[i]);
        data_unpack(&back, &packed);
        same_record(&r[i], &back);
    }
    free(r);
}

/* A psv with 0 as the number of each move: they follow from the moves. */
static void psv_without_numbers(void **state) {
    const DataFormat *psv = data_format_by_name("psv", NULL);
    DataRecord r[3] = {{.position = parsed(START), .result = 1, .starts_game = true}}, back[3];
    r[0].move = move_from_uci(&r[0].position, "7g7f");
    r[1] = (DataRecord){.result = -1, .ply = 1};
    position_make_move(&r[1].position, &r[0].position, r[0].move);
    r[1].move = move_from_uci(&r[1].position, "3c3d");
    r[2] = r[0];
    DataEncoder e = encoded(psv, r, 3);
    assert_int_equal(e.bytes.size, 3 * 40);
    for (unsigned i = 0; i < 3; i++) e.bytes.data[40 * i + 36] = 0;
    assert_int_equal(decoded(psv, e.bytes.data, e.bytes.size, back), 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(back[i].ply, i == 1);
        assert_int_equal(back[i].position.ply, 1 + (i == 1));
        assert_int_equal(back[i].starts_game, i != 1);
    }
    data_encoder_free(&e);
}

static void rejections(void **state) {
    const DataFormat *psv = data_format_by_name("psv", NULL), *plain = data_format_by_name("plain", NULL);
    DataRecord r = {.position = parsed("4k4/9/9/9/9/9/9/9/9 b RB 1")};
    assert_int_equal(data_rejection(psv, &r), DATA_REJECT_king);
    assert_int_equal(data_rejection(plain, &r), DATA_ACCEPT);
    r.position = parsed("4k4/9/9/9/9/9/9/9/4K4 b 3R 1");
    assert_int_equal(data_rejection(psv, &r), DATA_REJECT_pieces);
    r.position = parsed("4k4/9/9/9/9/9/9/9/4K4 b 2R 1");
    assert_int_equal(data_rejection(psv, &r), DATA_ACCEPT);
    assert_int_equal(data_rejection(data_format_by_name("dual", NULL), &r), DATA_REJECT_deeper);
    r.position.ply = 9;
    assert_int_equal(data_lost_fields(psv, &r), DATA_MOVE_NUMBER);
    r.ply = 8;
    assert_int_equal(data_lost_fields(psv, &r), DATA_NO_FIELDS);
    assert_int_equal(data_lost_fields(data_format_by_name("hcpe", NULL), &r), DATA_MOVE_NUMBER);
}

/* What filters and statistics ask of a record. */
static void questions(void **state) {
    const Position p = parsed(MATSURI), mated = parsed("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1");
    int value[GAME_HISTOGRAMS_N], result = 0;
    position_values(&p, value);
    assert_int_equal(value[GAME_HISTOGRAM_hands], 10);
    assert_int_equal(value[GAME_HISTOGRAM_promoted], 1);
    assert_int_equal(position_total_material(&p), 17 + 6 + 4 * 3 + 4 * 4 + 4 * 5 + 4 * 6 + 2 * 8 + 2 * 10);
    assert_int_equal(position_piece_count(&p), 40 - 10);
    assert_int_equal(value[GAME_HISTOGRAM_material], position_material(&p, WHITE) - position_material(&p, BLACK));
    const Move drop = move_from_uci(&p, "P*7a");
    assert_false(drop);
    const Move silver = move_from_uci(&p, "S*5e");
    assert_int_equal(record_properties(&p, silver), 1u << GAME_PROPERTY_drops);
    assert_true(game_filter_matches(GAME_FILTER_filter_drop, &p, silver));
    assert_false(game_filter_matches(GAME_FILTER_filter_tactical, &p, silver));
    GameTable table[GAME_TABLES_N] = {0};
    char name[GAME_CELL_NAME_MAX];
    record_count_cells(&p, silver, table); /* white's: 5e stays itself, and its king on 1b is seen on 9h */
    assert_int_equal(table[GAME_TABLE_move_to].cell[40] + table[GAME_TABLE_drops].cell[SILVER], 2);
    assert_int_equal(table[GAME_TABLE_own_king].cell[9], 1);
    game_cell_name(GAME_TABLE_own_king, 9, name);
    assert_string_equal(name, "9h");
    game_cell_name(GAME_TABLE_own_king, 0, name);
    assert_string_equal(name, "9i");
    game_cell_name(GAME_TABLE_own_pieces, PROMOTED_KNIGHT, name);
    assert_string_equal(name, "promoted knight");
    assert_string_equal(position_ending(&mated, &result), "mate");
    assert_int_equal(result, -1);
    assert_null(position_ending(&p, &result));
}

/* The model of results tells positions of shogi apart by their material. */
static void materials_of_the_model(void **state) {
    Position p;
    assert_true(fen_parse(&p, fen_start, NULL));
    assert_int_equal(position_total_material(&p), WDL_MATERIAL_UNIT);
    assert_true(fen_parse(&p, "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", NULL));
    assert_int_equal(position_total_material(&p), WDL_MATERIAL_MIN);
}

#include "test_shogi_data_list.h"

/* SPDX-License-Identifier: MIT */
/*
 * Bytes that other programs wrote, with white to move and neither score nor result 0, so that a sign that is turned in
 * reader and writer alike is seen: score and result of a record are the mover's, whatever the format has. Those of pack are by
 * the encoder of GenSfen as published, with positions and moves by cshogi. None are by nshogi, which writes no
 * binary format of these; those of two_scores are by no program.
 */
#include "fen_tools.h"
#include "format_tools.h"

#include "data/recognize.h"
#include "notation/move_text.h"

typedef struct {
    const char *format, *writer, *hex;
    const char *sfen, *move[2]; /* of one record, or of a game of two */
    int score[2], result, ply;
} Vector;

static const Vector vectors[] = {
    {"psv",
     "gensfen of YaneuraOu 7.63",
     "8fc051128b013fe0b4fea6804fe900493c5e67fa084862f1ac49384652301c925cf913093f00ff00",
     "ln1g2s1l/1k7/1pps1bn1p/p2pp1rR1/5pp2/PPPB4P/2NPPSP1N/1S2G4/LKG5L w G3p 63",
     {"3a3b"},
     {-1700},
     -1,
     62},
    {"psv",
     "gensfen of YaneuraOu 7.63",
     "59a491140ceb57122ce72b090789f0bc89e04cc4f190841feb2f292ca344181e84020a090f000100",
     "ln2k1snl/1r1sg1g+B1/p1pppp1p1/6p1p/1p7/2P4PP/PP1PPPP2/2RS5/LN1GKGSNL w B 15",
     {"3a2b"},
     {644},
     1,
     14},
    {"psv",
     "cshogi",
     "699c91140cab0c7e38bd2916080e0f9280337d04af140fbf10ce65240503509e37003ca31300ff00",
     "lr4snl/2g2k3/3s2gp1/p1pppPpPp/9/PPPB2P1P/2GPPSNR1/1s1K5/LN3G2L w N2Pb 19",
     {"8h7g+"},
     {55},
     -1,
     18},
    {"hcpe",
     "cshogi",
     "59a449210cd757117e8eed2d8485427814c2ab109e4d1116d75f213e8e89220c9aff03010200",
     "lnsgk1snl/1r4gb1/1pppppppp/p8/9/2P4P1/PP1PPPP1P/1BS4R1/LN1GKGSNL w - 1",
     {"1c1d"},
     {-102},
     1,
     0},
    {"hcpe",
     "cshogi",
     "699c89120c970a7ed8bc250e08160f8a80ad7c04af120f7f10b663a2040330be37003c630100",
     "lr4snl/2g2k3/3s2gp1/p1pppPpPp/9/PPPB2P1P/2GPPSNR1/1s1K5/LN3G2L w N2Pb 1",
     {"8h7g+"},
     {55},
     -1,
     0},
    {"hcpe3",
     "cshogi",
     "559c89120cd756c40f5ec58157593c1481ad88057f4ae082f0714c2861003ebc01000200912b2c010100912b0100",
     "ln5nl/2rs1kgs1/3ppg1p1/2p3p1p/p4p3/1PPPP2PP/P2SKSNR1/1B7/LN3G2L w B2Pgp 1",
     {"G*2i"},
     {300},
     1,
     0},
    {"hcpe3",
     "cshogi",
     "699c89120c970a7ed8bc250e08160f8a80ad7c04af120f7f10b663a2040330be010001003c63370001003c630100",
     "lr4snl/2g2k3/3s2gp1/p1pppPpPp/9/PPPB2P1P/2GPPSNR1/1s1K5/LN3G2L w N2Pb 1",
     {"8h7g+"},
     {55},
     -1,
     0},
    {"pack",
     "GenSfen of YaneuraOu's scripts",
     "00699c89120c970a7ed8bc250e08160f8a80ad7c04af120f7f10b663a2040330be1400842a5b010d0c98fe810000",
     "lr4snl/2g2k3/3s2gp1/p1pppPpPp/9/PPPB2P1P/2GPPSNR1/1s1K5/LN3G2L w N2Pb 20",
     {"B*1e", "3g2e"},
     {347, -360},
     -1,
     19},
    {"pack",
     "hand, a game from the start",
     "013b1e6400150a9cff810000",
     "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
     {"7g7f", "3c3d"},
     {100, -100},
     1,
     0},
};

static unsigned records_of(const Vector *v, DataRecord r[2]) {
    unsigned n = 0;
    for (Position p = parsed(v->sfen); n < 2 && v->move[n]; n++) {
        r[n] = (DataRecord){.position = p, .score = v->score[n], .ply = (uint16_t)(v->ply + (int)n)};
        r[n].result = (int8_t)(n ? -v->result : v->result), r[n].starts_game = !n;
        r[n].move = move_from_uci(&p, v->move[n]);
        assert_int_not_equal(r[n].move, 0);
        position_make_move(&p, &p, r[n].move);
    }
    return n;
}

static void bytes_of_others(void **state) {
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        const Vector *v = &vectors[i];
        const DataFormat *format = data_format_by_name(v->format, NULL);
        DataRecord wanted[2], got[2];
        uint8_t bytes[128];
        const unsigned n = records_of(v, wanted);
        const size_t size = from_hex(v->hex, bytes);
        assert_int_equal(decoded(format, bytes, size, got), n);
        for (unsigned k = 0; k < n; k++) {
            const DataRecord *r = &got[k], *w = &wanted[k];
            assert_true(position_same(&r->position, &w->position));
            if (r->move != w->move || r->score != w->score || r->result != w->result || r->ply != w->ply)
                fail_msg("%s of %s: score %d, result %d, ply %u", v->format, v->writer, (int)r->score, r->result,
                         r->ply);
        }
        DataEncoder e = encoded(format, wanted, n);
        assert_int_equal(e.bytes.size, size);
        assert_memory_equal(e.bytes.data, bytes, size);
        data_encoder_free(&e);
    }
}

/*
 * No program wrote this one: the psv of cshogi's second record with 120 in the place of the move and the last byte 1, as
 * rshogi describes its psv with two labels. A psv is not read as one, nor one as a psv, unless its name says so.
 */
static void two_scores(void **state) {
    const DataFormat *dual = data_format_by_name("dual", NULL), *psv = data_format_by_name("psv", NULL);
    DataRecord r;
    TabiaError error;
    uint8_t bytes[40], back[40];
    from_hex("699c91140cab0c7e38bd2916080e0f9280337d04af140fbf10ce65240503509e 3700 7800 1300 ff 01", bytes);
    assert_int_equal(decoded(dual, bytes, sizeof bytes, &r), 1);
    assert_int_equal(r.score, 55);
    assert_int_equal(r.extra.deeper_score, 120);
    assert_true(r.extra.has_deeper_score && r.extra.keeps_score && !r.move && r.result == -1 && r.ply == 18);
    DataEncoder e = encoded(dual, &r, 1);
    assert_memory_equal(e.bytes.data, bytes, sizeof bytes);
    data_encoder_free(&e);
    memcpy(back, bytes, sizeof back), back[39] = 3;
    DataReader *reader = data_reader_memory(back, sizeof back, dual, &error);
    assert_int_equal(data_read(reader, &r, &error), DATA_READ_BAD_RECORD);
    assert_non_null(strstr(error.text, "the last byte is 3"));
    data_reader_close(reader);
    const DataInputStart start = {bytes, sizeof bytes, true};
    assert_ptr_equal(data_recognize(&start, dual), dual);
    assert_ptr_not_equal(data_recognize(&start, psv), dual);
}

#include "test_shogi_vectors_list.h"

/* SPDX-License-Identifier: MIT */
/* Networks in the layout of bullet's examples: they come back as they were, the example's inference on the bytes says what
   the engine says, and what is no such file is refused. */

#include "network/network_bullet.h"
#include "network/network_file.h"
#include "network_tools.h"
#include "random_games.h"

static const NetworkShape shapes[] = {
    {128, 1, false}, {NETWORK_WIDTH, 1, false}, {NETWORK_WIDTH, 8, true}, {33, 8, false}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* ---- the example's inference, on the bytes of a file ---- */

typedef struct {
    const uint8_t *bytes;
    NetworkShape shape;
    unsigned asked;
    AccumulatorStack *stack;
    Network *network;
} Example;

/* Word i of the file. */
static int word(const Example *e, size_t i) {
    return (int16_t)(e->bytes[2 * i] | e->bytes[2 * i + 1] << 8);
}

/* Chess768 of bullet: own pieces first, then by type, then by square, from the view of a side; ChessBucketsMirrored turns
   the squares by 7 if that side's king is right of file d. */
static size_t example_feature(const Example *e, const Position *p, Colour view, int square) {
    const bool own = p->side[view] >> square & 1;
    const int king = king_square(p, view), turned = view == BLACK ? square ^ 56 : square,
              flip = e->shape.mirrored && king % 8 > 3 ? 7 : 0;
    return (size_t)((own ? 0 : 384) + 64 * (int)piece_type_at(p, square) + (turned ^ flip));
}

static int64_t example_side(const Example *e, const Position *p, Colour view, size_t output) {
    const size_t width = e->shape.width;
    int64_t sum = 0;
    for (size_t i = 0; i < width; i++) {
        int accumulator = word(e, 768 * width + i);
        EACH (s, occupied(p)) accumulator += word(e, example_feature(e, p, view, (int)s) * width + i);
        const int clamped = accumulator < 0 ? 0 : accumulator > 255 ? 255 : accumulator;
        sum += (int64_t)clamped * clamped * word(e, output + i);
    }
    return sum;
}

static int example_value(const Example *e, const Position *p) {
    const size_t width = e->shape.width, outputs = 769 * width;
    const size_t bucket = e->shape.buckets == 1 ? 0 : (size_t)(popcount(occupied(p)) - 2) / (32 / 8);
    int64_t total = example_side(e, p, (Colour)p->turn, outputs + bucket * 2 * width) +
                    example_side(e, p, (Colour)!p->turn, outputs + bucket * 2 * width + width);
    total = total / 255 + word(e, outputs + e->shape.buckets * 2 * width + bucket);
    return (int)(total * 400 / (255 * 64));
}

static void check_value(void *context, const Position *p, Key key) {
    Example *e = context;
    (void)key;
    if (e->asked++ % 61) return;
    assert_int_equal(network_evaluate(e->stack, e->network, p, e->asked), example_value(e, p));
}

static void the_example_says_the_same(void **state) {
    static uint8_t bytes[NETWORK_BULLET_BYTES_MAX];
    Zobrist z;
    Example e = {.bytes = bytes};
    e.network = aligned_alloc(64, sizeof *e.network), e.stack = aligned_alloc(64, sizeof *e.stack);
    zobrist_init(&z, 1);
    for (int i = 0; i < SHAPES; i++) {
        network_cut(e.network, shapes[i]);
        e.shape = shapes[i], e.asked = 0;
        accumulator_stack_init(e.stack, e.network);
        assert_int_equal(network_bullet_pack(e.network, bytes, NULL), network_bullet_bytes(shapes[i]));
        random_games(check_value, &e, &z);
    }
    free(e.network), free(e.stack);
}

/* ---- there and back ---- */

static void networks_come_back(void **state) {
    static uint8_t bytes[NETWORK_BULLET_BYTES_MAX], again[NETWORK_BULLET_BYTES_MAX];
    static Network n, back;
    for (int i = 0; i < SHAPES; i++) {
        const NetworkShape known = {.buckets = shapes[i].buckets, .mirrored = shapes[i].mirrored};
        network_cut(&n, shapes[i]);
        const size_t size = network_bullet_pack(&n, bytes, NULL);
        assert_int_equal(size % 64, 0);
        assert_true(network_bullet_unpack(&back, bytes, size, known, NULL));
        assert_same_network(&back, &n);
        const size_t unpadded = ((769 + 2 * (size_t)known.buckets) * shapes[i].width + known.buckets) * 2;
        assert_true(network_bullet_unpack(&back, bytes, unpadded, known, NULL));
        assert_same_network(&back, &n);
        assert_int_equal(network_bullet_pack(&back, again, NULL), size);
        assert_memory_equal(again, bytes, size);
    }
    assert_int_equal(network_bullet_bytes(shapes[0]), 197440); /* as bullet writes for simple.rs: 197378 and padding */
}

/* A file that another trainer may write: random weights, made word by word. */
static void foreign_files_are_read(void **state) {
    enum { WIDTH = 16, WORDS = 771 * WIDTH + 1 };
    static uint8_t bytes[2 * WORDS];
    static Network n;
    uint64_t seed = 6;
    for (int i = 0; i < WORDS; i++) {
        const int weight = (int)random_below(&seed, 255) - 127;
        bytes[2 * i] = (uint8_t)weight, bytes[2 * i + 1] = (uint8_t)(weight >> 8);
    }
    assert_true(network_bullet_unpack(&n, bytes, sizeof bytes, (NetworkShape){.buckets = 1}, NULL));
    assert_int_equal(n.shape.width, WIDTH);
    AccumulatorStack *stack = aligned_alloc(64, sizeof *stack);
    Zobrist z;
    Example e = {.bytes = bytes, .shape = n.shape, .network = &n, .stack = stack};
    zobrist_init(&z, 1);
    accumulator_stack_init(stack, &n);
    random_games(check_value, &e, &z);
    free(stack);
}

/* ---- refusals ---- */

static const char *refusal(const uint8_t *bytes, size_t n, NetworkShape shape) {
    static Network back;
    static TabiaError error;
    error.text[0] = '\0';
    assert_false(network_bullet_unpack(&back, bytes, n, shape, &error));
    return error.text;
}

static void others_are_refused(void **state) {
    static uint8_t bytes[1 << 20];
    static Network n;
    const NetworkShape one = {.buckets = 1}, eight = {.buckets = NETWORK_BUCKETS};
    network_cut(&n, shapes[0]);
    const size_t size = network_bullet_pack(&n, bytes, NULL);
    assert_non_null(strstr(refusal(bytes, size - 64, one), "(768 -> 128)x2 has 197440"));
    assert_non_null(strstr(refusal(bytes, 0, one), "0 bytes are no network"));
    assert_non_null(strstr(refusal(bytes, size, eight), "--outputs says"));
    assert_non_null(strstr(refusal(bytes, (771 * 512 + 1) * 2, one), "512 accumulators a side; 1 to 256"));
    bytes[size - 1] ^= 1;
    assert_non_null(strstr(refusal(bytes, size, one), "ends with \"bullet\""));
    bytes[1] = 4; /* a weight of 1024 and more */
    assert_non_null(strstr(refusal(bytes, 197378, one), "an input weight of 10"));
    n.output_bias[0] = 40000;
    TabiaError error;
    assert_int_equal(network_bullet_pack(&n, bytes, &error), 0);
    assert_non_null(strstr(error.text, "an output bias of 40000"));
}

#include "test_network_bullet_list.h"

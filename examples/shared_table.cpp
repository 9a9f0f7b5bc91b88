// SPDX-License-Identifier: MIT
//
// Two threads, one table, from C++20: a table that frees itself, and what the path key is for.
//
//     c++ -std=c++20 -O2 shared_table.cpp $(pkg-config --cflags --libs tabia) -pthread -o shared_table &&
//     ./shared_table
//
// One thread stores a thousand positions as they were reached by one path, the other as by another path. Afterwards
// every position is found by whatever path it is asked for, and its move is usable; its score only by the path it was
// stored with, because what went before (repetitions, the clock of the 50-move rule) may have a part in it.
#include <tabia/entry.h>

#include <cstdio>
#include <stdexcept>
#include <thread>

class Table {
  public:
    explicit Table(const TabiaOptions &options) {
        TabiaError error;
        if (tabia_table_create(&table, &options, &error)) throw std::runtime_error(error.text);
    }
    ~Table() {
        tabia_table_destroy(table);
    }
    Table(const Table &) = delete;
    Table &operator=(const Table &) = delete;

    TabiaHit probe(TabiaKey key, uint64_t path) const {
        return tabia_entry_probe(table, key, path);
    }
    void store(TabiaKey key, uint64_t path, TabiaEntry entry) {
        tabia_entry_store(table, key, path, entry);
    }

  private:
    TabiaTable *table = nullptr;
};

constexpr uint64_t quiet_path = 0x1234, clock_path = 0xabcd;
constexpr unsigned positions = 1000;

// Stands for the two Zobrist words of position n.
TabiaKey key_of(uint64_t n) {
    const uint64_t a = (n + 1) * 0x9e3779b97f4a7c15, b = (n + 1) * 0xd6e8feb86659fd93;
    return {a ^ a >> 31, b ^ b >> 29};
}

void fill(Table &table, unsigned first, uint64_t path) {
    for (unsigned n = first; n < first + positions; n++)
        table.store(
            key_of(n), path,
            {.score = int16_t(n), .evaluation = 0, .draft = 8, .bound = TABIA_BOUND_EXACT, .user = 0, .move = n + 1});
}

int main() try {
    TabiaOptions options{};
    options.bytes = 64 << 20;
    Table table(options);
    {
        std::jthread one([&] { fill(table, 0, quiet_path); });
        std::jthread two([&] { fill(table, positions, clock_path); });
    }
    unsigned moves = 0, scores = 0, wrong = 0;
    for (unsigned n = 0; n < 2 * positions; n++) {
        const TabiaHit hit = table.probe(key_of(n), quiet_path);
        moves += hit.move_ok, scores += hit.score_ok;
        wrong += hit.move_ok && hit.entry.move != n + 1;
    }
    std::printf("libtabia %s: of %u positions %u moves are known, %u scores are usable, %u are wrong\n",
                tabia_version(), 2 * positions, moves, scores, wrong);
} catch (const std::exception &error) {
    std::fprintf(stderr, "shared_table: %s\n", error.what());
    return 1;
}

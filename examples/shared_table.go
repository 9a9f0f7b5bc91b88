// SPDX-License-Identifier: MIT
//
// The program of shared_table.cpp from Go, by cgo: two goroutines, one table, and what the path key is for.
//
//	go run shared_table.go        pkg-config says where the library is
//
// A table may be used by any number of goroutines at once. Memory of Go that a call gets is not kept by the library.
package main

// #cgo pkg-config: tabia
// #include <tabia/entry.h>
import "C"

import (
	"fmt"
	"os"
	"sync"
)

const quietPath, clockPath, positions = 0x1234, 0xabcd, 1000

// Stands for the two Zobrist words of position n.
func keyOf(n uint64) C.TabiaKey {
	a, b := (n+1)*0x9e3779b97f4a7c15, (n+1)*0xd6e8feb86659fd93
	return C.TabiaKey{index: C.uint64_t(a ^ a>>31), check: C.uint64_t(b ^ b>>29)}
}

func fill(table *C.TabiaTable, first, path uint64) {
	for n := first; n < first+positions; n++ {
		entry := C.TabiaEntry{move: C.uint32_t(n + 1), score: C.int16_t(n), draft: 8, bound: C.TABIA_BOUND_EXACT}
		C.tabia_entry_store(table, keyOf(n), C.uint64_t(path), entry)
	}
}

func main() {
	options := C.TabiaOptions{bytes: 64 << 20}
	var table *C.TabiaTable
	var failure C.TabiaError
	if C.tabia_table_create(&table, &options, &failure) != 0 {
		fmt.Fprintln(os.Stderr, "shared_table:", C.GoString(&failure.text[0]))
		os.Exit(1)
	}
	defer C.tabia_table_destroy(table)
	var both sync.WaitGroup
	both.Add(2)
	go func() { defer both.Done(); fill(table, 0, quietPath) }()
	go func() { defer both.Done(); fill(table, positions, clockPath) }()
	both.Wait()
	moves, scores, wrong := 0, 0, 0
	for n := uint64(0); n < 2*positions; n++ {
		hit := C.tabia_entry_probe(table, keyOf(n), quietPath)
		if hit.move_ok {
			moves++
		}
		if hit.score_ok {
			scores++
		}
		if hit.move_ok && uint64(hit.entry.move) != n+1 {
			wrong++
		}
	}
	fmt.Printf("libtabia %s: of %d positions %d moves are known, %d scores are usable, %d are wrong\n",
		C.GoString(C.tabia_version()), 2*positions, moves, scores, wrong)
}

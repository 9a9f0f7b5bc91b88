#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# The program of shared_table.cpp from Python, by ctypes alone: two threads, one table, and what the path key is for.
#
#     python3 shared_table.py                 libtabia where the system's linker finds it
#     TABIA=DIR/libtabia.so.0 python3 shared_table.py
#
# The structures stand here as the headers have them (tabia/options.h, tabia/entry.h). A call releases Python's lock, so threads
# that spend their time in the table run at the same time.
import ctypes
import ctypes.util
import os
import sys
import threading
from ctypes import POINTER, byref, c_bool, c_char_p, c_int, c_int16, c_uint, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p

QUIET_PATH, CLOCK_PATH, POSITIONS, EXACT = 0x1234, 0xABCD, 1000, 3
WORD = (1 << 64) - 1


class Options(ctypes.Structure):
    _fields_ = [("bytes", c_uint64), ("type", c_int), ("record_words", c_uint),
                ("partitions", c_uint), ("strict_generations", c_bool), ("path_bits", c_uint),
                ("move_bits", c_uint), ("user_bits", c_uint), ("signature_bits", c_uint),
                ("age_weight", c_uint), ("exact_bonus", c_uint), ("keep_margin", c_uint), ("refresh_on_hit", c_bool),
                ("replacement", c_int), ("pages", c_int), ("touch", c_int),
                ("threads", c_uint), ("counters", c_bool), ("name", c_char_p), ("identity", c_uint64), ("watch", c_void_p)]


class Error(ctypes.Structure):
    _fields_ = [("code", c_int), ("text", ctypes.c_char * 400)]


class Key(ctypes.Structure):
    _fields_ = [("index", c_uint64), ("check", c_uint64)]


class Entry(ctypes.Structure):
    _fields_ = [("score", c_int16), ("evaluation", c_int16), ("draft", c_uint8), ("bound", c_uint8), ("user", c_uint16),
                ("move", c_uint32)]


class Hit(ctypes.Structure):
    _fields_ = [("entry", Entry), ("move_ok", c_bool), ("score_ok", c_bool), ("generation", c_uint8), ("unused", c_uint8),
                ("path", c_uint32)]


def library():
    tabia = ctypes.CDLL(os.environ.get("TABIA") or ctypes.util.find_library("tabia") or "libtabia.so.0")
    for name, result, arguments in (
            ("tabia_version", c_char_p, []),
            ("tabia_table_create", c_int, [POINTER(c_void_p), POINTER(Options), POINTER(Error)]),
            ("tabia_table_destroy", None, [c_void_p]),
            ("tabia_entry_probe", Hit, [c_void_p, Key, c_uint64]),
            ("tabia_entry_store", None, [c_void_p, Key, c_uint64, Entry])):
        function = getattr(tabia, name)
        function.restype, function.argtypes = result, arguments
    return tabia


def key_of(n):
    """Stands for the two Zobrist words of position n."""
    a, b = (n + 1) * 0x9E3779B97F4A7C15 & WORD, (n + 1) * 0xD6E8FEB86659FD93 & WORD
    return Key(a ^ a >> 31, b ^ b >> 29)


def fill(tabia, table, first, path):
    for n in range(first, first + POSITIONS):
        tabia.tabia_entry_store(table, key_of(n), path, Entry(move=n + 1, score=n, draft=8, bound=EXACT))


def main():
    tabia, table, error = library(), c_void_p(), Error()
    if tabia.tabia_table_create(byref(table), byref(Options(bytes=64 << 20)), byref(error)):
        sys.exit("shared_table: " + error.text.decode())
    threads = [threading.Thread(target=fill, args=(tabia, table, first, path))
               for first, path in ((0, QUIET_PATH), (POSITIONS, CLOCK_PATH))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    hits = [tabia.tabia_entry_probe(table, key_of(n), QUIET_PATH) for n in range(2 * POSITIONS)]
    wrong = sum(hit.move_ok and hit.entry.move != n + 1 for n, hit in enumerate(hits))
    print(f"libtabia {tabia.tabia_version().decode()}: of {len(hits)} positions {sum(h.move_ok for h in hits)} moves are known, "
          f"{sum(h.score_ok for h in hits)} scores are usable, {wrong} are wrong")
    tabia.tabia_table_destroy(table)


main()

// SPDX-License-Identifier: MIT
// Reads a binpack by the crate sfbinpack, which is given by path (compare.py compiles this): `sfbinpack text FILE` prints a line a
// record as nnue_pytorch.cpp does, `sfbinpack binpack FILE OUT` writes it again.
use sfbinpack::{CompressedTrainingDataEntryReader, CompressedTrainingDataEntryWriter};
use std::fs::{File, OpenOptions};
use std::io::{stdout, BufWriter, Write};

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let mut reader = CompressedTrainingDataEntryReader::new(File::open(&words[2]).unwrap()).unwrap();
    if words[1] == "text" {
        let mut out = BufWriter::new(stdout().lock());
        while reader.has_next() {
            let e = reader.next();
            let fen = e.pos.fen().unwrap();
            let (position, _move_number) = fen.rsplit_once(' ').unwrap();
            writeln!(out, "{}|{}|{}|{}|{}", position, e.mv.as_uci(), e.score, e.ply, e.result).unwrap();
        }
        return;
    }
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&words[3]).unwrap();
    let mut writer = CompressedTrainingDataEntryWriter::new(file).unwrap();
    while reader.has_next() {
        writer.write_entry(&reader.next()).unwrap();
    }
}

// SPDX-License-Identifier: MIT
// Reads a binpack by the crate sfbinpack, which is given by path (compare.py compiles this): `sfbinpack text FILE` prints a line a
// record as nnue_pytorch.cpp does, `sfbinpack binpack FILE OUT` writes it again, `sfbinpack quiet FILE OUT` without captures,
// promotions, checks and the first 16 plies.
use sfbinpack::chess::r#move::MoveType;
use sfbinpack::{CompressedTrainingDataEntryReader, CompressedTrainingDataEntryWriter, TrainingDataEntry};
use std::fs::{File, OpenOptions};
use std::io::{stdout, BufWriter, Write};

fn is_quiet(e: &TrainingDataEntry) -> bool {
    let side = e.pos.side_to_move();
    e.ply >= 16
        && !matches!(e.mv.mtype(), MoveType::Promotion | MoveType::EnPassant)
        && (e.pos.pieces_bb(!side).bits() >> e.mv.to().index()) & 1 == 0
        && !e.pos.is_checked(side)
}

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
    let all = words[1] == "binpack";
    while reader.has_next() {
        let e = reader.next();
        if all || is_quiet(&e) {
            writer.write_entry(&e).unwrap();
        }
    }
}

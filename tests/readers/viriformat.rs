// SPDX-License-Identifier: MIT
// Reads a file of viriformat by its own crate, which is given by path (compare.py compiles this), and writes what the crate makes of
// it: `viriformat marlin|bullet|viri FILE OUT [FILTER.toml]`. `viriformat check FILE` reads marlin, and lets the crate judge each
// position (in a build with its asserts).
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use viriformat::dataformat::{Filter, Game};

/// A record of marlin is how a game without a move begins.
#[cfg(debug_assertions)]
fn check(file: &str) {
    for record in std::fs::read(file).unwrap().chunks(32) {
        let bytes = [record, &[0; 4]].concat();
        let game = Game::deserialise_from(&mut &bytes[..], Vec::new()).unwrap();
        game.initial_position().check_validity().unwrap();
        game.outcome();
    }
}

#[cfg(not(debug_assertions))]
fn check(_file: &str) {
    panic!("the crate judges positions only in a build with its asserts");
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    if words[1] == "check" {
        return check(&words[2]);
    }
    let mut input = BufReader::new(File::open(&words[2]).unwrap());
    let mut out = BufWriter::new(File::create(&words[3]).unwrap());
    let filter = match words.get(4) {
        Some(path) => Filter::from_path(std::path::Path::new(path)).unwrap(),
        None => Filter::UNRESTRICTED,
    };
    while !input.fill_buf().unwrap().is_empty() {
        let game = Game::deserialise_from(&mut input, Vec::new()).unwrap();
        match words[1].as_str() {
            "marlin" => {
                game.splat_to_marlinformat(|board| Ok(out.write_all(&board.as_bytes())?), &filter).unwrap();
            }
            "viri" => game.serialise_into(&mut out).unwrap(),
            _ => {
                game.splat_to_bulletformat(
                    |board| {
                        let bytes: [u8; 32] = unsafe { std::mem::transmute(board) };
                        Ok(out.write_all(&bytes)?)
                    },
                    &filter,
                )
                .unwrap();
            }
        }
    }
    out.flush().unwrap();
}

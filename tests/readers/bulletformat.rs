// SPDX-License-Identifier: MIT
// Reads a file of bulletformat by its own crate, which is given by path (mutations.py compiles this): `bulletformat FILE`. It asks of
// each position what the crate itself does not: what bullet's `validate` counts as an error (but for bare kings, which its trainer
// takes), and the result that a trainer indexes by.
use bulletformat::{BulletFormat, ChessBoard, DataLoader};

const PAWN: u8 = 0;
const KING: u8 = 5;

fn check(board: &ChessBoard) {
    let (mut kings, mut pieces) = ([0, 0], 0);
    for (piece, square) in board.into_iter() {
        let (kind, side) = (piece & 7, usize::from(piece >> 3));
        let king = if side == 0 { board.our_ksq() } else { board.opp_ksq() ^ 56 };
        assert!(kind <= KING, "a piece of no kind");
        assert!(kind != PAWN || (8..56).contains(&square), "a pawn on the first or last rank");
        assert!(kind != KING || king == square, "a king on another square than it says");
        kings[side] += usize::from(kind == KING);
        pieces += 1;
    }
    assert!(kings == [1, 1] && pieces <= 32, "{kings:?} kings, {pieces} pieces");
    assert!(board.result_idx() <= 2, "no result");
}

fn main() {
    let file = std::env::args().nth(1).unwrap();
    assert!(std::fs::metadata(&file).unwrap().len() % 32 == 0, "half a position");
    DataLoader::<ChessBoard>::new(&file, 1).unwrap().map_positions(check);
}

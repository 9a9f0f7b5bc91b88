// SPDX-License-Identifier: MIT
// A chess board. Castling is a move of the king by two squares or onto its rook.
import { defaultPieces } from "./board_library.js";
import { BoardBase } from "./board_base.js";

const NAMES = { P: "pawn", N: "knight", B: "bishop", R: "rook", Q: "queen", K: "king" };

export class Board extends BoardBase {
    constructor(play) {
        super(play, { files: "abcdefgh", ranks: "87654321", cursor: "e2", capitals: "w",
                      help: "Arrow keys choose a square, Enter picks a piece up and puts it down, Escape lets go.",
                      look: { pieces: defaultPieces, lightSquareStyle: { background: "var(--light)" }, darkSquareStyle: { background: "var(--dark)" } } });
    }

    nameAt(square) {
        const [side, letter] = this.pieceAt(square) ?? "";
        return side ? `${side === "w" ? "white" : "black"} ${NAMES[letter]}` : "empty";
    }

    promotions(moves) {
        return [..."qrbn"].map((letter) => [NAMES[letter.toUpperCase()], moves.find((move) => move[4] === letter)]).filter(([, move]) => move);
    }
}

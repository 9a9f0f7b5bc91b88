// SPDX-License-Identifier: MIT
// A chess board. Castling is a move of the king by two squares or onto its rook.
import { drawing } from "./api.js";
import { BoardBase, SIZE } from "./board_base.js";
import { NAMES, OUTLINES } from "./pieces.js";

const FILES = "abcdefgh", RANKS = "87654321";

// {square: letter} of the first field of a FEN.
function piecesOf(fen) {
    const pieces = {};
    fen.split(" ")[0].split("/").forEach((row, i) => {
        let file = 0;
        for (const letter of row) {
            if (/\d/.test(letter)) file += Number(letter);
            else pieces[FILES[file++] + RANKS[i]] = letter;
        }
    });
    return pieces;
}

export class Board extends BoardBase {
    constructor(play) {
        super(play, { files: FILES, ranks: RANKS, cursor: "e2",
                      help: "Arrow keys choose a square, Enter picks a piece up and puts it down, Escape lets go." });
    }

    field(square) {
        const [x, y] = this.corner(square), isDark = (FILES.indexOf(square[0]) + RANKS.indexOf(square[1])) % 2 === 1;
        const parts = [this.box(isDark ? "dark" : "light", [x, y])];
        if (y === 7 * SIZE) parts.push(drawing("text", { class: "name", x: x + 86, y: y + 95 }, square[0]));
        if (x === 0) parts.push(drawing("text", { class: "name", x: 4, y: y + 20 }, square[1]));
        return parts;
    }

    pieces() {
        return Object.entries(piecesOf(this.shown.fen)).map(([square, letter]) => drawing("path", {
            class: letter < "a" ? "white" : "black", d: OUTLINES[letter.toLowerCase()], transform: `translate(${this.corner(square)})` }));
    }

    nameAt(square) {
        const letter = piecesOf(this.shown.fen)[square];
        return letter ? `${letter < "a" ? "white" : "black"} ${NAMES[letter.toLowerCase()]}` : "empty";
    }

    promotions(moves) {
        return [..."qrbn"].map((letter) => [NAMES[letter], moves.find((move) => move[4] === letter)]).filter(([, move]) => move);
    }
}

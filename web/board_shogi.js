// SPDX-License-Identifier: MIT
// A shogi board with the hands above and below; a letter takes a piece in hand.
import { drawing, say } from "./api.js";
import { BoardBase, SIZE } from "./board_base.js";

const FILES = "987654321", RANKS = "abcdefghi", TOP = 110;
const PIECES = { P: ["\u6b69", "pawn"], L: ["\u9999", "lance"], N: ["\u6842", "knight"], S: ["\u9280", "silver"], G: ["\u91d1", "gold"],
                 B: ["\u89d2", "bishop"], R: ["\u98db", "rook"], K: ["\u7389", "king"], "+P": ["\u3068", "promoted pawn"],
                 "+L": ["\u674f", "promoted lance"], "+N": ["\u572d", "promoted knight"], "+S": ["\u5168", "promoted silver"],
                 "+B": ["\u99ac", "horse"], "+R": ["\u9f8d", "dragon"] };
const IN_HAND = "RBGSNLP";

// Is there a font for the signs? Without one all of them look the same.
function hasSigns() {
    const drawn = [PIECES.P[0], PIECES.R[0]].map((sign) => {
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [32, 32];
        const pen = canvas.getContext("2d");
        pen.font = "24px serif";
        pen.fillText(sign, 4, 26);
        return canvas.toDataURL();
    });
    return drawn[0] !== drawn[1];
}

function piecesOf(sfen) {
    const pieces = {};
    sfen.split(" ")[0].split("/").forEach((row, rank) => {
        let file = 0;
        for (const [, promoted, letter] of row.matchAll(/(\+?)(.)/g)) {
            if (/\d/.test(letter)) file += Number(letter);
            else pieces[FILES[file++] + RANKS[rank]] = promoted + letter;
        }
    });
    return pieces;
}

// {letter: how many}, black's by capitals.
function handsOf(sfen) {
    const hands = {};
    for (const [, n, letter] of (sfen.split(" ")[2] || "-").matchAll(/(\d*)([a-zA-Z])/g)) hands[letter] = Number(n || 1);
    return hands;
}

export class ShogiBoard extends BoardBase {
    // What is picked is a square, or "P*" of a piece in hand.
    constructor(play) {
        super(play, { files: FILES, ranks: RANKS, top: TOP, cursor: "7g",
                      help: "Arrow keys choose a square, a letter a piece in hand, Enter picks up and puts down, Escape lets go." });
        this.hasSigns = hasSigns();
    }

    field(square) {
        return [this.box("wood", this.corner(square))];
    }

    pieces() {
        const parts = Object.entries(piecesOf(this.shown.fen)).map(([square, piece]) => this.piece(piece, this.corner(square)));
        this.drawHands(parts);
        return parts;
    }

    // Black's pieces point up, unless the board is turned.
    piece(piece, [x, y]) {
        const isBlack = piece.toUpperCase() === piece, [sign] = PIECES[piece.toUpperCase()];
        const half = isBlack === this.turned ? " rotate(180 50 50)" : "";
        const letter = piece.toUpperCase(), texts = this.hasSigns
            ? [drawing("text", { x: 50, y: 68 }, sign), drawing("text", { class: "letter", x: 50, y: 88 }, letter)]
            : [drawing("text", { x: 50, y: 74 }, letter)];
        return drawing("g", { transform: `translate(${x} ${y})${half}`, class: piece.startsWith("+") ? "piece promoted" : "piece" },
                       drawing("path", { d: "M50 8L78 24 88 92H12L22 24z" }), ...texts);
    }

    drawHands(parts) {
        const hands = handsOf(this.shown.fen);
        for (const isBlack of [true, false]) {
            const y = isBlack !== this.turned ? TOP + 9 * SIZE + 5 : 5;
            [...IN_HAND].forEach((letter, i) => {
                const own = isBlack ? letter : letter.toLowerCase(), n = hands[own];
                if (!n) return;
                const x = SIZE * (i + 1), name = `${letter}*`, toMove = (this.shown.fen.split(" ")[1] === "b") === isBlack;
                parts.push(this.piece(own, [x, y]), drawing("text", { class: "name", x: x + 84, y: y + 96 }, n > 1 ? String(n) : ""));
                if (toMove && this.picked === name) parts.push(this.box("picked", [x, y]));
                if (toMove) parts.push(this.box("hit", [x, y], { "data-hand": letter, click: () => this.take(letter) }));
            });
        }
    }

    // A piece in hand is picked up.
    take(letter) {
        const name = `${letter}*`, may = this.shown.moves.some(({ move }) => move.startsWith(name));
        this.picked = may && this.picked !== name ? name : null;
        say(this.picked ? `picked up: ${PIECES[letter][1]} in hand` : `no ${PIECES[letter][1]} can be dropped`);
        this.draw();
    }

    nameAt(square) {
        const piece = piecesOf(this.shown.fen)[square];
        return piece ? `${piece.toUpperCase() === piece ? "black" : "white"} ${PIECES[piece.toUpperCase()][1]}` : "empty";
    }

    promotions(moves) {
        return moves.map((move) => [move.endsWith("+") ? "Promote" : "Do not promote", move]);
    }

    otherKey(key) {
        const isPiece = IN_HAND.includes(key.toUpperCase());
        if (isPiece) this.take(key.toUpperCase());
        return isPiece;
    }
}

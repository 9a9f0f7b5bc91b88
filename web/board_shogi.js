// SPDX-License-Identifier: MIT
// A shogi board with the hands around it; a letter takes a piece in hand.
import { SparePiece, createElement } from "./board_library.js";
import { say } from "./api.js";
import { BoardBase } from "./board_base.js";
import { KANJI, RANKS, hasLetters } from "./kanji.js";

const PIECES = { P: "pawn", L: "lance", N: "knight", S: "silver", G: "gold", B: "bishop", R: "rook", K: "king", "+P": "promoted pawn",
                 "+L": "promoted lance", "+N": "promoted knight", "+S": "promoted silver", "+B": "horse", "+R": "dragon" };
const SIZES = { P: 0.88, L: 0.92, N: 0.92, S: 0.95, G: 0.95, B: 0.98, R: 0.98, K: 1 };
const IN_HAND = "RBGSNLP";
const WOOD = { background: "var(--wood)", boxShadow: "inset 0 0 0 0.5px var(--grain)" };

// A piece as a drawing of React. Those whose side is below point up.
function drawing(letter, pointsUp) {
    const sign = hasLetters() ? createElement("text", { x: 50, y: 80 }, letter) : createElement("path", { d: KANJI[letter], transform: "translate(24 25) scale(.52 .67)" });
    const size = SIZES[letter.at(-1)], place = `rotate(${pointsUp ? 0 : 180} 50 50) translate(${50 - 50 * size} ${50 - 50 * size}) scale(${size})`;
    return createElement("svg", { viewBox: "0 0 100 100", className: `piece${letter[1] ? " promoted" : ""}` },
                         createElement("g", { transform: place }, createElement("path", { className: "wood", d: "M50 3L79 17 91 97H9L21 17z" }), sign));
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
        super(play, { files: "987654321", ranks: "abcdefghi", cursor: "7g", capitals: "b",
                      help: "Arrow keys choose a square, a letter a piece in hand, Enter picks up and puts down, Escape lets go.",
                      look: { boardStyle: { border: "1.5px solid var(--grain)" }, lightSquareStyle: WOOD, darkSquareStyle: WOOD } });
        this.options.pieces = Object.fromEntries(Object.keys(PIECES).flatMap((letter) => [..."bw"].map((side) =>
            [side + letter, () => drawing(letter, (side === "b") !== this.turned)])));
        this.options.onPieceClick = ({ piece, isSparePiece }) => {
            if (isSparePiece) this.take(this.nameInHand(piece.pieceType));
        };
    }

    get sideToMove() {
        return this.shown.fen.split(" ")[1];
    }

    // Kanji or Latin letters.
    swapSigns() {
        localStorage.setItem("pieces", hasLetters() ? "kanji" : "letters");
        this.draw();
    }

    draw() {
        document.body.classList.toggle("kanji", !hasLetters());
        this.rankNames = hasLetters() ? this.ranks : RANKS;
        super.draw();
    }

    around(board) {
        return [this.hand(this.turned, "above"), board, this.hand(!this.turned, "below")];
    }

    dropped([letter]) {
        return drawing(letter, (this.sideToMove === "b") !== this.turned);
    }

    hand(isBlack, where) {
        const hands = handsOf(this.shown.fen), side = isBlack ? "b" : "w", toMove = this.sideToMove === side;
        const colours = Object.fromEntries(Object.values(this.drops).map(({ from, color }) => [from[0], color]));
        return createElement("div", { className: `hand ${where}${toMove ? " turn" : ""}` }, ...[...IN_HAND].map((letter) => {
            const n = hands[isBlack ? letter : letter.toLowerCase()], isPicked = toMove && this.picked === `${letter}*`;
            const style = n && toMove && colours[letter] ? { outlineColor: colours[letter] } : {};
            const attributes = n && toMove ? { "data-hand": letter, onTouchEnd: (event) => this.tapped(event, `${letter}*`) } : {};
            return createElement("div", { key: letter, className: `${isPicked ? "picked" : ""}${style.outlineColor ? " pointed" : ""}`, style, ...attributes },
                                 n ? createElement(SparePiece, { pieceType: side + letter }) : null, n > 1 ? createElement("span", {}, n) : null);
        }));
    }

    // The library takes the click that follows a tap for the begin of a dragging: so none may follow.
    tapped(event, name) {
        const { clientX, clientY } = event.changedTouches[0];
        event.preventDefault();
        if (event.currentTarget.contains(document.elementFromPoint(clientX, clientY))) this.take(name);
    }

    // "P*" where the piece is of the side to move.
    nameInHand([side, letter]) {
        return side === this.sideToMove ? `${letter}*` : "";
    }

    // A piece in hand is picked up.
    take(name) {
        const may = this.mayMove(name), what = PIECES[name[0]] ?? "piece of the other side";
        this.picked = may && this.picked !== name ? name : null;
        say(this.picked ? `picked up: ${what} in hand` : may ? "" : `no ${what} can be dropped`);
        this.draw();
    }

    nameAt(square) {
        const piece = this.pieceAt(square);
        return piece ? `${piece[0] === "b" ? "black" : "white"} ${PIECES[piece.slice(1)]}` : "empty";
    }

    promotions(moves) {
        return moves.map((move) => [move.endsWith("+") ? "Promote" : "Do not promote", move]);
    }

    otherKey(key) {
        const isPiece = IN_HAND.includes(key.toUpperCase());
        if (isPiece) this.take(`${key.toUpperCase()}*`);
        return isPiece;
    }
}

// SPDX-License-Identifier: MIT
// A shogi board with the hands above and below; a letter takes a piece in hand.
import { SparePiece, createElement } from "./board_library.js";
import { say } from "./api.js";
import { BoardBase } from "./board_base.js";

const PIECES = { P: ["\u6b69", "pawn"], L: ["\u9999", "lance"], N: ["\u6842", "knight"], S: ["\u9280", "silver"], G: ["\u91d1", "gold"],
                 B: ["\u89d2", "bishop"], R: ["\u98db", "rook"], K: ["\u7389", "king"], "+P": ["\u3068", "promoted pawn"],
                 "+L": ["\u674f", "promoted lance"], "+N": ["\u572d", "promoted knight"], "+S": ["\u5168", "promoted silver"],
                 "+B": ["\u99ac", "horse"], "+R": ["\u9f8d", "dragon"] };
const IN_HAND = "RBGSNLP";
const WOOD = { background: "var(--wood)", boxShadow: "inset 0 0 0 1px var(--grain)" };

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

// A piece as a drawing of React. Those whose side is below point up.
function drawing(letter, pointsUp, signs) {
    const texts = signs ? [[PIECES[letter][0], 68, "sign"], [letter, 88, "letter"]] : [[letter, 74, "sign"]];
    const shape = createElement("path", { d: "M50 8L78 24 88 92H12L22 24z" });
    const drawn = texts.map(([text, y, className]) => createElement("text", { x: 50, y, className }, text));
    return createElement("svg", { viewBox: "0 0 100 100", className: `piece${letter[1] ? " promoted" : ""}` },
                         createElement("g", pointsUp ? {} : { transform: "rotate(180 50 50)" }, shape, ...drawn));
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
                      look: { showNotation: false, boardStyle: { background: "var(--grain)" }, lightSquareStyle: WOOD, darkSquareStyle: WOOD } });
        const signs = this.signs = hasSigns();
        this.options.pieces = Object.fromEntries(Object.keys(PIECES).flatMap((letter) => [..."bw"].map((side) =>
            [side + letter, () => drawing(letter, (side === "b") !== this.turned, signs)])));
        this.options.onPieceClick = ({ piece, isSparePiece }) => {
            if (isSparePiece) this.take(this.nameInHand(piece.pieceType));
        };
    }

    get sideToMove() {
        return this.shown.fen.split(" ")[1];
    }

    // Names along the upper and the right edge, as diagrams have them.
    coordinates(square) {
        const isAbove = square[1] === (this.turned ? "i" : "a"), isRight = square[0] === (this.turned ? "9" : "1");
        const name = (text, edge) => createElement("span", { className: `coordinate ${edge}` }, text);
        return [isAbove ? name(square[0], "above") : null, isRight ? name(square[1], "right") : null];
    }

    around(board) {
        return [this.hand(this.turned), board, this.hand(!this.turned)];
    }

    dropped([letter]) {
        return drawing(letter, (this.sideToMove === "b") !== this.turned, this.signs);
    }

    hand(isBlack) {
        const hands = handsOf(this.shown.fen), side = isBlack ? "b" : "w", toMove = this.sideToMove === side;
        const colours = Object.fromEntries(Object.values(this.drops).map(({ from, color }) => [from[0], color]));
        return createElement("div", { className: "hand" }, ...[...IN_HAND].map((letter) => {
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
        const may = this.mayMove(name), what = PIECES[name[0]]?.[1] ?? "piece of the other side";
        this.picked = may && this.picked !== name ? name : null;
        say(this.picked ? `picked up: ${what} in hand` : may ? "" : `no ${what} can be dropped`);
        this.draw();
    }

    nameAt(square) {
        const piece = this.pieceAt(square);
        return piece ? `${piece[0] === "b" ? "black" : "white"} ${PIECES[piece.slice(1)][1]}` : "empty";
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

// SPDX-License-Identifier: MIT
// A shogi board of SVG with the hands above and below: moved on by clicks or taps, or by the arrow keys and Enter; a letter takes a
// piece in hand.
import { drawing, say } from "./api.js";

const FILES = "987654321", RANKS = "abcdefghi", SIZE = 100, TOP = 110;
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

export class ShogiBoard {
    constructor(play) {
        this.play = play;
        this.turned = false;
        this.hasSigns = hasSigns();
        this.cursor = "7g";
        this.picked = null; // a square, or "P*" of a piece in hand
        this.shown = { fen: "9/9/9/9/9/9/9/9/9 b - 1", moves: [], last: "" };
        this.svg = drawing("svg", {
            class: "board", viewBox: `0 0 ${9 * SIZE} ${9 * SIZE + 2 * TOP}`, tabindex: 0, role: "application",
            "aria-label": "Board. Arrow keys choose a square, a letter a piece in hand, Enter picks up and puts down, Escape lets go.",
            keydown: (event) => this.key(event), focus: () => this.draw(), blur: () => this.draw(),
        });
    }

    show(fen, moves = [], last = "") {
        this.shown = { fen, moves, last };
        this.picked = null;
        this.draw();
    }

    turn() {
        this.turned = !this.turned;
        this.draw();
    }

    corner(square) {
        const x = FILES.indexOf(square[0]), y = RANKS.indexOf(square[1]);
        return this.turned ? [SIZE * (8 - x), TOP + SIZE * (8 - y)] : [SIZE * x, TOP + SIZE * y];
    }

    targets() {
        return this.shown.moves.filter(({ move }) => move.slice(0, 2) === this.picked).map(({ move }) => [move.slice(2, 4), move]);
    }

    draw() {
        const parts = [], squares = [...FILES].flatMap((file) => [...RANKS].map((rank) => file + rank));
        const box = (kind, [x, y], more = {}) => parts.push(drawing("rect", { class: kind, x, y, width: SIZE, height: SIZE, ...more }));
        for (const square of squares) box("wood", this.corner(square));
        const marked = this.shown.last ? [this.shown.last.slice(0, 2), this.shown.last.slice(2, 4)] : [];
        for (const square of marked.filter((name) => /^\d[a-i]$/.test(name))) box("last", this.corner(square));
        for (const [square, piece] of Object.entries(piecesOf(this.shown.fen))) parts.push(this.piece(piece, this.corner(square)));
        this.drawHands(parts);
        if (this.picked && !this.picked.endsWith("*")) box("picked", this.corner(this.picked));
        for (const [square] of this.picked ? this.targets() : []) {
            const [x, y] = this.corner(square);
            parts.push(drawing("circle", { class: "target", cx: x + SIZE / 2, cy: y + SIZE / 2, r: 15 }));
        }
        if (document.activeElement === this.svg) box("cursor", this.corner(this.cursor));
        for (const square of squares) box("hit", this.corner(square), { "data-square": square, click: () => this.choose(square) });
        this.svg.replaceChildren(...parts);
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
                if (toMove && this.picked === name) parts.push(drawing("rect", { class: "picked", x, y, width: SIZE, height: SIZE }));
                if (toMove) parts.push(drawing("rect", { class: "hit", x, y, width: SIZE, height: SIZE, "data-hand": letter, click: () => this.take(letter) }));
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

    choose(square) {
        this.cursor = square;
        const found = this.picked ? this.targets().filter(([to]) => to === square).map(([, move]) => move) : [];
        if (found.length > 1) {
            const promotes = window.confirm("Promote?");
            return this.play(found.find((move) => move.endsWith("+") === promotes));
        }
        if (found.length) return this.play(found[0]);
        const mayMove = this.shown.moves.some(({ move }) => move.slice(0, 2) === square);
        this.picked = mayMove && this.picked !== square ? square : null;
        this.tell(square);
        this.draw();
        return undefined;
    }

    tell(square) {
        const piece = piecesOf(this.shown.fen)[square];
        say(`${square}: ${piece ? `${piece.toUpperCase() === piece ? "black" : "white"} ${PIECES[piece.toUpperCase()][1]}` : "empty"}`);
    }

    key(event) {
        const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }, letter = event.key.toUpperCase();
        if (event.altKey || event.ctrlKey || event.metaKey) return;
        if (steps[event.key]) this.step(...steps[event.key]);
        else if (event.key === "Enter" || event.key === " ") this.choose(this.cursor);
        else if (event.key === "Escape") this.picked = null;
        else if (IN_HAND.includes(letter)) this.take(letter);
        else return;
        event.preventDefault();
        event.stopPropagation();
        this.draw();
    }

    step(right, down) {
        const way = this.turned ? -1 : 1;
        const x = FILES.indexOf(this.cursor[0]) + way * right, y = RANKS.indexOf(this.cursor[1]) + way * down;
        if (x < 0 || x > 8 || y < 0 || y > 8) return;
        this.cursor = FILES[x] + RANKS[y];
        this.tell(this.cursor);
    }
}

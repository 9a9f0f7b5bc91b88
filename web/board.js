// SPDX-License-Identifier: MIT
// A chess board of SVG: pieces are moved by clicks or taps, or by the arrow keys and Enter.
import { drawing, say } from "./api.js";
import { NAMES, OUTLINES } from "./pieces.js";

const FILES = "abcdefgh";

// {square: letter} of the first field of a FEN.
export function piecesOf(fen) {
    const pieces = {};
    fen.split(" ")[0].split("/").forEach((row, i) => {
        let file = 0;
        for (const letter of row) {
            if (/\d/.test(letter)) file += Number(letter);
            else pieces[FILES[file++] + (8 - i)] = letter;
        }
    });
    return pieces;
}

function nameOf(letter) {
    return letter ? `${letter < "a" ? "white" : "black"} ${NAMES[letter.toLowerCase()]}` : "empty";
}

export class Board {
    // play(move) is called with a move of `moves` that was chosen.
    constructor(play) {
        this.play = play;
        this.turned = false;
        this.cursor = "e2";
        this.picked = null;
        this.shown = { fen: "8/8/8/8/8/8/8/8 w - - 0 1", moves: [], last: "" };
        this.svg = drawing("svg", {
            class: "board", viewBox: "0 0 800 800", tabindex: 0, role: "application",
            "aria-label": "Board. Arrow keys choose a square, Enter picks a piece up and puts it down, Escape lets go.",
            keydown: (event) => this.key(event),
            focus: () => this.draw(),
            blur: () => this.draw(),
        });
    }

    // moves: [{move, san}] that are legal; last: the move that led here.
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
        const file = FILES.indexOf(square[0]), rank = Number(square[1]) - 1;
        return this.turned ? [100 * (7 - file), 100 * rank] : [100 * file, 100 * (7 - rank)];
    }

    // [square, move] of where the picked piece may go. Castling is a move of the king by two squares or onto its rook.
    targets() {
        return this.shown.moves.filter(({ move }) => move.slice(0, 2) === this.picked).map(({ move }) => [move.slice(2, 4), move]);
    }

    draw() {
        const pieces = piecesOf(this.shown.fen), parts = [];
        const mark = (kind, square) => {
            const [x, y] = this.corner(square);
            parts.push(drawing("rect", { class: kind, x: x + 3, y: y + 3, width: 94, height: 94 }));
        };
        for (const file of FILES) for (let rank = 1; rank <= 8; rank++) parts.push(...this.square(file, rank));
        for (const square of [this.shown.last.slice(0, 2), this.shown.last.slice(2, 4)])
            if (/^[a-h][1-8]$/.test(square)) mark("last", square);
        for (const [square, letter] of Object.entries(pieces)) {
            const [x, y] = this.corner(square);
            parts.push(drawing("path", { class: letter < "a" ? "white" : "black", d: OUTLINES[letter.toLowerCase()],
                                         transform: `translate(${x} ${y})` }));
        }
        if (this.picked) mark("picked", this.picked);
        for (const [square] of this.picked ? this.targets() : []) {
            const [x, y] = this.corner(square);
            parts.push(drawing("circle", { class: "target", cx: x + 50, cy: y + 50, r: 15 }));
        }
        if (document.activeElement === this.svg) mark("cursor", this.cursor);
        for (const file of FILES) for (let rank = 1; rank <= 8; rank++) parts.push(this.hit(file + rank));
        this.svg.replaceChildren(...parts);
    }

    square(file, rank) {
        const [x, y] = this.corner(file + rank), isDark = (FILES.indexOf(file) + rank) % 2 === 1;
        const parts = [drawing("rect", { class: isDark ? "dark" : "light", x, y, width: 100, height: 100 })];
        if (y === 700) parts.push(drawing("text", { class: "name", x: x + 86, y: y + 95 }, file));
        if (x === 0) parts.push(drawing("text", { class: "name", x: 4, y: y + 20 }, String(rank)));
        return parts;
    }

    hit(square) {
        const [x, y] = this.corner(square);
        return drawing("rect", { class: "hit", "data-square": square, x, y, width: 100, height: 100,
                                 click: () => this.choose(square) });
    }

    // The picked piece goes there, or the piece there is picked up.
    choose(square) {
        this.cursor = square;
        const found = this.picked ? this.targets().filter(([to]) => to === square) : [];
        if (found.length) return this.play(found.length > 1 ? promotion(found.map(([, move]) => move)) : found[0][1]);
        const mayMove = this.shown.moves.some(({ move }) => move.slice(0, 2) === square);
        this.picked = mayMove && this.picked !== square ? square : null;
        say(this.picked ? `picked up: ${nameOf(piecesOf(this.shown.fen)[square])} on ${square}` : "");
        this.draw();
        return undefined;
    }

    key(event) {
        const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
        if (steps[event.key]) this.step(...steps[event.key]);
        else if (event.key === "Enter" || event.key === " ") this.choose(this.cursor);
        else if (event.key === "Escape") this.picked = null;
        else return;
        event.preventDefault();
        event.stopPropagation();
        this.draw();
    }

    step(right, up) {
        const way = this.turned ? -1 : 1;
        const file = FILES.indexOf(this.cursor[0]) + way * right, rank = Number(this.cursor[1]) + way * up;
        if (file < 0 || file > 7 || rank < 1 || rank > 8) return;
        this.cursor = FILES[file] + rank;
        say(`${this.cursor}: ${nameOf(piecesOf(this.shown.fen)[this.cursor])}`);
    }
}

// Which piece a pawn becomes.
function promotion(moves) {
    const wanted = (window.prompt("Promote to: q, r, b or n", "q") || "q").toLowerCase();
    return moves.find((move) => move[4] === wanted) || moves.find((move) => move[4] === "q");
}

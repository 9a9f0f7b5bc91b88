// SPDX-License-Identifier: MIT
// What the boards of both games have in common: squares of SVG, and moves by clicks or taps, or by the arrow keys and Enter.
import { drawing, element, say } from "./api.js";

export const SIZE = 100; // of a square

export class BoardBase {
    // play(move) is called with a move of `moves` that was chosen. files, ranks: the names of columns from the left and of rows
    // from the top; top: how much room is above and below them; cursor: where it stands first.
    constructor(play, { files, ranks, top = 0, cursor, help }) {
        Object.assign(this, { play, files, ranks, top, cursor, turned: false, picked: null });
        this.shown = { fen: "", moves: [], last: "" };
        this.squares = [...files].flatMap((file) => [...ranks].map((rank) => file + rank));
        this.svg = drawing("svg", {
            class: "board", viewBox: `0 0 ${files.length * SIZE} ${ranks.length * SIZE + 2 * top}`, tabindex: 0, role: "application",
            "aria-label": `Board. ${help}`, keydown: (event) => this.key(event), focus: () => this.draw(), blur: () => this.draw(),
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
        const x = this.files.indexOf(square[0]), y = this.ranks.indexOf(square[1]);
        return [SIZE * (this.turned ? this.files.length - 1 - x : x), this.top + SIZE * (this.turned ? this.ranks.length - 1 - y : y)];
    }

    // [square, move] of where the picked piece may go.
    targets() {
        return this.shown.moves.filter(({ move }) => move.slice(0, 2) === this.picked).map(({ move }) => [move.slice(2, 4), move]);
    }

    // A game has field(square) and pieces(), which make parts of the drawing, nameAt(square), and promotions(moves), the
    // [text, move] to choose from.
    draw() {
        if (!this.shown.fen) return;
        const parts = this.squares.flatMap((square) => this.field(square)), { last } = this.shown;
        const mark = (kind, square) => parts.push(this.box(kind, this.corner(square)));
        for (const square of [last.slice(0, 2), last.slice(2, 4)]) if (this.squares.includes(square)) mark("last", square);
        parts.push(...this.pieces());
        if (this.squares.includes(this.picked)) mark("picked", this.picked);
        for (const [square] of this.picked ? this.targets() : []) {
            const [x, y] = this.corner(square);
            parts.push(drawing("circle", { class: "target", cx: x + SIZE / 2, cy: y + SIZE / 2, r: 15 }));
        }
        if (document.activeElement === this.svg) mark("cursor", this.cursor);
        for (const square of this.squares)
            parts.push(this.box("hit", this.corner(square), { "data-square": square, click: () => this.choose(square) }));
        this.svg.replaceChildren(...parts);
    }

    box(kind, [x, y], more = {}) {
        const inset = ["picked", "cursor"].includes(kind) ? 3 : 0;
        return drawing("rect", { class: kind, x: x + inset, y: y + inset, width: SIZE - 2 * inset, height: SIZE - 2 * inset, ...more });
    }

    // The picked piece goes there, or the piece there is picked up.
    choose(square) {
        this.cursor = square;
        const found = this.picked ? this.targets().filter(([to]) => to === square).map(([, move]) => move) : [];
        if (found.length) return found.length > 1 ? this.ask(this.promotions(found)) : this.play(found[0]);
        const mayMove = this.shown.moves.some(({ move }) => move.slice(0, 2) === square);
        this.picked = mayMove && this.picked !== square ? square : null;
        this.tell(this.picked ? "picked up: " : "");
        return this.draw();
    }

    // Which of several moves is meant. Escape lets go.
    ask(choices) {
        const made = element("dialog", { class: "choice", "aria-label": "Promotion", close: () => made.remove() },
            ...choices.map(([text, move]) => element("button", { type: "button", click: () => {
                made.close();
                this.play(move);
            } }, text)));
        document.body.append(made);
        made.showModal();
    }

    tell(before = "") {
        say(`${before}${this.cursor}: ${this.nameAt(this.cursor)}`);
    }

    key(event) {
        const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
        if (event.altKey || event.ctrlKey || event.metaKey) return;
        if (steps[event.key]) this.step(...steps[event.key]);
        else if (event.key === "Enter" || event.key === " ") this.choose(this.cursor);
        else if (event.key === "Escape") this.picked = null;
        else if (!this.otherKey(event.key)) return;
        event.preventDefault();
        event.stopPropagation();
        this.draw();
    }

    // A key that only one game has. False: it is none.
    otherKey() {
        return false;
    }

    step(right, down) {
        const way = this.turned ? -1 : 1;
        const file = this.files[this.files.indexOf(this.cursor[0]) + way * right];
        const rank = this.ranks[this.ranks.indexOf(this.cursor[1]) + way * down];
        if (!file || !rank) return;
        this.cursor = file + rank;
        this.tell();
    }
}

// SPDX-License-Identifier: MIT
// The board with its buttons, and the moves with their fields, for the views that have them.
import { element, replace } from "./api.js";
import { Board } from "./board.js";
import { ShogiBoard } from "./board_shogi.js";

// more: what stands beside the board.
export function gamePanel(line, ...more) {
    const board = boardOf(line, (move) => line.play(move));
    const moves = element("p", { class: "moves list", role: "group", "aria-label": "Moves" });
    const move = element("input", { id: "move", placeholder: line.isShogi ? "a move: 7g7f, P*5e" : "a move: e4, Nf3, e7e8q", "aria-label": "Play a move", autocomplete: "off" });
    const fen = element("input", { id: "fen", placeholder: line.isShogi ? "SFEN" : "FEN", "aria-label": "Position", autocomplete: "off" });
    const forms = [
        element("form", { class: "row", submit: async (event) => {
            event.preventDefault();
            if (move.value.trim() && await line.play(move.value.trim())) move.value = "";
        } }, move, element("button", {}, "Play")),
        element("form", { class: "row", submit: (event) => {
            event.preventDefault();
            line.set(fen.value.trim(), []);
        } }, fen, element("button", {}, "Set")),
    ];
    const restore = button("restore", "Restore", "The game that was replaced (Ctrl+Z)", () => line.tree.restore());
    const buttons = element("div", { class: "row" },
        button("first", "\u21e4", "First position", () => line.go(0)),
        button("back", "\u2190", "One move back", () => line.step(-1)),
        button("forward", "\u2192", "One move on", () => line.step(1)),
        button("last", "\u21e5", "Last position", () => line.go(Infinity)),
        button("turn", "Flip", "Flip the board (f)", () => board.turn()),
        ...(line.isShogi ? [button("letters", "Letters", "Latin letters on the pieces, or kanji", () => board.swapSigns())] : []),
        button("new", "New", "The start position", () => line.set("", [])), restore);
    let listed = null; // of which game the moves are
    const draw = () => {
        board.show(line.shown.fen, line.moves, line.at ? line.shown.move : "");
        fen.value = line.shown.fen;
        restore.hidden = !line.tree.replaced;
        if (listed !== line.line) replace(moves, ...line.tree.list()); // that of a long game takes time
        listed = line.line;
        moves.querySelector("[aria-pressed=true]")?.setAttribute("aria-pressed", false);
        const shown = moves.querySelector(`[data-place="${line.tree.listed.indexOf(line.shown)}"]`);
        shown?.setAttribute("aria-pressed", true);
        moves.scrollTop = (shown?.offsetTop ?? 0) - moves.clientHeight / 2;
    };
    const panel = element("section", { class: "game", "aria-label": "Board" }, element("div", { class: "table" }, ...more, board.element), buttons);
    const record = element("section", { class: "panel", "aria-label": "Moves" }, moves, ...forms);
    return { panel, record, draw, point: (moves) => board.point(moves), turn: () => board.turn() };
}

// Beside the board: the points that the first side may expect, by its chances to win and to draw, in thousandths.
export function pointsBar(line) {
    return element("div", { id: "bar", role: "meter", "aria-label": `Chances of ${line.firstSide}, percent`, "aria-valuemin": 0, "aria-valuemax": 100 }, element("span"));
}

export function weigh(bar, [win, draw]) {
    const points = Math.round(win / 10 + draw / 20);
    bar.firstChild.style.height = `${points}%`;
    bar.setAttribute("aria-valuenow", points);
}

// A view of two columns: the board, and what belongs to it.
export function columns(board, ...sections) {
    return element("div", { class: "columns" }, board, element("div", { class: "side" }, ...sections));
}

export function boardOf(line, play) {
    return line.isShogi ? new ShogiBoard(play) : new Board(play);
}

// Its name is its text, which a sign has not: there it is the title.
export function button(id, text, title, click) {
    return element("button", { id, type: "button", "aria-label": /^[a-z]/i.test(text) ? undefined : title, title, click }, text);
}

// A move with its number before it, for a list of two columns: chess numbers pairs, and where black begins white's place is left.
export function plyOf({ isShogi }, fen, isFirst, move) {
    const fields = fen.split(" "), isSecond = !isShogi && fields[1] === "b", sign = (text) => element("span", { class: "number" }, text);
    const before = isSecond && !isFirst ? [] : [sign(fields[isShogi ? 3 : 5] || "1"), ...(isSecond ? [sign("\u2026")] : [])];
    return [...before, move];
}

// SPDX-License-Identifier: MIT
// The board with the buttons and fields below it, for the views that have one.
import { element, replace } from "./api.js";
import { Board } from "./board.js";
import { ShogiBoard } from "./board_shogi.js";

export function gamePanel(line) {
    const board = boardOf(line, (move) => line.play(move));
    const moves = element("p", { class: "moves", role: "group", "aria-label": "Moves" });
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
    const buttons = element("div", { class: "row" },
        button("first", "\u21e4", "First position", () => line.go(0)),
        button("back", "\u2190", "One move back", () => line.step(-1)),
        button("forward", "\u2192", "One move on", () => line.step(1)),
        button("last", "\u21e5", "Last position", () => line.go(Infinity)),
        button("turn", "Flip", "Flip the board", () => board.turn()),
        button("new", "New", "The start position", () => line.set("", [])));
    let listed = null; // of which game the moves are
    const draw = () => {
        board.show(line.shown.fen, line.moves, line.at ? line.shown.move : "");
        fen.value = line.shown.fen;
        if (listed !== line.line) replace(moves, ...listOfMoves(line)); // that of a long game takes time
        listed = line.line;
        moves.querySelector("[aria-pressed=true]")?.setAttribute("aria-pressed", false);
        moves.querySelector(`[data-place="${line.at - 1}"]`)?.setAttribute("aria-pressed", true);
    };
    const panel = element("section", { "aria-label": "Game" }, board.element, buttons, ...forms, moves);
    return { panel, draw, point: (moves) => board.point(moves) };
}

export function boardOf(line, play) {
    return line.isShogi ? new ShogiBoard(play) : new Board(play);
}

// Its name is its text, which a sign has not: there it is the title.
export function button(id, text, title, click) {
    return element("button", { id, type: "button", "aria-label": /^[a-z]/i.test(text) ? undefined : title, title, click }, text);
}

// "1. e4 e5 2. Nf3", each a button that leads there.
function listOfMoves(line) {
    return line.line.slice(1).flatMap(({ san }, i) => [element("span", { class: "ply" }, numberBefore(line, line.line[i].fen, i === 0),
        element("button", { type: "button", "data-place": i, "aria-pressed": false, click: () => line.go(i + 1) }, san)), " "]);
}

// What stands before a move of that position: "12. "; in chess black's only where it begins: "12... ".
export function numberBefore({ isShogi }, fen, isFirst) {
    const fields = fen.split(" "), isSecond = !isShogi && fields[1] === "b";
    return isSecond && !isFirst ? "" : `${fields[isShogi ? 3 : 5] || 1}${isSecond ? "..." : "."}\u00a0`;
}

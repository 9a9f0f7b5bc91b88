// SPDX-License-Identifier: MIT
// The board with the buttons and fields below it, for the views that have one.
import { element, replace } from "./api.js";
import { Board } from "./board.js";
import { ShogiBoard } from "./board_shogi.js";

export function gamePanel(line) {
    const board = boardOf(line, (move) => line.play(move));
    const moves = element("p", { class: "moves", "aria-label": "Moves" });
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
        button("back", "\u2190", "One move back", () => line.go(line.at - 1)),
        button("forward", "\u2192", "One move on", () => line.go(line.at + 1)),
        button("last", "\u21e5", "Last position", () => line.go(Infinity)),
        button("turn", "Flip", "Flip the board", () => board.turn()),
        button("new", "New", "The start position", () => line.set("", [])));
    const draw = () => {
        board.show(line.shown.fen, line.moves, line.at ? line.shown.move : "");
        fen.value = line.shown.fen;
        replace(moves, ...listOfMoves(line));
    };
    const panel = element("section", { "aria-label": "Game" }, board.element, buttons, ...forms, moves);
    return { panel, draw, point: (moves) => board.point(moves) };
}

export function boardOf(line, play) {
    return line.isShogi ? new ShogiBoard(play) : new Board(play);
}

export function button(id, text, label, click) {
    return element("button", { id, type: "button", "aria-label": label, title: label, click }, text);
}

// "1. e4 e5 2. Nf3", each a button that leads there.
function listOfMoves(line) {
    const parts = [], fields = line.line[0].fen.split(" "), number = Number(fields[line.isShogi ? 3 : 5]) || 1;
    const second = !line.isShogi && fields[1] === "b" ? 1 : 0;
    line.line.slice(1).forEach(({ san }, i) => {
        const ply = i + second;
        if (line.isShogi) parts.push(`${number + i}.\u00a0`);
        else if (ply % 2 === 0 || i === 0) parts.push(`${number + Math.floor(ply / 2)}${ply % 2 ? "..." : "."}\u00a0`);
        parts.push(element("button", { type: "button", "data-place": i, "aria-pressed": i + 1 === line.at, click: () => line.go(i + 1) }, san), " ");
    });
    return parts;
}

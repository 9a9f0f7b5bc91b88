// SPDX-License-Identifier: MIT
// The view of training data: games move by move, with their scores, and how what is in a file is distributed.
import { ask, element, replace, say } from "./api.js";
import { pawnChart, signed } from "./chart.js";
import { Distributions } from "./distributions.js";
import { Filter } from "./filter.js";
import { boardOf, button, columns, plyOf } from "./game.js";
import { moveName } from "./kanji.js";
import { RecordWindow } from "./record_window.js";

export class Records {
    constructor(line, remember) {
        this.line = line;
        this.remember = remember;
        this.board = boardOf(line, () => {});
        this.read = new RecordWindow({});
        this.last = Promise.resolve(); // what was asked for last
        this.kept = button("next-kept", "Next kept", "The next record that the filter keeps (k)", () => this.find({ next_kept: 1 }));
        this.kept.hidden = true;
        this.filter = new Filter(() => this.open(this.read.number), this.kept);
        this.distributions = new Distributions();
        this.files = element("select", { id: "file", "aria-label": "File", change: () => this.open() });
        this.goTo = element("input", { id: "number", type: "number", min: 1, "aria-label": "Record" });
        this.facts = element("p", { id: "facts", role: "status" });
        this.moves = element("p", { class: "moves list", role: "group", "aria-label": "Moves of the game" });
        this.scores = pawnChart("Scores of the game", ["record", `pawns for ${line.firstSide}`]);
        this.element = columns(
            element("section", { class: "game", "aria-label": "Board" }, element("div", { class: "table" }, this.board.element),
                element("form", { class: "row", submit: (event) => {
                    event.preventDefault();
                    this.show(Number(this.goTo.value));
                } },
                button("record-back", "\u2190", "The record before (left)", () => this.step(-1)),
                button("record-forward", "\u2192", "The next record (right)", () => this.step(1)),
                button("next-game", "Next game", "The next game (g)", () => this.find({ next_game: 1 })),
                this.goTo, element("button", {}, "Go"),
                button("to-analysis", "Set up on the board", "The position, to analyse or count it", () => this.take()))),
            element("section", { class: "panel", "aria-label": "Record" }, element("div", { class: "headline" }, this.facts, this.files), this.moves, this.scores.element),
            element("section", { class: "panel", "aria-label": "Distributions" }, element("div", { class: "headline" }, element("h2", {}, "Distributions"),
                button("distributions-read", "Read the whole file", "Distributions of all records", () => this.distributions.read(this.values))),
                this.filter.element, ...this.distributions.elements));
    }

    // What is read: the file, and by which rules.
    get values() {
        return { file: this.files.value, ...this.filter.rules };
    }

    // What an address says of this view.
    place() {
        return { ...this.values, record: this.read.isEmpty ? "" : this.read.number };
    }

    async shown() {
        this.board.draw();
        if (this.files.options.length) return;
        try {
            const { files } = await ask("files");
            this.files.replaceChildren(...files.map((name, i) => element("option", { value: i }, name)));
            const wanted = this.wanted ?? new Map();
            if (files[wanted.get("file")]) this.files.value = wanted.get("file");
            await this.filter.list(wanted);
            await this.open(Number(wanted.get("record")) || 1);
        } catch (fault) {
            say(fault.message, true);
        }
    }

    hidden() {
        this.distributions.end();
    }

    key(event) {
        if (event.key === "ArrowLeft") this.step(-1);
        else if (event.key === "ArrowRight") this.step(1);
        else if (event.key === "g") this.find({ next_game: 1 });
        else if (event.key === "k" && this.filter.isSet) this.find({ next_kept: 1 });
        else return false;
        return true;
    }

    // One thing after the other, however fast keys are pressed.
    after(what) {
        return this.last = this.last.then(what, what);
    }

    // The file anew, from a record on.
    open(number = 1) {
        return this.after(async () => {
            this.distributions.forget();
            this.kept.hidden = !this.filter.isSet;
            this.read = new RecordWindow(this.values);
            if (await this.read.go(number)) this.draw();
            else if (this.read.isEmpty) this.drawNothing();
        });
    }

    show(number) {
        return this.after(async () => await this.read.go(number) && this.draw());
    }

    step(by) {
        return this.after(async () => await this.read.go(this.read.number + by) && this.draw());
    }

    find(what) {
        return this.after(async () => await this.read.find(what) && this.draw());
    }

    async take() {
        if (!this.read.isEmpty && await this.line.set(this.read.record.fen, [])) say("set up on the board of Analysis and Perft");
    }

    draw() {
        const { fen, move } = this.read.record;
        this.board.show(fen, [], move || "");
        this.remember();
        this.goTo.value = this.read.number;
        this.facts.replaceChildren(...this.words());
        this.drawGame(this.read.game);
    }

    // Of the record that is shown, from the point of view of the side that moves first in a game.
    words() {
        const { all, format, number, record: { fen, san, score, result, ply, removed } } = this.read, ofFirst = this.line.ofFirst(fen, result);
        const points = score === undefined ? "no score" : `score ${signed(this.line.ofFirst(fen, score) / 100)}`;
        return [`record ${number}${all < Infinity ? ` of ${all}` : ""}, ${format}: `, moveName(san || "no move"), `, ${points}, ` +
            `${ofFirst ? `${this.line.sideName(ofFirst > 0)} won` : "drawn"}, ply ${ply}${removed ? `; the filter removes it: ${removed}` : ""}`];
    }

    drawGame(game) {
        const pawns = ({ fen, score }) => Math.max(-10, Math.min(10, this.line.ofFirst(fen, score) / 100));
        replace(this.moves, ...(game[0].starts_game ? [] : [element("span", { class: "number whole" }, "\u2026")]), ...game.flatMap((record, i) => this.moveOf(record, i === 0)));
        const [shown] = this.moves.querySelectorAll("[aria-pressed=true]");
        this.moves.scrollTop = (shown?.offsetTop ?? 0) - this.moves.clientHeight / 2;
        this.scores.show([{ name: "score", points: game.filter(({ score }) => score !== undefined).map((record) => [record.number, pawns(record)]) }]);
    }

    // The moves are one stop of the Tab key, the one that is shown; the arrow keys go on from there.
    moveOf({ number, san, fen, removed }, isFirst) {
        const isShown = number === this.read.number;
        return plyOf(this.line, fen, isFirst, element("button", {
            type: "button", ...(isShown ? { "data-place": "shown" } : { tabindex: -1 }), "aria-pressed": isShown,
            class: removed && "removed", title: removed && `removed: ${removed}`, click: () => this.show(number),
        }, moveName(san)));
    }

    // Of a file that is empty or cannot be read nothing is shown, and not what was there before.
    drawNothing() {
        this.goTo.value = "";
        this.board.show("");
        this.facts.textContent = "no record";
        this.moves.replaceChildren();
        this.scores.show([]);
        this.remember();
    }
}

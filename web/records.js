// SPDX-License-Identifier: MIT
// The view of training data: games move by move, with their scores, and how what is in a file is distributed.
import { ask, element, listen, replace, say } from "./api.js";
import { barChart, pawnChart } from "./chart.js";
import { boardOf, button, numberBefore } from "./game.js";

const AT_ONCE = 400, BEFORE = 200; // records: of one request, and of those how many stand before the one that is wanted
const GAME_MAX = 4000; // records of a game that are shown
const UNREAD = "not counted yet: Read the whole file";
const SLOW = 400; // milliseconds after which a reader is told that something is read

export class Records {
    constructor(line, remember) {
        this.line = line;
        this.remember = remember;
        this.board = boardOf(line, () => {});
        this.records = []; // those that were read, in the order of the file
        this.all = Infinity; // in the file, where that is known
        this.number = 1;
        this.running = null;
        this.last = Promise.resolve(); // what was asked for last
        this.rules = {}; // of the filter, by name, as texts
        this.fields = element("div", { class: "rules" });
        this.kept = button("next-kept", "Next kept", "The next record that the filter keeps (k)", () => this.nextKept());
        this.kept.hidden = true;
        this.files = element("select", { id: "file", "aria-label": "File", change: () => this.open() });
        this.goTo = element("input", { id: "number", type: "number", min: 1, "aria-label": "Record" });
        this.facts = element("p", { id: "facts", role: "status" });
        this.moves = element("p", { class: "moves", role: "group", "aria-label": "Moves of the game" });
        this.scores = pawnChart("Scores of the game", ["record", `pawns for ${line.firstSide}`]);
        this.progress = element("p", { class: "figures" }, UNREAD);
        this.charts = element("div", { id: "distributions" });
        this.bars = []; // the charts in it
        this.element = element("div", { class: "columns" },
            element("section", { "aria-label": "Record" },
                element("div", { class: "row" }, this.files), this.board.element,
                element("form", { class: "row", submit: (event) => {
                    event.preventDefault();
                    this.show(Number(this.goTo.value));
                } },
                button("record-back", "\u2190", "The record before (left)", () => this.step(-1)),
                button("record-forward", "\u2192", "The next record (right)", () => this.step(1)),
                button("next-game", "Next game", "The next game (g)", () => this.nextGame()),
                this.goTo, element("button", {}, "Go")),
                this.facts, element("div", { class: "row" },
                button("to-analysis", "Set up on the board", "The position, to analyse or count it", () => this.take()),
                button("distributions-read", "Read the whole file", "Distributions of all records", () => this.count())),
                element("details", {}, element("summary", { id: "filter" }, "Filter"),
                    element("form", { submit: (event) => {
                        event.preventDefault();
                        this.filter();
                    } }, this.fields, element("div", { class: "row" }, element("button", { id: "filter-set" }, "Filter"),
                        button("filter-none", "No filter", "Without a filter again", () => this.filterBy({})), this.kept)))),
            element("section", { "aria-label": "Game and distributions" },
                element("h2", {}, "Game"), this.moves, this.scores.element,
                element("h2", {}, "Distributions"),
                this.progress, this.charts));
    }

    // What an address says of this view.
    place() {
        return { file: this.files.value, record: this.records.length ? this.number : "", ...this.rules };
    }

    async shown() {
        this.board.draw();
        if (this.files.options.length) return;
        try {
            const { files } = await ask("files");
            this.files.replaceChildren(...files.map((name, i) => element("option", { value: i }, name)));
            const wanted = this.wanted ?? new Map();
            if (files[wanted.get("file")]) this.files.value = wanted.get("file");
            await this.listRules(wanted);
            if (files.length) await this.open(Number(wanted.get("record")) || 1);
            else this.facts.textContent = "No file was named: tabia serve FILE...";
        } catch (fault) {
            say(fault.message, true);
        }
    }

    hidden() {
        this.end();
    }

    key(event) {
        if (event.key === "ArrowLeft") this.step(-1);
        else if (event.key === "ArrowRight") this.step(1);
        else if (event.key === "g") this.nextGame();
        else if (event.key === "k" && !this.kept.hidden) this.nextKept();
        else return false;
        return true;
    }

    // One thing after the other, however fast keys are pressed.
    after(what) {
        return this.last = this.last.then(what, what);
    }

    open(number = 1) {
        return this.after(() => {
            this.end();
            this.records = [];
            this.all = Infinity;
            this.clear();
            this.progress.textContent = UNREAD;
            return this.go(number).then(() => this.records.length || this.drawNothing());
        });
    }

    show(number) {
        return this.after(() => this.go(number));
    }

    step(by) {
        return this.after(() => this.go(this.number + by));
    }

    nextGame() {
        return this.after(() => this.find({ next_game: 1 }));
    }

    nextKept() {
        return this.after(() => this.find({ next_kept: 1 }));
    }

    // A field for each rule; those that an address has are set.
    async listRules(wanted) {
        this.fields.replaceChildren(...(await ask("rules")).rules.map(({ name, words, is_switch: isSwitch }) => {
            const values = isSwitch ? { type: "checkbox", checked: wanted.has(name) } : { type: "number", min: 0, value: wanted.get(name) ?? "" };
            return element("label", {}, element("input", { name, ...values }), element("span", {}, words, " ", element("code", {}, name)));
        }));
        this.readRules();
    }

    readRules() {
        const set = [...this.fields.querySelectorAll("input")].filter((field) => field.type === "checkbox" ? field.checked : field.value);
        this.rules = Object.fromEntries(set.map((field) => [field.name, field.type === "checkbox" ? "true" : field.value]));
        this.kept.hidden = !set.length;
    }

    filterBy(rules) {
        for (const field of this.fields.querySelectorAll("input")) {
            field.checked = field.type === "checkbox" && field.name in rules;
            if (field.type !== "checkbox") field.value = rules[field.name] ?? "";
        }
        return this.filter();
    }

    // The records that are shown are read anew, to say which of them the filter removes.
    filter() {
        this.readRules();
        return this.open(this.number);
    }

    has(number) {
        const first = this.records[0]?.number;
        return first !== undefined && number >= first && number < first + this.records.length;
    }

    // Records from a number on: none where there are none, which was said.
    async read(from, more = {}) {
        const slow = setTimeout(() => say("reading\u2026"), SLOW);
        try {
            const found = await this.ask({ file: this.files.value, from, count: AT_ONCE, ...this.rules, ...more });
            if (found.all !== undefined) this.all = Number(found.all);
            if (found.fault) say(found.fault, true);
            else say(found.records.length ? "" : `the file has ${this.all} records`);
            this.format = found.format;
            return found.records;
        } catch (fault) {
            say(fault.message, true);
            return [];
        } finally {
            clearTimeout(slow);
        }
    }

    // One thing is read at a time, and the server ends one for the next, which may be another tab's.
    async ask(values) {
        for (let tries = 0; tries < 3; tries++) {
            const found = await ask("records", values);
            if (found.records) return found;
        }
        throw new Error("another page of this server, or another tab, is reading: try again");
    }

    // Those before the one that is wanted are read too, as its game may have begun there.
    async go(number) {
        if (!(number >= 1)) return;
        if (!this.has(number) && !await this.reach(number)) return;
        this.number = number;
        await this.readGame();
        this.draw();
    }

    async reach(number) {
        const end = this.records.length ? this.records.at(-1).number + 1 : 0;
        if (number === end) return this.append();
        for (const from of [Math.max(1, number - BEFORE), number]) {
            const found = await this.read(from);
            if (number < from + found.length) this.records = found;
            if (this.has(number) || !found.length) break;
        }
        return this.has(number);
    }

    async append() {
        const found = await this.read(this.records.at(-1).number + 1);
        this.records = [...this.records, ...found].slice(-GAME_MAX);
        return found.length > 0;
    }

    // To the end of the game that is shown.
    async readGame() {
        const ends = () => this.records.some((record) => record.number > this.number && record.starts_game);
        while (!ends() && this.records.at(-1).number < this.all && this.records.at(-1).number < this.number + GAME_MAX / 2)
            if (!await this.append()) return;
    }

    // The next record that starts a game, or that is wanted otherwise.
    async find(what) {
        const found = await this.read(this.number + 1, what);
        if (!found.length) return;
        this.records = found;
        await this.go(found[0].number);
    }

    get record() {
        return this.records[this.number - this.records[0].number];
    }

    async take() {
        if (this.records.length && await this.line.set(this.record.fen, [])) say("set up on the board of Analysis and Perft");
    }

    // The records of the game that is shown, as far as they were read.
    game() {
        const at = this.records.indexOf(this.record);
        let first = at, end = at + 1;
        while (first > 0 && !this.records[first].starts_game) first--;
        while (end < this.records.length && !this.records[end].starts_game) end++;
        return this.records.slice(first, end);
    }

    draw() {
        const { fen, move, san, score, result, ply, removed } = this.record;
        this.board.show(fen, [], move || "");
        this.remember();
        this.goTo.value = this.number;
        this.facts.textContent = `record ${this.number}${this.all < Infinity ? ` of ${this.all}` : ""}, ${this.format}: ${san || "no move"}, score ` +
            `${score === undefined ? "none" : score}, the side to move ${["loses", "draws", "wins"][result + 1]}, ply ${ply}${removed ? `; the filter removes it: ${removed}` : ""}`;
        const game = this.game(), score100 = (record) => this.line.ofFirst(record.fen, record.score) / 100;
        // The moves are one stop of the Tab key, the one that is shown; the arrow keys go on from there.
        replace(this.moves, ...(game[0].starts_game ? [] : ["\u2026 "]), ...game.flatMap(({ number, san: text, fen: before, removed: rule }, i) => [
            element("span", { class: "ply" }, text ? numberBefore(this.line, before, i === 0) : "",
                element("button", { type: "button", ...(number === this.number ? { "data-place": "shown" } : { tabindex: -1 }),
                                    class: rule ? "removed" : undefined, title: rule ? `removed: ${rule}` : undefined, "aria-pressed": number === this.number, click: () => this.show(number) }, text || "?")), " "]));
        this.scores.show([{ name: "score", points: game.filter((r) => r.score !== undefined)
            .map((r) => [r.number, Math.max(-10, Math.min(10, score100(r)))]) }]);
    }

    // Of a file that is empty or cannot be read nothing is shown, and not what was there before.
    drawNothing() {
        this.number = 1;
        this.goTo.value = "";
        this.board.show("");
        this.facts.textContent = "no record";
        this.moves.replaceChildren();
        this.scores.show([]);
        this.remember();
    }

    count() {
        this.end();
        this.clear();
        this.progress.textContent = "reading\u2026";
        this.running = listen("statistics", { file: this.files.value, ...this.rules }, {
            part: ({ part, records }) => (this.progress.textContent = `${(100 * part).toFixed(0)} %, ${records} records`),
            done: (all) => this.distributions(all),
            fault: ({ error }) => this.notCounted(error),
            lost: () => this.notCounted("reading was ended: another page of this server, or another tab, is reading, or tabia serve has ended"),
        }, ["done", "fault"]);
    }

    notCounted(why) {
        this.progress.textContent = UNREAD;
        say(why, true);
    }

    end() {
        this.running?.close();
        this.running = null;
    }

    clear() {
        for (const bars of this.bars) bars.end();
        this.bars = [];
        this.charts.replaceChildren();
    }

    distributions({ records, bad_records: bad, removed, games, white_results: results, histograms, tables }) {
        const percent = (n) => `${(100 * n / Math.max(1, records)).toFixed(1)} %`;
        this.progress.textContent = `${records} records of ${games} games${removed ? `, without ${removed} that the filter removes` : ""}${bad ? `, ${bad} bad` : ""}: white wins ${percent(results[2])}, ` +
            `draws ${percent(results[1])}, loses ${percent(results[0])}`;
        this.clear();
        this.bars = histograms.map(({ title, least, width, bins }) =>
            barChart(title, [title.toLowerCase(), "records"], bins.map((n, i) => [String(least + i * width), Number(n)])));
        histograms.forEach(({ title, description, mean, deviation }, i) => this.bars[i].element.prepend(
            element("figcaption", {}, `${title}, ${description}: mean ${mean?.toPrecision(4)}, deviation ${deviation?.toPrecision(3)}`)));
        this.charts.replaceChildren(...this.bars.map((bars) => bars.element), ...tables.map(grid));
    }
}

// A table of counts, in rows as a board has them, the first at the bottom: the more, the darker.
function grid({ title, columns, names, cells }) {
    const all = cells.reduce((sum, n) => sum + Number(n), 0) || 1, most = Math.max(...cells.map(Number), 1), rows = [];
    for (let row = cells.length / columns - 1; row >= 0; row--)
        rows.push(element("tr", {}, ...names.slice(row * columns, (row + 1) * columns).map((name, i) => {
            const n = Number(cells[row * columns + i]), cell = element("td", { title: `${name}: ${n}` }, `${(100 * n / all).toFixed(1)}`);
            cell.style.backgroundColor = `color-mix(in srgb, var(--mark) ${Math.round(70 * n / most)}%, transparent)`;
            return cell;
        })));
    const heads = columns === cells.length ? [element("tr", {}, ...names.map((name) => element("th", {}, name)))] : [];
    return element("figure", {}, element("figcaption", {}, `${title}, percent`), element("table", {}, ...heads, ...rows));
}

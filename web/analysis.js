// SPDX-License-Identifier: MIT
// The view of a live analysis: lines, chances, table, and the evaluation by depth and by move.
import { element, listen, replace, say, short } from "./api.js";
import { pawnChart } from "./chart.js";
import { button, gamePanel } from "./game.js";

const CHANCES = ["win", "draw", "loss"];
const LIMIT = 10; // pawns, at which the charts end

export class Analysis {
    constructor(line) {
        this.line = line;
        this.running = null;
        this.game = gamePanel(line);
        this.evaluations = new Map(); // of positions by FEN, in pawns for the first side
        this.go = button("analyse", "Analyse", "Begin or end the analysis (a)", () => this.toggle());
        this.lines = element("select", { id: "lines", "aria-label": "Lines", change: () => this.restart() },
                             ...[1, 2, 3, 5, 8].map((n) => element("option", { value: n, selected: n === 3 }, `${n} line${n > 1 ? "s" : ""}`)));
        this.table = element("tbody", { id: "pv" });
        this.figures = element("p", { class: "figures", id: "figures" });
        this.chances = element("div", { class: "chances", "aria-hidden": true });
        this.chancesText = element("p", { class: "figures", id: "chances-text" });
        this.byDepth = pawnChart("Evaluation by depth", ["depth", `pawns for ${line.firstSide}`]);
        this.byMove = pawnChart("Evaluation by move", ["ply", `pawns for ${line.firstSide}`]);
        this.byDepth.element.prepend(element("h2", {}, "Evaluation by depth"));
        this.byMove.element.prepend(element("h2", {}, "Evaluation by move"));
        this.element = element("div", { class: "columns" }, this.game.panel,
            element("section", { "aria-label": "Analysis" },
                element("div", { class: "row" }, this.go, this.lines),
                this.figures, this.chances, this.chancesText,
                this.whole = element("table", {}, element("thead", {}, element("tr", {}, element("th", {}, "depth"), element("th", {}, "score"),
                                                                  element("th", { class: "text" }, "moves"))), this.table),
                this.byDepth.element, this.byMove.element));
        this.forget();
    }

    // The game has changed.
    changed() {
        if (this.element.isConnected) this.game.draw();
        this.restart();
    }

    shown() {
        this.game.draw();
    }

    hidden() {
        this.end("");
    }

    key(event) {
        if (event.key === "a") this.toggle();
        else if (event.key === "ArrowLeft") this.line.step(-1);
        else if (event.key === "ArrowRight") this.line.step(1);
        else return false;
        return true;
    }

    forget() {
        this.best = [];
        this.points = []; // of each line, [depth, value]
        this.draw();
    }

    toggle() {
        if (this.running) this.end("ended");
        else this.begin();
    }

    restart() {
        const was = this.running;
        this.end("");
        this.forget();
        if (was) this.begin();
    }

    begin() {
        this.forget();
        if (!this.line.moves.length) return void say("the game has ended: there is no legal move");
        this.fen = this.line.shown.fen;
        this.running = listen("analysis", { ...this.line.request(), lines: this.lines.value }, {
            ready: ({ threads, hash_bytes: bytes }) => {
                this.means = `${threads} thread${threads > 1 ? "s" : ""}, a table of ${Math.round(bytes / 2 ** 20)} MiB`;
                this.draw();
            },
            line: (found) => this.found(found),
            done: () => this.end("the analysis has ended: another page of this server, or another tab, has begun one"),
            fault: ({ error }) => this.end(error, true),
            lost: () => this.end("the analysis was ended: tabia serve has ended, or refused it", true),
        }, ["done", "fault"]);
        this.button();
    }

    end(why, isFault = false) {
        if (!this.running) return;
        this.running.close();
        this.running = null;
        this.button();
        if (why) say(why, isFault);
    }

    button() {
        this.go.textContent = this.running ? "Stop" : "Analyse";
    }

    // Of the first side, in pawns, cut at the limit.
    pawns({ score, mate }) {
        const own = mate === undefined ? score / 100 : Math.sign(mate) * LIMIT;
        return Math.max(-LIMIT, Math.min(LIMIT, this.line.ofFirst(this.fen, own)));
    }

    found(line) {
        this.best[line.number - 1] = line;
        if (line.bound === "exact") {
            const value = this.pawns(line), before = this.points[line.number - 1] ?? [];
            this.points[line.number - 1] = [...before.filter(([depth]) => depth < line.depth), [line.depth, value]];
            if (line.number === 1) this.evaluations.set(this.fen, value);
        }
        this.draw();
    }

    draw() {
        const first = this.best[0];
        replace(this.table, ...this.best.filter(Boolean).map((line) => this.row(line)));
        this.game.point(this.best.filter((line) => line?.moves.length).map(({ moves }) => moves[0].move));
        this.figures.textContent = first ? `${figures(first)}; ${this.means}` : this.running ? `analysing: ${this.means ?? ""}` : "no analysis yet: Analyse, or the key a";
        this.chances.replaceChildren(...(first ? chances(first.chances) : []));
        this.chancesText.textContent = first ? `for the side to move: ${CHANCES.map((kind, i) => `${kind} ${(first.chances[i] / 10).toFixed(1)} %`).join(", ")}` : "";
        this.whole.hidden = this.chances.hidden = this.chancesText.hidden = !first;
        this.byDepth.show(Array.from(this.points, (points, i) => ({ name: `line ${i + 1}`, points: points ?? [] })));
        const moves = this.line.line.map(({ fen }, i) => [i, this.evaluations.get(fen)]).filter(([, value]) => value !== undefined);
        this.byMove.show([{ name: "best line", points: moves }]);
    }

    // The moves of a line can be played by a click.
    row(line) {
        const moves = line.moves.map(({ san }, i) => element("button", { type: "button", "data-place": `${line.number}-${i}`, click: () => this.playUpTo(line, i) }, san));
        return element("tr", {}, element("td", {}, `${line.depth}/${line.selective_depth}`),
                       element("td", {}, scoreText(line)), element("td", { class: "text moves" }, ...moves));
    }

    playUpTo(line, last) {
        return this.line.set(this.line.fen, [...this.line.played(), ...line.moves.slice(0, last + 1).map(({ move }) => move)]);
    }
}

function scoreText({ score, mate, bound }) {
    const text = mate === undefined ? (score > 0 ? "+" : "") + (score / 100).toFixed(2) : `mate in ${Math.ceil(Math.abs(mate) / 2)}${mate < 0 ? " against" : ""}`;
    return { exact: "", lower: "\u2265 ", upper: "\u2264 " }[bound] + text;
}

function figures({ nodes, milliseconds, hashfull }) {
    const rate = milliseconds > 0 ? nodes * 1000 / milliseconds : 0;
    return `${short(nodes)} nodes, ${short(Math.round(rate))} nodes a second, ${(milliseconds / 1000).toFixed(1)} s, table ${(hashfull / 10).toFixed(1)} % full`;
}

// A bar of three parts, for the side to move.
function chances(thousandths) {
    return CHANCES.map((kind, i) => {
        const part = element("span", { class: kind });
        part.style.width = `${thousandths[i] / 10}%`;
        return part;
    });
}

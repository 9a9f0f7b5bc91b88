// SPDX-License-Identifier: MIT
// The analysis of a whole game: its main line, each position for the same number of nodes, while anything else is done on the page. Values
// are of the first side everywhere.
import { element, listen, replace, say } from "./api.js";
import { pawnChart } from "./chart.js";
import { button } from "./game.js";
import { numberBefore } from "./game_tree.js";
import { moveName } from "./kanji.js";

const LIMIT = 10; // pawns, at which the chart ends
// What a move costs of the winning chance, from -1 (lost) to 1 (won): the bounds of Lichess (lila, modules/tree, Advice.scala), with the
// chances that the engine gives. The last number is the glyph of PGN.
const MISTAKES = [["blunder", 0.3, 4], ["mistake", 0.2, 2], ["inaccuracy", 0.1, 6]];
const NODES = [["10 k", 1e4], ["100 k", 1e5], ["1 M", 1e6], ["10 M", 1e7]];

export class GameAnalysis {
    constructor(line) {
        this.line = line;
        this.running = null; // while a position is analysed
        this.took = []; // milliseconds of each position
        this.go = button("analyse-game", "Analyse", "Begin, stop or resume", () => this.toggle());
        this.go.className = "main";
        this.nodes = element("select", { id: "game-nodes", "aria-label": "Nodes a position" },
                             ...NODES.map(([name, n]) => element("option", { value: n, selected: n === 1e5 }, `${name} nodes each`)));
        this.progress = element("progress", { "aria-label": "Positions analysed", max: 1, value: 0 });
        this.words = element("p", { class: "figures", id: "game-progress" });
        this.chart = pawnChart("Evaluation of the game", ["ply", `pawns for ${line.firstSide}`], (ply) => line.tree.go(line.tree.main[ply]));
        this.counts = element("p", { class: "figures", id: "mistake-counts" });
        this.list = element("ol", { class: "mistakes", id: "mistakes", "aria-label": "Mistakes" });
        this.element = element("section", { class: "panel", "aria-label": "Analysis of the game" },
            element("div", { class: "headline" }, element("h2", {}, "Analysis of the game"), this.go), element("div", { class: "row" }, this.words, this.nodes), this.progress,
            this.chart.element, this.counts, this.list);
        line.tree.watchers.push(() => this.draw());
        addEventListener("beforeunload", () => line.tree.keep({ analysing: this.running ? this.nodes.value : "" }));
        this.nodes.value = line.tree.analysing || this.nodes.value;
        if (line.tree.analysing) this.toggle();
    }

    changed() {
        if (this.running && this.line.tree.root !== this.root) this.end("the analysis was ended: another game is on the board");
        this.draw();
    }

    toggle() {
        if (this.running) return void this.end("stopped");
        this.root = this.line.tree.root;
        this.took = [];
        this.next();
    }

    // The positions that are not analysed yet, or with fewer nodes.
    get left() {
        const wanted = Number(this.nodes.value);
        return this.line.tree.main.filter(({ evaluation }) => !(evaluation?.wanted >= wanted));
    }

    next() {
        const [node] = this.left;
        this.running = null;
        if (!node) say("the game is analysed");
        else this.analyse(node);
        this.draw();
    }

    analyse(node) {
        const path = this.line.tree.through(node), wanted = Number(this.nodes.value), began = performance.now();
        const moves = path.slice(1, path.indexOf(node) + 1).map(({ move }) => move).join(" ");
        let best = null;
        this.running = listen("analysis", { fen: this.line.fen, moves, lines: 1, nodes: wanted }, {
            line: (line) => best = line.bound === "exact" || !best ? line : best,
            done: ({ stopped }) => {
                if (stopped) return this.end("the analysis of the game has paused: another one has begun");
                node.evaluation = { wanted, ...best ? { score: best.score, mate: best.mate, chances: best.chances, best: best.moves } : this.ended(node) };
                this.took.push(performance.now() - began);
                this.next();
                this.line.tree.noted();
            },
            fault: ({ error }) => this.end(error, true),
            lost: (why) => this.end(why ?? "the analysis was ended: tabia serve has ended", true),
        }, ["done", "fault"]);
    }

    // Of a position without a legal move.
    ended({ check }) {
        const isLost = check || this.line.isShogi;
        return { ...isLost ? { mate: 0 } : { score: 0 }, chances: isLost ? [0, 0, 1000] : [0, 1000, 0], best: [] };
    }

    end(why, isFault = false) {
        this.running?.close();
        this.running = null;
        this.draw();
        say(why, isFault);
    }

    /* ---- values, of the first side ---- */

    chance({ fen, evaluation: { chances } }) {
        return this.line.ofFirst(fen, chances[0] - chances[2]) / 1000;
    }

    pawns({ fen, evaluation: { score, mate } }) {
        const own = mate === undefined ? score / 100 : mate > 0 ? LIMIT : -LIMIT;
        return Math.max(-LIMIT, Math.min(LIMIT, this.line.ofFirst(fen, own)));
    }

    // "+0.35", and "-#3": the first side is mated in 3 moves.
    text({ fen, evaluation: { score, mate } }) {
        if (mate === 0) return "mate";
        const own = this.line.ofFirst(fen, mate === undefined ? score : mate);
        return mate === undefined ? (own > 0 ? "+" : "") + (own / 100).toFixed(2) : `${own < 0 ? "-" : ""}#${this.line.mateIn(mate)}`;
    }

    // [its row of the list above, the better moves], or null.
    mistakeOf(node) {
        const { parent } = node;
        if (!parent?.evaluation || !node.evaluation || !parent.evaluation.best.length || parent.evaluation.best[0].move === node.move) return null;
        const lost = this.line.ofFirst(parent.fen, this.chance(parent) - this.chance(node));
        const kind = MISTAKES.find(([, bound]) => lost >= bound);
        return kind ? [kind, parent.evaluation.best] : null;
    }

    // What is written of a node in a file: for PGN as Lichess does, for KIF and CSA as floodgate.
    remark(node, format) {
        if (!node.evaluation || !node.parent) return "";
        const mistake = this.mistakeOf(node), { score, mate } = node.evaluation;
        const better = mistake && moveName(mistake[1][0].san), words = mistake ? `${mistake[0][0]}; better: ${better.dataset?.kanji ?? better}` : "";
        if (format === "PGN") return [mate === 0 ? "" : `[%eval ${this.text(node).replace("+", "").replace("-#", "#-")}]`, words].filter(Boolean).join(" ");
        const black = this.line.ofFirst(node.fen, mate === undefined ? score : mate > 0 ? 32000 : -32000);
        return [`* ${black}`, words].filter(Boolean).join("\n");
    }

    /* ---- drawing ---- */

    draw() {
        const path = this.line.tree.main, left = this.left.length, done = path.length - left;
        this.go.textContent = this.running ? "Stop" : done && left ? "Resume" : "Analyse";
        this.progress.hidden = !this.running;
        this.progress.value = done / path.length;
        const seconds = Math.ceil(left * this.took.reduce((sum, ms) => sum + ms, 0) / (this.took.length || 1) / 1000);
        this.words.textContent = !done && !this.running ? "not analysed yet" :
            `${done} of ${path.length} positions${this.running && this.took.length ? `, ${seconds} s left` : ""}`;
        this.chart.show([{ name: "evaluation", points: path.flatMap((node, ply) => node.evaluation ? [[ply, this.pawns(node)]] : []) }], path.indexOf(this.line.shown));
        const found = path.flatMap((node) => this.mistakeOf(node) ? [[node, ...this.mistakeOf(node)]] : []);
        this.counts.textContent = done > 1 ? ["first", "second"].map((side) => this.countOf(found, side === "first")).join("; ") : "";
        replace(this.list, ...found.map((mistake, i) => this.row(mistake, i)));
    }

    countOf(found, isFirst) {
        const own = found.filter(([{ parent: { fen } }]) => (this.line.ofFirst(fen, 1) > 0) === isFirst);
        return `${this.line.sideName(isFirst)}: ${MISTAKES.map(([name]) => own.filter(([, [kind]]) => kind === name).length).map((n, i) => `${n} ${plural(MISTAKES[i][0], n)}`).reverse().join(", ")}`;
    }

    row([node, [name], best], i) {
        const better = best.slice(0, 6).flatMap(({ san }) => [" ", moveName(san)]);
        return element("li", { class: name }, element("button", { type: "button", "data-place": i, click: () => this.line.tree.go(node) },
            numberBefore(this.line, node.parent.fen, true), moveName(node.san)), ` ${name}, ${this.text(node.parent)} to ${this.text(node)}. Better:`, ...better);
    }
}

function plural(name, n) {
    return n === 1 ? name : name.replace(/y$/, "ie") + "s";
}

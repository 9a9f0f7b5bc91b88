// SPDX-License-Identifier: MIT
// The view of a live analysis: a headline, chances, lines, and the evaluation by depth and by move. All of it is said from the point
// of view of the side that moves first in a game.
import { element, listen, replace, say, short } from "./api.js";
import { pawnChart } from "./chart.js";
import { button, columns, gamePanel, pointsBar, weigh } from "./game.js";
import { moveName } from "./kanji.js";

const LIMIT = 10; // pawns, at which the charts end
const SIDES = ["first", "draw", "second"];
const NEWS = 4; // depths after which the best line is read out though it is the same
const WORDS = [[0.3, "Equal"], [1, "is slightly better"], [2.5, "is better"], [Infinity, "is winning"]];

export class Analysis {
    constructor(line) {
        this.line = line;
        this.running = null;
        this.evaluations = new Map(); // of positions by FEN, in pawns for the first side
        this.bar = pointsBar(line);
        this.game = gamePanel(line, this.bar);
        this.go = button("analyse", "Analyse", "Begin or end the analysis (a)", () => this.toggle());
        this.go.className = "main";
        this.lines = element("select", { id: "lines", "aria-label": "Lines", change: () => this.restart() },
                             ...[1, 2, 3, 5, 8].map((n) => element("option", { value: n, selected: n === 3 }, `${n} line${n > 1 ? "s" : ""}`)));
        this.score = element("strong", { id: "score" });
        this.words = element("span", { id: "words" });
        this.speed = element("span", { id: "speed" });
        this.news = element("p", { id: "news", class: "unseen", role: "status" });
        this.chances = element("div", { class: "chances", role: "img" });
        this.isHeld = false; // a pointer is down on a line, which stays for its click
        this.table = element("tbody", { id: "pv", pointerdown: () => (this.isHeld = true) });
        for (const event of ["pointerup", "pointercancel"]) document.addEventListener(event, () => (this.isHeld = false));
        this.figures = element("p", { class: "figures", id: "figures" });
        this.byDepth = pawnChart("Evaluation by depth", ["depth", `pawns for ${line.firstSide}`]);
        this.byMove = pawnChart("Evaluation by move", ["ply", `pawns for ${line.firstSide}`]);
        this.byDepth.element.prepend(element("h2", {}, "Evaluation by depth"));
        this.byMove.element.prepend(element("h2", {}, "Evaluation by move"));
        this.element = columns(this.game.panel,
            element("section", { class: "panel", "aria-label": "Analysis" },
                element("div", { class: "headline" }, this.score, element("p", {}, this.words, this.speed), this.go), this.news,
                this.chances, this.whole = element("table", { class: "lines", "aria-label": "Best lines" }, element("thead", { class: "unseen" }, element("tr", {},
                    ...["score", "depth", "moves"].map((name) => element("th", {}, name)))), this.table),
                element("div", { class: "row" }, this.figures, this.lines)),
            this.game.record, element("section", { class: "charts", "aria-label": "Charts" }, this.byDepth.element, this.byMove.element));
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
        else if (event.key === "f") this.game.turn();
        else if (event.key === "ArrowLeft") this.line.step(-1);
        else if (event.key === "ArrowRight") this.line.step(1);
        else return false;
        return true;
    }

    forget() {
        this.best = [];
        this.points = []; // of each line, [depth, value]
        this.read = { depth: 0, move: "" };
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
        if (!this.line.moves.length) return;
        this.fen = this.line.shown.fen;
        this.running = listen("analysis", { ...this.line.request(), lines: this.lines.value }, {
            ready: ({ threads, hash_bytes: bytes }) => {
                this.means = `${threads} thread${threads > 1 ? "s" : ""}, ${Math.round(bytes / 2 ** 20)} MiB`;
                this.draw();
            },
            line: (found) => this.found(found),
            done: () => this.end("the analysis has ended: another page of this server, or another tab, has begun one"),
            fault: ({ error }) => this.end(error, true),
            lost: (why) => this.end(why ?? "the analysis was ended: tabia serve has ended", true),
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
        this.draw();
    }

    // What the engine says of the side to move, of the first side.
    ofFirst(line) {
        if (this.line.ofFirst(this.fen, 1) > 0) return line;
        const { score, mate, bound, chances } = line, other = { exact: "exact", lower: "upper", upper: "lower" }[bound];
        return { ...line, score: score && -score, mate: mate && -mate, bound: other, chances: [...chances].reverse() };
    }

    found(found) {
        const line = this.ofFirst(found), { number, depth } = line;
        this.best[number - 1] = line;
        if (line.bound === "exact") {
            const value = pawns(line), before = this.points[number - 1] ?? [];
            this.points[number - 1] = [...before.filter(([then]) => then < depth), [depth, value]];
            if (number === 1) this.evaluations.set(this.fen, value);
        }
        this.draw();
    }

    draw() {
        const [first] = this.best;
        if (!this.isHeld) replace(this.table, ...this.best.filter(Boolean).map((line) => this.row(line)));
        this.game.point(this.best.filter((line) => line?.moves.length).map(({ moves }) => moves[0].move));
        this.score.textContent = first ? scoreText(first, this.line) : "";
        this.words.textContent = first ? this.inWords(first) : this.running ? "Analysing\u2026" : this.line.moves.length ? "Not analysed yet" : this.endWords();
        this.speed.textContent = first ? `depth ${first.depth} \u00b7 ${speed(first)}` : "";
        this.figures.textContent = first ? `${figures(first)}; ${this.means}` : "";
        this.whole.hidden = this.chances.hidden = !first;
        if (first) this.drawChances(first.chances);
        else if (!this.running) weigh(this.bar, this.endChances());
        this.go.disabled = !this.line.moves.length;
        if (first) this.readOut(first);
        this.byDepth.show(Array.from(this.points, (points, i) => ({ name: `line ${i + 1}`, points: points ?? [] })));
        const moves = this.line.line.map(({ fen }, i) => [i, this.evaluations.get(fen)]).filter(([, value]) => value !== undefined);
        this.byMove.show([{ name: "best line", points: moves.length > 1 ? moves : [] }]);
    }

    // How the game has ended, where there is no legal move.
    endWords() {
        const { fen, check } = this.line.shown, winner = this.line.sideName(this.line.ofFirst(fen, 1) < 0);
        return check || this.line.isShogi ? `${check ? "Checkmate" : "No legal move"}: ${winner} wins` : "Stalemate: a draw";
    }

    // Where nothing was analysed: equal, or decided.
    endChances() {
        const { fen, check } = this.line.shown, isWon = this.line.ofFirst(fen, 1) < 0;
        return this.line.moves.length || !(check || this.line.isShogi) ? [0, 1000, 0] : [isWon ? 1000 : 0, 0, isWon ? 0 : 1000];
    }

    inWords({ score, mate }) {
        const side = this.line.sideName((mate ?? score) > 0);
        if (mate !== undefined) return `${side} mates in ${this.line.mateIn(mate)}${!this.line.isShogi ? "" : Math.abs(mate) === 1 ? " ply" : " plies"}`;
        const words = WORDS.find(([most]) => Math.abs(score) / 100 < most)[1];
        return words === "Equal" ? words : `${side} ${words}`;
    }

    // A bar of three parts, and one beside the board: the points to expect.
    drawChances(thousandths) {
        const names = [this.line.sideName(true), "Draw", this.line.sideName(false)], percent = thousandths.map((n) => Math.round(n / 10));
        this.chances.replaceChildren(...SIDES.map((kind, i) => {
            const part = element("span", { class: kind }, percent[i] > 19 ? `${names[i]} ${percent[i]} %` : percent[i] > 6 ? `${percent[i]} %` : "");
            part.style.flexGrow = thousandths[i];
            return part;
        }));
        this.chances.setAttribute("aria-label", names.map((name, i) => `${name} ${percent[i]} %`).join(", "));
        weigh(this.bar, thousandths);
    }

    // Read out: a new best move, and now and then the same one.
    readOut({ depth, moves: [best] }) {
        const isNew = best && (best.move !== this.read.move || depth >= this.read.depth + NEWS);
        if (!isNew || !this.running) return;
        this.read = { depth, move: best.move };
        this.news.replaceChildren(moveName(best.san), `: ${this.words.textContent}, ${this.score.textContent}, depth ${depth}`);
    }

    // The moves of a line can be played by a click.
    row(line) {
        const moves = line.moves.map(({ san }, i) => element("button", { type: "button", "data-place": `${line.number}-${i}`, click: () => this.playUpTo(line, i) }, moveName(san)));
        return element("tr", {}, element("td", { class: "score" }, scoreText(line, this.line)), element("td", { class: "depth" }, `${line.depth}/${line.selective_depth}`),
                       element("td", {}, element("div", { class: "moves" }, ...moves)));
    }

    playUpTo(line, last) {
        return this.line.set(this.line.fen, [...this.line.played(), ...line.moves.slice(0, last + 1).map(({ move }) => move)]);
    }
}

// Cut at the limit.
function pawns({ score, mate }) {
    return Math.max(-LIMIT, Math.min(LIMIT, mate === undefined ? score / 100 : Math.sign(mate) * LIMIT));
}

function scoreText({ score, mate, bound }, line) {
    const text = mate === undefined ? (score > 0 ? "+" : "") + (score / 100).toFixed(2) : `${mate < 0 ? "-" : ""}#${line.mateIn(mate)}`;
    return { exact: "", lower: "\u2265", upper: "\u2264" }[bound] + text;
}

function speed({ nodes, milliseconds }) {
    return `${short(milliseconds > 0 ? Math.round(nodes * 1000 / milliseconds) : 0)} positions/s`;
}

function figures({ nodes, milliseconds, hashfull }) {
    return `${short(nodes)} positions, ${(milliseconds / 1000).toFixed(1)} s, table ${(hashfull / 10).toFixed(1)} % full`;
}

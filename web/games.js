// SPDX-License-Identifier: MIT
// The view of whole games: read from what is pasted, dropped or opened, written again, and analysed move by move.
import { ask, element, say } from "./api.js";
import { button, columns, gamePanel, pointsBar, weigh } from "./game.js";
import { GameAnalysis } from "./game_analysis.js";
import { formatsOf, gamesOf, readGame, titleOf, writeGame } from "./game_text.js";

const BYTES_MAX = 8 << 20;

export class Games {
    // choose: shows this view.
    constructor(line, remember, choose) {
        this.line = line;
        this.choose = choose;
        this.found = []; // games of the text that was read last
        this.bar = pointsBar(line);
        this.panel = gamePanel(line, this.bar);
        this.title = element("p", { id: "game-title", lang: line.isShogi && "ja" });
        this.panel.record.prepend(this.title);
        this.analysis = new GameAnalysis(line);
        const examples = line.isShogi ? "KIF, KI2, CSA, SFEN or startpos" : "PGN, FEN or startpos";
        this.text = element("textarea", { id: "game-text", rows: 5, spellcheck: "false", placeholder: `Paste ${examples}, or drop a file anywhere`, "aria-label": `Game as text: ${examples}` });
        this.file = element("input", { type: "file", hidden: true, change: () => this.readFile(this.file.files[0]) });
        this.which = element("select", { id: "game-which", "aria-label": "Game of the text", hidden: true, change: () => this.read(this.found[this.which.value].text) });
        this.format = element("select", { id: "game-format", "aria-label": "Format" }, ...formatsOf(line.isShogi).map((name) => element("option", {}, name)));
        const read = button("game-read", "Read", "Read the text above", () => this.open(this.text.value));
        this.element = columns(this.panel.panel, this.panel.record, this.analysis.element,
            element("section", { class: "panel", "aria-label": "Game as text" }, element("h2", {}, "Read and write"), this.text,
                element("div", { class: "row" }, read, button("game-open", "Open\u2026", "Open a file", () => this.file.click()), this.file, this.which),
                element("div", { class: "row" }, this.format, button("game-write", "Write", "Write the game above, and copy it", () => this.write()),
                    button("game-save", "Save", "Save the game as a file", () => this.save()))));
        line.tree.watchers.push(() => this.element.isConnected && this.draw());
        this.listen();
    }

    shown() {
        this.draw();
        this.analysis.draw();
    }

    draw() {
        const { fen, evaluation: { chances = [0, 1000, 0] } = {} } = this.line.shown, isFirst = this.line.ofFirst(fen, 1) > 0;
        this.title.textContent = titleOf(this.line.tree.tags);
        this.panel.draw();
        weigh(this.bar, isFirst ? chances : [...chances].reverse());
    }

    hidden() {}

    changed() {
        if (this.element.isConnected) this.draw();
        this.analysis.changed();
    }

    key(event) {
        if (event.key === "ArrowLeft") this.line.step(-1);
        else if (event.key === "ArrowRight") this.line.step(1);
        else if (event.key === "f") this.panel.turn();
        else return false;
        return true;
    }

    // What is pasted outside fields, and what is dropped.
    listen() {
        document.addEventListener("paste", (event) => {
            if (!event.target.closest?.("input, textarea")) this.open(event.clipboardData.getData("text"));
        });
        document.addEventListener("dragover", (event) => event.preventDefault());
        document.addEventListener("drop", (event) => {
            event.preventDefault();
            const [file] = event.dataTransfer.files;
            if (file) this.readFile(file);
            else this.open(event.dataTransfer.getData("text"));
        });
    }

    // Files are in UTF-8, UTF-16 or, of shogi, in EUC-JP or Shift_JIS.
    async readFile(file) {
        if (!file) return;
        if (file.size > BYTES_MAX) return void say(`${file.name} has more than ${BYTES_MAX >> 20} MiB; \`data sample\` takes some of its games`, true);
        const bytes = new Uint8Array(await file.arrayBuffer()), [first, second] = bytes;
        const wide = first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "";
        const decoded = (name, ...others) => {
            try {
                return new TextDecoder(name, { fatal: others.length > 0 }).decode(bytes);
            } catch {
                return decoded(...others);
            }
        }, text = decoded(wide || "utf-8", ...this.line.isShogi ? ["euc-jp", "shift_jis"] : ["windows-1252"]);
        this.file.value = "";
        await this.open(text);
    }

    async open(text) {
        if (!text.trim()) return void say("no text was given", true);
        this.choose();
        this.found = gamesOf(text.replace(/\r\n?/g, "\n"), this.line.isShogi);
        this.which.hidden = this.found.length < 2;
        this.which.replaceChildren(...this.found.map(({ name }, i) => element("option", { value: i }, name)));
        await this.read(this.found[0].text);
    }

    // Up to the first fault, which is reported. Of two readings at once the later one counts.
    async read(text) {
        this.text.value = text;
        const game = (this.reading = readGame(text, this.line.isShogi)), faults = [];
        const named = (text) => plyName(text, game.fen, this.line.isShogi);
        try {
            const [root] = (await ask("line", { fen: game.fen })).line, tree = { ...root, ...game.notes, children: [] };
            await this.attach(tree, game.fen, game.moves, faults);
            if (game !== this.reading) return;
            if (game.fault) faults.push(game.fault);
            if (faults.length && !game.fen && !tree.children.length) throw new Error(named(faults[0]));
            await this.line.tree.put(game.fen, tree, game.tags);
            if (faults.length) say(`${named(faults[0])}; the moves before it are kept${faults.length > 1 ? ` (faults: ${faults.length})` : ""}`, true);
        } catch (fault) {
            if (game === this.reading) say(fault.message, true);
        }
    }

    // Moves below a node, and their variations, as far as they are legal.
    async attach(parent, fen, moves, faults) {
        const before = [];
        for (let at = parent; at.parent; at = at.parent) before.unshift(at.move);
        const words = moves.map(({ text }) => text), nodes = [parent];
        for (const entry of await legal(fen, before, words, faults))
            nodes.push({ ...entry, ...moves[nodes.length - 1].notes, parent: nodes.at(-1), children: [] });
        nodes.slice(1).forEach((node) => node.parent.children.push(node));
        for (let i = 1; i < nodes.length; i++)
            for (const variation of moves[i - 1].variations) await this.attach(nodes[i - 1], fen, variation, faults);
    }

    written() {
        return writeGame(this.format.value, this.line, (node) => this.analysis.remark(node, this.format.value));
    }

    async write() {
        this.text.value = this.written();
        this.text.select();
        await navigator.clipboard?.writeText(this.text.value).then(() => say("written above, and copied"), () => say("written above"));
    }

    save() {
        const type = { PGN: "pgn", KIF: "kifu", CSA: "csa" }[this.format.value] ?? "txt";
        const address = URL.createObjectURL(new Blob([this.written()], { type: "text/plain" }));
        element("a", { href: address, download: `game.${type}` }).click();
        URL.revokeObjectURL(address);
    }
}

// A fault, "move 3: ...", counts plies; in chess it is of move 2.
function plyName(text, fen, isShogi) {
    const [, side = "w", , , , number = 1] = fen.split(" ");
    return isShogi ? text : text.replace(/move (\d+)/, (_, ply) => {
        const half = 2 * (number - 1) + (side === "b") + Number(ply) - 1;
        return `move ${Math.floor(half / 2) + 1}${half % 2 ? "..." : "."}`;
    }).replace(/\.: "(.+?)": /, ". $1: ");
}

// The entries of a line behind `before`: of those words, the ones up to the first that is no legal move.
async function legal(fen, before, words, faults) {
    const entries = async (n) => (await ask("line", { fen, moves: [...before, ...words.slice(0, n)].join(" ") })).line.slice(before.length + 1);
    try {
        return await entries(words.length);
    } catch (fault) {
        const number = Number(fault.message.match(/^move (\d+):/)?.[1]);
        if (!number) throw fault;
        faults.push(fault.message);
        return entries(number - 1 - before.length);
    }
}

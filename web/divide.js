// SPDX-License-Identifier: MIT
// The view of a perft: a verdict, and counts below each move, which opens to those below its replies, with another program's. A walk
// opens what differs until the moves themselves do.
import { ask, element, listen, say, short } from "./api.js";
import { button, columns, gamePanel } from "./game.js";
import { moveName } from "./kanji.js";

export class Divide {
    constructor(line) {
        this.line = line;
        this.game = gamePanel(line);
        this.running = null;
        this.opened = null; // the node whose counts were asked for last
        this.program = undefined; // the command line of the other one; null: none was named
        this.asking = null; // a question to it
        this.isWalking = false; // to the first difference
        this.depth = element("input", { id: "depth", type: "number", min: 1, max: 20, value: 4, required: true, "aria-label": "Depth" });
        this.go = element("button", { id: "count", class: "main" }, "Count");
        this.ledger = element("p", { class: "figures", id: "ledger" });
        this.timer = null;
        this.tree = element("div", { id: "tree", role: "tree", "aria-label": "Counts", keydown: (event) => this.treeKey(event) });
        this.heads = element("p", { class: "counts heads", "aria-hidden": true, hidden: true });
        this.figures = element("p", { class: "figures", id: "count-figures" });
        this.other = element("textarea", { id: "other", rows: 4, "aria-label": "Another program's divide of the node opened last",
                                           placeholder: line.isShogi ? "7g7f: 30 ..." : "e2e4: 600 ...", input: () => this.paste() });
        this.verdict = element("p", { id: "verdict", role: "status" }, "Nothing counted yet");
        this.walk = button("walk", "Walk to the bug", "Opens what differs first, down to the move that only one of them has", () => {
            this.isWalking = true;
            this.step(this.opened);
        });
        this.walk.className = "main";
        this.walk.hidden = true;
        this.named = element("p", { class: "figures", id: "program" });
        this.element = columns(this.game.panel,
            element("section", { class: "panel", "aria-label": "Divide" },
                element("form", { class: "row", submit: (event) => {
                    event.preventDefault();
                    this.begin();
                } }, element("label", { for: "depth" }, "depth"), this.depth, this.go, button("stop", "Stop", "End the count", () => this.end("ended"))),
                element("div", { class: "headline" }, this.verdict, this.walk), this.figures, this.named, this.ledger, this.heads, this.tree,
                element("h2", {}, "Another program's divide, pasted here"), this.other),
            this.game.record);
    }

    changed() {
        if (this.element.isConnected) this.game.draw();
    }

    shown() {
        this.game.draw();
        this.readLedger();
        this.readProgram();
    }

    // Which program the server was started to compare with.
    async readProgram() {
        if (this.program !== undefined) return;
        try {
            this.program = (await ask("opponent")).program;
        } catch (fault) {
            return void say(fault.message, true);
        }
        if (this.program) this.named.textContent = `compared with ${this.program}`;
    }

    hidden() {
        this.end("");
        clearTimeout(this.timer);
    }

    // How far the count is whose ledger was named on the command line, anew every two seconds.
    async readLedger() {
        let text = "";
        try {
            const { count, depth, position, units, units_done: done, seconds_since: since, in_use: inUse } = await ask("ledger");
            if (!count) return;
            text = `Ledger: ${count} ${depth}, ${done.toLocaleString()} of ${units.toLocaleString()} units (${(100 * done / Math.max(1, units)).toFixed(1)} %), ${done ? "the last" : "begun"} ${since.toFixed(0)} s ago, ` +
                `${inUse ? "in use by a process" : done < units ? "not in use" : "which was all"}; position ${position}`;
        } catch (fault) {
            text = fault.message;
        }
        this.ledger.textContent = text;
        if (this.element.isConnected) this.timer = setTimeout(() => this.readLedger(), 2000);
    }

    key(event) {
        if (event.key === "f") this.game.turn();
        return event.key === "f";
    }

    // The tree of the position on the board.
    begin() {
        const { fen } = this.line, moves = this.line.played();
        this.rootMoves = moves.length;
        const list = element("ul", { role: "none" });
        this.tree.replaceChildren(list);
        this.heads.hidden = false;
        this.heads.replaceChildren(element("span", {}, "move"), element("span", {}, "here"), this.there = element("span", { title: this.program }));
        this.count({ fen, moves, depth: Number(this.depth.value), list, rows: [], path: [], pasted: this.other.value });
    }

    count(node) {
        this.end("");
        this.select(node);
        this.judge(["Counting\u2026"]);
        const show = (counts) => this.show(node, counts);
        this.running = listen("divide", { fen: node.fen, moves: node.moves.join(" "), depth: node.depth }, {
            counts: show,
            done: (counts) => {
                this.running = null;
                show(counts);
                this.compare(node);
                if (this.program) this.askProgram(node);
            },
            fault: ({ error }) => this.end(error, true),
            lost: (why) => this.end(why ?? "the count was ended: another page of this server, or another tab, has begun one, or tabia serve has ended", true),
        }, ["done", "fault"]);
    }

    end(why, isFault = false) {
        for (const one of [this.running, this.asking]) one?.close();
        this.running = this.asking = null;
        if (!why) return;
        this.isWalking = false;
        this.judge([]);
        say(why, isFault);
    }

    // The headline.
    judge(verdict, differs = false) {
        this.verdict.replaceChildren(...verdict);
        this.verdict.classList.toggle("fault", differs);
        this.walk.hidden = !differs || !this.program || this.isWalking;
    }

    // The other program's counts of a node, into the column beside ours.
    askProgram(node) {
        const end = (why) => {
            this.asking = null;
            if (!why) return;
            this.isWalking = false;
            say(why, true);
        };
        this.named.textContent = `${this.program} is counting`;
        this.asking = listen("against", { fen: node.fen, moves: node.moves.join(" "), depth: node.depth }, {
            done: ({ total, seconds, moves }) => {
                end("");
                node.total = BigInt(total);
                node.theirs = new Map(moves.map(({ move, count }) => [move.toLowerCase(), BigInt(count)]));
                this.named.textContent = `${this.program}: ${BigInt(total).toLocaleString()} positions, ${seconds.toFixed(2)} s`;
                this.compare(node);
            },
            fault: ({ error }) => {
                this.named.textContent = "";
                end(error);
            },
            lost: (why) => end(why ?? "the question was ended by the server"),
        }, ["done", "fault"]);
    }

    show(node, { part, seconds, nodes, moves }) {
        const all = BigInt(nodes);
        this.figures.textContent = part >= 1 && !moves.length ? "the game has ended: there is no legal move" : `depth ${node.depth}: ${BigInt(nodes).toLocaleString()} positions` +
            (part < 1 ? ` so far, ${(100 * part).toFixed(1)} %` : `, ${short(Math.round(Number(all) / Math.max(seconds, 1e-6)))} a second`) + `, ${seconds.toFixed(2)} s`;
        if (!node.rows.length) this.makeRows(node, moves);
        moves.forEach(({ count }, i) => {
            const row = node.rows[i];
            row.count = BigInt(count);
            row.text.textContent = row.count || part >= 1 ? row.count.toLocaleString() : "\u2026"; // not counted yet
            row.name();
        });
    }

    makeRows(node, moves) {
        node.rows = moves.map(({ move, san }) => this.makeRow(node, move, san));
        node.list.replaceChildren(...node.rows.map(({ item }) => item));
        if (node.rows.length) this.reach(node.rows[0].button);
    }

    // The tree is one stop of the Tab key; the arrow keys go on within it.
    reach(chosen) {
        for (const one of this.tree.querySelectorAll("button")) one.tabIndex = -1;
        chosen.tabIndex = 0;
        chosen.focus();
    }

    makeRow(node, move, san) {
        const row = { move, san, text: element("span", { class: "count" }), theirs: element("span", { class: "count theirs" }), child: null };
        const mayOpen = node.depth > 1, level = node.moves.length - this.rootMoves + 1;
        row.button = element("button", { type: "button", role: "treeitem", tabindex: -1, "data-move": move, "aria-level": level,
                                         "aria-expanded": mayOpen ? "false" : undefined, click: () => this.open(node, row),
                                         title: mayOpen ? `${move}: opens what follows, and shows it` : `${move}: shows it` }, moveName(san));
        row.item = element("li", { role: "none" }, element("div", { class: "counts" }, row.button, row.text, row.theirs));
        const shown = () => document.body.classList.contains("kanji") && row.button.firstChild.dataset?.kanji || san;
        row.name = () => row.button.setAttribute("aria-label", `${shown()}: ${row.text.textContent}${row.theirs.textContent && `, ${row.theirs.textContent} by the other program`}`);
        return row;
    }

    // Shows the position behind the move, and its counts below; or folds them up.
    open(node, row) {
        const moves = [...node.moves, row.move];
        this.line.set(node.fen, moves);
        if (node.depth < 2) return;
        if (row.child) {
            row.child.list.remove();
            row.child = null;
            this.select(node);
            this.compare(node);
        } else {
            const list = element("ul", { role: "none" });
            row.item.append(list);
            row.child = { fen: node.fen, moves, depth: node.depth - 1, list, rows: [], path: [...node.path, row.san] };
            this.count(row.child);
        }
        row.button.setAttribute("aria-expanded", Boolean(row.child));
    }

    treeKey(event) {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key], buttons = [...this.tree.querySelectorAll("button")];
        const at = buttons.indexOf(document.activeElement);
        if (at < 0) return;
        const item = buttons[at].closest("li"), isOpen = buttons[at].getAttribute("aria-expanded") === "true";
        if (step && buttons[at + step]) this.reach(buttons[at + step]);
        else if (step) return;
        else if (event.key === "Home") this.reach(buttons[0]);
        else if (event.key === "End") this.reach(buttons.at(-1));
        else if (event.key === "ArrowRight" && isOpen) this.reach(buttons[at + 1] ?? buttons[at]);
        else if (event.key === "ArrowRight") buttons[at].click();
        else if (event.key === "ArrowLeft" && isOpen) buttons[at].click();
        else if (event.key === "ArrowLeft" && item.parentElement.closest("li")) this.reach(item.parentElement.closest("li").querySelector("button"));
        else return;
        event.preventDefault();
        event.stopPropagation();
    }

    // The node opened last, for which a divide can be pasted.
    select(node) {
        this.opened = node;
        this.other.value = node.pasted ?? "";
    }

    paste() {
        if (!this.opened) return;
        this.opened.pasted = this.other.value;
        this.compare(this.opened);
        const [first] = this.opened.wrong, tree = this.tree.firstChild;
        if (first) tree.scrollTop = first.item.offsetTop - tree.clientHeight / 2;
    }

    // Marks what another program says otherwise of a node: what was pasted for it, or the one that was named.
    compare(node) {
        const pasted = readDivide(node.pasted ?? ""), { rows } = node;
        const theirs = pasted.size ? pasted : node.theirs || pasted, total = rows.reduce((sum, { count }) => sum + count, 0n);
        const of = ({ move }) => theirs.get(move.toLowerCase());
        node.wrong = theirs.size ? rows.filter((row) => of(row) !== row.count) : [];
        const more = [...theirs.keys()].filter((move) => !rows.some((row) => row.move.toLowerCase() === move));
        node.isEnd = more.length > 0 || node.wrong.some((row) => of(row) === undefined);
        for (const row of rows) {
            row.item.classList.toggle("differs", node.wrong.includes(row));
            row.theirs.textContent = theirs.size ? (of(row) ?? "missing").toLocaleString() : "";
            row.name();
        }
        if (theirs.size) this.there.textContent = pasted.size ? "pasted" : this.program?.split(" ")[0].split("/").pop() ?? "";
        if (node !== this.opened) return;
        const where = node.path.length ? ["After", ...node.path.flatMap((san) => [" ", moveName(san)]), ": "] : [], n = node.wrong.length + more.length;
        const [first] = node.wrong.length ? node.wrong.map((row) => [moveName(row.san), `, ${row.count.toLocaleString()} here, ${of(row)?.toLocaleString() ?? "missing"} there`])
            : more.map((move) => [`${move}, only there`]);
        if (n) this.judge([...where, `${n} of ${rows.length + more.length} moves ${n > 1 ? "differ" : "differs"}; first: `, ...first], true);
        else if (!theirs.size) this.judge([...where, `${total.toLocaleString()} positions${node.pasted?.trim() ? "; what was pasted has no counts" : ""}`]);
        else if (theirs === node.theirs && node.total !== total) this.judge([...where, `the total differs: ${total} here, ${node.total} there`], true);
        else this.judge([...where, `all ${rows.length} moves agree`]);
        if (this.isWalking && node.theirs) this.step(node);
    }

    // One move nearer to the bug, whose position is that where the moves differ and not their counts alone.
    step(node) {
        const [row] = node.wrong;
        if (!node.isEnd && row && node.depth > 1) {
            if (!row.child) return this.open(node, row);
            this.select(row.child);
            return this.compare(row.child);
        }
        this.isWalking = false;
        if (row) this.reach(row.button);
    }
}

// {move: count} of a divide: each line that begins with a move and has a number.
function readDivide(text) {
    const counts = new Map();
    for (const line of text.split("\n")) {
        const found = line.match(/^\s*(?:info string )?([a-z0-9+*]{4,6})\s*[:=\s-]\s*(\d+)/i);
        if (found) counts.set(found[1].toLowerCase(), BigInt(found[2]));
    }
    return counts;
}

// SPDX-License-Identifier: MIT
// The moves of a game with their variations. A node is an entry of the line (move, san, and the FEN behind it) with what follows it:
// the first child is the main line. What is played elsewhere in the game becomes a variation of it. The browser keeps the tree, for a reload
// of its tab, and for a new tab while the same server runs.
import { ask, element } from "./api.js";
import { plyOf } from "./game.js";
import { endOf, signs } from "./game_text.js";
import { moveName } from "./kanji.js";

const STORAGES = ["sessionStorage", "localStorage"]; // of a tab, and of all tabs

// What was kept last: {hash, root, tags, analysing}, or {}.
export function keptGame() {
    for (const storage of STORAGES)
        try {
            const kept = JSON.parse(window[storage].getItem("game"));
            if (kept?.server === location.pathname) return kept;
        } catch { // a browser that keeps nothing
        }
    return {};
}

export class GameTree {
    // Of a line, which it follows: before any other watcher of it.
    constructor(line) {
        this.line = line;
        this.followed = null; // the array that the line had last
        this.watchers = []; // of what is noted at nodes
        this.replaced = null; // the game before, where it had moves
        line.tree = this;
        line.watchers.unshift(() => this.follow());
        const kept = keptGame(), isKept = kept.root?.fen === line.line[0].fen;
        this.begin(line.line[0], isKept ? kept : {});
        this.analysing = isKept && kept.analysing;
        this.follow();
    }

    begin(root, { root: kept = { children: [] }, tags = {} } = {}) {
        this.leave();
        this.root = { ...kept, ...root, children: [] };
        this.tags = tags;
        this.add(this.root, kept.children);
    }

    leave() {
        if (this.root?.children.length) this.replaced = { fen: this.fen, root: this.root, tags: this.tags, at: this.shown };
    }

    // Shows the game before, and the other way round.
    restore() {
        const { replaced } = this;
        this.replaced = null;
        return replaced && this.put(replaced.fen, replaced.root, replaced.tags, replaced.at);
    }

    // Nodes as they were written, below another.
    add(parent, children) {
        for (const child of children) {
            const node = { ...child, parent, children: [] };
            parent.children.push(node);
            this.add(node, child.children);
        }
    }

    // From the root to a node and on along first moves.
    through(node) {
        const path = [];
        for (let at = node; at; at = at.parent) path.unshift(at);
        for (let at = node.children[0]; at; at = at.children[0]) path.push(at);
        return path;
    }

    get main() {
        return this.through(this.root);
    }

    // What the line has become is in the tree, and what the tree knows behind it is in the line.
    follow() {
        const { line } = this.line, isNew = this.followed && line[0] !== this.root;
        if (line !== this.followed) {
            if ((isNew && line.length === 1) || line[0].fen !== this.root.fen) this.begin(line[0]);
            let node = this.root;
            for (const entry of line.slice(1)) node = this.child(node, entry);
            this.followed = this.line.line = this.through(node);
        }
        Object.assign(this, { fen: this.line.fen, shown: this.line.shown });
    }

    child(parent, entry) {
        const there = parent.children.find(({ move }) => move === entry.move);
        if (there) return there;
        const node = { ...entry, parent, children: [] };
        parent.children.push(node);
        return node;
    }

    // Shows the position of a node.
    go(node) {
        const path = this.through(node), at = path.indexOf(node);
        return this.line.after(() => this.line.take(async () => {
            const moves = path.slice(1, at + 1).map(({ move }) => move).join(" ");
            const { moves: legal } = await ask("line", { fen: this.line.fen, moves });
            return { line: path, moves: legal, at };
        }));
    }

    // Another tree takes the place of this one, shown at its end. fen: as the server is asked for it.
    put(fen, root, tags, node = undefined) {
        this.leave();
        Object.assign(this, { root, tags });
        this.line.fen = fen;
        return this.go(node ?? this.main.at(-1));
    }

    // Something was noted at a node.
    noted() {
        this.keep();
        for (const watcher of this.watchers) watcher();
    }

    // more: what else is kept.
    keep(more = {}) {
        const plain = ({ parent, children, ...own }) => ({ ...own, children: children.map(plain) });
        const text = JSON.stringify({ server: location.pathname, hash: location.hash, tags: this.tags, root: plain(this.root), ...more });
        for (const storage of STORAGES)
            try {
                window[storage].setItem("game", text);
            } catch { // a browser that keeps nothing
            }
    }

    // The moves as buttons: the main line in columns, a variation in a row of its own, "(1... c5 2. Nf3)".
    list() {
        this.listed = []; // nodes by their place in the list
        return [...remark(this.root), ...this.behind(this.root, true, (node, isFirst) => plyOf(this.line, node.parent.fen, isFirst, this.button(node)))];
    }

    // draw(node, isFirst): elements of a move.
    behind(parent, begins, draw) {
        const found = [];
        for (let at = parent, isFirst = begins; at.children.length; at = at.children[0]) {
            const [next, ...others] = at.children;
            found.push(...draw(next, isFirst), ...remark(next), ...others.flatMap((other) => [" ", this.variation(other)]));
            isFirst = Boolean(others.length || next.comment);
            if (endOf(next)) found.push(" ", element("span", { class: "end", lang: this.line.isShogi && "ja" }, endOf(next)));
        }
        return found;
    }

    variation(node) {
        const draw = (at, isFirst) => [" ", element("span", { class: "ply" }, numberBefore(this.line, at.parent.fen, isFirst), this.button(at))];
        return element("span", { class: "variation" }, "(", ...remark({ comment: node.before }).reverse(), ...draw(node, true).slice(1), ...remark(node), ...this.behind(node, Boolean(node.comment), draw), ")");
    }

    button(node) {
        const place = this.listed.push(node) - 1;
        return element("button", { type: "button", "data-place": place, "aria-pressed": false, title: node.given || node.ms && `${node.ms / 1000} s`, click: () => this.go(node) }, moveName(node.san), signs(node));
    }
}

function remark({ comment }) {
    return comment ? [" ", element("span", { class: "remark" }, comment)] : [];
}

// What stands before a move of that position: "12. "; in chess black's only where it begins: "12... ".
export function numberBefore({ isShogi }, fen, isFirst) {
    const fields = fen.split(" "), isSecond = !isShogi && fields[1] === "b";
    return isSecond && !isFirst ? "" : `${fields[isShogi ? 3 : 5] || 1}${isSecond ? "..." : "."}\u00a0`;
}

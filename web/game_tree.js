// SPDX-License-Identifier: MIT
// The moves of a game with their variations. A node is an entry of the line (move, san, and the FEN behind it) with what follows it:
// the first child is the main line. What is played elsewhere in the game becomes a variation of it. The browser's tab keeps the tree over a reload.
import { ask, element } from "./api.js";
import { plyOf } from "./game.js";

const KEPT = ["move", "san", "fen", "check", "comment", "nags", "evaluation"]; // of a node

export class GameTree {
    // Of a line, which it follows: before any other watcher of it.
    constructor(line) {
        this.line = line;
        this.followed = null; // the array that the line had last
        this.watchers = []; // of what is noted at nodes
        line.tree = this;
        line.watchers.unshift(() => this.follow());
        this.begin(line.line[0], this.kept(line.line[0].fen));
        this.follow(true);
    }

    begin(root, children = []) {
        this.root = { ...root, children: [] };
        this.tags = {};
        this.add(this.root, children);
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
    follow(isFirst = false) {
        const { line } = this.line;
        if (line === this.followed) return;
        if ((line.length === 1 && !isFirst) || line[0].fen !== this.root.fen) this.begin(line[0]);
        let node = this.root;
        for (const entry of line.slice(1)) node = this.child(node, entry);
        this.followed = this.line.line = this.through(node);
        this.keep();
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
            this.followed = null;
            return { line: path, moves: legal, at };
        }));
    }

    // Another tree takes the place of this one, shown at its end. fen: as the server is asked for it.
    put(fen, root, tags) {
        Object.assign(this, { root, tags });
        this.line.fen = fen;
        return this.go(this.main.at(-1));
    }

    // Something was noted at a node.
    noted() {
        this.keep();
        for (const watcher of this.watchers) watcher();
    }

    keep() {
        const plain = (node) => ({ ...Object.fromEntries(KEPT.map((name) => [name, node[name]])), children: node.children.map(plain) });
        try {
            sessionStorage.setItem("game", JSON.stringify(plain(this.root)));
        } catch { // a browser that keeps nothing
        }
    }

    kept(fen) {
        try {
            const root = JSON.parse(sessionStorage.getItem("game"));
            return root?.fen === fen ? root.children : [];
        } catch {
            return [];
        }
    }

    // The moves as buttons: the main line in columns, a variation in a row of its own, "(1... c5 2. Nf3)".
    list() {
        this.listed = []; // nodes by their place in the list
        return this.behind(this.root, true, (node, isFirst) => plyOf(this.line, node.parent.fen, isFirst, this.button(node)));
    }

    // draw(node, isFirst): elements of a move.
    behind(parent, begins, draw) {
        const found = [];
        for (let at = parent, isFirst = begins; at.children.length; at = at.children[0]) {
            const [next, ...others] = at.children;
            found.push(...draw(next, isFirst), ...remark(next), ...others.map((other) => this.variation(other)));
            isFirst = Boolean(others.length || next.comment);
        }
        return found;
    }

    variation(node) {
        const draw = (at, isFirst) => [" ", element("span", { class: "ply" }, numberBefore(this.line, at.parent.fen, isFirst), this.button(at))];
        return element("span", { class: "variation" }, "(", ...draw(node, true).slice(1), ...remark(node), ...this.behind(node, Boolean(node.comment), draw), ")");
    }

    button(node) {
        const place = this.listed.push(node) - 1;
        return element("button", { type: "button", "data-place": place, "aria-pressed": false, click: () => this.go(node) }, node.san + signs(node));
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

// Of the glyphs of PGN those that have a sign.
export function signs({ nags = [] }) {
    return nags.map((nag) => ["", "!", "?", "!!", "??", "!?", "?!"][nag] ?? "").join("");
}

// SPDX-License-Identifier: MIT
// The game on the board: where it begins, its moves, and how far it is shown. Views draw it when it changes.
import { ask, say } from "./api.js";

export class Line {
    constructor() {
        this.fen = "";
        this.line = [];
        this.moves = [];
        this.at = 0;
        this.watchers = [];
        this.last = Promise.resolve(); // what was asked for last
    }

    // The moves up to the one that is shown.
    played() {
        return this.line.slice(1, this.at + 1).map(({ move }) => move);
    }

    // What a request for the position that is shown names.
    request() {
        return { fen: this.fen, moves: this.played().join(" ") };
    }

    // Shogi's board has nine rows. The first side to move is its black, and chess's white.
    get isShogi() {
        return this.line[0].fen.split(" ")[0].split("/").length === 9;
    }

    get firstSide() {
        return this.isShogi ? "black" : "white";
    }

    // As a sentence begins with it.
    sideName(isFirst) {
        return this.isShogi === isFirst ? "Black" : "White";
    }

    // What people count to a mate in so many plies: moves of chess, plies of shogi.
    mateIn(plies) {
        return this.isShogi ? Math.abs(plies) : Math.ceil(Math.abs(plies) / 2);
    }

    // A score of the side to move in that position, as one of the first side.
    ofFirst(fen, score) {
        return fen.split(" ")[1] === this.firstSide[0] ? score : -score;
    }

    get shown() {
        return this.line[this.at];
    }

    // Another game, shown at its end or at one of its positions. False: it cannot be, which was said.
    set(fen, moves, at = moves.length) {
        return this.after(() => this.load(fen, moves, at));
    }

    // Plays on from the position that is shown; a move that the game has there already keeps what follows.
    play(move) {
        return this.after(() => {
            const next = this.line[this.at + 1];
            if (next && (next.move === move || next.san === move)) return this.show(this.at + 1);
            return this.load(this.fen, [...this.played(), move]);
        });
    }

    go(at) {
        return this.after(() => this.show(at));
    }

    step(by) {
        return this.after(() => this.show(this.at + by));
    }

    // One thing after the other, in the order they were asked for, however fast keys are pressed.
    after(what) {
        return this.last = this.last.then(what, what);
    }

    async show(at) {
        const last = this.line.length - 1, there = Math.max(0, Math.min(last, at));
        if (there === this.at) return true;
        const before = this.line.slice(1, there + 1).map(({ move }) => move);
        return this.take(async () => ({ moves: (await ask("line", { fen: this.fen, moves: before.join(" ") })).moves, at: there }));
    }

    load(fen, moves, at = moves.length) {
        return this.take(async () => {
            const whole = await ask("line", { fen, moves: moves.join(" ") });
            const here = at < moves.length ? await ask("line", { fen, moves: moves.slice(0, at).join(" ") }) : whole;
            return { fen, line: whole.line, moves: here.moves, at };
        });
    }

    // False: it cannot be, which was said.
    async take(read) {
        try {
            Object.assign(this, await read());
        } catch (fault) {
            say(fault.message, true);
            return false;
        }
        for (const watcher of this.watchers) watcher();
        return true;
    }
}

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

    // A score of the side to move in that position, as one of the first side.
    ofFirst(fen, score) {
        return fen.split(" ")[1] === this.firstSide[0] ? score : -score;
    }

    get shown() {
        return this.line[this.at];
    }

    // Another game, shown at its end or at one of its positions. False: it cannot be, which was said.
    async set(fen, moves, at = moves.length) {
        try {
            const whole = await ask("line", { fen, moves: moves.join(" ") });
            const here = at < moves.length ? await ask("line", { fen, moves: moves.slice(0, at).join(" ") }) : whole;
            Object.assign(this, { fen, line: whole.line, moves: here.moves, at });
        } catch (fault) {
            say(fault.message, true);
            return false;
        }
        for (const watcher of this.watchers) watcher();
        return true;
    }

    // Plays on from the position that is shown; a move that the game has there already keeps what follows.
    play(move) {
        const next = this.line[this.at + 1];
        if (next && (next.move === move || next.san === move)) return this.go(this.at + 1);
        return this.set(this.fen, [...this.played(), move]);
    }

    go(at) {
        const all = this.line.slice(1).map(({ move }) => move);
        return this.set(this.fen, all, Math.max(0, Math.min(all.length, at)));
    }
}

// SPDX-License-Identifier: MIT
// Some records of a file one behind the other, around the one that is shown: what is read when another is wanted.
import { ask, say } from "./api.js";

const AT_ONCE = 400, BEFORE = 200; // records: of one request, and of those how many stand before the one that is wanted
const GAME_MAX = 4000; // records of a game that are kept
const SLOW = 400; // milliseconds after which a reader is informed that something is read

export class RecordWindow {
    // values: the file, and the rules of a filter.
    constructor(values) {
        this.values = values;
        this.records = []; // in the order of the file
        this.all = Infinity; // in the file, where that is known
        this.format = "";
        this.number = 1; // of the one that is shown
    }

    get isEmpty() {
        return !this.records.length;
    }

    // The one that is shown.
    get record() {
        return this.records[this.number - this.records[0].number];
    }

    // The records of its game, as far as they were read.
    get game() {
        const at = this.records.indexOf(this.record);
        let first = at, end = at + 1;
        while (first > 0 && !this.records[first].starts_game) first--;
        while (end < this.records.length && !this.records[end].starts_game) end++;
        return this.records.slice(first, end);
    }

    // To another record. False where there is none, which was said.
    async go(number) {
        if (!(number >= 1) || (!this.has(number) && !await this.reach(number))) return false;
        this.number = number;
        await this.readGame();
        return true;
    }

    // To the next record that starts a game, or that is wanted otherwise.
    async find(what) {
        const found = await this.read(this.number + 1, what);
        if (!found.length) return false;
        this.records = found;
        return this.go(found[0].number);
    }

    has(number) {
        const first = this.records[0]?.number;
        return first !== undefined && number >= first && number < first + this.records.length;
    }

    // Those before the one that is wanted are read too, as its game may have begun there.
    async reach(number) {
        if (!this.isEmpty && number === this.records.at(-1).number + 1) return this.append();
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

    // To the end of the game.
    async readGame() {
        const ends = () => this.records.some((record) => record.number > this.number && record.starts_game);
        while (!ends() && this.records.at(-1).number < Math.min(this.all, this.number + GAME_MAX / 2))
            if (!await this.append()) return;
    }

    // Records from a number on: none where there are none, which was said.
    async read(from, more = {}) {
        const slow = setTimeout(() => say("reading\u2026"), SLOW);
        try {
            const found = await this.ask({ ...this.values, from, count: AT_ONCE, ...more });
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
}

// SPDX-License-Identifier: MIT
// How the records of a file are distributed: read to its end, as far as that is, and drawn.
import { element, listen, say } from "./api.js";
import { barChart } from "./chart.js";

const UNREAD = "not counted yet: Read the whole file";

export class Distributions {
    constructor() {
        this.progress = element("p", { class: "figures" });
        this.charts = element("div", { id: "distributions" });
        this.bars = []; // the charts in it
        this.running = null;
        this.elements = [this.progress, this.charts];
        this.forget();
    }

    // values: the file, and the rules of a filter.
    read(values) {
        this.end();
        this.clear();
        this.progress.textContent = "reading\u2026";
        this.running = listen("statistics", values, {
            part: ({ part, records }) => (this.progress.textContent = `${(100 * part).toFixed(0)} %, ${records} records`),
            done: (all) => this.draw(all),
            fault: ({ error }) => this.fail(error),
            lost: () => this.fail("reading was ended: another page of this server, or another tab, is reading, or tabia serve has ended"),
        }, ["done", "fault"]);
    }

    fail(why) {
        this.progress.textContent = UNREAD;
        say(why, true);
    }

    // Reads no further.
    end() {
        this.running?.close();
        this.running = null;
    }

    forget() {
        this.end();
        this.clear();
        this.progress.textContent = UNREAD;
    }

    clear() {
        for (const bars of this.bars) bars.end();
        this.bars = [];
        this.charts.replaceChildren();
    }

    draw({ records, bad_records: bad, removed, games, white_results: results, histograms, tables }) {
        const percent = (n) => `${(100 * n / Math.max(1, records)).toFixed(1)} %`;
        this.progress.textContent = `${records} records of ${games} games${removed ? `, without ${removed} that the filter removes` : ""}${bad ? `, ${bad} bad` : ""}: white wins ${percent(results[2])}, ` +
            `draws ${percent(results[1])}, loses ${percent(results[0])}`;
        this.clear();
        this.bars = histograms.map(({ title, min, width, bins }) =>
            barChart(title, [title.toLowerCase(), "records"], bins.map((n, i) => [String(min + i * width), Number(n)])));
        histograms.forEach(({ title, description, mean, deviation }, i) => this.bars[i].element.prepend(
            element("figcaption", {}, `${title}, ${description}: mean ${mean?.toPrecision(4)}, deviation ${deviation?.toPrecision(3)}`)));
        this.charts.replaceChildren(...this.bars.map((bars) => bars.element), ...tables.map(grid));
    }
}

// A table of counts, in rows as a board has them, the first at the bottom: the more, the darker.
function grid({ title, columns, names, cells }) {
    const all = cells.reduce((sum, n) => sum + Number(n), 0) || 1, max = Math.max(...cells.map(Number), 1), rows = [];
    for (let row = cells.length / columns - 1; row >= 0; row--)
        rows.push(element("tr", {}, ...names.slice(row * columns, (row + 1) * columns).map((name, i) => {
            const n = Number(cells[row * columns + i]), cell = element("td", { title: `${name}: ${n}` }, `${(100 * n / all).toFixed(1)}`);
            cell.style.backgroundColor = `color-mix(in srgb, var(--heat) ${Math.round(70 * n / max)}%, transparent)`;
            return cell;
        })));
    const heads = columns === cells.length ? [element("tr", {}, ...names.map((name) => element("th", {}, name)))] : [];
    return element("figure", {}, element("figcaption", {}, `${title}, percent`), element("table", {}, ...heads, ...rows));
}

// SPDX-License-Identifier: MIT
// Charts, by Chart.js (index.html loads it). Arrow keys go along one and tell its numbers, which a table has as well: of a drawing
// a reader of the screen sees nothing.
import { element, say } from "./api.js";

const { Chart } = window;
// Colours that the colour-blind distinguish too (Okabe and Ito), lighter ones in the dark, and marks for the others.
const ON_LIGHT = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b87800", "#3a8fc4", "#8c6d1f", "#777777"];
const ON_DARK = ["#56b4e9", "#ff9640", "#2fcf9f", "#e8a2c9", "#f0e442", "#8ecbff", "#d0b060", "#bbbbbb"];
const MARKS = ["circle", "triangle", "rect", "rectRot", "star", "cross", "crossRot", "dash"];
const MANY = 40; // points, which are drawn smaller

// Chart.js draws what it is given; that the page has become dark it does not see.
function paint() {
    const style = getComputedStyle(document.documentElement);
    Chart.defaults.color = style.color;
    Chart.defaults.borderColor = style.borderTopColor;
    Chart.defaults.font.family = "system-ui, sans-serif";
    for (const chart of Object.values(Chart.instances)) chart.update("none");
}
const dark = matchMedia("(prefers-color-scheme: dark)");
const colour = (i) => () => (dark.matches ? ON_DARK : ON_LIGHT)[i % ON_LIGHT.length];
paint();
// The colours of scales are taken over when a chart is made, unless they are functions.
const soft = () => Chart.defaults.color, rule = () => Chart.defaults.borderColor;
dark.addEventListener("change", paint);

function axis(name, { grid = {}, ticks = {}, ...others }) {
    return { ...others, title: { display: true, text: name, color: soft }, ticks: { color: soft, ...ticks },
             grid: { color: rule, borderColor: rule, ...grid }, border: { color: rule } };
}

class Figure {
    // Of the axes: [name, name]. text(y): a value as it is read out. pick(x): what a click or Enter at a point does. Options of Chart.js: of
    // the axes, and others.
    constructor(type, title, [x, y], text, { across, up, pick, ...others }) {
        Object.assign(this, { x, text, pick, series: [], at: -1, frame: 0 });
        this.canvas = element("canvas", {
            tabindex: 0, role: "application", "aria-label": `${title}. Arrow keys go along it${pick ? ", Enter shows that position" : ""}.`, class: pick && "pick", keydown: (event) => this.key(event), blur: () => this.leave(),
        });
        this.rows = element("table");
        this.table = element("details", { toggle: () => this.draw() }, element("summary", {}, "as a table"), this.rows);
        this.element = element("figure", { class: "chart" }, element("div", {}, this.canvas), this.table);
        this.chart = new Chart(this.canvas, { type, data: { datasets: [] }, options: {
            animation: false, maintainAspectRatio: false, interaction: { mode: "nearest", axis: "x", intersect: false }, ...others,
            onClick: (_, [item]) => item && pick?.(this.chart.data.datasets[item.datasetIndex].data[item.index].x),
            scales: { x: axis(x, across), y: axis(y, up) },
            plugins: { legend: { position: "bottom", labels: { usePointStyle: true, boxHeight: 7, color: soft }, onClick: () => {} }, tooltip: { callbacks: {
                title: ([item]) => item && `${x} ${item.label}`,
                label: (item) => `${item.dataset.label}: ${text(item.parsed.y)}`,
            } } },
        } });
    }

    // series: [{name, points: [[x, y], ...]}], by x; here: the x that is marked. Drawn with the next frame, however often it changes.
    show(series, here) {
        Object.assign(this, { series, here });
        this.element.hidden = !series.some(({ points }) => points.length);
        this.frame ||= requestAnimationFrame(() => {
            this.frame = 0;
            this.draw();
        });
    }

    draw() {
        const { data, options } = this.chart;
        data.datasets = this.series.map(({ name, points }, i) => ({
            label: name, data: points.map(([x, y]) => ({ x, y })), pointRadius: points.map(([x]) => x === this.here ? 6 : points.length > MANY ? 1.5 : 3), pointStyle: MARKS[i % MARKS.length],
            borderColor: colour(i), backgroundColor: colour(i),
        }));
        options.plugins.legend.display = this.series.length > 1;
        this.chart.update("none");
        if (this.table.open) this.rows.replaceChildren(...this.tableRows());
        if (this.at >= 0) this.point(Math.min(this.at, this.places.length - 1));
    }

    // What stands on the horizontal axis, of all series.
    get places() {
        const places = [...new Set(this.series.flatMap(({ points }) => points.map(([x]) => x)))];
        return places.every(Number.isFinite) ? places.sort((a, b) => a - b) : places;
    }

    valuesAt(place) {
        return this.series.map(({ points }) => points.find(([x]) => x === place)?.[1]);
    }

    tableRows() {
        const cells = (tag, texts) => element("tr", {}, ...texts.map((text) => element(tag, {}, text)));
        return [cells("th", [this.x, ...this.series.map(({ name }) => name)]), ...this.places.map((place) => cells("td", [
            String(place), ...this.valuesAt(place).map((y) => y === undefined ? "" : this.text(y))]))];
    }

    key(event) {
        const last = this.places.length - 1;
        if (event.key === "Enter" && this.pick && this.at >= 0) return void this.pick(this.places[this.at]);
        const at = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: last }[event.key];
        if (at === undefined || event.altKey || last < 0) return;
        event.preventDefault();
        event.stopPropagation();
        this.point(Math.max(0, Math.min(last, at)));
        this.tell();
    }

    // The point where the keys are, as if a pointer were there.
    point(at) {
        this.at = at;
        const place = this.places[at];
        const items = this.series.map(({ points }, datasetIndex) => ({ datasetIndex, index: points.findIndex(([x]) => x === place) }))
            .filter(({ index }) => index >= 0);
        this.chart.setActiveElements(items);
        this.chart.tooltip.setActiveElements(items, { x: 0, y: 0 });
        this.chart.update("none");
    }

    tell() {
        const place = this.places[this.at], values = this.valuesAt(place);
        say(`${this.x} ${place}: ${this.series.map(({ name }, i) => [name, values[i]]).filter(([, y]) => y !== undefined)
            .map(([name, y]) => `${name} ${this.text(y)}`).join(", ")}`);
    }

    leave() {
        this.at = -1;
        this.chart.setActiveElements([]);
        this.chart.tooltip.setActiveElements([], { x: 0, y: 0 });
        this.chart.update("none");
    }

    // Chart.js keeps what is drawn until it is asked to draw.
    end() {
        cancelAnimationFrame(this.frame);
        this.chart.destroy();
    }
}

// Chart.js ends an axis with its last value, however near the tick before that is.
function partTicks({ ticks }) {
    const [last, before] = [ticks.length - 1, ticks.length - 2];
    if (before > 0 && ticks[last].value - ticks[before].value < 0.7 * (ticks[1].value - ticks[0].value)) ticks.splice(before, 1);
}

export const signed = (pawns) => (pawns > 0 ? "+" : "") + pawns.toFixed(2);

// Lines of values in pawns, around zero.
export function pawnChart(title, axes, pick) {
    const zero = ({ tick }) => tick?.value === 0 ? soft() : rule();
    return new Figure("line", title, axes, signed, {
        pick, across: { type: "linear", bounds: "data", ticks: { precision: 0 }, afterBuildTicks: partTicks }, up: { suggestedMin: -1, suggestedMax: 1, ticks: { maxTicksLimit: 7 }, grid: { color: zero } }, borderWidth: 2,
    });
}

// bars: [[label, number]].
export function barChart(title, axes, bars) {
    const made = new Figure("bar", title, axes, String, {
        across: { grid: { display: false } }, up: { beginAtZero: true, ticks: { precision: 0 } }, categoryPercentage: 0.96, barPercentage: 1,
    });
    made.show([{ name: axes[1], points: bars }]);
    return made;
}

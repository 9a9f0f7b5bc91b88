// SPDX-License-Identifier: MIT
// Small charts of SVG.
import { drawing } from "./api.js";

const WIDTH = 480, HEIGHT = 150, LEFT = 40, BELOW = 18;

function frame(title, low, high, first, last) {
    const svg = drawing("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT + BELOW}`, role: "img", "aria-label": title });
    svg.append(drawing("line", { class: "axis", x1: LEFT, x2: LEFT, y1: 5, y2: HEIGHT }),
               drawing("text", { x: LEFT - 4, y: 14, "text-anchor": "end" }, high),
               drawing("text", { x: LEFT - 4, y: HEIGHT, "text-anchor": "end" }, low),
               drawing("text", { x: LEFT, y: HEIGHT + 14 }, first),
               drawing("text", { x: WIDTH - 4, y: HEIGHT + 14, "text-anchor": "end" }, last));
    return svg;
}

// points: [[x, y]], by x; zero is always shown.
export function lineChart(title, points, unit) {
    if (!points.length) return frame(title, "", "", "", "");
    const xs = points.map(([x]) => x), ys = points.map(([, y]) => y);
    const most = Math.max(1, ...ys.map(Math.abs)), from = xs[0], to = Math.max(xs[xs.length - 1], from + 1);
    const at = ([x, y]) => [LEFT + 6 + (WIDTH - LEFT - 12) * (x - from) / (to - from), HEIGHT / 2 - (HEIGHT / 2 - 8) * y / most];
    const svg = frame(title, (-most).toFixed(1), `+${most.toFixed(1)}`, `${unit} ${from}`, `${unit} ${xs[xs.length - 1]}`);
    svg.append(drawing("line", { class: "axis", x1: LEFT, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
               drawing("polyline", { class: "line", points: points.map((p) => at(p).join(",")).join(" ") }));
    for (const point of points) {
        const [cx, cy] = at(point);
        svg.append(drawing("circle", { class: "point", cx, cy, r: 3 },
                           drawing("title", {}, `${unit} ${point[0]}: ${point[1].toFixed(2)}`)));
    }
    return svg;
}

// bars: [[label, number]].
export function barChart(title, bars) {
    const most = Math.max(1, ...bars.map(([, n]) => n)), wide = (WIDTH - LEFT - 4) / Math.max(1, bars.length);
    const svg = frame(title, "0", String(most), bars.length ? bars[0][0] : "", bars.length ? bars[bars.length - 1][0] : "");
    bars.forEach(([label, n], i) => {
        const high = (HEIGHT - 8) * n / most;
        svg.append(drawing("rect", { class: "bar", x: LEFT + 2 + i * wide, y: HEIGHT - high, width: Math.max(1, wide - 1), height: high },
                           drawing("title", {}, `${label}: ${n}`)));
    });
    return svg;
}

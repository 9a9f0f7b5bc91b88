// SPDX-License-Identifier: MIT
// The page: its views, and which one is shown. Alt and a number choose one.
import { element, say } from "./api.js";
import { Analysis } from "./analysis.js";
import { Divide } from "./divide.js";
import { Line } from "./line.js";
import { Plots } from "./plots.js";
import { Records } from "./records.js";

const KINDS = [["Analysis", Analysis], ["Perft", Divide], ["Data", Records], ["Plots", Plots]];
const tabs = document.getElementById("tabs"), place = document.getElementById("view");
let views = [], shown = null;

function show(number) {
    const view = views[number];
    if (shown && shown !== view) shown.hidden();
    shown = view;
    place.replaceChildren(view.element);
    [...tabs.children].forEach((tab, i) => {
        tab.setAttribute("aria-selected", i === number);
        tab.tabIndex = i === number ? 0 : -1;
    });
    view.shown();
}

// The arrow keys go along the tabs.
function tabKey(event, number) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const next = (number + step + views.length) % views.length;
    event.stopPropagation();
    show(next);
    tabs.children[next].focus();
}

function key(event) {
    if (event.altKey && views[Number(event.key) - 1]) show(Number(event.key) - 1);
    else if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea, dialog")) return;
    else if (!shown.key(event)) return;
    event.preventDefault();
}

function start(line) {
    document.title = line.isShogi ? "Tabia: shogi" : "Tabia";
    views = KINDS.map(([, View]) => new View(line));
    tabs.append(...KINDS.map(([name], i) => element("button", {
        role: "tab", type: "button", id: `tab-${name.toLowerCase()}`, title: `Alt+${i + 1}`, click: () => show(i),
        keydown: (event) => tabKey(event, i),
    }, name)));
    document.addEventListener("keydown", key);
    line.watchers.push(() => {
        say("");
        for (const view of views) view.changed?.();
    });
    show(0);
}

const line = new Line();
if (await line.set("", [])) start(line);

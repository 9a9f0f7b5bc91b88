// SPDX-License-Identifier: MIT
// The page: its views, and which one is shown. Alt and a number choose one. What is shown stands behind the # of the address, which
// no request sends: so it is there again after a reload, and the browser's way back leads to the view before.
import { ask, element, say } from "./api.js";
import { Analysis } from "./analysis.js";
import { Divide } from "./divide.js";
import { GameTree, keptGame } from "./game_tree.js";
import { Games } from "./games.js";
import { Line } from "./line.js";
import { Records } from "./records.js";

const kinds = [["Analysis", Analysis], ["Perft", Divide], ["Data", Records], ["Games", Games]]; // Data is shown where there is some
const PAUSE = 300; // milliseconds: browsers take no more than some addresses a second
const tabs = document.getElementById("tabs"), place = document.getElementById("view");
const line = new Line();
let views = [], shown = null, later = 0;

function show(number) {
    const view = views[number];
    if (shown && shown !== view) {
        shown.hidden();
        say("");
    }
    shown = view;
    place.replaceChildren(view.element);
    place.setAttribute("aria-labelledby", tabs.children[number].id);
    document.title = `${kinds[number][0]} - Tabia${line.isShogi ? ": shogi" : ""}`;
    [...tabs.children].forEach((tab, i) => {
        tab.setAttribute("aria-selected", i === number);
        tab.tabIndex = i === number ? 0 : -1;
    });
    view.shown();
}

// A view that the user has chosen.
function choose(number) {
    if (views[number] === shown) return;
    remember();
    show(number);
    history.pushState(true, "", address());
}

function address() {
    const moves = line.line.slice(1).map(({ move }) => move), at = line.at < moves.length ? line.at : "";
    const values = { view: kinds[views.indexOf(shown)][0].toLowerCase(), fen: line.fen, moves: moves.join(" "), at, ...shown.place?.() };
    return `#${new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ""))}`;
}

function remember() {
    clearTimeout(later);
    history.replaceState(true, "", address());
    line.tree.keep();
}

function rememberSoon() {
    clearTimeout(later);
    later = setTimeout(remember, PAUSE);
}

// What an address names. Where it is wrong, what was there before stays.
async function go(values) {
    const moves = (values.get("moves") ?? "").split(" ").filter(Boolean);
    const good = await line.set(values.get("fen") ?? "", moves, values.has("at") ? Number(values.get("at")) : moves.length);
    return good || line.line.length > 0 || line.load("", []);
}

function viewOf(values) {
    const number = Math.max(0, kinds.findIndex(([name]) => name.toLowerCase() === values.get("view")));
    views[number].wanted = values;
    return number;
}

const named = () => new URLSearchParams(location.hash.slice(1));

// Back and forward lead to views, which show the game as it is now; what the user has written is gone to.
addEventListener("popstate", async ({ state }) => {
    if (!shown) return; // what is gone to while the page starts, it starts with
    const values = named();
    show(viewOf(values));
    if (!state) await go(values);
    remember();
});

// The arrow keys go along the tabs.
function tabKey(event, number) {
    const last = views.length - 1, next = { ArrowLeft: number ? number - 1 : last, ArrowRight: number < last ? number + 1 : 0, Home: 0, End: last }[event.key];
    if (next === undefined || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    choose(next);
    tabs.children[next].focus();
}

function key(event) {
    const number = Number(event.code.match(/^(?:Digit|Numpad)([1-9])$/)?.[1]); // with Alt, some keyboards write another sign
    if (event.altKey && !event.ctrlKey && views[number - 1]) choose(number - 1);
    else if ((event.ctrlKey || event.metaKey) && event.key === "z" && !event.target.closest("input, textarea")) line.tree.restore();
    else if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea, dialog")) return;
    else if (!shown.key(event)) return;
    event.preventDefault();
}

// What was said is gone with what the user does next.
const forget = () => say("");

function start() {
    document.body.dataset.game = line.isShogi ? "shogi" : "chess";
    new GameTree(line);
    views = kinds.map(([, View], i) => new View(line, rememberSoon, () => choose(i)));
    tabs.append(...kinds.map(([name], i) => element("button", {
        role: "tab", type: "button", id: `tab-${name.toLowerCase()}`, "aria-controls": "view", title: `Alt+${i + 1}`, click: () => choose(i),
        keydown: (event) => tabKey(event, i),
    }, name)));
    document.addEventListener("keydown", key);
    for (const event of ["click", "input", "submit"]) document.addEventListener(event, forget, true);
    let { replaced } = line.tree;
    line.watchers.push(() => {
        say(line.tree.replaced && line.tree.replaced !== replaced ? "the game before is kept: Restore or Ctrl+Z shows it again" : "");
        ({ replaced } = line.tree);
        for (const view of views) view.changed?.();
        rememberSoon();
    });
    show(viewOf(named()));
    remember();
}

if (!(await ask("files")).files.length) kinds.splice(2, 1);
if (!location.hash) history.replaceState(true, "", keptGame().hash); // a new tab
if (await go(named())) start();

// SPDX-License-Identifier: MIT
// What the page asks of the server, and how it makes elements.

// The JSON at a name beside the page. Throws the server's own words where it refuses.
export async function ask(name, values = {}) {
    let reply;
    try {
        reply = await fetch(address(name, values));
    } catch {
        throw new Error("no answer: tabia serve has ended");
    }
    const text = await reply.text();
    const value = text ? JSON.parse(text) : {};
    if (!reply.ok || value.error) throw new Error(value.error || `refused (${reply.status})`);
    return value;
}

// Listens to the events at a name until close() is called on what it returns, or one of `last` comes. A lost connection is not
// taken up again by itself: the work behind it has ended. `lost` gets the server's own words where it refused.
export function listen(name, values, handlers, last) {
    const source = new EventSource(address(name, values));
    const end = () => source.close();
    let wasOpen = false;
    source.addEventListener("open", () => (wasOpen = true));
    for (const [event, handler] of Object.entries(handlers))
        source.addEventListener(event, (message) => {
            if (last.includes(event)) end();
            handler(JSON.parse(message.data || "{}"));
        });
    source.addEventListener("error", () => {
        end();
        if (wasOpen) handlers.lost();
        else ask(name, values).then(() => handlers.lost(), (fault) => handlers.lost(fault.message));
    });
    return { close: end };
}

function address(name, values) {
    const given = Object.entries(values).filter(([, value]) => value !== "" && value !== undefined);
    return given.length ? `${name}?${new URLSearchParams(given)}` : name;
}

// An element with attributes, of which those that are functions are listeners, and with children, which may be text.
export function element(tag, attributes = {}, ...children) {
    return fill(document.createElement(tag), attributes, children);
}

export function drawing(tag, attributes = {}, ...children) {
    return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(made, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === "function") made.addEventListener(name, value);
        else if (name.startsWith("aria-") && value !== undefined) made.setAttribute(name, String(value));
        else if (value === true) made.setAttribute(name, "");
        else if (value !== false && value !== undefined) made.setAttribute(name, value);
    }
    made.append(...children);
    return made;
}

// Puts other children in an element. The focus stays at the button of the same place ("data-place").
export function replace(parent, ...children) {
    const { place } = parent.contains(document.activeElement) ? document.activeElement.dataset : {};
    parent.replaceChildren(...children);
    if (place !== undefined) parent.querySelector(`[data-place="${place}"]`)?.focus();
}

export function say(text, isFault = false) {
    const status = document.getElementById("status");
    status.textContent = text;
    status.classList.toggle("fault", isFault);
}

export function short(n) {
    const units = ["", " k", " M", " G", " T"];
    let i = 0;
    while (n >= 1000 && i < units.length - 1) [n, i] = [n / 1000, i + 1];
    return i ? n.toPrecision(3) + units[i] : String(n);
}

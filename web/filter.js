// SPDX-License-Identifier: MIT
// The fields of a filter of training data: one for each rule that the server knows.
import { ask, element } from "./api.js";
import { button } from "./game.js";

export class Filter {
    // changed(): other rules are set. more: stands beside the buttons.
    constructor(changed, ...more) {
        this.changed = changed;
        this.rules = {}; // those that are set: texts by their names
        this.fields = element("div", { class: "rules" });
        this.element = element("details", {}, element("summary", { id: "filter" }, "Filter"),
            element("form", { submit: (event) => {
                event.preventDefault();
                this.read();
                this.changed();
            } }, this.fields, element("div", { class: "row" }, element("button", { id: "filter-set" }, "Filter"),
                button("filter-none", "No filter", "Without a filter again", () => this.clear()), ...more)));
    }

    get isSet() {
        return Object.keys(this.rules).length > 0;
    }

    // The fields; those whose rules `wanted` has are set.
    async list(wanted) {
        this.fields.replaceChildren(...(await ask("rules")).rules.map(({ name, words, is_switch: isSwitch }) => {
            const values = isSwitch ? { type: "checkbox", checked: wanted.has(name) } : { type: "number", min: 0, value: wanted.get(name) ?? "" };
            return element("label", {}, element("input", { name, ...values }), element("span", {}, words, " ", element("code", {}, name)));
        }));
        this.read();
    }

    read() {
        const set = [...this.fields.querySelectorAll("input")].filter((field) => field.type === "checkbox" ? field.checked : field.value);
        this.rules = Object.fromEntries(set.map((field) => [field.name, field.type === "checkbox" ? "true" : field.value]));
    }

    clear() {
        for (const field of this.fields.querySelectorAll("input")) {
            field.checked = false;
            if (field.type !== "checkbox") field.value = "";
        }
        this.read();
        this.changed();
    }
}

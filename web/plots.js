// SPDX-License-Identifier: MIT
// The view of the plots of a folder, one at a time.
import { ask, element, say } from "./api.js";
import { button } from "./game.js";

export class Plots {
    constructor(line, remember) {
        this.remember = remember;
        this.names = null;
        this.choice = element("select", { id: "plot", "aria-label": "Plot", change: () => this.draw() });
        this.image = element("img", { id: "plot-image", alt: "" });
        this.note = element("p");
        this.element = element("section", { "aria-label": "Plots" },
            element("div", { class: "row" }, button("plot-back", "\u2190", "The plot before (left)", () => this.step(-1)),
                    button("plot-forward", "\u2192", "The next plot (right)", () => this.step(1)), this.choice),
            this.note, this.image);
    }

    // What an address says of this view.
    place() {
        return { plot: this.names?.[this.choice.value] ?? "" };
    }

    async shown() {
        if (this.names) return;
        try {
            this.names = (await ask("plots")).plots;
        } catch (fault) {
            say(fault.message, true);
            return;
        }
        this.choice.replaceChildren(...this.names.map((name, i) => element("option", { value: i }, name.replace(/\.svg$/, ""))));
        if (this.names.includes(this.wanted?.get("plot"))) this.choice.value = this.names.indexOf(this.wanted.get("plot"));
        if (this.names.length) this.draw();
        else this.note.textContent = "There is no plot: tabia serve --plots FOLDER shows the files *.svg of a folder, as docs/results has them.";
        this.image.hidden = this.choice.hidden = !this.names.length;
    }

    hidden() {}

    key(event) {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (step) this.step(step);
        return Boolean(step);
    }

    step(by) {
        if (!this.names?.length) return;
        this.choice.selectedIndex = (this.choice.selectedIndex + by + this.names.length) % this.names.length;
        this.draw();
    }

    draw() {
        this.image.src = `plot?number=${this.choice.value}`;
        this.image.alt = `plot ${this.names[this.choice.value]}`;
        this.remember();
    }
}

# SPDX-License-Identifier: MIT
"""Headless Chromium, steered by keys or by a pointer through chromedriver (the protocol WebDriver)."""

import base64
import json
import os
import re
import subprocess
import time
import urllib.error
import urllib.request

TIMEOUT = 90  # a browser on a busy machine takes seconds for a few keys
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c", "Left": "\ue012", "Up": "\ue013", "Right": "\ue014", "Down": "\ue015",
        "Home": "\ue011", "Alt": "\ue00a", "Shift": "\ue008", "Ctrl": "\ue009", "Delete": "\ue017"}
TABS_MAX = 250
NAMED = {"application", "button", "checkbox", "combobox", "image", "link", "meter", "region", "spinbutton", "tab", "textbox", "tree", "treeitem"}
CONTROLS = "button, input, select, textarea, summary, a[href], [tabindex]"
# What the page is watched by: where the focus is (the element's id, its text, whether one sees that it has the focus, and which of
# the controls it is), where it was after each key, and what a pointer did.
WATCH = """window.controls = () => [...document.querySelectorAll(CONTROLS)];
    window.focused = () => {
        const e = document.activeElement, style = getComputedStyle(e), box = e.getBoundingClientRect();
        return [e.id, e.textContent, e.matches(':focus-visible') && style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0
                && box.width > 0 && box.bottom > 0 && box.top < innerHeight, controls().indexOf(e)];
    };
    window.stops = [];
    addEventListener('keyup', () => stops.push(focused()), true);
    window.tabStops = () => controls().filter((e) => e.tabIndex >= 0 && !e.disabled && e.checkVisibility());
    window.tabStop = () => tabStops().indexOf(document.activeElement);
    window.tabsTo = (selector) => {
        const at = tabStop(), to = tabStops().findIndex((e) => e.matches(selector));
        return at < 0 && document.activeElement.matches(selector) ? 0 : at < 0 || to < 0 ? 1 : to - at;
    };
    window.pointers = 0;
    for (const name of ['pointerdown', 'mousedown', 'touchstart']) addEventListener(name, () => window.pointers++, true);
    """.replace("CONTROLS", json.dumps(CONTROLS))


class Browser:
    def __init__(self, folder):
        for _ in range(9):  # it may end at once: the free port that it found can be taken before it listens
            self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            found = next(filter(None, (re.search(r"started successfully on port (\d+)", line) for line in self.driver.stdout)), None)
            if found:
                break
        assert found, "chromedriver ends without a port"
        self.base = f"http://127.0.0.1:{found[1]}"
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1200,1000", f"--user-data-dir={folder}"]
        session = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": {"args": arguments}, "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.base += f"/session/{session['sessionId']}"
        self.used, self.seen = set(), set()  # ids of controls that had the focus and a key; of all there are

    def call(self, method, path, values=None):
        request = urllib.request.Request(self.base + path, method=method, data=None if values is None else json.dumps(values).encode(),
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as fault:
            raise AssertionError(f"{path}: {json.load(fault)['value']['message'][:300]}") from None

    def script(self, text, *arguments):
        return self.call("POST", "/execute/sync", {"script": text, "args": arguments})

    def open(self, address):
        self.call("POST", "/url", {"url": address})
        self.script(WATCH)

    def reload(self, in_new_tab=False):
        """The page again; or in a tab that takes the place of this one, by the address without what stands behind its #."""
        pointers, address = self.script("return [window.pointers, location.href.split('#')[0]]")
        if in_new_tab:
            tab = self.call("POST", "/window/new", {"type": "tab"})["handle"]
            self.call("DELETE", "/window")
            self.call("POST", "/window", {"handle": tab})
        self.call("POST", "/url" if in_new_tab else "/refresh", {"url": address})
        self.script(f"{WATCH} window.pointers = {pointers}")

    def text(self, selector):
        return self.script(f"return [...document.querySelectorAll({json.dumps(selector)})].map((e) => e.textContent)")

    def value(self, selector):
        return self.script(f"return document.querySelector({json.dumps(selector)}).value")

    def wait(self, what, condition):
        until = time.monotonic() + TIMEOUT
        while not (value := condition()):
            assert time.monotonic() < until, f"{what}: {self.script('return document.body.innerText')}"
            time.sleep(0.03)
        return value

    def keys(self, *keys):
        """Presses them one after the other; "Alt+2" at once."""
        steps = []
        for key in keys:
            together = [KEYS.get(part, part) for part in ([key] if len(key) == 1 else key.split("+"))]
            steps += [{"type": "keyDown", "value": part} for part in together]
            steps += [{"type": "keyUp", "value": part} for part in reversed(together)]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": steps}]})

    def focused(self):
        return self.script("return focused()")

    def stops(self, keys):
        """Presses them in one go, and checks wherever the focus was after each that one saw it. The numbers of those controls."""
        self.script("stops.length = 0")
        self.keys(*keys)
        stops = self.script("return stops")
        assert len(stops) == len(keys), f"{len(keys)} keys, but {len(stops)} came"
        for name, text, is_seen, number in stops:
            assert number < 0 or is_seen, f"nobody sees that {name or text} has the focus"
        return [number for _, _, _, number in stops]

    def tab_to(self, selector):
        """To the first such control, by Tab or back by Shift+Tab, as one without a mouse gets there. The page says how many times it
        will take, so that all of them are one request to the browser; where the focus came to is then looked at. The way does not
        lead past the page's last control: there the browser takes the focus for itself, and gives it back some keys later."""
        for _ in range(TABS_MAX):
            steps = self.script(f"return tabsTo({json.dumps(selector)})")
            if not steps:
                self.used.add(self.focused()[0])
                return
            self.keys(*["Tab" if steps > 0 else "Shift+Tab"] * abs(steps))
        raise AssertionError(f"Tab does not lead to {selector}")

    def press(self, selector, *keys):
        """Goes there, and presses Enter, or these keys."""
        self.tab_to(selector)
        self.keys(*(keys or ["Enter"]))

    def choose(self, text):
        """The button of an open dialog."""
        self.wait(f"a dialog with {text}", lambda: text in self.text("dialog button"))
        for _ in range(TABS_MAX):
            if self.focused()[1] == text:
                return self.keys("Enter")
            self.keys("Tab")
        raise AssertionError(f"Tab does not lead to {text}")

    def reach_all(self, within):
        """Every control of the page gets the focus by Tab, those of a group that is one stop by arrow keys, and one sees where it
        is, and has a name. within: {selector of such a group: keys that go through it, or () where another test goes through}."""
        hidden = self.script("return controls().map((e, i) => e.checkVisibility() && !e.disabled ? -1 : i)")
        wanted = {i for i in range(len(hidden)) if i not in hidden}
        self.seen |= {name for name in self.script("return controls().map((e) => e.id)") if name}
        reached = self.tab_through()
        for group, keys in within.items():
            if keys:
                self.tab_to(f"{group} button")
                reached |= set(self.stops(keys))
            else:
                reached |= set(self.script(f"return controls().map((e, i) => e.closest({json.dumps(group)}) ? i : -1)"))
        missing = wanted - reached
        names = self.script("return controls().map((e) => e.outerHTML.slice(0, 120))")
        assert not missing, [names[i] for i in missing]
        nodes = self.call("POST", "/goog/cdp/execute", {"cmd": "Accessibility.getFullAXTree", "params": {}})["nodes"]
        unnamed = [node["role"]["value"] for node in nodes if not node["ignored"] and node["role"]["value"] in NAMED and not node["name"]["value"]]
        assert not unnamed, f"without a name to a reader of the screen: {unnamed}"

    def tab_through(self):
        """By Tab from the first control of the page to its last. Their numbers."""
        self.keys(*["Shift+Tab"] * self.script("return tabStop()"))
        _, text, is_seen, first = self.focused()
        assert is_seen and self.script("return tabStop()") == 0, f"the focus is at {text}"
        return {first, *self.stops(["Tab"] * (self.script("return tabStops().length") - 1))}

    def point(self, kind, *steps):
        self.call("POST", "/actions", {"actions": [{"type": "pointer", "id": kind, "parameters": {"pointerType": kind}, "actions": steps}]})

    def pointer_to(self, selector):
        """The middle of an element, as a step of a pointer."""
        x, y = self.script("const e = document.querySelector(arguments[0]); e.scrollIntoView({block: 'nearest'}); "
                           "const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2].map(Math.round)", selector)
        return {"type": "pointerMove", "x": x, "y": y, "duration": 40}

    def drag(self, start, end, kind="mouse"):
        """From one element to another, with a mouse or by touch, until the page says that something was put there: a busy one needs
        more time than a pause to see where the pointer is."""
        place = self.script("return document.querySelector(arguments[0]).closest('[data-square]').dataset.square", end)
        first, last = self.pointer_to(start), self.pointer_to(end)
        half = {**last, "x": (first["x"] + last["x"]) // 2, "y": (first["y"] + last["y"]) // 2}
        for pause in (200, 1000, 5000):
            self.point(kind, first, {"type": "pointerDown", "button": 0}, half, last, {"type": "pause", "duration": pause}, {"type": "pointerUp", "button": 0})
            if any(said.endswith(f"dropped over droppable area {place}") for said in self.text("[id^=DndLiveRegion]")):
                return
        raise AssertionError(f"{start} was not put on {end}: {self.text('[id^=DndLiveRegion]')}")

    def click(self, selector, kind="mouse"):
        self.point(kind, self.pointer_to(selector), {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0})

    def picture(self, folder, name):
        if folder:
            os.makedirs(folder, exist_ok=True)
            with open(os.path.join(folder, name + ".png"), "wb") as file:
                file.write(base64.b64decode(self.call("GET", "/screenshot")))

    def end(self):
        try:
            self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()

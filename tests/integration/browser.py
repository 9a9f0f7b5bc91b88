# SPDX-License-Identifier: MIT
"""Headless Chromium without a mouse: it is steered by keys alone, through chromedriver (the protocol WebDriver)."""

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
        "Alt": "\ue00a", "Shift": "\ue008", "Ctrl": "\ue009"}
TABS_MAX = 250
# Of the element that has the focus: its id, its text, and whether one sees that it has the focus.
FOCUSED = """const e = document.activeElement, style = getComputedStyle(e), box = e.getBoundingClientRect();
    return [e.id, e.textContent, e.matches(':focus-visible') && style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0
            && box.width > 0 && box.bottom > 0 && box.top < innerHeight, [...document.querySelectorAll(CONTROLS)].indexOf(e)];"""
CONTROLS = "'button, input, select, textarea, a[href], [tabindex]'"


class Browser:
    def __init__(self, folder):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.base = None
        for line in self.driver.stdout:
            if found := re.search(r"started successfully on port (\d+)", line):
                self.base = f"http://127.0.0.1:{found[1]}"
                break
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

    def script(self, text):
        return self.call("POST", "/execute/sync", {"script": text, "args": []})

    def open(self, address):
        """Opens a page, and counts what a pointer does on it."""
        self.call("POST", "/url", {"url": address})
        self.script("window.pointers = 0; for (const name of ['pointerdown', 'mousedown', 'touchstart'])"
                    " addEventListener(name, () => window.pointers++, true);")

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
        return self.script(FOCUSED.replace("CONTROLS", CONTROLS))

    def tab_to(self, selector, key="Tab"):
        """By the Tab key, as one without a mouse gets there; or by Shift+Tab, back."""
        for _ in range(TABS_MAX):
            if self.script(f"return document.activeElement.matches({json.dumps(selector)})"):
                self.used.add(self.focused()[0])
                return
            self.keys(key)
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
        is. within: {selector of such a group: keys that go through it, or () where another test goes through}."""
        hidden = self.script(f"return [...document.querySelectorAll({CONTROLS})].map((e, i) => e.checkVisibility() && !e.disabled ? -1 : i)")
        wanted = {i for i in range(len(hidden)) if i not in hidden}
        self.seen |= {name for name in self.script(f"return [...document.querySelectorAll({CONTROLS})].map((e) => e.id)") if name}
        reached = set()
        for _ in range(len(wanted) + 3):  # until the first one comes again
            self.keys("Tab")
            if (number := self.reach_one()) in reached and number >= 0:
                break
            reached.add(number)
        for group, keys in within.items():
            if not keys:
                reached |= set(self.script(f"return [...document.querySelectorAll({CONTROLS})].map((e, i) => "
                                           f"e.closest({json.dumps(group)}) ? i : -1)"))
                continue
            self.tab_to(f"{group} button")
            for key in keys:
                self.keys(key)
                reached.add(self.reach_one())
        missing = wanted - reached
        names = self.script(f"return [...document.querySelectorAll({CONTROLS})].map((e) => e.outerHTML.slice(0, 120))")
        assert not missing, [names[i] for i in missing]

    def reach_one(self):
        name, text, is_seen, number = self.focused()
        assert number < 0 or is_seen, f"nobody sees that {name or text} has the focus"
        return number

    def picture(self, folder, name):
        if folder:
            with open(os.path.join(folder, name + ".png"), "wb") as file:
                file.write(base64.b64decode(self.call("GET", "/screenshot")))

    def end(self):
        try:
            self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()

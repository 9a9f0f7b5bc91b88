#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
The page of tabia serve, or of tabia-shogi serve, in headless Chromium, steered by real clicks and keys through chromedriver; what is seen is compared with what
the commands of tabia print. Skipped where chromedriver is missing.

    serve_page.py TABIA [FOLDER-FOR-SCREENSHOTS]
"""
import base64
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

TIMEOUT = 30
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c", "Left": "\ue012", "Up": "\ue013", "Right": "\ue014", "Down": "\ue015",
        "Alt": "\ue00a", "Shift": "\ue008", "Ctrl": "\ue009"}
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


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

    def text(self, selector):
        return self.script(f"return [...document.querySelectorAll({json.dumps(selector)})].map((e) => e.textContent)")

    def wait(self, what, condition):
        until = time.monotonic() + TIMEOUT
        while not (value := condition()):
            assert time.monotonic() < until, f"{what}: {self.script('return document.body.innerText')}"
            time.sleep(0.03)
        return value

    def click(self, selector):
        found = self.call("POST", "/element", {"using": "css selector", "value": selector})
        self.call("POST", f"/element/{found[ELEMENT]}/click", {})

    def keys(self, *keys):
        """Presses them one after the other; "Alt+2" at once."""
        steps = []
        for key in keys:
            together = [KEYS.get(part, part) for part in ([key] if len(key) == 1 else key.split("+"))]
            steps += [{"type": "keyDown", "value": part} for part in together]
            steps += [{"type": "keyUp", "value": part} for part in reversed(together)]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": steps}]})

    def tab_to(self, selector, key="Tab"):
        """By the Tab key, as one without a mouse gets there; or by Shift+Tab, back."""
        for _ in range(60):
            if self.script(f"return document.activeElement.matches({json.dumps(selector)})"):
                return
            self.keys(key)
        raise AssertionError(f"Tab does not lead to {selector}")

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


def shogi_board_by_keys(browser):
    """7g7f by the keyboard, 3c3d by clicks, the bishops exchanged as text, and one dropped by the keyboard."""
    browser.wait("the board", lambda: len(browser.text(".board .piece")) == 40)
    browser.tab_to("svg.board")
    browser.keys("Enter", "Up", "Enter")
    browser.wait("7g7f", lambda: browser.text(".moves button") == ["P7g-7f"])
    browser.click("[data-square='3c']")
    browser.click("[data-square='3d']")
    browser.tab_to("#move")
    for n, move in enumerate(("8h2b+", "3a2b"), 3):
        browser.keys(*move, "Enter")
        browser.wait(move, lambda n=n: len(browser.text(".moves button")) == n)
    assert len(browser.text(".board [data-hand=B]")) == 1
    browser.tab_to("svg.board", "Shift+Tab")
    browser.keys("b", "Up", "Enter")
    browser.wait("B*3c", lambda: browser.text(".moves button")[-1] == "B*3c")
    browser.tab_to("#back")
    browser.keys("Enter")
    browser.wait("one move back", lambda: len(browser.text(".moves button[aria-pressed=true]")) == 1
                 and browser.text(".moves button[aria-pressed=true]") == ["S3ax2b"])


def chess_board_by_keys(browser):
    """1. e4 by the keyboard, e5 by clicks, Nf3 as text."""
    browser.wait("the board", lambda: len(browser.text(".board path")) == 32)
    browser.tab_to("svg.board")
    browser.keys("Enter", "Up", "Up", "Enter")
    browser.wait("e4", lambda: browser.text(".moves button") == ["e4"])
    browser.click("[data-square=e7]")
    assert len(browser.text(".board .target")) == 2
    browser.click("[data-square=e5]")
    browser.wait("e5", lambda: browser.text(".moves button") == ["e4", "e5"])
    browser.tab_to("#move")
    browser.keys(*"Nf3", "Enter")
    browser.wait("Nf3", lambda: browser.text(".moves button") == ["e4", "e5", "Nf3"])
    browser.keys(*"Ke4", "Enter")
    browser.wait("a word about Ke4", lambda: "Ke4" in browser.text("#status")[0])
    browser.keys(*(["Ctrl+a"]), " ")
    browser.tab_to("#back")
    browser.keys("Enter")
    browser.wait("one move back", lambda: "Nf3" in browser.text(".moves button")
                 and browser.script("return document.querySelector('#fen').value").startswith("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/"))


def analysis_by_keys(browser, shots):
    browser.keys("a")
    browser.wait("three lines of depth 6", lambda: [int(d.split("/")[0]) >= 6 for d in browser.text("#pv td:first-child")] == [True] * 3)
    assert re.search(r"nodes a second.* table \d+\.\d % full", browser.text("#figures")[0])
    assert len(browser.text(".chances span")) == 3 and len(browser.text(".chart .point")) > 3
    browser.picture(shots, "analysis")
    browser.keys("a")
    browser.wait("the end", lambda: browser.text("#analyse") == ["Analyse"])


def counts_by_keys(browser, tabia, moves, shots):
    browser.keys("Alt+2")
    browser.tab_to("#depth")
    browser.keys("Ctrl+a", "3", "Enter")
    browser.wait("all counts", lambda: "a second" in browser.text("#count-figures")[0])
    divide = json.loads(subprocess.run([tabia, "perft", "3", "--moves", moves, "--divide", "--json"], capture_output=True, text=True, check=True).stdout)
    rows = browser.script("return [...document.querySelectorAll('#tree > ul > li')].map((e) => "
                          "[e.querySelector('button').dataset.move, Number(e.querySelector('.count').textContent.replace(/\\D/g, ''))])")
    assert dict(rows) == divide["divide"], (rows, divide)
    browser.tab_to("#tree button")
    browser.keys("Down", "Right")  # opens the second move
    browser.wait("its replies", lambda: "depth 2:" in browser.text("#count-figures")[0] and "a second" in browser.text("#count-figures")[0])
    below = browser.text("#tree ul ul .count")
    assert sum(int(re.sub(r"\D", "", n)) for n in below) == rows[1][1]
    browser.picture(shots, "perft")
    browser.tab_to("#other")
    browser.keys(*"7g7f: 1")
    browser.wait("what differs", lambda: "there" in browser.text("#verdict")[0])


def records_by_keys(browser, shots):
    browser.keys("Alt+3")
    browser.wait("the first record", lambda: "record 1" in browser.text("#facts")[0])
    browser.keys("Right", "Right")
    browser.wait("the third", lambda: "record 3" in browser.text("#facts")[0])
    browser.keys("g")
    browser.wait("another game", lambda: "record 3" not in browser.text("#facts")[0])
    browser.tab_to("#distributions-read")
    browser.keys("Enter")
    browser.wait("distributions", lambda: len(browser.text("#distributions figure")) > 5)
    browser.picture(shots, "data")
    browser.tab_to("#to-analysis", "Shift+Tab")
    browser.keys("Enter", "Alt+1")
    browser.wait("the position on the board", lambda: browser.text("#view h2")[0] == "Evaluation by depth")


def fits_a_phone(browser, shots):
    for width in (390, 320):
        browser.call("POST", "/window/rect", {"width": width, "height": 800})
        browser.call("POST", "/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride",
                     "params": {"width": width, "height": 800, "deviceScaleFactor": 2, "mobile": True}})
        wide = browser.script("return [document.documentElement.scrollWidth, window.innerWidth]")
        assert wide[0] <= width and wide[1] == width, wide
        browser.picture(shots, f"phone-{width}")
    browser.call("POST", "/goog/cdp/execute", {"cmd": "Emulation.clearDeviceMetricsOverride", "params": {}})
    browser.call("POST", "/window/rect", {"width": 1200, "height": 1000})


def walk(browser, tabia, shots):
    if "shogi" in os.path.basename(tabia):
        shogi_board_by_keys(browser)
        moves = "7g7f 3c3d 8h2b+ 3a2b"
    else:
        chess_board_by_keys(browser)
        moves = "e4 e5"
    analysis_by_keys(browser, shots)
    counts_by_keys(browser, tabia, moves, shots)
    records_by_keys(browser, shots)
    fits_a_phone(browser, shots)


def main(tabia, shots):
    if not shutil.which("chromedriver"):
        print("no chromedriver on this machine (chromium-driver)")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        games = os.path.join(folder, "games.psv" if "shogi" in os.path.basename(tabia) else "games.viri")
        subprocess.run([tabia, "gensfen", "--positions", "300", "--out", games, "--depth", "2", "--threads", "1", "--quiet"], check=True,
                       capture_output=True)
        server = subprocess.Popen([tabia, "serve", games, "--threads", "1", "--hash", "16M"], stdout=subprocess.PIPE, text=True)
        address = server.stdout.readline().strip()
        browser = Browser(os.path.join(folder, "profile"))
        try:
            browser.call("POST", "/url", {"url": address})
            walk(browser, tabia, shots)
            told = [entry["message"] for entry in browser.call("POST", "/se/log", {"type": "browser"})
                    if "status of 400" not in entry["message"] and "favicon" not in entry["message"]]
            assert not told, told
        finally:
            browser.end()
            server.terminate()
            server.wait()
    print("the page does what its keys and clicks say")


main(os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None)

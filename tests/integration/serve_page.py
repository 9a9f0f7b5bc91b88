#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
The page of tabia serve, or of tabia-shogi serve, in headless Chromium, by keyboard alone: every control of every view is reached
and used, and no pointer touches the page. What is seen is compared with what the commands of tabia print. Then pieces are moved by
a mouse and by touch. Skipped where chromedriver is missing.

    serve_page.py TABIA [FOLDER-FOR-SCREENSHOTS]
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from browser import Browser
from serve_page_games import tabs, whole_games
from serve_page_pointer import by_pointer, on, pieces, pieces_at_rest

# What the browser tells that is no fault: moves that were refused, no icon, a touch that scrolls, and that is_drawn reads often.
USUAL = ("status of 400", "favicon", "attempt to cancel a touchend event", "willReadFrequently")

# Tabia by another program that lacks one move, the last of the line BUG, and counts accordingly.
FAULTY = """#!/usr/bin/env python3
import re, subprocess, sys, threading
bug, moves = "BUG".split(), []
program = subprocess.Popen(["PROGRAM"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
def answer():
    for line in program.stdout:
        found = re.fullmatch(r"(.+: )([0-9]+)\\s*", line)
        path = moves + found[1][:-2].split()[:1] if found and "earched" not in line else moves
        if found and path == bug:
            continue
        print(f"{found[1]}{int(found[2]) - 1}" if found and path == bug[:len(path)] else line.rstrip(), flush=True)
threading.Thread(target=answer).start()
for line in sys.stdin:
    if line.startswith("position"):
        moves = line.split()[line.split().index("moves") + 1:] if "moves" in line.split() else []
    program.stdin.write(line)
"""


def shogi_board(browser):
    """7g7f, 3c3d and the bishops exchanged on the board, with a promotion; one dropped; the rest as text."""
    browser.wait("the board", lambda: len(browser.text(".board [data-square] [data-piece]")) == 40)
    browser.press("#fen", "Ctrl+a", *"4k4/9/9/9/9/9/9/9/4K4 b - 1", "Enter")
    browser.wait("two kings", lambda: len(browser.text(".board [data-square] [data-piece]")) == 2)
    browser.press("#new")
    browser.wait("the start", lambda: len(browser.text(".board [data-square] [data-piece]")) == 40)
    browser.press(".board", "Enter", "Up", "Enter")
    browser.wait("7g7f", lambda: browser.text("p.moves button") == ["P7g-7f"])
    browser.keys(*["Right"] * 4, *["Up"] * 3, "Enter", "Down", "Enter")
    browser.wait("3c3d", lambda: browser.text("p.moves button")[1:] == ["P3c-3d"])
    browser.keys(*["Left"] * 5, *["Down"] * 4, "Enter", "Escape", "Enter", *["Right"] * 6, *["Up"] * 6, "Enter")
    browser.choose("Promote")
    browser.wait("8h2b+", lambda: len(browser.text("p.moves button")) == 3)
    browser.press("#move", *"3a2b", "Enter")
    browser.wait("3a2b", lambda: len(browser.text("p.moves button")) == 4)
    assert len(browser.text(".board [data-hand=B]")) == 1
    browser.press(".board", "b", "Left", "Down", "Enter")
    browser.wait("B*3c", lambda: browser.text("p.moves button")[-1] == "B*3c")
    return "7g7f 3c3d 8h2b+ 3a2b"


def chess_board(browser):
    """A promotion on the board, then 1. e4 e5 there, and Nf3 as text."""
    browser.wait("the board", lambda: len(browser.text(".board [data-piece]")) == 32)
    browser.press("#fen", "Ctrl+a", *"8/P6k/8/8/8/8/8/K7 w - - 0 1", "Enter")
    browser.wait("three pieces", lambda: len(browser.text(".board [data-piece]")) == 3)
    browser.press(".board", *["Left"] * 5, *["Up"] * 5, "Enter", "Escape", "Enter", "Up", "Enter")
    browser.choose("knight")
    browser.wait("a8=N", lambda: browser.text("p.moves button") == ["a8=N"])
    browser.press("#fen", "Ctrl+a", *"7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "Enter")
    browser.wait("a mate", lambda: browser.text("#words") == ["Checkmate: White wins"])
    browser.press("#new")
    browser.wait("the start", lambda: len(browser.text(".board [data-piece]")) == 32)
    browser.press(".board", *["Right"] * 4, *["Down"] * 6, "Enter", "Up", "Up", "Enter")
    browser.wait("e4", lambda: browser.text("p.moves button") == ["e4"])
    browser.keys("Up", "Up", "Up", "Enter")
    assert len(browser.text(".board .target")) == 2
    browser.keys("Down", "Down", "Enter")
    browser.wait("e5", lambda: browser.text("p.moves button") == ["e4", "e5"])
    browser.press("#move", *"Nf3", "Enter")
    browser.wait("Nf3", lambda: browser.text("p.moves button") == ["e4", "e5", "Nf3"])
    browser.keys(*"Ke4", "Enter")
    browser.wait("a word about Ke4", lambda: "Ke4" in browser.text("#status")[0])
    assert browser.script("const { bottom, top } = document.querySelector('#status').getBoundingClientRect(); return bottom <= innerHeight && top >= 0")
    browser.keys("x")
    browser.wait("the fault gone", lambda: browser.text("#status") == [""])
    browser.keys("Ctrl+a", "Delete")
    return "e4 e5"


def moves_of_the_game(browser, n):
    """Forward and back along the game, which has more than n moves, by buttons, keys and the moves themselves; then after the nth."""
    def at(ply):
        browser.wait(f"ply {ply}", lambda: [i for i, pressed in enumerate(browser.script(
            "return [...document.querySelectorAll('p.moves button')].map((e) => e.ariaPressed)"), 1) if pressed == "true"] == [ply][:ply])
    last = len(browser.text("p.moves button"))
    assert last > n
    browser.press("#first")
    at(0)
    browser.press("#forward")
    at(1)
    browser.press("#last")
    at(last)
    browser.press("#back")
    at(last - 1)
    browser.press("p.moves button")
    at(1)
    browser.keys("Tab", "Enter")  # the focus stayed where it was
    at(2)
    browser.keys("Left")
    at(1)
    for ply in range(2, n + 1):
        browser.keys("Right")
        at(ply)
    first = "return document.querySelector('.board [data-name]').dataset.name"
    square = browser.script(first)
    browser.press("#turn")
    assert browser.script(first) != square
    browser.keys("Enter")


def is_drawn(browser, selector):
    """Has the canvas many points of the first line's colour?"""
    return browser.script("""const canvas = document.querySelector(arguments[0]), found = [0, 114, 178];
        if (!canvas.width) return 0;
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        return data.reduce((n, _, i) => n + (i % 4 === 0 && data[i + 3] > 200 && found.every((c, k) => Math.abs(data[i + k] - c) < 9)), 0);""",
                          selector) > 50


def table_of(browser, selector):
    """The rows of a chart's table, as texts."""
    return browser.script("return [...document.querySelectorAll(arguments[0] + ' table tr')].map((row) => "
                          "[...row.cells].map((cell) => cell.textContent))", selector)


def chart_by_keys(browser):
    """The evaluation by depth: drawn, reported point by point, and opened as a table."""
    browser.wait("a drawn line", lambda: is_drawn(browser, ".chart canvas"))
    browser.press(".chart canvas", "Right", "Right")
    found = re.fullmatch(r"depth 2: line 1 [-+]?\d+\.\d\d, line 2 .*, line 3 .*", browser.text("#status")[0])
    assert found, browser.text("#status")
    browser.keys("Home", "Left")
    assert browser.text("#status")[0].startswith("depth 1: line 1 ")
    browser.press(".chart summary")
    browser.wait("its table", lambda: len(table_of(browser, ".chart")) > 6)
    assert table_of(browser, ".chart")[0] == ["depth", "line 1", "line 2", "line 3"]


def same_scores_as_lines(browser):
    """What the table of the chart says of the last depths is what the lines say."""
    lines = browser.script("return [...document.querySelectorAll('#pv tr')].map((row) => [...row.cells].map((cell) => cell.textContent))")
    exact = [(depth.split("/")[0], number, score) for number, (score, depth, _) in enumerate(lines, 1) if re.fullmatch(r"[-+]?\d\.\d\d", score)]
    assert exact, lines
    # The chart is drawn with the next frame, which may be one after the last line.
    browser.wait(f"{exact} in the table", lambda: {*exact} <= {(row[0], i, score) for row in table_of(browser, ".chart") for i, score in enumerate(row)})


def headline(browser):
    """Score, words, depth and speed; the chances of both sides; the bar beside the board; and what a reader of the screen is given."""
    browser.wait("score, words and speed", lambda: re.fullmatch(r"[-+]?\d+\.\d\d(Equal|(White|Black) is .*)depth \d+ \u00b7 .* positions/s",
                                                                "".join(browser.text("#score, #words, #speed"))))
    assert re.search(r" positions, .* table \d+\.\d % full", browser.text("#figures")[0])
    label, bar, role, news = browser.script("const [chances, bar, news] = ['.chances', '#bar', '#news'].map((name) => document.querySelector(name)); "
                                            "return [chances.ariaLabel, bar.ariaValueNow, bar.role, news.role + news.textContent]")
    percent = dict(re.findall(r"(\w+) (\d+) %", label))
    assert {*percent} == {"White", "Draw", "Black"} and 98 <= sum(map(int, percent.values())) <= 102, label
    first = "Black" if browser.text("#letters") else "White"
    assert role == "meter" and abs(int(percent[first]) + int(percent["Draw"]) / 2 - int(bar)) <= 2 and re.match("status.+, depth", news), (label, bar, news)


def analysis(browser, shots):
    browser.press("#lines", "Down", "Up")
    assert browser.value("#lines") == "3"
    browser.press("#analyse")
    browser.wait("three lines of depth 6", lambda: [int(d.split("/")[0]) >= 6 for d in browser.text("#pv .depth")] == [True] * 3)
    headline(browser)
    chart_by_keys(browser)
    browser.picture(shots, "analysis")
    browser.tab_to("#pv button")
    depth, place = browser.text("#pv .depth")[0], "return document.activeElement.dataset.place"
    browser.wait("the next depth", lambda: browser.text("#pv .depth")[0] != depth)
    assert browser.script(place) == "1-0", browser.script(place)  # in spite of new lines
    browser.script("document.querySelector('#pv').addEventListener('click', ({ target }) => (window.clicked = target.textContent), true)")
    browser.keys("Enter")  # on what the first line begins with by then
    browser.wait("the move of a line", lambda: browser.text("p.moves button[aria-pressed=true]") == [browser.script("return window.clicked")])
    browser.keys("a")
    browser.wait("the end", lambda: browser.text("#analyse") == ["Analyse"])
    browser.keys("a")
    browser.wait("another analysis", lambda: browser.text("#pv td"))
    browser.wait("more of it", lambda: len(table_of(browser, ".chart")) > 6)
    browser.press("#analyse")
    browser.wait("its end", lambda: browser.text("#analyse") == ["Analyse"])
    same_scores_as_lines(browser)  # the second side is to move: all is said of the first one
    browser.keys("Left")
    browser.wait("no lines", lambda: not browser.text("#pv td"))
    browser.reach_all({"[role=tablist]": ()})


def drop_is_shown(browser):
    """A best line that begins with a drop: the piece stands faintly on its square, and is framed in the hand. A move with
    a promotion and without has one arrow, which goes with it."""
    browser.press("#fen", "Ctrl+a", *"4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "Enter")
    browser.wait("three pieces", lambda: len(browser.text(".board [data-square] [data-piece]")) == 3)
    browser.press("#analyse")
    signs = f"{on('5b')} .drop path:not(.wood)", f"{on('5b')} .drop text", "[data-hand=G].pointed"  # kanji are paths: no font is needed
    browser.wait("the drop of the mate", lambda: [browser.text(sign) for sign in signs] == [[""], [], [""]])
    assert browser.text("#score, #words") == ["#1", "Black mates in 1 ply"]
    browser.press("#letters")
    browser.wait("letters", lambda: [browser.text(sign) for sign in signs] == [[], ["G"], ["G"]])
    browser.keys("Enter")
    browser.wait("kanji again", lambda: not browser.text(signs[1]))
    browser.press("#analyse")
    arrows = browser.script("""return import("./board_shogi.js").then(({ ShogiBoard }) => {
        const board = new ShogiBoard(() => {});
        document.body.append(board.element);
        board.show("4k4/9/9/4P4/9/9/9/9/4K4 b - 1");
        const found = [["5i5h", "5d5c", "5d5c+"], ["5d5c", "5d5c+", "5i5h"], []].map((moves) => (board.point(moves), board.element.querySelectorAll("[opacity='0.65']").length));
        board.element.remove();
        return found;
    })""")
    assert arrows == [2, 2, 0], arrows


def counts(browser, tabia, moves, shots):
    browser.press("#depth", "Ctrl+a", "3", "Enter")
    browser.wait("all counts", lambda: "a second" in browser.text("#count-figures")[0])
    divide = json.loads(subprocess.run([tabia, "perft", "3", "--moves", moves, "--divide", "--json"], capture_output=True, text=True, check=True).stdout)
    browser.wait("the other program's", lambda: all(browser.text("#tree .theirs")))
    rows = browser.script("return [...document.querySelectorAll('#tree > ul > li')].map((e) => "
                          "[e.querySelector('button').dataset.move, Number(e.querySelector('.count').textContent.replace(/\\D/g, ''))])")
    assert dict(rows) == divide["divide"], (rows, divide)
    browser.press("#tree button", "Down", "Right")  # opens the second move
    browser.wait("its replies", lambda: "depth 2:" in browser.text("#count-figures")[0] and "a second" in browser.text("#count-figures")[0])
    below = browser.text("#tree ul ul .count:not(.theirs)")
    assert sum(int(re.sub(r"\D", "", n)) for n in below) == rows[1][1]
    browser.wait("the other program's counts", lambda: browser.text("#tree ul ul .theirs") == browser.text("#tree ul ul .count:not(.theirs)"))
    browser.wait("no difference", lambda: re.fullmatch(r"After \S+: all \d+ moves agree", browser.text("#verdict")[0]))
    browser.keys("Left", "Left")
    browser.wait("the verdict on all moves", lambda: re.match(r"1 of \d+ moves differs; first: ", browser.text("#verdict")[0]))
    browser.press("#walk")
    browser.wait("the bug", lambda: re.fullmatch(r"After \S+ \S+: 1 of \d+ moves differs; first: \S+, 1 here, missing there", browser.text("#verdict")[0]))
    assert browser.script("return document.activeElement.closest('.differs') && document.activeElement.ariaLevel") == "3"
    browser.picture(shots, "perft")
    browser.press("#other", *"7g7f: 1")
    browser.wait("what differs", lambda: "there" in browser.text("#verdict")[0] and {*browser.text("#tree ul ul ul .theirs")} == {"missing"})
    rows = len(browser.text("#tree button"))
    browser.reach_all({"[role=tablist]": (), "[role=tree]": ["Up"] * rows + ["Down"] * rows})
    opened = browser.script("return [...document.querySelectorAll('#tree button')].findIndex((e) => e.ariaExpanded === 'true')")
    browser.press("#tree button", *["Up"] * rows, *["Down"] * opened, "Left")
    browser.wait("folded up, without what was pasted", lambda: not browser.text("#tree ul ul") and not browser.value("#other"))
    browser.press("#depth", "Ctrl+a", "Delete", "Enter")
    assert browser.text("#status") == [""] and browser.script("return !document.querySelector('#depth').validity.valid")  # and nothing is asked
    browser.press("#depth", "Ctrl+a", "1", "2")
    browser.press("#count")
    browser.wait("a long count", lambda: "so far" in browser.text("#count-figures")[0])
    browser.press("#stop")
    browser.wait("its end", lambda: browser.text("#status") == ["ended"])


def filtered(browser, tabia, games, starts):
    """By rules that `tabia data filter` has as well: the same number is kept."""
    browser.press("#filter")
    browser.press("[name=min_ply]", "Ctrl+a", *"30")
    browser.press("[name=filter_check]", " ")
    browser.press("#filter-set")
    browser.wait("a record that is removed", lambda: "the filter removes it: min_ply" in browser.text("#facts")[0])
    assert browser.text("p.moves button.removed")
    browser.press("#next-kept")
    browser.wait("one that is kept", lambda: "removes" not in browser.text("#facts")[0] and "ply 30" in browser.text("#facts")[0])
    browser.press("#distributions-read")
    out = subprocess.run([tabia, "data", "filter", games, "--out", games + ".kept.bin" if "viri" in games else games + ".kept.psv", "--min-ply", "30",
                          "--filter-check", "--json"], capture_output=True, text=True, check=True).stdout
    kept = json.loads(out)["kept"]
    browser.wait("distributions", lambda: browser.text("#distributions figure") and browser.text(".figures")[0].startswith(f"{kept} records"))
    browser.press("#filter-none")
    browser.wait("no filter", lambda: not browser.text("p.moves button.removed") and not browser.text("#distributions figure"))
    browser.press("#filter")
    browser.press("#number", "Ctrl+a", *str(starts[2]), "Enter")


def records(browser, tabia, games, shots):
    def at(number):
        browser.wait(f"record {number}", lambda: f"record {number} " in browser.text("#facts")[0].replace(",", " "))
    at(1)
    browser.press("#file", "Down", "Down")
    browser.wait("an empty file", lambda: browser.text("#facts") == ["no record"])
    assert not browser.text("p.moves button") and not browser.script("return document.querySelector('.board').checkVisibility()")
    browser.press("#file", "Up")
    at(1)
    assert browser.value("#file") == "1"
    browser.press("#record-forward")
    at(2)
    browser.press("#record-back")
    at(1)
    browser.press("#number", "Ctrl+a", "4", "Enter")
    at(4)
    browser.press("p.moves button", "Right")
    at(5)
    browser.keys("Left", "Left")  # the focus went along
    at(3)
    assert browser.script("return document.activeElement.ariaPressed") == "true"
    viewed = subprocess.run([tabia, "data", "view", games, "--count", "1000", "--json"], capture_output=True, text=True, check=False)
    starts = [record["record"] for record in json.loads(viewed.stdout)["records"] if record["starts_game"]]
    assert len(browser.text("p.moves button")) == starts[1] - 1  # the whole game
    browser.press("#next-game")
    at(starts[1])
    browser.keys("Left", "g", "g")  # faster than they are read
    at(starts[2])
    filtered(browser, tabia, games, starts)
    browser.press("#distributions-read")
    browser.wait("distributions", lambda: len(browser.text("#distributions figure")) > 5)
    browser.wait("drawn bars", lambda: is_drawn(browser, "#distributions canvas"))
    browser.press("#distributions summary")
    browser.wait("their table", lambda: table_of(browser, "#distributions .chart"))
    all_records = int(browser.text(".figures")[0].split()[0])
    assert sum(int(row[1]) for row in table_of(browser, "#distributions .chart")[1:]) == all_records > 599
    browser.picture(shots, "data")
    browser.press("#number", "Ctrl+a", "1", "Enter")
    at(1)
    browser.reach_all({"[role=tablist]": (), "p.moves": ["Right"] * (len(browser.text("p.moves button")) - 1)})
    shown = pieces_at_rest(browser)
    browser.press("#to-analysis", "Enter", "Alt+1")
    browser.wait("the position on the board", lambda: browser.text("#view h2")[0] == "Evaluation by depth" and pieces(browser) == shown)


def fits_a_phone(browser, shots):
    """No view is wider than the screen."""
    for width in (390, 320):
        browser.call("POST", "/window/rect", {"width": width, "height": 800})
        browser.call("POST", "/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride",
                     "params": {"width": width, "height": 800, "deviceScaleFactor": 2, "mobile": True}})
        for view in ("4", "3", "2", "1"):
            browser.keys(f"Alt+{view}")
            browser.picture(shots, f"phone-{width}-{view}")
            wide = browser.script("return [document.documentElement.scrollWidth, window.innerWidth]")
            assert wide[0] <= width and wide[1] == width, (view, wide)
    browser.call("POST", "/goog/cdp/execute", {"cmd": "Emulation.clearDeviceMetricsOverride", "params": {}})
    browser.call("POST", "/window/rect", {"width": 1200, "height": 1000})


def walk(browser, tabia, games, counting, shots):
    is_shogi = "shogi" in os.path.basename(tabia)
    moves = (shogi_board if is_shogi else chess_board)(browser)
    moves_of_the_game(browser, len(moves.split()))
    analysis(browser, shots)
    browser.keys("Alt+2")
    browser.wait("a ledger", lambda: "in use by a process" in browser.text("#ledger")[0])
    counting.kill()
    counts(browser, tabia, moves, shots)
    browser.wait("a ledger that nobody uses", lambda: "not in use" in browser.text("#ledger")[0])
    browser.keys("Alt+3")
    records(browser, tabia, games, shots)
    browser.keys("Alt+4")
    whole_games(browser, tabia, games, shots)
    browser.keys("Alt+1")
    browser.tab_to("#tabs button")
    for name in ("Perft", "Data", "Games", "Analysis"):
        browser.keys("Right")
        assert browser.text("#tabs [aria-selected=true]") == [name] and browser.focused()[1] == name
        browser.used.add(browser.focused()[0])
    fits_a_phone(browser, shots)
    if is_shogi:
        drop_is_shown(browser)
    assert browser.seen <= browser.used, f"never used: {browser.seen - browser.used}"
    assert browser.script("return window.pointers") == 0
    by_pointer(browser, is_shogi)
    drawn_anew(browser)
    tabs(browser, browser.script("return location.href.split('#')[0]"))
    again_and_back(browser)


def drawn_anew(browser):
    """The library fails, as it does when a board is hidden while a piece is on its way: the board is there all the same."""
    before = pieces_at_rest(browser)
    browser.script("window.real = document.querySelector; window.failed = 0; document.querySelector = function (selector) { "
                   "return /-square-/.test(selector) ? (window.failed++, null) : window.real.call(document, selector); }")
    browser.press("#first")
    browser.wait("a fault of the library", lambda: browser.script("return window.failed"))
    browser.script("document.querySelector = window.real")
    browser.press("#last")
    browser.wait("the board", lambda: pieces(browser) == before)


def again_and_back(browser):
    """A reload shows the same, the browser's way back leads to the view before, and a wrong address is no dead end."""
    record, moves = lambda: browser.text("#facts")[0].startswith(("record 7 ", "record 7,")), browser.text("p.moves button")
    assert moves
    browser.keys("Alt+3")
    browser.wait("a record", lambda: browser.text("#facts") != [""])
    browser.press("#number", "Ctrl+a", "7", "Enter")
    browser.wait("record 7", record)
    browser.wait("its address", lambda: "record=7" in browser.script("return location.hash"))
    browser.reload()
    browser.wait("record 7 again", lambda: browser.text("#facts") and record())
    browser.call("POST", "/back", {})
    browser.wait("the view before", lambda: browser.text("#tabs [aria-selected=true]") == ["Analysis"] and browser.text("p.moves button") == moves)
    browser.script("location.hash = 'view=perft&fen=nonsense'")
    browser.wait("a fault", lambda: browser.text("#status.fault") and browser.text("p.moves button") == moves)
    browser.script("location.reload()")
    browser.wait("all the same", lambda: browser.text("p.moves button") == moves)


def without_files(browser, tabia):
    """No view without content."""
    with subprocess.Popen([tabia, "serve", "--threads", "1"], stdout=subprocess.PIPE, text=True) as server:
        browser.open(server.stdout.readline().strip() + "#view=data")
        browser.wait("three views", lambda: browser.text("#tabs button") == ["Analysis", "Perft", "Games"])
        server.terminate()


def make_files(tabia, folder):
    """(what the server is called with, a count that goes on)"""
    games = os.path.join(folder, "games.psv" if "shogi" in os.path.basename(tabia) else "games.viri")
    subprocess.run([tabia, "gensfen", "--positions", "600", "--out", games, "--depth", "2", "--threads", "1", "--quiet"], check=True, capture_output=True)
    running = os.path.join(folder, "running.ledger")
    counting = subprocess.Popen([tabia, "perft", "12", "--ledger", running, "--threads", "1", "--hash", "16M", "--quiet"], stdout=subprocess.DEVNULL)
    empty = os.path.join(folder, "empty.bin")
    with open(empty, "wb"):
        pass
    faulty = os.path.join(folder, "faulty")
    with open(faulty, "w") as file:
        bug = "7g7f 3c3d 8h2b+ 3a2b 2g2f 8c8d 2f2e" if "shogi" in os.path.basename(tabia) else "e2e4 e7e5 g1f3 b8c6 f1b5"
        file.write(FAULTY.replace("BUG", bug).replace("PROGRAM", tabia))
    os.chmod(faulty, 0o755)
    return [games, games, empty, "--ledger", running, "--against", faulty], counting


def main(tabia, shots):
    if not shutil.which("chromedriver"):
        print("no chromedriver on this machine (chromium-driver)")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        files, counting = make_files(tabia, folder)
        server = subprocess.Popen([tabia, "serve", *files, "--threads", "1", "--hash", "16M"], stdout=subprocess.PIPE, text=True)
        address = server.stdout.readline().strip()
        browser = None
        try:
            browser = Browser(os.path.join(folder, "profile"))
            browser.open(address)
            walk(browser, tabia, files[0], counting, shots)
            reported = [entry["message"] for entry in browser.call("POST", "/se/log", {"type": "browser"})
                    if not any(usual in entry["message"] for usual in USUAL)]
            assert not reported, reported
            without_files(browser, tabia)
        finally:
            if browser:
                browser.end()
            for process in (server, counting):
                process.terminate()
                process.wait()
    print(f"the page does what its keys say: {len(browser.seen)} controls, without a pointer; and pieces go where a pointer takes them")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None)

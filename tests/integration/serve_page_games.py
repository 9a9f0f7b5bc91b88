# SPDX-License-Identifier: MIT
"""Whole games on the page: read with their variations, analysed, written and read again. For serve_page.py."""
import os
import re
import subprocess

# Two games; the moves of the first as the page shows them; the blunder in it; what is written of it. Then texts with a fault: what the
# page says of it, and the moves that are kept.
CHESS = ('[Event "a"]\n[White "Anna \\"A\\""]\n\n{intro} 1. f3 e5 {open [%clk 0:09:00]} (1... d5 {[%csl Gd4]} 2. d4 $1 = ({or} 2. e4)) 2. g4 Qh4# 0-1\n\n[Event "b"]\n\n1. e4 *', "f3 e5 d5 d4!\u00a0= e4 g4 Qh4#",
         "2. g4 blunder, -", {"PGN": '[White "Anna \\"A\\""]|e5 {|[%clk 0:09:00] open }|{ intro } 1. f3|(1... d5 { [%csl Gd4] } 2. d4 $1 $10 ({ or } 2. e4))|blunder; better: |[%eval #-1]', "UCI": "moves f2f3", "FEN": "RNBQKBNR w"},
         (("1. e4 e5 2. Ke3 Nf6", "move 2. Ke3: no white king can go to e3;", "e4 e5"), ("1. e4 Zz (1. d4", 'move 1... Zz: this is not a move', "e4"),
          ("1. e4 {", "move 1...: a comment does not end", "e4"), ("1. e4 e5 (1... Ke5) 2. d4", "move 1... Ke5: no black king", "e4 e5 d4"),
          ("startpos moves e2e4 e2e4", "move 1... e2e4: ", "e4"), ("1. e4 1-0\n1. d4", "what stands behind 1-0 is not read", "e4"), ("8/8", "move 1. 8/8: this is not a move", "e4"), ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "", "")))
SHOGI = ("#KIF\n手合割：平手\n先手：Anna\n*intro\n   1 ７六歩(77) ( 0:07/00:00:07)\n*open\n   2 ３四歩(33)\n   3 ４四角(88)\n　４ 同 歩 (43)\n   5 投了\n\n変化：2手\n   2 ８四歩(83)\n"
         "#KIF\n手合割：平手\n   1 ２六歩(27)\n   2 投了\n", "P7g-7f P3c-3d P8c-8d B8h-4d P4cx4d", "3. B8h-4d blunder, ",
         {"KIF": "先手：Anna|*intro|( 0:07/00:00:07)|４四角(88)|** -|*blunder; better: |変化：2手", "CSA": "N+Anna|'** -|-4344FU|%TORYO", "USI": "moves 7g7f", "SFEN": "LNSGKGSNL b"},
         (("手合割：三枚落ち\n1 ５二玉(51)\n2 ７六歩(77)\n", "", "K5a-5b P7g-7f"), ("PI\n+\n+7776FU\n+3334FU\n", 'move 2: "+3334FU": this is not a move of CSA', "P7g-7f"),
          ("手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(34)\n", 'move 2: "2 ３四歩(34)": this is not a move of KIF', "P7g-7f"),
          ("startpos moves 7g7f 1a9i", 'move 2: "1a9i": ', "P7g-7f"), ("nonsense", "'nonsense' is no game: KIF", "P7g-7f"), ("▲２六歩 △３四歩", "", "P2g-2f P3c-3d")))


def read(browser, text, moves, words=""):
    browser.script("document.querySelector('#game-text').value = arguments[0]", text)
    browser.press("#game-read")
    browser.wait(f"{moves}; {words}", lambda: browser.text("p.moves button") == list(filter(None, moves.split(" "))) and words in browser.text("#status")[0])


def analysed(browser, text, moves, blunder):
    shown, count = lambda: browser.text("p.moves [aria-pressed=true]"), lambda: int(browser.text("#game-progress")[0].split(" ")[0].replace("not", "0"))
    usi, shuffle = ("2h3h 8b7b 3h2h 7b8b ", "R2h-3h R8b-7b R3h-2h R7b-8b ") if "-" in moves else ("g1f3 g8f6 f3g1 f6g8 ", "Nf3 Nf6 Ng1 Ng8 ")
    read(browser, "startpos moves " + usi * 50, shuffle * 50)  # so long that no analysis comes to its end before it is stopped
    browser.press("#game-nodes", "Down", "Down")
    browser.press("#analyse-game")
    browser.wait("its beginning", lambda: browser.text("#analyse-game") == ["Stop"])
    browser.keys("Alt+1", "a")  # in the background, until another analysis begins
    browser.wait("a pause", lambda: "has paused" in browser.text("#status")[0])
    browser.keys("a", "Alt+4")
    assert browser.text("#analyse-game") == ["Analyse"]
    browser.press("#game-nodes", "Up")
    browser.press("#analyse-game")
    done = browser.wait("two positions", lambda: count() if count() > 1 else 0)
    browser.reload()
    browser.wait("the analysis where it was", lambda: (browser.text("#analyse-game"), browser.value("#game-nodes")) == (["Stop"], "1000000") and count() > done)
    browser.press("#analyse-game")
    done = count()
    browser.reload(in_new_tab=True)
    browser.wait("what was analysed", lambda: browser.text("#analyse-game") == ["Resume"] and count() == done)
    read(browser, text, moves)
    browser.press("#game-nodes", "Home")
    browser.press("#analyse-game")
    browser.wait("the end", lambda: browser.text("#status") == ["the game is analysed"])
    assert browser.text("#game-progress") == ["5 of 5 positions"] and re.search("[1-9] blunders?[;]", browser.text("#mistake-counts")[0])
    assert any(text.replace("\xa0", " ").startswith(blunder) and "Better: " in text for text in browser.text("#mistakes .blunder")), browser.text("#mistakes li")
    browser.press("#mistakes .blunder button")
    browser.wait("the blunder", lambda: [text.rstrip("?") for text in shown()] == [blunder.split()[1]])
    browser.press("canvas.pick", "Home", "Enter")
    browser.wait("the start", lambda: not shown())


def replaced(browser, moves):
    """A game that is replaced can be shown again, by a button and by keys."""
    browser.press("#new")
    browser.wait("a new game", lambda: not browser.text("p.moves button") and "Restore" in browser.text("#status")[0])
    browser.press("#restore")
    browser.wait("the game before", lambda: browser.text("p.moves button") == moves.split(" "))
    browser.press("#fen", "Ctrl+a", *("4k4/9/9/9/9/9/9/9/4K4 b G 1" if "-" in moves else "8/P6k/8/8/8/8/8/K7 w - - 0 1"), "Enter")
    browser.wait("another position", lambda: not browser.text("p.moves button"))
    browser.tab_to("#new")
    browser.keys("Ctrl+z")
    browser.wait("the game again", lambda: browser.text("p.moves button") == moves.split(" "))


def written(browser, folder, moves, formats):
    """In every format; what is read again is the same game."""
    for place, (name, parts) in enumerate(formats.items()):
        browser.press("#game-format", "Home", *["Down"] * place)
        browser.press("#game-write")
        text = browser.wait(name, lambda: browser.value("#game-text") if "written" in browser.text("#status")[0] else "")
        assert all(part in " ".join(text.split()) for part in parts.split("|")), text
        if not place:
            browser.call("POST", "/goog/cdp/execute", {"cmd": "Browser.setDownloadBehavior", "params": {"behavior": "allow", "downloadPath": folder}})
            browser.press("#game-save")
            path = os.path.join(folder, f"game.{name.lower().replace('kif', 'kifu')}")
            browser.wait("the file", lambda: os.path.exists(path))
            with open(path, encoding="utf-8") as file:
                assert file.read() == text
            whole = text
    read(browser, whole, moves)


def tabs(browser, address):
    """Of a tab that is reloaded or closed the server ends the search, and not that of another tab; the next one begins at once."""
    is_analysing = lambda: browser.script("return fetch('state').then((reply) => reply.json())")["analysing"]
    enter = lambda tab: browser.call("POST", "/window", {"handle": tab})

    def begin():
        browser.press("#analyse")
        browser.wait("lines", lambda: browser.text("#pv td") and is_analysing())
    begin()
    browser.reload()
    browser.wait("the end of a search that was reloaded", lambda: not is_analysing())
    begin()
    enter(browser.call("POST", "/window/new", {"type": "tab"})["handle"])
    browser.open(address)
    begin()
    first, second = browser.call("GET", "/window/handles")
    enter(first)
    browser.wait("the end of the first", lambda: "another tab" in browser.text("#status")[0])
    browser.reload()
    enter(second)
    figures = browser.text("#figures")
    browser.wait("more of the second", lambda: browser.text("#figures") != figures and is_analysing() and browser.text("#analyse") == ["Stop"])
    browser.call("DELETE", "/window")
    enter(first)
    browser.wait("the end of a search that was closed", lambda: not is_analysing())
    begin()
    browser.press("#analyse")


def whole_games(browser, tabia, games, shots):
    folder, is_shogi = os.path.dirname(games), "shogi" in os.path.basename(tabia)
    text, moves, blunder, formats, faults = SHOGI if is_shogi else CHESS
    browser.press("#game-text", "x")
    read(browser, text, moves)
    browser.press("p.moves .variation button")
    browser.wait("a move of the variation", lambda: browser.text("p.moves .variation [aria-pressed=true]"))
    assert [name[:7] for name in browser.text("#game-which option")] == ["1. Anna", "2. ? - "]
    browser.press("#game-which", "Down")
    browser.wait("the second game", lambda: len(browser.text("p.moves button")) == 1)
    browser.press("#game-which", "Up")
    browser.wait("the first", lambda: browser.text("p.moves button") == moves.split(" "))
    analysed(browser, text, moves, blunder)
    replaced(browser, moves)
    browser.picture(shots, "games")
    browser.call("POST", "/goog/cdp/execute", {"cmd": "Page.setInterceptFileChooserDialog", "params": {"enabled": True}})
    browser.press("#game-open")
    browser.reach_all({"[role=tablist]": ()})
    written(browser, folder, moves, formats)
    for bad, words, kept in faults:
        read(browser, bad, kept, words)
    converted = os.path.join(folder, "whole.kif" if is_shogi else "whole.pgn")
    subprocess.run([tabia, "data", "convert", games, "--out", converted, "--quiet"], check=True)
    with open(converted, encoding="utf-8") as file:
        lines = file.read()
    browser.script("""const carried = new DataTransfer();
        carried.items.add(new File([new Uint8Array(arguments[0])], "whole"));
        document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: carried, bubbles: true}));""", list(lines.encode("shift_jis" if is_shogi else "utf-8")))
    browser.wait("a game of gensfen", lambda: len(browser.text("p.moves button")) > 12 and len(browser.text("#game-which option")) > 3)
    assert not browser.text("#status.fault")
    browser.script("""const carried = new DataTransfer();
        carried.setData("text", "startpos");
        document.body.dispatchEvent(new ClipboardEvent("paste", {clipboardData: carried, bubbles: true}));""")
    browser.wait("what was pasted", lambda: not browser.text("p.moves button"))

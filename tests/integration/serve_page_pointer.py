# SPDX-License-Identifier: MIT
"""What stands on the boards of the page, and pieces moved by a mouse and by touch. For serve_page.py."""
import time


def pieces(browser):
    """What stands where on the board, or in a hand."""
    return browser.script("return [...document.querySelectorAll('.board [data-piece]')].map((e) => "
                          "e.dataset.piece + e.closest('[data-name]')?.dataset.name).sort()")


def pieces_at_rest(browser):
    """The same, when none is on its way."""
    before, found = None, pieces(browser)
    while found != before:
        time.sleep(0.3)
        before, found = found, pieces(browser)
    return found


def on(square):
    return f".board [data-name='{square}']"


def played(browser, moves):
    browser.wait(moves, lambda: browser.text("p.moves button") == moves.split())


def drag(browser, start, end, kind="mouse"):
    pieces_at_rest(browser)  # one on its way is not yet where it goes
    browser.drag(start, end, kind)


def chess_by_pointer(browser):
    """By dragging, by clicks and by touch; what is no move is refused; a promotion is asked for."""
    drag(browser, on("e2"), on("e5"))
    browser.click(on("e7"))
    browser.click(on("e5"))
    drag(browser, on("e2"), on("e4"))
    played(browser, "e4")
    browser.click(on("e7"))
    browser.click(on("e5"))
    played(browser, "e4 e5")
    drag(browser, on("g1"), on("f3"), "touch")
    played(browser, "e4 e5 Nf3")
    browser.click(on("b8"), "touch")
    browser.click(on("c6"), "touch")
    played(browser, "e4 e5 Nf3 Nc6")
    browser.press("#fen", "Ctrl+a", *"8/P6k/8/8/8/8/8/K7 w - - 0 1", "Enter")
    browser.wait("three pieces", lambda: len(pieces(browser)) == 3)
    drag(browser, on("a7"), on("a8"))
    time.sleep(0.2)  # the library takes no click for one within 50 ms of a drag
    browser.choose("rook")
    played(browser, "a8=R")


def shogi_by_pointer(browser):
    """By dragging, by clicks and by touch, from the hand too; a promotion is asked for."""
    drag(browser, on("7g"), on("7e"))
    drag(browser, on("7g"), on("7f"))
    played(browser, "P7g-7f")
    browser.click(on("3c"))
    browser.click(on("3d"))
    played(browser, "P7g-7f P3c-3d")
    drag(browser, on("8h"), on("2b"))
    time.sleep(0.2)
    browser.choose("Promote")
    played(browser, "P7g-7f P3c-3d B8hx2b+")
    drag(browser, on("3a"), on("2b"), "touch")
    played(browser, "P7g-7f P3c-3d B8hx2b+ S3ax2b")
    drag(browser, "[data-hand=B] [data-piece]", on("5e"))
    played(browser, "P7g-7f P3c-3d B8hx2b+ S3ax2b B*5e")
    browser.click("[data-hand=B] [data-piece]", "touch")
    browser.click(on("3c"), "touch")
    played(browser, "P7g-7f P3c-3d B8hx2b+ S3ax2b B*5e B*3c")


# The main things of each view: what is clicked, and what is then true on the page, which has f(selector), the texts.
BY_MOUSE = [("#tab-perft", "f('#count').length && (document.querySelector('#depth').value = 2)"), ("#count", "/^depth 2: .* a second/.test(f('#count-figures'))"), ("#tree button", "f('#tree ul ul button').length"),
            ("#tab-data", "f('#facts')[0]"), ("#next-game", "!/^record 1[ ,]/.test(f('#facts'))"), ("#tab-analysis", "f('#analyse').length"),
            ("#analyse", "f('#pv button').length"), ("#analyse", "f('#analyse') == 'Analyse'"), ("#first", "!f('p.moves [aria-pressed=true]').length"),
            ("#analyse", "f('#pv button').length"), ("#pv button", "f('p.moves [aria-pressed=true]').length"), ("#last", "f('p.moves [aria-pressed=true]').length"), ("#tab-games", "f('#analyse-game').length"), ("#analyse-game", "f('#status') == 'the game is analysed'"),
            ("#last", "f('p.moves [aria-pressed=true]').length"), ("canvas.pick", "f('p.moves [aria-pressed=true]').join() !== f('p.moves button').at(-1)"),
            ("#last", "f('p.moves [aria-pressed=true]').length"), ("#tab-analysis", "f('#analyse').length")]


def views_by_mouse(browser):
    for selector, what in BY_MOUSE:
        browser.click(selector)
        browser.wait(f"{selector}: {what}", lambda what=what: browser.script(
            "const f = (name) => [...document.querySelectorAll(name)].map((e) => e.textContent); return Boolean(" + what + ")"))


def by_pointer(browser, is_shogi):
    browser.press("#new")
    browser.wait("the start", lambda: not browser.text("p.moves button"))
    (shogi_by_pointer if is_shogi else chess_by_pointer)(browser)
    assert browser.script("return window.pointers") > 0
    views_by_mouse(browser)

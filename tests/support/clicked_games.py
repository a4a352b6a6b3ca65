"""Random games by clicks on the board in a browser, each compared with the host's own.

    python3 -m tests.support.clicked_games 200        how many
"""

from __future__ import annotations

import random
import re
import sys
from urllib.parse import unquote

from goban.board.play_server import PlayServer
from goban.moves import RESIGN, move_name
from goban.rulesets import ruleset
from goban.states import new_game
from lab.browsing import PATIENCE, chromium

KINDS = [("course", 5), ("littlego", 5), ("course", 3), ("tromp-taylor-openspiel", 4), ("aga", 5), ("course", 7)]
_MOST_MOVES = 40
TREE = (
    "(;FF[4]SZ[5]PB[Ann]PW[Bo]RE[B+R]EV[cup\\]]C[An example.];B[cc]C[The centre.](;W[bb]LB[dd:x];B[dd])"
    "(;W[cd]C[Worse.];B[bd](;W[dd])(;W[be])))"
)
"""A file with comments, names and variations."""


def stones(page):
    """What a screen reader is told of the board: (colour, point) of every stone."""
    labels = page.eval_on_selector_all("#board .stone", "found => found.map(one => one.getAttribute('aria-label'))")
    found = [re.match(r"(Black|White) at (\w+), move \d+", label) for label in labels]
    return {(match.group(1), match.group(2)) for match in found}


def stones_of(state):
    """The same of a position of the host's."""
    names = ("", "Black", "White")
    return {
        (names[stone], move_name((i, j), state.grid.size))
        for i, row in enumerate(state.rows())
        for j, stone in enumerate(row)
        if stone
    }


def shown(page, ply):
    """Wait until the board shows the position after so many moves, as the last."""
    page.locator("#step", has_text=re.compile(rf"^{ply} / {ply}$")).wait_for()


def begin(page, rules, size, black="", white=""):
    """Begin a game with the panel."""
    address = page.url
    page.locator("#new-game").click()
    page.locator("#rules").select_option(rules)
    page.locator("#size").fill(str(size))
    page.locator("#black").select_option(black)
    page.locator("#white").select_option(white)
    page.locator("#setup button[type=submit]").click()
    page.wait_for_url(lambda url: url != address)
    page.locator("#setup").wait_for(state="hidden")


def look_at(page, folder, text):
    """Open a file; wait until its start is shown."""
    path, address = folder / "game.sgf", page.url
    path.write_text(text)
    page.locator("#open-sgf").set_input_files(path)
    page.wait_for_url(lambda url: url != address)
    page.locator("#step", has_text=re.compile("^0 / ")).wait_for()


def click(page, *names):
    """Play moves by clicks, each once the one before is shown."""
    for name in names:
        ply = int(page.locator("#step").inner_text().split(" / ")[1])
        page.locator(f".point[data-name={name}]").click()
        shown(page, ply + 1)


def click_playing(page):
    """Play a first move against a program; wait for its answer."""
    page.locator(".point[data-name=C3]").click()
    shown(page, 2)


def saved(page):
    """The page's SGF file."""
    return unquote(page.locator("#sgf").get_attribute("href").partition(",")[2])


def play_from_here(page):
    """Begin a game from the position shown."""
    address = page.url
    page.get_by_role("button", name="Play from here").click()
    page.wait_for_url(lambda url: url != address)


def play_by_clicks(page, rules, size, rng):
    """Play a random game of two people by clicks; return the host's final position, which the board must show."""
    begin(page, rules, size)
    shown(page, 0)
    state = new_game(ruleset(rules), size)
    while not state.is_over and state.n_move < _MOST_MOVES:
        illegal = state.grid.points_of(state.empty & ~state.placements())
        if illegal:
            _try_illegal(page, state, rng.choice(illegal))
        move = rng.choice([move for move in state.legal_moves() if move is not RESIGN])
        if move is None:
            page.locator("#pass").click()
        else:
            page.locator(f".point[data-name={move_name(move, size)}]").click()
        state = state.after(move)
        shown(page, state.n_move)
    return state


def _try_illegal(page, state, point):
    name = move_name(point, state.grid.size)
    page.locator(f".point[data-name={name}]").click()
    page.locator("#news", has_text=f"{name}: {state.why_illegal_placement(point)}").wait_for()


def check(page, state):
    """Fail unless the board shows a position, and how the game ended."""
    assert stones(page) == stones_of(state)
    if state.is_over:
        page.locator("#news", has_text="The game is over.").wait_for()
        winner = ("A tie", "Black wins", "White wins")[state.outcome.winner]
        assert page.locator("#game-ending").inner_text().startswith(winner)


def main() -> None:
    """Play so many games; fail at the first that differs."""
    from tests.support.board_pages import served

    count = int(sys.argv[1])
    rng = random.Random(1)
    moves = 0
    with served() as server, chromium() as browser:
        page = opened(browser, server)
        for number in range(count):
            state = play_by_clicks(page, *KINDS[number % len(KINDS)], rng)
            check(page, state)
            moves += state.n_move
    sys.stdout.write(f"{count} games, {moves} moves: every board is the host's\n")


def opened(browser, server: PlayServer, **options):
    """A page with the board."""
    page = browser.new_page(**options)
    page.set_default_timeout(PATIENCE)
    page.goto(server.address)
    page.wait_for_selector("html[data-ready]")
    return page


if __name__ == "__main__":
    main()

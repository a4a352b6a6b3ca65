"""The page of `python3 my_player.py learn --browser` in a browser: what it shows, loaded again and twice, and what axe says."""

import re
import threading
from contextlib import ExitStack, contextmanager

import pytest

from goban.board.page import learning_page
from goban.board.play_server import PlayServer
from golearn import watching
from golearn.watching import PageDesk, Watch, cell_name, cells_of, known_positions, learn_and_show
from lab.browsing import PATIENCE, chromium, why_not
from tests.golearn.test_watching import learner
from tests.support.browsing import complaints, opened_pages
from tests.support.missing import needs
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.slow, needs(why_not())]

CELLS = cells_of(["smart", "aggressive"])
MISSING = "The exact truth needs numpy: make install, then run .venv/bin/python"


@pytest.fixture(scope="module")
def browser():
    with chromium() as browser:
        yield browser


@pytest.fixture(autouse=True)
def quick_looks(monkeypatch):
    monkeypatch.setattr(watching, "GAMES", 2)


@contextmanager
def served(watch, missing=""):
    """Serve the page of a watch that is not learning; yield its address and what tells it."""
    desk = PageDesk(watch)
    with PlayServer(learning_page([cell_name(cell) for cell in watch.cells], watch.games, missing), desk) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield server.address, desk
        finally:
            server.shutdown()
            thread.join()


def watch(missing=""):
    return Watch(learner(), 3, CELLS, [] if missing else known_positions()[:5])


@pytest.fixture
def learned():
    """What serves the page of a watch until the test has ended: the pages that `open_page` has opened end before it."""
    with ExitStack() as servers:
        yield lambda missing="": servers.enter_context(served(watch(missing), missing))


@pytest.fixture
def open_page(browser, learned):
    with opened_pages(browser, {"width": 1366, "height": 768}) as open_one:
        yield open_one


def rows(page, number):
    """Wait until the page has figures of so many looks."""
    wait_until(lambda: page.evaluate("wanted => document.querySelectorAll('#figures tbody tr').length === wanted", number))


def test_it_follows_what_is_learned_in_two_pages_and_after_it_was_loaded_again(open_page, learned):
    address, desk = learned()
    watched = desk._watch
    one, other = open_page(address), open_page(address)
    assert one.locator("#progress-text").inner_text() == "0 of 3 games"
    assert learn_and_show(watched, [None], desk) == 3
    for page in (one, other):
        rows(page, 4)
        assert page.locator("#curve path.line-of").count() == len(CELLS) + bool(watched.known)
        assert page.locator("#curve path.mark-of").count() == 4 * (len(CELLS) + bool(watched.known))
        assert page.locator("#board .move").count() == 25
    total = f"{watched.looks[-1].entries:,}"
    assert one.locator("#entries-text").inner_text().startswith(f"{total} entries were learned from")
    one.locator("#boards").select_option(label=one.locator("#boards option").nth(2).inner_text())
    one.locator("#turn").fill("1")
    asked = desk.answer({"do": "wait", "version": -1})["boards"][2]["positions"][1]
    shown = one.locator("#board .move").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    assert sorted(re.match(r"\w\d", label)[0] for label in shown) == sorted(asked["moves"])
    assert sum(label.endswith("its move") for label in shown) == 1
    assert f"It would play {asked['chosen']}, worth" in one.locator("#say").inner_text()
    said = one.locator("#say").inner_text()
    one.reload()
    rows(one, 4)
    assert one.locator("#say").inner_text() == said
    assert other.locator("#board .move").count() == 25


def test_its_button_stops_it_and_it_says_how_it_ended(open_page, learned):
    address, desk = learned()
    page = open_page(address)
    page.get_by_role("button", name="Stop, and keep what was learned").click()
    assert learn_and_show(desk._watch, [None], desk) == 1
    desk.ending = "stopped: 1 games learned from, mine.bin written"
    desk.tell()
    page.locator("#ending", has_text=f"{desk.ending}. Ctrl-C in the terminal ends the program.").wait_for()
    assert page.locator("#stop").is_hidden()
    assert page.evaluate("document.activeElement.id") == "boards"


def test_it_keeps_what_it_has_shown_when_the_program_has_ended(browser):
    with served(watch()) as (address, desk):
        context = browser.new_context()
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.goto(address)
        assert learn_and_show(desk._watch, [None], desk) == 3
        rows(page, 4)
    page.locator("#trouble", has_text="The program has ended: this page shows what it said last.").wait_for()
    assert page.locator("#board .move").count() == 25
    context.close()


def test_without_numpy_the_truth_is_shown_as_missing_with_the_command_that_brings_it(open_page, learned):
    address, desk = learned(MISSING)
    page = open_page(address)
    learn_and_show(desk._watch, [None], desk)
    rows(page, 4)
    assert page.locator("#why-not").inner_text() == MISSING
    assert page.locator("#lines .none").inner_text() == "kept wins, by the exact truth"
    assert page.locator("#curve path.line-of").count() == len(CELLS)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(1366, 768), (390, 844), (320, 640)])
def test_axe_finds_nothing_wrong_and_nothing_is_wider_than_the_window(open_page, learned, scheme, width, height):
    address, desk = learned(MISSING if width == 390 else "")
    page = open_page(address, viewport={"width": width, "height": height}, color_scheme=scheme)
    states = {"new": complaints(page)}
    learn_and_show(desk._watch, [None], desk)
    rows(page, 4)
    states["learning"] = complaints(page)
    page.locator("summary").click()
    page.locator("#boards").select_option("1")
    states["figures, a game"] = complaints(page)
    desk.ending = "3 games learned from, mine.bin written"
    desk.tell()
    page.locator("#ending", has_text="written").wait_for()
    states["ended"] = complaints(page)
    assert {name: found for name, found in states.items() if found} == {}
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_with_forced_colours_lines_are_told_apart_by_shapes(open_page, learned):
    address, desk = learned()
    page = open_page(address, forced_colors="active")
    learn_and_show(desk._watch, [None], desk)
    rows(page, 4)
    samples = page.locator("#lines li svg").evaluate_all(
        "all => all.map(one => [...one.querySelectorAll('path')].map(path => [path.getAttribute('d'), "
        "getComputedStyle(path).strokeDasharray, getComputedStyle(path).fill].join()).join())"
    )
    assert len(set(samples)) == len(samples) == len(CELLS) + bool(desk._watch.known)

"""What players printed, beside the move it was printed at, in a real browser; see test_browser.py."""

import pytest

from benchmarks.made_up_events import game, make_store, pair_specs
from gojudge.sandbox.transcripts import compose
from lab.browsing import DESKTOP, PHONE, why_not
from tests.support.browsing import opened, visit
from tests.support.missing import needs
from tests.support.page_events import small_store, write_pages

pytestmark = [pytest.mark.slow, needs(why_not())]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Game 3 of ann and bob: after six moves Black, ann, is asked for a seventh and crashes."""
    folder = tmp_path_factory.mktemp("site")
    return write_pages(small_store(folder / "cup.db"), folder)


def lines(page):
    """What stands beside the board."""
    return [line for line in page.locator("#printed").inner_text().splitlines() if line]


@pytest.mark.parametrize("address", ["games.html#ann/bob/3", "single.html#games/ann/bob/3"])
def test_what_was_printed_follows_the_replay(browser, site, address):
    with opened(browser, site) as page:
        visit(page, site, address)
        page.wait_for_selector("#game:not([hidden])")
        assert lines(page) == [
            "At move 6 White printed", "bob thinks of 6", "Asked for move 7, Black printed", "ann thinks of 7",
        ]  # fmt: skip
        page.keyboard.press("Home")
        assert lines(page) == [
            "Before its first move Black printed", "ann is here", "Before its first move White printed", "bob is here",
        ]  # fmt: skip
        page.keyboard.press("ArrowRight")
        assert lines(page) == ["At move 1 Black printed", "ann thinks of 1"]
        page.keyboard.press("ArrowRight")
        assert lines(page) == ["At move 2 White printed", "bob thinks of 2"]
        page.locator("#slider").fill("5")
        assert lines(page) == ["Nothing was printed at move 5."]


def test_all_that_somebody_printed_leads_to_its_moves(browser, site):
    with opened(browser, site) as page:
        visit(page, site, "games.html#ann/bob/3")
        assert page.locator("#logs pre:visible").all_inner_texts() == ["Traceback (most recent call last):\nZeroDivisionError"]
        page.get_by_text("All that White printed").click()
        page.get_by_role("button", name="Move 4", exact=True).click()
        assert lines(page) == ["At move 4 White printed", "bob thinks of 4"]


def test_where_nobody_printed_there_is_no_place_for_it(browser, site):
    with opened(browser, site) as page:
        visit(page, site, "games.html#ann/bob/1")
        assert not page.locator("#printed").is_visible()
        visit(page, site, "games.html#ann/bob/3")
        page.wait_for_selector("#printed:not([hidden])")


def test_a_log_without_moves_is_shown_as_a_whole(browser, tmp_path):
    (spec,) = pair_specs(["ann", "bob"], 1)
    store = make_store(tmp_path / "cup.db", ["ann", "bob"], [game(spec, black_log="an old log\n")], games=1)
    site = write_pages(store, tmp_path)
    with opened(browser, site) as page:
        visit(page, site, "games.html#ann/bob/1")
        assert page.locator("#logs pre:visible").all_inner_texts() == ["an old log\n"]


def test_the_class_has_no_place_for_it_and_a_student_sees_only_his_own(browser, tmp_path):
    store = small_store(tmp_path / "cup.db")
    everybody, own = write_pages(store, tmp_path / "class", "class"), write_pages(store, tmp_path / "own", "student", "ann")
    with opened(browser, everybody) as page:
        visit(page, everybody, "games.html#Quiet-Heron/Keen-Otter/3")
        page.wait_for_selector("#game:not([hidden])")
        assert page.locator("#printed, #logs").count() == 0
        page.keyboard.press("Home")
        page.keyboard.press("ArrowRight")
        assert page.locator("#step").inner_text() == "1 / 6"
    with opened(browser, own) as page:
        visit(page, own, "games.html#ann/Keen-Otter/3")
        page.wait_for_selector("#game:not([hidden])")
        assert lines(page) == ["Asked for move 7, Black printed", "ann thinks of 7"]
        page.keyboard.press("Home")
        assert lines(page) == ["Before its first move Black printed", "ann is here"]


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_long_lines_are_folded_and_what_is_printed_is_near_the_board(browser, tmp_path, size):
    (spec,) = pair_specs(["ann", "bob"], 1)
    log = compose([(ply, f"{'x' * 300}\n" * 9) for ply in range(1, 24, 2)])
    site = write_pages(make_store(tmp_path / "cup.db", ["ann", "bob"], [game(spec, black_log=log)], games=1), tmp_path)
    with opened(browser, site, viewport=size) as page:
        visit(page, site, "games.html#ann/bob/1")
        page.evaluate("document.getElementById('first').click(); document.getElementById('next').click()")
        assert page.locator("#printed pre").inner_text().count("x") > 400
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        board, printed = (page.locator(one).bounding_box() for one in ("#board", "#printed"))
        assert printed["y"] - board["y"] < 700

"""The page of the board for everybody: by axe-core, in every state it has, in light and dark; and with forced colours.

Needs Chromium and playwright, and axe-core, see `tests.support.browsing`.
"""

import pytest

from goban.board import truths
from goban.rulesets import COURSE
from lab.browsing import why_not
from tests.support.board_pages import WAITS, graded_by
from tests.support.browsing import complaints
from tests.support.clicked_games import TREE, begin, click, click_playing, look_at
from tests.support.go_play_runs import LEGAL, write
from tests.support.missing import needs

pytestmark = [pytest.mark.slow, needs(why_not())]

FAILS = """
class MyPlayer:
    def get_input(self, go, piece_type):
        print('hm')
        return 1 / 0
"""


@pytest.mark.parametrize("window", [(1366, 768), (390, 844)])
def test_axe_finds_nothing_wrong_in_any_state(open_page, tmp_path, monkeypatch, window):
    page = open_page(viewport={"width": window[0], "height": window[1]})
    states = {"new": in_both_schemes(page)}
    click_playing(page)
    states["playing"] = in_both_schemes(page)
    page.locator("#new-game").click()
    states["panel"] = in_both_schemes(page)
    page.locator("#white").select_option("other")
    states["panel, a file"] = in_both_schemes(page)
    page.locator("#white").select_option("random")
    page.locator("#close-panel").click()
    begin(page, "course", 3)
    click(page, "A2", "B1")
    if truths.solvable(COURSE, 5):
        page.locator("#truth").check()
        page.locator("#value", has_text="With best play").wait_for()
        states["truth"] = in_both_schemes(page)
        page.locator("#truth").uncheck()
        page.locator("#hint").click()
        page.locator("#look").click()
        page.locator("#ideas-part").wait_for()
        states["hint, ideas"] = in_both_schemes(page)
        page.locator("#teach").select_option("0")
        page.locator(".point[data-name=A3]").click()
        page.locator("#lesson", has_text="Taken back").wait_for()
        states["lesson"] = in_both_schemes(page)
        page.locator("#why").click()
        page.locator("#value", has_text="Best play: ").wait_for()
        states["why"] = in_both_schemes(page)
        page.locator("#teach").select_option("-1")
        click(page, "A3", "C1")
        page.locator("#analyse").click()
        page.locator("#mistakes li").first.wait_for()
        states["mistakes"] = in_both_schemes(page)
    page.locator(".point[data-name=A2]").click()
    page.locator("#news.bad").wait_for()
    states["refused"] = in_both_schemes(page)
    page.locator("#first").click()
    states["looking back"] = in_both_schemes(page)
    page.locator("#end").click()
    page.locator("#resign").click()
    page.locator("#news", has_text="The game is over.").wait_for()
    states["over"] = in_both_schemes(page)
    look_at(page, tmp_path, TREE)
    page.keyboard.press("ArrowRight")
    states["review"] = in_both_schemes(page)
    (tmp_path / "bad.sgf").write_text("hello")
    page.locator("#open-sgf").set_input_files(tmp_path / "bad.sgf")
    page.locator("#trouble", has_text="bad.sgf: expected a game").wait_for()
    states["trouble"] = in_both_schemes(page)
    failing = write(tmp_path, FAILS)
    page.locator("#new-game").click()
    page.locator("#black").select_option("other")
    page.locator("#black-other").fill(failing)
    page.locator("#setup button[type=submit]").click()
    page.locator("#game-ending", has_text="ZeroDivisionError").wait_for()
    states["fault"] = in_both_schemes(page)
    write(tmp_path, LEGAL)
    page.locator("#loaded", has_text="loaded anew").wait_for()
    states["loaded"] = in_both_schemes(page)
    page.locator("#printed mark", has_text="return random.choice").wait_for()
    states["where a move was returned"] = in_both_schemes(page)
    graded_by(WAITS, tmp_path, monkeypatch)
    page.locator("#grade-1").click()
    page.locator("#grade-doing", has_text="12 of 80 games").wait_for()
    # The header may hide the half of a button that the page was scrolled to.
    page.evaluate("scrollTo(0, 0)")
    states["being graded"] = in_both_schemes(page)
    page.locator("#grade-stop").click()
    page.locator("#verdict .last", has_text="a grade would play something").wait_for()
    page.evaluate("scrollTo(0, 0)")
    states["graded"] = in_both_schemes(page)
    assert {name: found for name, found in states.items() if found} == {}


def in_both_schemes(page):
    """What axe says of a page in light, and in dark, which differs by its colours only."""
    said = complaints(page)
    page.emulate_media(color_scheme="dark")
    said += complaints(page, ["color-contrast", "link-in-text-block"])
    page.emulate_media(color_scheme="light")
    return said


def test_with_forced_colours_stones_and_the_move_shown_can_be_told_apart(open_page):
    page = open_page(forced_colors="active")
    begin(page, "course", 5)
    click(page, "C3", "D3")
    fills = page.eval_on_selector_all("#board .stone circle:first-of-type", "all => all.map(one => getComputedStyle(one).fill)")
    assert len(set(fills)) == 2
    assert page.evaluate("getComputedStyle(document.querySelector('#moves button[aria-current]')).outlineStyle") == "solid"
    assert page.evaluate("getComputedStyle(document.getElementById('board')).forcedColorAdjust") == "none"

"""The board in a real browser: played on by clicks, touch and keys, said aloud, and silent on the console.

Needs Chromium and playwright; skipped where one is missing.
"""

import random
import re

import pytest

from goban.moves import move_name
from goban.rulesets import ruleset
from goban.states import new_game
from lab.browsing import DESKTOP, PATIENCE, PHONE, why_not
from tests.support.board_pages import served
from tests.support.clicked_games import (
    KINDS,
    begin,
    check,
    click,
    look_at,
    opened,
    play_by_clicks,
    play_from_here,
    saved,
    shown,
    stones,
)
from tests.support.go_play_runs import LEGAL, play, write
from tests.support.missing import needs, no_package

pytestmark = [pytest.mark.slow, needs(why_not())]

CRASHES = """
class MyPlayer:
    def get_input(self, go, piece_type):
        print('at', go.n_move)
        free = [(i, j) for i in range(4) for j in range(4) if go.valid_place_check(i, j, piece_type, test_check=True)]
        return free[-1] if go.n_move < 6 else 1 / 0
"""
KO = ["B5", "C5", "A4", "D4", "B3", "C3", "C4", "B4"]


@pytest.fixture
def page(browser, server):
    """A page that fails its test if it says anything on the console."""
    context = browser.new_context(viewport=DESKTOP)
    context.set_default_timeout(PATIENCE)
    said = []
    page = opened(context, server)
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page
    context.close()
    assert said == []


@pytest.mark.parametrize("number", range(2))
def test_random_games_by_clicks_reach_the_hosts_own_final_position(page, number):
    state = play_by_clicks(page, *KINDS[number], random.Random(number))
    assert state.is_over
    check(page, state)


def test_illegal_points_say_the_rule(page):
    begin(page, "course", 5)
    click(page, *KO)
    label = page.locator(".point[data-name=C4]").get_attribute("aria-label")
    assert label == "C4, illegal: ko, the board would be again what it was after move 7"
    page.locator(".point[data-name=C4]").click()
    page.locator("#news", has_text="C4: ko, the board would be again").wait_for()
    page.locator(".point[data-name=C3]").click()
    page.locator("#news", has_text="C3: the point is occupied").wait_for()
    click(page, "E1")
    page.locator("#news", has_text="White to move.").wait_for()


def test_a_game_is_played_by_keys_alone(page):
    begin(page, "littlego", 4)
    page.keyboard.press("b")
    for key in ("ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    shown(page, 1)
    assert page.locator(".point:focus").get_attribute("data-name") == "B3"
    for key in ("ArrowRight", " "):
        page.keyboard.press(key)
    shown(page, 2)
    assert stones(page) == {("Black", "B3"), ("White", "C3")}
    page.keyboard.press("u")
    shown(page, 1)
    assert "plays B3" in page.locator("#say").inner_text()


def test_a_phone_plays_by_touch_and_nothing_is_wider_than_it(browser, server):
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, color_scheme="dark")
    context.set_default_timeout(PATIENCE)
    page = opened(context, server)
    begin(page, "course", 5, white="greedy")
    page.locator(".point[data-name=C3]").tap()
    shown(page, 2)
    assert ("Black", "C3") in stones(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    context.close()


def test_undo_resign_and_another_game_from_an_earlier_position(page):
    begin(page, "course", 5)
    click(page, "C3", "B2", "D2")
    page.get_by_role("button", name="Undo").click()
    shown(page, 2)
    page.get_by_role("button", name="Resign").click()
    page.locator("#game-ending", has_text="White wins by resignation.").wait_for()
    page.locator("#first").click()
    page.locator("#next").click()
    play_from_here(page)
    shown(page, 1)
    click(page, "E5")
    assert stones(page) == {("Black", "C3"), ("White", "E5")}


@needs(no_package("sgfmill"))
def test_what_was_tried_is_gone_back_to_and_saved_as_variations(page, tmp_path):
    begin(page, "course", 5)
    click(page, "C3", "B2", "D2")
    page.get_by_role("button", name="Undo").click()
    shown(page, 2)
    assert page.locator("#tried").inner_text() == "D2"
    click(page, "E5")
    page.locator("#back").click()
    page.locator("#tried button[data-move=D2]").click()
    page.locator("#step", has_text="3 / 3").wait_for()
    assert stones(page) == {("Black", "C3"), ("White", "B2"), ("Black", "D2")}
    page.locator("#first").click()
    assert page.locator("#tried-part").is_hidden()
    tree = saved(page)
    assert tree.endswith(";B[cc];W[bd](;B[dd])(;B[ea]))\n")
    from sgfmill.sgf import Sgf_game

    children = Sgf_game.from_string(tree).get_main_sequence()[2]
    assert [child.get_move() for child in children] == [("b", (1, 3)), ("b", (4, 4))]


def test_two_programs_are_watched(page):
    begin(page, "course", 3, "random", "greedy")
    page.locator("#news", has_text="The game is over.").wait_for()
    count = int(page.locator("#step").inner_text().split(" / ")[1])
    shown(page, count)


def test_two_pages_play_games_of_their_own_and_a_page_that_is_loaded_again_has_its_game(page, browser, server):
    other = opened(browser, server)
    begin(page, "course", 5)
    begin(other, "course", 4)
    click(page, "C3")
    click(other, "A1", "B2")
    page.reload()
    shown(page, 1)
    assert stones(page) == {("Black", "C3")}
    assert stones(other) == {("Black", "A1"), ("White", "B2")}
    other.close()


def test_a_player_that_crashes_or_hangs_is_told_of_on_the_page(page, tmp_path):
    path = write(
        tmp_path, "class MyPlayer:\n    def get_input(self, go, piece_type):\n        print('hm')\n        return 1 / 0\n"
    )
    page.locator("#new-game").click()
    page.locator("#white").select_option("other")
    page.locator("#white-other").fill(path)
    page.locator("#setup button[type=submit]").click()
    page.locator(".point[data-name=C3]").click()
    page.locator("#game-ending", has_text="ZeroDivisionError: division by zero (visitor.py, line 4)").wait_for()
    assert "hm" in page.locator("#printed").inner_text()
    assert "return 1 / 0" in page.locator("#logs").inner_text()
    write(tmp_path, "class MyPlayer:\n    def get_input(self, go, piece_type):\n        while True: pass\n")
    page.locator("#loaded", has_text="visitor.py was saved, and is loaded anew").wait_for()
    page.get_by_role("button", name="Stop waiting").click()
    page.locator("#game-ending", has_text=re.compile(r"stopped by hand: .*\(visitor\.py, line 3\)")).wait_for()
    write(tmp_path, LEGAL)
    shown(page, 2)


def test_when_the_server_stops_the_page_says_so_and_keeps_the_game(browser):
    with served() as server:
        page = opened(browser, server)
        begin(page, "course", 5)
        click(page, "C3", "D3")
    page.locator("#trouble", has_text="The server has been stopped.").wait_for(timeout=PATIENCE)
    assert stones(page) == {("Black", "C3"), ("White", "D3")}
    assert "B%5Bcc%5D%3BW%5Bdc%5D" in page.locator("#sgf").get_attribute("href")
    page.close()


@needs(no_package("numba"))
def test_truth_marks_every_move_with_what_it_keeps_or_costs(page):
    begin(page, "course", 3)
    click(page, "B2")
    page.get_by_label("Truth").check()
    page.locator("#value", has_text="With best play White wins by 0.5.").wait_for()
    state = new_game(ruleset("course"), 3).play((1, 1))
    assert page.locator(".worth").count() == len(state.legal_moves())
    listed = page.locator("#explorer button").evaluate_all("found => found.map(one => one.dataset.move)")
    assert sorted(listed) == sorted(move_name(move, 3) for move in state.legal_moves())
    assert page.locator("#explorer li").first.get_attribute("class") == "best"
    page.locator("#explorer button").first.click()
    shown(page, 2)
    page.get_by_role("button", name="Undo").click()
    shown(page, 1)
    page.get_by_label("Truth").uncheck()
    assert page.locator(".worth").count() == 0
    assert page.locator("#explorer-part").is_hidden()
    page.get_by_role("button", name="Hint").click()
    assert page.locator(".worth.best").count() == page.locator(".worth").count() > 0
    page.get_by_role("button", name="Show me why").click()
    page.locator("#value", has_text="Best play: ").wait_for()
    assert page.locator(".line circle").count() > 2
    page.get_by_role("button", name="Play the line").click()
    page.locator("#step", has_text=re.compile(r"^1 / [5-8]$")).wait_for()
    page.go_back()
    shown(page, 1)
    click(page, "A1")
    page.get_by_role("button", name="Find mistakes").click()
    page.locator("#strip-part").wait_for()


def test_what_was_tried_is_saved_opened_and_saved_again(page, tmp_path):
    begin(page, "course", 5)
    click(page, "C3", "B2", "D2", "A1")
    for move in ("E5", "B4"):
        page.get_by_role("button", name="Undo").click()
        shown(page, 3)
        click(page, move)
    for _ in range(3):
        page.locator("#back").click()
    play_from_here(page)
    shown(page, 1)
    click(page, "D4")
    tree = saved(page)
    assert tree.endswith(";B[cc](;W[db])(;W[bd];B[dd](;W[ae])(;W[ea])(;W[bb])))\n")
    look_at(page, tmp_path, tree)
    assert saved(page) == tree
    page.locator("#next").click()
    page.locator("#tried button[data-move=B2]").click()
    page.locator("#step", has_text="2 / 4").wait_for()
    assert stones(page) == {("Black", "C3"), ("White", "B2")}
    assert saved(page) == tree


def test_the_games_of_the_command_line_are_one_page(browser, tmp_path):
    path = write(tmp_path, CRASHES)
    page_path = tmp_path / "games.html"
    status, out, _ = play(f"-p1={path}", "-p2=greedy", "-t=3", "-n=4", "--rules=aga", "--seed=1", "--html", str(page_path))
    assert status == 0
    assert out.endswith("Black player (X) | Wins:0.0% Loses:100.0%\nWhite player (O) | Wins:100.0% Loses:0.0%\n")
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(page_path.as_uri() + "#2")
    page.wait_for_selector("html[data-ready]")
    assert page.locator("#games tr").count() == 3
    ending = page.locator("#game-ending").inner_text()
    assert "forfeits at move 7: ZeroDivisionError: division by zero (visitor.py, line 6)" in ending
    assert "at 6" in page.locator("#printed").inner_text()
    assert "else 1 / 0" in page.locator("#logs").inner_text()
    page.get_by_role("link", name="Next game").click()
    page.locator("#game-title", has_text="Game 3 of 3").wait_for()
    page.close()


LOSER = """
class MyPlayer:
    def get_input(self, go, piece_type):
        free = [(k // go.size, k % go.size) for k in range(go.size ** 2)]
        free = [point for point in free if go.valid_place_check(*point, piece_type, test_check=True)]
        if len(free) > 12:
            print('<i>much</i>', len(free))
            return free[0]  # <b>the first</b>
        print('little', len(free))
        return free[-1]
"""


@needs(no_package("numba"))
def test_a_loss_opens_at_the_losing_move_with_its_line_and_what_was_printed_then(browser, tmp_path):
    page_path = tmp_path / "games.html"
    arguments = (f"-p1={write(tmp_path, LOSER)}", "-p2=smart", "--seed=1", "--html", str(page_path))
    assert play(*arguments, flags=())[0] == 0
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(page_path.as_uri() + "#1")
    page.wait_for_selector("html[data-ready]")
    winners = page.evaluate("JSON.parse(document.getElementById('data').textContent).games[0][10][0]")
    losing = max(ply for ply in range(1, len(winners)) if winners[ply - 1 : ply + 1] == [1, 2])
    assert page.locator("#step").inner_text().startswith(f"{losing} / ")
    assert f"move {losing}, let the win go" in page.locator("#game-turning").inner_text()
    assert page.locator("#printed h3").first.inner_text() == "Returned by visitor.py, line 8, in get_input"
    assert page.locator("#printed mark").inner_text() == " 8              return free[0]  # <b>the first</b>"
    assert "<i>much</i>" in page.locator("#printed").inner_text()
    page.close()


@pytest.mark.parametrize(("rules", "size"), [("course", 7), ("littlego", 6)])
def test_where_nothing_is_known_of_values_a_loss_opens_before_the_largest_capture(browser, tmp_path, rules, size):
    page_path = tmp_path / "games.html"
    players = (f"-p1={write(tmp_path, LOSER)}", "-p2=greedy", "--seed=1")
    assert play(*players, f"-n={size}", f"--rules={rules}", "--html", str(page_path))[0] == 0
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(page_path.as_uri() + "#1")
    page.wait_for_selector("html[data-ready]")
    ply = int(page.locator("#step").inner_text().split(" / ")[0])
    assert ply % 2 == 1
    assert "The largest capture follows; what moves are worth is not known here." in page.locator("#say").inner_text()
    assert "Returned by visitor.py, line " in page.locator("#printed").inner_text()
    page.get_by_role("button", name="One move forward").click()
    assert "taking" in page.locator("#say").inner_text()
    page.close()


def test_on_the_board_a_lost_game_leads_to_the_losing_move(page, tmp_path):
    page.locator("#new-game").click()
    page.locator("#black").select_option("other")
    page.locator("#black-other").fill(write(tmp_path, LOSER))
    page.locator("#white").select_option("greedy")
    page.locator("#size").fill("4")
    page.locator("#setup button[type=submit]").click()
    page.get_by_role("button", name="To the end", exact=True).click()
    page.get_by_role("button", name="The losing move").click()
    page.locator("#printed mark", has_text="return free[").wait_for()
    assert "Returned by visitor.py, line " in page.locator("#printed").inner_text()

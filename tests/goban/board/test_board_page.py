"""The page of the board as people use it: sizes, clicks while messages come, keys and focus, files to look at.

Needs Chromium and playwright.
"""

import random
import re
from datetime import datetime, timedelta
from functools import partial

import pytest

from goban.board import truths
from lab.browsing import why_not
from tests.support.board_pages import served
from tests.support.clicked_games import TREE, begin, click, click_playing, look_at, play_from_here, saved, shown, stones
from tests.support.missing import needs, no_package
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.slow, needs(why_not())]

SOLVER = needs(no_package("numba"))
WINDOWS = [(1366, 768), (1280, 800), (1920, 1080), (390, 844)]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def page(open_page):
    return open_page()


def step(page, text):
    page.locator("#step", has_text=re.compile(f"^{text}$")).wait_for()


def focused(page):
    return page.evaluate("document.activeElement.dataset.name || document.activeElement.id || document.activeElement.tagName")


# The board first


@pytest.mark.parametrize(("width", "height"), WINDOWS)
def test_it_opens_on_a_board_that_fills_the_window_in_a_game_that_has_begun(open_page, width, height):
    page = open_page(viewport={"width": width, "height": height})
    box = page.locator("#board").bounding_box()
    assert min(box["width"], box["height"]) >= 0.8 * min(width, height)
    assert box["x"] >= 0
    assert box["y"] + box["height"] <= height
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    cards = page.locator("#black-card").bounding_box()
    assert cards["x"] >= box["x"] + box["width"] if width > height else cards["y"] >= box["y"] + box["height"]
    page.locator(".point[data-name=C3]").click()
    shown(page, 2)
    assert page.locator("#game-title").inner_text() == "you against smart"


@pytest.mark.parametrize(("width", "height"), [(683, 384), (640, 400), (320, 640)])
def test_at_twice_its_size_all_of_it_is_still_there(open_page, width, height):
    page = open_page(viewport={"width": width, "height": height})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for place in ("#board", "#undo", "#hint", "#black-card", "#slider", "#new-game"):
        page.locator(place).scroll_into_view_if_needed()
        box = page.locator(place).bounding_box()
        assert box["x"] >= 0, place
        assert box["x"] + box["width"] <= width, place
    page.locator("#new-game").click()
    page.locator("#setup button[type=submit]").scroll_into_view_if_needed()
    assert page.locator("#setup button[type=submit]").is_visible()


# Clicks

SERVER = """
async (seed) => {
  // A server of the page's own: a message comes whenever we say so, and every move is noted.
  const at = (id) => document.getElementById(id);
  let random = seed;
  const draw = (below) => ((random = (random * 16807) % 2147483647), random % below);
  const asked = [];
  let waiting = null;
  let view = null;
  const real = window.fetch;
  const answer = (made) => ({ json: async () => JSON.parse(JSON.stringify(made)) });
  const begun = JSON.stringify({ do: "new", rules: "course", size: 5, players: ["", ""], moves: [] });
  const headers = { "Content-Type": "application/json" };
  const first = await (await real("ask", { method: "POST", headers, body: begun })).json();
  view = { ...first, version: 1, solvable: true };
  window.fetch = async (_, { body }) => {
    const request = JSON.parse(body);
    if (request.do === "wait" && request.version >= 0) await new Promise((resolve) => (waiting = resolve));
    if (request.do === "play") asked.push(request.move);
    if (request.do !== "wait") view = { ...view, version: view.version + 1 };
    return answer(view);
  };
  location.hash = first.game;
  await new Promise((resolve) => {
    const look = () => (Number(at("game").dataset.version) >= 1 && waiting ? resolve() : setTimeout(look));
    look();
  });
  if (!at("truth").checked) at("truth").click();
  const message = async () => {
    const moves = {};
    for (const name of ["A1", "B2", "C3", "D4", "E5"]) if (draw(2)) moves[name] = [draw(2), draw(9) - 4];
    view = { ...view, version: view.version + 1, values: { number: 0, moves, of: 25, done: false, error: "" } };
    const go = waiting;
    waiting = null;
    go();
    await new Promise((resolve) => {
      const look = () => (Number(at("game").dataset.version) === view.version && waiting ? resolve() : setTimeout(look));
      look();
    });
  };
  window.told = { draw, asked, message };
}
"""
CLICKS = """
async () => {
  const { draw, asked, message } = window.told;
  const fire = (kind, x, y) => {
    const at = { clientX: x, clientY: y, bubbles: true, cancelable: true };
    const mouse = { pointerId: 1, pointerType: "mouse", isPrimary: true, button: 0 };
    document.elementFromPoint(x, y).dispatchEvent(new PointerEvent(kind, { ...at, ...mouse }));
  };
  const lost = [];
  const sizes = new Set();
  for (let k = 0; k < 200; k += 1) {
    const name = "ABCDE"[draw(5)] + (draw(5) + 1);
    const box = document.querySelector(`.point[data-name=${name}] rect`).getBoundingClientRect();
    const [x, y] = [box.left + (0.1 + draw(80) / 100) * box.width, box.top + (0.1 + draw(80) / 100) * box.height];
    const before = asked.length;
    fire("pointerdown", x, y);
    for (let n = draw(4); n >= 0; n -= 1) await message();
    sizes.add(document.querySelectorAll(".worth").length);
    fire("pointerup", x + draw(5) - 2, y + draw(5) - 2);
    await new Promise((resolve) => setTimeout(resolve));
    if (asked.length !== before + 1 || asked[before] !== name) lost.push([k, name, asked.slice(before)]);
  }
  return [lost, asked.length, sizes.size];
}
"""


def test_no_click_is_lost_while_messages_come(page):
    """Two hundred, in each of which messages of what moves are worth come between press and release."""
    page.evaluate(SERVER, 7)
    lost, asked, sizes = page.evaluate(CLICKS)
    assert (lost, asked) == ([], 200)
    assert sizes > 3


@pytest.mark.long
def test_of_a_thousand_clicks_of_a_real_mouse_none_is_lost_while_messages_come(page):
    """Each is held for 50 to 300 milliseconds, and until a message has come meanwhile."""
    lots, wanted = random.Random(1), []
    page.evaluate(SERVER, 7)
    page.evaluate("() => { told.count = 0; (async () => { for (;;) { await told.message(); told.count += 1; } })(); }")
    for _ in range(1000):
        name = f"{lots.choice('ABCDE')}{lots.randint(1, 5)}"
        box = page.locator(f".point[data-name={name}] rect").first.bounding_box()
        x, y = (box[side] + lots.uniform(0.1, 0.9) * box[length] for side, length in (("x", "width"), ("y", "height")))
        page.mouse.move(x, y)
        before = page.evaluate("() => told.count")
        page.mouse.down()
        page.wait_for_timeout(lots.randint(50, 300))
        wait_until(partial(page.evaluate, "before => told.count > before", before))
        page.mouse.move(x + lots.randint(-2, 2), y + lots.randint(-2, 2))
        page.mouse.up()
        wanted.append(name)
    page.evaluate("() => (told.last = told.count + 3)")
    wait_until(lambda: page.evaluate("() => told.count >= told.last"))
    assert page.evaluate("() => told.asked") == wanted


@SOLVER
def test_a_real_click_is_played_though_the_marks_change_while_it_is_held(open_page):
    page = open_page()
    begin(page, "course", 3)
    page.get_by_label("Truth").check()
    page.locator("#value", has_text="With best play White wins by 0.5.").wait_for()
    box = page.locator(".point[data-name=B2]").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.evaluate("document.getElementById('truth').click()")
    page.locator(".worth").first.wait_for(state="detached")
    page.mouse.up()
    shown(page, 1)
    assert stones(page) == {("Black", "B2")}


def test_by_touch_a_move_may_have_to_be_confirmed(open_page):
    page = open_page(**PHONE)
    begin(page, "course", 5)
    page.locator("#new-game").tap()
    page.locator("#confirm").check()
    page.locator("#close-panel").tap()
    page.locator(".point[data-name=C3]").tap()
    page.locator("#news", has_text="Touch C3 again to play there.").wait_for()
    page.locator(".point[data-name=D3]").tap()
    page.locator("#news", has_text="Touch D3 again to play there.").wait_for()
    assert page.locator(".point.pending").count() == 1
    page.locator(".point[data-name=D3]").tap()
    shown(page, 1)
    assert stones(page) == {("Black", "D3")}


# Keys, the wheel, and the focus


def test_wheel_and_arrows_go_through_the_game(page):
    begin(page, "course", 5)
    click(page, "C3", "D3", "B2")
    assert focused(page) == "board"
    page.keyboard.press("ArrowLeft")
    step(page, "2 / 3")
    page.mouse.wheel(0, -100)
    step(page, "1 / 3")
    page.mouse.wheel(0, 100)
    step(page, "2 / 3")
    page.keyboard.press("b")
    assert focused(page) == "B2"
    page.keyboard.press("ArrowRight")
    assert focused(page) == "C2"
    step(page, "2 / 3")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    step(page, "3 / 3")


@SOLVER
def test_number_keys_play_the_marked_moves(page):
    begin(page, "course", 3)
    click(page, "A1")
    page.keyboard.press("h")
    page.locator(".worth.best text.key-of").first.wait_for()
    page.locator("#value", has_text="With best play White wins by 4.5.").wait_for()
    best = page.locator(".worth.best").first.get_attribute("aria-label").split(":")[0]
    page.keyboard.press(page.locator(".worth.best .key-of").first.text_content())
    shown(page, 2)
    assert ("White", best) in stones(page)


@SOLVER
def test_the_focus_is_never_lost_to_the_page(page):
    begin(page, "course", 3)
    assert focused(page) != "BODY"
    click(page, "B2", "A1")
    for button in ("Undo", "Undo", "Hint", "Show me why", "Find mistakes", "What to look for", "Resign", "Undo"):
        page.get_by_role("button", name=button, exact=True).click()
        wait_until(lambda: page.evaluate("() => document.activeElement !== document.body"))
    # The last answer may still be on its way.
    shown(page, 0)
    click(page, "B2")
    for place in ("#first", "#next", "#end", "#first", "#from-here"):
        page.locator(place).focus()
        page.keyboard.press("Enter")
        wait_until(lambda: page.evaluate("() => document.activeElement !== document.body"))
    page.locator("#game-title").click()
    wait_until(lambda: page.evaluate("() => document.activeElement !== document.body"))
    page.locator("#new-game").click()
    page.keyboard.press("Escape")
    wait_until(lambda: page.evaluate("() => document.activeElement.id === 'new-game'"))


@SOLVER
def test_switches_and_sliders_are_large_enough(open_page):
    page = open_page(viewport={"width": 390, "height": 844})
    for place in ("#truth", "#numbers", "#slider", "#teach", "#sgf", "#undo", "#first"):
        box = page.locator(place).bounding_box()
        assert min(box["width"], box["height"]) >= 24, place
    page.locator("#new-game").click()
    assert page.locator("#confirm").bounding_box()["height"] >= 24


# Files that are looked at


def test_a_file_is_opened_at_its_start_with_comments_variations_names_and_result(page, tmp_path):
    look_at(page, tmp_path, TREE)
    assert page.locator("#game-title").inner_text() == "Ann against Bo"
    assert page.locator("#game-ending").inner_text() == "Result in the file: B+R."
    assert page.locator("#comment").inner_text() == "An example."
    page.keyboard.press("ArrowRight")
    step(page, "1 / 3")
    assert page.locator("#comment").inner_text() == "The centre."
    assert page.locator("#board .sign").all_text_contents() == ["a", "b"]
    assert page.locator("#tree .node").count() == 8
    page.locator("#tried button[data-move=C2]").click()
    step(page, "2 / 4")
    assert stones(page) == {("Black", "C3"), ("White", "C2")}
    assert page.locator("#comment").inner_text() == "Worse."
    page.locator("#back").click()
    page.locator(".point[data-name=B4]").click()
    step(page, "2 / 3")
    assert page.locator("#board .sign").all_text_contents() == ["x"]
    assert saved(page) == TREE.replace("(;FF[4]", "(;FF[4]").replace("An example.]", "An example.]CA[UTF-8]") + "\n"


def test_a_click_in_a_file_that_is_looked_at_is_a_variation_and_saved_with_it(page, tmp_path):
    look_at(page, tmp_path, TREE)
    assert page.locator("#undo").is_hidden()
    page.keyboard.press("ArrowRight")
    page.locator(".point[data-name=E5]").click()
    step(page, "2 / 2")
    assert stones(page) == {("Black", "C3"), ("White", "E5")}
    page.locator(".point[data-name=E5]").click()
    page.locator("#news", has_text="E5: the point is occupied").wait_for()
    page.locator(".point[data-name=A1]").click()
    step(page, "3 / 3")
    tree = saved(page)
    assert "(;W[cd]C[Worse.];B[bd](;W[dd])(;W[be]))(;W[ea];B[ae]))" in tree
    assert page.locator("#tree .node").count() == 10
    page.locator("#back").click()
    page.locator("#back").click()
    assert page.locator("#board .sign").all_text_contents() == ["a", "b", "c"]
    page.locator(".point[data-name=C2]").click()
    step(page, "2 / 4")
    page.locator("#back").click()
    page.locator("#tried button[data-move=E5]").click()
    step(page, "2 / 3")
    page.reload()
    page.locator("#tree .node").nth(9).wait_for()
    assert saved(page) == tree
    page.locator("#undo").click()
    step(page, "2 / 2")
    page.locator("#undo").click()
    step(page, "1 / 3")
    assert page.locator("#undo").is_hidden()
    assert "W[ea]" not in saved(page)


def test_a_game_from_a_file_is_played_only_when_that_is_asked_for_and_saved_within_it(page, tmp_path):
    look_at(page, tmp_path, TREE)
    page.locator("#end").click()
    step(page, "3 / 3")
    page.locator("#back").click()
    page.locator("#new-game").click()
    page.locator("#white").select_option("")
    page.locator("#close-panel").click()
    play_from_here(page)
    shown(page, 2)
    click(page, "E1")
    tree = saved(page)
    assert ";W[bb]LB[dd:x](;B[dd])(;B[ee]))" in tree
    assert "C[Worse.];B[bd](;W[dd])(;W[be])" in tree
    assert "PB[Ann]PW[Bo]RE[B+R]" in tree
    look_at(page, tmp_path, tree)
    assert saved(page) == tree


@needs(no_package("sgfmill"))
def test_what_is_saved_is_read_by_others(page, tmp_path):
    from sgfmill.sgf import Sgf_game

    look_at(page, tmp_path, TREE)
    game = Sgf_game.from_string(saved(page))
    assert (game.get_player_name("b"), game.get_winner(), game.get_root().get("EV")) == ("Ann", "b", "cup]")
    assert [len(node) for node in game.get_main_sequence()] == [1, 2, 1, 0]


def test_stones_that_are_set_up_in_the_middle_are_shown_and_played_from(page, tmp_path):
    look_at(page, tmp_path, "(;SZ[9]HA[2]AB[cc][gg];W[ee];AE[cc]AW[aa]PL[B])")
    assert stones_now(page) == {("Black", "C7"), ("Black", "G3")}
    page.locator("#end").click()
    step(page, "2 / 2")
    assert stones_now(page) == {("Black", "G3"), ("White", "E5"), ("White", "A9")}
    assert "stones are set up" in page.locator("#say").inner_text()
    play_from_here(page)
    shown(page, 0)
    assert stones_now(page) == {("Black", "G3"), ("White", "E5"), ("White", "A9")}
    click_playing(page)
    assert ("Black", "C3") in stones_now(page)
    assert ";AE[cc]AW[aa]PL[B];B[cg];W[" in saved(page)


def stones_now(page):
    labels = page.eval_on_selector_all("#board .stone", "found => found.map(one => one.getAttribute('aria-label'))")
    return {tuple(re.match(r"(Black|White) at (\w+)", label).groups()) for label in labels}


# What is missing, and what is not told


@pytest.fixture
def without_packages(monkeypatch):
    monkeypatch.setattr(truths, "find_spec", lambda name: None)
    with served() as server:
        yield server


def test_what_is_missing_is_greyed_with_the_command_that_brings_it(without_packages, open_page):
    page = open_page(without_packages)
    for name in ("hint", "why", "truth", "teach", "analyse", "mistake", "challenge"):
        assert page.locator(f"#{name}").is_visible(), name
        assert page.locator(f"#{name}").is_disabled(), name
    assert re.search(r"This needs numpy and numba: .*(make|pip) install", page.locator("#why-not").inner_text())
    page.get_by_role("button", name="What to look for").click()
    page.locator("#ideas-part").wait_for()


def test_perfect_is_offered_only_where_it_can_play(page):
    page.locator("#new-game").click()
    option = page.locator("#white option[value=perfect]")
    assert page.locator("#white option[value=smart]").is_enabled()
    assert option.is_enabled()
    page.locator("#size").fill("6")
    assert option.is_disabled()
    page.locator("#size").fill("5")
    assert option.is_enabled()
    page.locator("#rules").select_option("aga")
    assert option.is_disabled()


def test_of_two_programs_the_end_is_not_told_first_and_points_follow_the_position(page):
    # The page's clock stands still, so that nothing is watched before it is looked at.
    page.clock.install()
    page.clock.pause_at(datetime.now() + timedelta(days=1))
    begin(page, "course", 3, "random", "greedy")
    wait_until(lambda: page.evaluate("() => document.querySelectorAll('#moves li').length === 8"))
    step(page, "0 / 8")
    assert page.locator("#game-ending").inner_text() == ""
    assert page.locator(".card.winner").count() == 0
    assert page.locator("#black-score").inner_text() == "0 points"
    assert page.locator("#white-score").inner_text() == "1.5 points, komi 1.5"
    page.clock.run_for(700)
    step(page, "1 / 8")
    assert page.locator("#black-score").inner_text() == "1 points"
    assert page.locator("#news").inner_text() == "random and greedy play."
    page.clock.run_for(10_000)
    step(page, "8 / 8")
    page.locator("#news", has_text="The game is over.").wait_for()
    assert page.locator(".card.winner").count() == 1
    assert "wins by" in page.locator("#game-ending").inner_text()


@SOLVER
def test_a_click_of_the_explorer_plays_the_move(page):
    begin(page, "course", 3, "", "random")
    address = page.url
    page.get_by_label("Truth").check()
    page.locator("#explorer button[data-move=B2]").click()
    shown(page, 2)
    assert page.url == address
    assert ("Black", "B2") in stones(page)


# The teacher


@SOLVER
def test_the_teacher_takes_back_what_throws_the_game_away_and_shows_why(page, tmp_path):
    look_at(page, tmp_path, "(;SZ[3]RU[course];B[ab];W[bc])")
    page.locator("#end").click()
    page.locator("#new-game").click()
    page.locator("#white").select_option("")
    page.locator("#close-panel").click()
    page.locator("#teach").select_option("0")
    play_from_here(page)
    shown(page, 2)
    page.locator(".point[data-name=A3]").click()
    page.locator("#lesson", has_text=re.compile("Taken back: A3 throws the win away.* Better: C2. Try again.")).wait_for()
    shown(page, 2)
    assert page.locator(".line circle").count() > 1
    page.locator(".point[data-name=C2]").click()
    shown(page, 3)
    page.locator("#lesson").wait_for(state="hidden")


@SOLVER
def test_mistakes_are_listed_in_order_of_size_and_positions_teach(page):
    begin(page, "course", 3)
    click(page, "A2", "B1", "A3", "C1", "A1")
    page.get_by_role("button", name="Find mistakes").click()
    page.locator("#mistakes li").first.wait_for()
    listed = page.locator("#mistakes li").all_inner_texts()
    assert "lost the better result" in listed[0]
    costs = [int(found[1]) for text in listed if "lost" not in text and (found := re.search(r"cost (\d+)", text))]
    assert costs == sorted(costs, reverse=True)
    page.locator("#mistakes button").first.click()
    assert page.locator("#step").inner_text().startswith(re.search(r"Move (\d+)", listed[0])[1])
    page.get_by_role("button", name="What to look for").click()
    page.locator("#ideas-part").wait_for()

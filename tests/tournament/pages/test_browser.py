"""The pages in a real browser, opened from the disk: they work, they say nothing on the console, and they ask for nothing else.

Needs Chromium and playwright (`pip install -e ".[test]"`, `apt-get install chromium`); skipped where one is missing.
"""

import random
import re
import socket

import pytest

from benchmarks.made_up_events import game, make_store, pair_specs
from goban.points import COLUMNS, parse_vertex
from goban.rulesets import ruleset
from goban.states import new_game
from lab.browsing import DESKTOP, PATIENCE, PHONE, why_not
from tests.support.browsing import opened, visit
from tests.support.missing import needs
from tests.support.page_events import hostile_store, small_store, write_pages
from tournament.pages.truths import Truth, game_key
from tournament.store.store import read_store

pytestmark = [pytest.mark.slow, needs(why_not())]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A small site where what moves were worth is known of one game, and who would have won of another."""
    folder = tmp_path_factory.mktemp("site")
    path = small_store(folder / "cup.db")
    with read_store(path) as store:
        turns, others = (store.result(f"ann-bob-00{number}").turns for number in (1, 2))
    count = len(turns) + 1
    truth = Truth((None, None, *(1,) * 5, *(2,) * (count - 7)), (None, None, *(4,) * 5, *(1,) * (count - 7)), {7: "A1 B1"}, 1.0)
    only_winners = Truth((1, 1, 1, *(2,) * (len(others) - 2)), (None,) * (len(others) + 1), {}, 1.0, {3: "A1 B1"})
    truths = {game_key("course", 5, turns): truth, game_key("course", 5, others): only_winners}
    return write_pages(path, folder, truths=truths)


def stones(page):
    """What a screen reader is told of the board: (colour, point) of every stone."""
    labels = page.eval_on_selector_all("#board .stone", "found => found.map(one => one.getAttribute('aria-label'))")
    found = [re.match(r"(Black|White) at (\w+), move \d+", label) for label in labels]
    return {(match.group(1), match.group(2)) for match in found}


def test_every_page_loads_and_is_silent(browser, site):
    with opened(browser, site) as page:
        for path in sorted(site.glob("*.html")):
            visit(page, site, path.name)
            assert page.title()
            assert page.locator("h1").first.is_visible()


def test_replay_reaches_the_stored_final_position_of_40_random_games(browser, tmp_path):
    events = [("course", 5, 16), ("course", 7, 8), ("littlego", 5, 8), ("tromp-taylor-openspiel", 5, 4), ("aga", 9, 4)]
    reached = 0
    for k, (rules, size, games) in enumerate(events):
        results = [game(spec, rules, size) for spec in pair_specs(["ann", "bob"], games, seed=k)]
        folder = tmp_path / f"{rules}{size}"
        folder.mkdir()
        write_pages(make_store(folder / "e.db", ["ann", "bob"], results, rules=rules, size=size), folder)
        with opened(browser, folder) as page:
            visit(page, folder, "games.html#ann/bob")
            for result in results:
                number = int(result.spec.id[-3:])
                page.evaluate("hash => { location.hash = hash; }", f"#ann/bob/{number}")
                page.wait_for_selector(f"#pair-games tr[aria-current]:nth-child({number})")
                page.evaluate("document.getElementById('first').click()")
                assert stones(page) == set()
                # Move by move in some, at once in the others: it is the same board.
                step, times = ("next", len(result.turns)) if number % 8 == 1 else ("end", 1)
                page.evaluate("([id, count]) => { while (count--) document.getElementById(id).click(); }", [step, times])
                assert stones(page) == final_stones(result, rules, size)
                reached += 1
    assert reached == 40


def final_stones(result, rules, size):
    state = new_game(ruleset(rules), size)
    for turn in result.turns:
        if turn.move != "resign":
            state = state.play(parse_vertex(turn.move, size))
    return {
        (("", "Black", "White")[stone], f"{COLUMNS[j]}{size - i}")
        for i, row in enumerate(state.rows())
        for j, stone in enumerate(row)
        if stone
    }


def test_standings_are_sorted_by_what_is_clicked(browser, site):
    with opened(browser, site) as page:
        visit(page, site)

        def names():
            return page.eval_on_selector_all("tbody th a", "found => found.map(one => one.textContent)")

        page.get_by_role("button", name="Player").click()
        assert names() == sorted(names())
        page.get_by_role("button", name="Player").click()
        assert names() == sorted(names(), reverse=True)
        page.get_by_role("button", name="Rating").click()
        ratings = page.eval_on_selector_all("tbody tr", "rows => rows.map(row => Number(row.cells[7].dataset.v))")
        assert ratings == sorted(ratings, reverse=True)
        assert page.locator("th[aria-sort=descending]").inner_text().startswith("Rating")


def test_from_the_crosstable_to_a_game_and_its_player(browser, site):
    with opened(browser, site) as page:
        visit(page, site)
        page.get_by_role("link", name="Crosstable").click()
        page.locator(".crosstable td a").first.click()
        page.wait_for_selector("#pair-games tr")
        assert page.locator("#pair-games tr").count() == 4
        page.get_by_role("link", name="Game 2").click()
        page.wait_for_selector("#game:not([hidden])")
        page.get_by_role("link", name="Next game").click()
        page.wait_for_selector("#pair-games tr:nth-child(3)[aria-current]")
        assert "forfeits at move 7: crash (ZeroDivisionError" in page.locator("#game-ending").inner_text()
        assert "thinks" in page.locator("#printed").inner_text()
        page.locator("#game-title a").first.click()
        page.wait_for_url(re.compile(r"/player-\w+\.html"))
        assert page.locator("h1").inner_text().split()[0] in ("ann", "bob", "cyra", "random")


def test_a_game_is_played_by_keys_and_slider(browser, site):
    with opened(browser, site) as page:
        visit(page, site, "games.html#ann/bob/1")
        page.keyboard.press("Home")
        assert stones(page) == set()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        assert len(stones(page)) == 2
        assert page.locator("#say").inner_text().startswith("Move 2: White plays")
        page.keyboard.press("ArrowLeft")
        assert len(stones(page)) == 1
        assert ", move 1, last move" in page.locator(".stone").get_attribute("aria-label")
        page.locator("#slider").fill("5")
        assert page.locator("#say").inner_text().startswith("Move 5: Black plays")
        page.locator("body").press("m")
        assert "Mistake: cost 3 stones, lost the better result. Best: A1, B1." in page.locator("#say").inner_text()
        assert page.locator(".moves button[aria-current]").get_attribute("data-ply") == "7"
        assert page.locator("#strip .unknown").count() == 2
        with page.expect_download() as download:
            page.get_by_role("link", name="SGF").click()
        assert download.value.suggested_filename == "ann-bob-1.sgf"


def test_where_the_best_moves_are_unknown_the_winning_ones_are_shown(browser, site):
    with opened(browser, site) as page:
        visit(page, site, "games.html#ann/bob/2")
        page.keyboard.press("Home")
        page.locator("body").press("m")
        assert "Move 3: " in page.locator("#say").inner_text()
        assert "Mistake: lost the better result. Would have won: A1, B1." in page.locator("#say").inner_text()
        assert page.locator("#board .best rect").count() == 2


def test_a_game_is_played_by_touch_on_a_phone(browser, site):
    with opened(browser, site, viewport=PHONE, has_touch=True, is_mobile=True) as page:
        visit(page, site, "games.html#ann/bob/1")
        page.evaluate("document.getElementById('first').click()")
        box = page.locator("#board").bounding_box()
        page.touchscreen.tap(box["x"] + box["width"] * 0.8, box["y"] + 100)
        assert len(stones(page)) == 1
        page.touchscreen.tap(box["x"] + box["width"] * 0.2, box["y"] + 100)
        assert len(stones(page)) == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_is_wider_than_a_phone(browser, site, scheme):
    with opened(browser, site, viewport=PHONE, color_scheme=scheme) as page:
        for name in [path.name for path in sorted(site.glob("*.html"))] + ["games.html#ann/bob/4"]:
            visit(page, site, name)
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], name


def test_one_page_that_holds_everything(browser, site):
    with opened(browser, site) as page:
        visit(page, site, "single.html")
        assert page.locator("h1:visible").all_inner_texts() == ["Standings"]
        page.get_by_role("link", name="Crosstable").click()
        page.locator("h1", has_text="Crosstable").wait_for()
        assert page.locator("h1:visible").all_inner_texts() == ["Crosstable"]
        page.locator(".crosstable td a").first.click()
        page.get_by_role("link", name="Game 1").click()
        page.wait_for_selector("#game:not([hidden])")
        assert len(stones(page)) > 2
        page.locator("#game-title a").first.click()
        page.wait_for_selector("section[data-key^='player/']:not([hidden])")
        assert page.locator("h2:visible").first.inner_text() == "Forfeits"


@pytest.mark.parametrize("name", ["index.html", "crosstable.html", "games.html", "single.html"])
def test_nothing_a_student_prints_or_is_called_runs(browser, tmp_path, name):
    folder = write_pages(hostile_store(tmp_path / "cup.db"), tmp_path / "site")
    with opened(browser, folder) as page:
        page.add_init_script("window.alert = text => console.log('alert ' + text);")
        visit(page, folder, name)
        title = page.title()
        single = "games/" if name == "single.html" else ""
        with_games = name in ("games.html", "single.html")
        slugs = page.evaluate("site.load('head').then(head => head.players.map(one => one.slug))") if with_games else []
        for slug in slugs[1:]:
            page.evaluate("hash => { location.hash = hash; }", f"#{single}{slugs[0]}/{slug}/1")
            page.wait_for_selector("#game:not([hidden])")
            page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
            for button in ("first", "next", "end"):
                page.evaluate("id => document.getElementById(id).click()", button)
        assert page.title() == title
        assert page.locator("img, iframe, object, embed").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth") <= DESKTOP["width"]


def test_what_would_be_markup_is_stopped_by_the_policy_too(browser, tmp_path):
    """Even if a text were taken for markup, it could run nothing and ask for nothing."""
    folder = write_pages(small_store(tmp_path / "cup.db"), tmp_path / "site")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.2)
        image = f"<img src='http://127.0.0.1:{listener.getsockname()[1]}/x' onerror=\"document.title='owned'\">"
        attack = f"<script>document.title='owned'</script>{image}"
        for name in ("index.html", "single.html"):
            path = folder / name
            path.write_text(path.read_text().replace("<h1>Standings</h1>", f"<h1>Standings</h1>{attack}"))
            page = browser.new_page()
            page.set_default_timeout(PATIENCE)
            page.goto(path.as_uri())
            assert page.locator("img").count() == 1
            with pytest.raises(TimeoutError):
                listener.accept()
            assert "owned" not in page.title()
            page.close()


def test_two_players_can_be_chosen_by_hand(browser, site):
    rng = random.Random(1)
    with opened(browser, site) as page:
        visit(page, site, "games.html")
        one, other = rng.sample(["ann", "bob", "cyra", "random"], 2)
        page.locator("#choose-one").select_option(label=one)
        page.locator("#choose-other").select_option(label=other)
        page.wait_for_selector("#pair-games tr")
        assert {one, other} <= set(page.locator("#pair-title").inner_text().split())


@pytest.mark.parametrize("address", ["games.html#ann/bob/1", "single.html#games/ann/bob/1"])
def test_skipping_to_the_content_stays_on_the_game(browser, site, address):
    with opened(browser, site) as page:
        page.goto(f"{site.as_uri()}/{address}")
        page.wait_for_selector("#game:not([hidden])")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Skip to content"
        page.keyboard.press("Enter")
        page.wait_for_timeout(50)
        assert page.locator("#game").is_visible()


def test_addresses_of_nothing_say_so_or_show_nothing(browser, site):
    with opened(browser, site) as page:
        for address in ("#x/y", "#ann/ann", "#ann/bob/999", "#%22%3E/1/2", "#ann"):
            visit(page, site, f"games.html{address}")
            assert not page.locator("#game").is_visible()

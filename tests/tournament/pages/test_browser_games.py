"""Lists of games, addresses, the game page on a low screen, and its keys, in a real browser."""

import pytest

from benchmarks.made_up_events import game, make_store, pair_specs
from lab.browsing import PHONE, why_not
from tests.support.browsing import opened, visit
from tests.support.missing import needs
from tests.support.page_events import grade_store, small_store, write_pages
from tests.support.waiting import wait_until
from tournament.pages.truths import Truth, game_key
from tournament.store.store import read_store

pytestmark = [pytest.mark.slow, needs(why_not())]
STEPS = (
    ("Home", 0), ("ArrowRight", 1), ("m", 3), ("m", 6), ("M", 3), ("M", 6), ("ArrowLeft", 5), ("Home", 0), ("ArrowRight", 1),
)  # fmt: skip
LAPTOP = {"width": 1366, "height": 650}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A small event. In the first game of ann and bob, move 3 of Black lost, and move 6 of White gave it back."""
    folder = tmp_path_factory.mktemp("site")
    path = small_store(folder / "cup.db")
    with read_store(path) as store:
        turns = store.result("ann-bob-001").turns
    rest = len(turns) + 1 - 6
    truth = Truth((1, 1, 1, 2, 2, 2, *(1,) * rest), (None,) * (len(turns) + 1), {}, 1.0, {3: "A1", 6: "B1"})
    return write_pages(path, folder, truths={game_key("course", 5, turns): truth})


def text(page, place):
    return page.locator(place).inner_text()


def step(page):
    return int(text(page, "#step").split()[0])


def test_the_games_page_is_never_empty(browser, site, tmp_path):
    with opened(browser, site) as page:
        visit(page, site, "games.html")
        assert page.locator("#found tr").count() == 24
        assert page.locator("#filters [aria-pressed=true]").inner_text() == "All games 24"
        visit(page, site, "single.html")
        page.get_by_role("link", name="Games").click()
        assert page.locator("#found tr").count() == 24
    empty = write_pages(make_store(tmp_path / "new.db", ["ann", "bob"], []), tmp_path / "site")
    with opened(browser, empty) as page:
        visit(page, empty, "games.html")
        assert "No game has been played yet." in text(page, "#browse")


def test_lists_are_chosen_by_kind_and_by_player(browser, site):
    with opened(browser, site) as page:
        visit(page, site, "games.html")
        page.get_by_role("button", name="Forfeits").click()
        assert page.locator("#found tr").count() == 12
        assert all("forfeits at move" in row for row in page.locator("#found tr").all_inner_texts())
        page.get_by_label("Find a player").fill("CYR")
        assert text(page, "#found-count") == "6 of 12 games with “CYR”"
        assert all("cyra" in row for row in page.locator("#found tr").all_inner_texts())
        page.locator("#found a").first.click()
        page.wait_for_selector("#game:not([hidden])")
        assert page.locator("#browse").is_hidden()


def test_a_pairs_address_keeps_its_order(browser, site):
    with opened(browser, site) as page:
        for one, other in (("ann", "cyra"), ("cyra", "ann")):
            visit(page, site, f"games.html#{one}/{other}")
            page.reload()
            page.wait_for_selector("#pair-games tr")
            assert text(page, "#pair-title") == f"{one} against {other}"
            assert [page.locator(f"#choose-{which} option:checked").inner_text() for which in ("one", "other")] == [one, other]
            won, lost = (int(part.split()[0]) for part in text(page, "#pair-score").split(": ")[1].split(", ")[:2])
            rows = page.locator("#pair-games tr").all_inner_texts()
            winners = [cells[1] if cells[3].startswith("B") else cells[2] for cells in (row.split("\t") for row in rows)]
            assert (winners.count(one), winners.count(other)) == (won, lost)
        page.locator("#choose-other").select_option(label="bob")
        wait_until(lambda: page.evaluate("document.getElementById('pair-title').textContent.includes('bob')"))
        assert text(page, "#pair-title") == "cyra against bob"


def test_a_game_opens_at_its_first_losing_move_or_at_the_move_in_its_address(browser, site):
    with opened(browser, site) as page:
        visit(page, site, "games.html#ann/bob/1")
        assert step(page) == 3
        assert "Would have won: A1." in text(page, "#say")
        visit(page, site, "games.html#ann/bob/1/6")
        page.reload()
        page.wait_for_selector("#game:not([hidden])")
        assert step(page) == 6
        # A forfeit is at the end.
        visit(page, site, "games.html#ann/bob/4")
        page.reload()
        page.wait_for_selector("#game:not([hidden])")
        assert step(page) == 6


def test_board_and_controls_fit_a_low_screen(browser, site):
    with opened(browser, site, viewport=LAPTOP) as page:
        visit(page, site, "games.html#ann/bob/1")
        for place in ("#game-title", "#game-turning", "#board", "#play", "#mistake", "#slider", "#say", "#strip"):
            box = page.locator(place).bounding_box()
            assert box["y"] >= 0, place
            assert box["y"] + box["height"] <= LAPTOP["height"], place
        assert page.locator("#board").bounding_box()["height"] >= 340
        assert page.evaluate("window.scrollY") == 0


def test_there_is_a_key_for_everything(browser, site):
    with opened(browser, site) as page:
        visit(page, site, "games.html#ann/bob/1")
        body = page.locator("body")
        for key, place in STEPS:
            body.press(key)
            assert step(page) == place, key
        body.press("#")
        assert page.locator("#numbers").is_checked()
        body.press("?")
        assert page.locator(".hint p").is_visible()
        body.press(" ")
        assert text(page, "#play") == "Pause"
        body.press(" ")
        assert text(page, "#play") == "Play"
        with page.expect_download() as download:
            body.press("s")
        assert download.value.suggested_filename == "ann-bob-1.sgf"
        body.press("n")
        page.wait_for_selector("#pair-games tr:nth-child(2)[aria-current]")
        body.press("p")
        page.wait_for_selector("#pair-games tr:nth-child(1)[aria-current]")
        body.press("l")
        page.wait_for_selector("#game", state="hidden")
        assert page.locator("#list").is_visible()


def test_typing_a_name_plays_no_game(browser, site):
    with opened(browser, site) as page:
        visit(page, site, "games.html#ann/bob/1")
        page.evaluate("document.getElementById('browse').hidden = false")
        page.get_by_label("Find a player").press("m")
        assert step(page) == 3


def test_the_value_strip_has_an_axis_and_names_every_sign(browser, site):
    with opened(browser, site) as page:
        visit(page, site, "games.html#ann/bob/1")
        scale = page.locator("#strip .scale").all_text_contents()
        assert (scale[0][:2], scale[2], scale[4][:2]) == ("B+", "0", "W+")
        assert page.locator("#strip .axes .move").all_text_contents()[:3] == ["0", "5", "10"]
        legend = text(page, "#strip-legend")
        for sign in ("Black ahead", "White ahead", "not by how much", "=", "?", "△", "▲", "move shown"):
            assert sign in legend, sign


def test_large_tables_are_searched_by_name(browser, tmp_path):
    names = [f"student{k:03}" for k in range(12)]
    folder = write_pages(make_store(tmp_path / "e.db", names, [game(spec) for spec in pair_specs(names, 1)]), tmp_path / "site")
    with opened(browser, folder) as page:
        visit(page, folder)
        page.get_by_label("Find a player").fill("t01")
        assert page.locator("tbody tr:visible").count() == 2
        assert "2 of 12" in text(page, ".find")
        page.get_by_role("button", name="Player").click()
        assert page.locator("tbody tr:visible").count() == 2


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_marks_fit_a_phone(browser, tmp_path, scheme):
    folder = tmp_path / "site"
    folder.mkdir()
    write_pages(grade_store(tmp_path / "grade.db"), folder)
    with opened(browser, folder, viewport=PHONE, color_scheme=scheme) as page:
        for name in ("index.html", "player-ann.html", "player-quinn.html", "games.html"):
            visit(page, folder, name)
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], name


def test_sizes_are_consistent_in_print(browser, site):
    with opened(browser, site) as page:
        page.emulate_media(media="print")
        for name in ("index.html", "player-ann.html", "games.html#ann/bob/1"):
            visit(page, site, name)
            sizes = page.evaluate("[...document.querySelectorAll('main :is(p, li, dd, td, th, h1, h2)')].map(one => "
                                  "[one.tagName, parseFloat(getComputedStyle(one).fontSize)])")  # fmt: skip
            heading = max(size for tag, size in sizes if tag in ("H1", "H2"))
            assert heading <= 22, name
            assert min(size for _, size in sizes) >= 9, name
            assert page.locator(".date").is_visible()

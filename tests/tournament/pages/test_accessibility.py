"""Pages of every kind, for everybody: by axe-core, at four widths, in light and dark; in print; and on a phone.

Needs Chromium and playwright as `test_browser.py` does, and axe-core, which node knows or npm can fetch; skipped where one is
missing.
"""

import re
from itertools import product

import pytest

from goban.board.game_files import replay_page
from goban.board.page import asset
from goban.game import play_answers
from goban.rulesets import COURSE
from goban.states import new_game
from lab.browsing import PATIENCE, PHONE, why_not
from tests.support.board_pages import served
from tests.support.browsing import complaints, opened, visit
from tests.support.clicked_games import begin, shown
from tests.support.missing import needs, no_package
from tests.support.page_events import every_kind, wide_store, write_pages
from tests.support.waiting import wait_until
from tests.tournament.pages.test_watch_and_serve import served as served_pages
from tournament.pages.truths import read_truths, truth_path

slow, in_browser = pytest.mark.slow, needs(why_not())
PARTS = 6
# One on each side of every width at which the pages' styles change.
WIDTHS = (360, 768, 1300, 1920)
# What is dark differs by its colours only.
LOOKS = [*(("light", width) for width in WIDTHS), ("dark", 1920)]
# How pages are looked at that are like another, which is looked at in all ways.
FEW_LOOKS = [("light", 360)]
# The rules of axe about what colours decide, and about what the width does: what else there is to say is said at the ends.
COLOURS = ["color-contrast", "link-in-text-block"]
LAYOUT = [*COLOURS, "scrollable-region-focusable", "target-size"]
# A sheet of A4 with its margins, upright and across.
UPRIGHT, ACROSS = 688, 1015
SMALLEST_PRINT = 12.0
"""9 points, in pixels."""


@pytest.fixture(scope="module")
def kinds(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kinds")
    return folder, every_kind(folder)


def kind_of(address):
    """What pages share that come from the same template in the same state: other editions show less on them. Pages of games are
    alike in a ladder and a grade."""
    folder, _, page = address.partition("/")
    if not page:
        return "front"
    page = re.sub(r"#(games/)?[^/]+", "#one", re.sub(r"^player-(?!random|quinn).*", "player", page))
    return page if "#" in page or page == "games.html" else f"{folder.partition('-')[0]}/{page}"


def looks_at(addresses):
    """How each page is looked at: the first of its kind in all ways."""
    kinds, looks = set(), {}
    for address in addresses:
        looks[address] = FEW_LOOKS if kind_of(address) in kinds else LOOKS
        kinds.add(kind_of(address))
    return looks


def looked_at(page, name, looks=LOOKS):
    """All that axe says of a page at these widths, in light and in dark, and where."""
    said = []
    for scheme, width in looks:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        at_an_end = width in (WIDTHS[0], WIDTHS[-1])
        found = complaints(page, COLOURS if scheme == "dark" else None if at_an_end else LAYOUT)
        said += [f"{name}, {width}, {scheme}: {one}" for one in found]
    return said


@slow
@in_browser
@pytest.mark.parametrize("part", range(PARTS))
def test_axe_finds_nothing_wrong(browser, kinds, part):
    folder, addresses = kinds
    said, looks = [], looks_at(addresses)
    assert 10 < list(looks.values()).count(LOOKS) < len(addresses)
    with opened(browser, folder) as page:
        for address in addresses[part::PARTS]:
            visit(page, folder, address)
            said += looked_at(page, address, looks[address])
    assert said == []


@slow
@in_browser
@needs(no_package("numba"))
def test_axe_finds_nothing_wrong_with_the_board_its_games_and_errors(browser, tmp_path):
    """These pages have a server, or are of one file; the board is looked at before a game and in one."""
    said = []
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    with served() as board:
        page.goto(board.address)
        said += looked_at(page, "board")
        begin(page, "course", 3)
        page.locator(".point[data-name=B2]").click()
        shown(page, 1)
        said += looked_at(page, "game on the board")
        page.get_by_label("Truth").check()
        page.locator("#explorer li").first.wait_for()
        said += looked_at(page, "explorer")
    played = play_answers(new_game(COURSE, 5), *[lambda state, _: state.legal_moves()[0]] * 2)
    (tmp_path / "game.html").write_bytes(replay_page(played))
    page.goto((tmp_path / "game.html").as_uri())
    said += looked_at(page, "game in a file")
    with served_pages(tmp_path) as port:
        page.goto(f"http://127.0.0.1:{port}/none.html")
        said += looked_at(page, "error")
    page.close()
    assert said == []


def luminance(colour):
    channels = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    """As WCAG 2.2 defines it, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def palettes():
    """The colours of the light and of the dark pages, by their names."""
    light, dark = re.findall(r":root \{(.*?)\}", asset("base.css"), re.S)
    return [dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", text)) for text in (light, dark)]


@pytest.mark.parametrize("colours", palettes(), ids=["light", "dark"])
def test_texts_and_signs_stand_out_from_every_ground(colours):
    """Also what axe does not look at: drawings, borders, rings around what has the focus."""
    grounds, heats = ("back", "panel", "shade"), [f"h{k}" for k in range(11)]
    texts = [*product(("text", "soft", "accent", "bad", "lost", "won"), grounds), *product(["text"], heats), ("grid", "wood")]
    signs = [*product(("focus",), grounds), *product(["edge"], ("back", "panel"))]
    faint = [pair for pair in texts if contrast(*(colours[name] for name in pair)) < 4.5]
    faint += [pair for pair in signs if contrast(*(colours[name] for name in pair)) < 3]
    assert faint == []
    assert len(texts) == 30


SIZES = """() => [...document.querySelectorAll("body *")].flatMap(one => {
  const own = [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim());
  if (!own || !one.getClientRects().length || one.closest(".aside, .skip, script, style, title, noscript, option")) return [];
  const scale = one instanceof SVGElement ? one.getScreenCTM().a : 1;
  const size = Math.round(100 * scale * parseFloat(getComputedStyle(one).fontSize)) / 100;
  return [[size, `${one.tagName} ${one.getAttribute("class")}: ${one.textContent.slice(0, 30)}`]];
})"""
CUT = """() => [...document.querySelectorAll(".scroll")].filter(one => one.scrollWidth > one.clientWidth + 1)
  .map(one => `${one.getAttribute("aria-label")}: ${one.scrollWidth} in ${one.clientWidth}`)"""

# Of what scrolls and is seen: its name, whether there is more to the right, and whether the paragraph before it says so.
REGIONS = """async () => {
  // What has just become wider is noticed with the next frame.
  for (const k of [1, 2]) await new Promise(requestAnimationFrame);
  return [...document.querySelectorAll(".scroll")].filter(one => one.checkVisibility()).map(one => {
    let before = one.previousElementSibling;
    while (before && before.tagName !== "P") before = before.previousElementSibling;
    const hinted = before !== null && before.className === "more" && before.checkVisibility();
    return [one.getAttribute("aria-label"), one.scrollWidth > one.clientWidth + 1, hinted];
  });
}"""


@slow
@in_browser
def test_print_has_9_points_or_more_and_fits_the_sheet(browser, kinds):
    folder, addresses = kinds
    small, wide = [], []
    with opened(browser, folder) as page:
        for address in [one for one in addresses if "single" not in one]:
            across = re.search("(ladder|grade)-.*(index|crosstable).html", address) and "student" not in address
            page.set_viewport_size({"width": ACROSS if across else UPRIGHT, "height": 1000})
            page.emulate_media(media="screen")
            visit(page, folder, address)
            page.emulate_media(media="print")
            small += [f"{address}: {size}: {what}" for size, what in page.evaluate(SIZES) if size < SMALLEST_PRINT]
            if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
                wide.append(address)
    assert small == []
    assert wide == []


@slow
@in_browser
def test_no_column_is_cut_off_at_1300_pixels(browser, kinds):
    folder, addresses = kinds
    cut = []
    path = wide_store(folder / "thirty.db", [f"maximiliana-feather-{k}" for k in range(30)], 1)
    write_pages(path, folder / "thirty", truths=read_truths(truth_path(path)))
    addresses = [*addresses, "thirty/index.html"]
    with opened(browser, folder, viewport={"width": 1300, "height": 900}) as page:
        for address in addresses:
            visit(page, folder, address)
            cut += [f"{address}: {one}" for one in page.evaluate(CUT)]
    assert cut == []


@slow
@in_browser
def test_a_phone_says_where_more_is_to_the_right_and_the_page_itself_never_scrolls(browser, kinds):
    folder, addresses = kinds
    hinted = 0
    with opened(browser, folder, viewport=PHONE) as page:
        for address in addresses:
            visit(page, folder, address)
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], address
            for label, is_wide, has_hint in page.evaluate(REGIONS):
                assert has_hint == is_wide, (address, label)
                hinted += is_wide
    assert hinted > 20


@slow
@in_browser
def test_a_hint_fades_when_the_end_has_been_seen_and_what_scrolls_can_have_the_focus(browser, kinds):
    folder, _ = kinds
    with opened(browser, folder, viewport=PHONE) as page:
        visit(page, folder, "ladder-instructor/index.html")
        region, hint = page.locator(".scroll").first, page.locator(".more").first
        assert region.get_attribute("tabindex") == "0"
        assert hint.get_attribute("class") == "more"
        region.evaluate("one => { one.scrollLeft = one.scrollWidth; }")
        page.wait_for_selector(".more.seen")
        page.set_viewport_size({"width": 1920, "height": 900})
        wait_until(lambda: page.evaluate("!document.querySelector('.scroll').hasAttribute('tabindex')"))
        hint.wait_for(state="hidden")


@slow
@in_browser
def test_the_first_page_is_searched_by_name_id_and_e_mail_and_by_section(browser, kinds):
    folder, _ = kinds
    with opened(browser, folder) as page:
        visit(page, folder, "instructor.html")
        box, rows = page.get_by_label("Find somebody by name, id or e-mail"), page.locator(".everybody tbody tr:visible")
        counts = {"": 24, "PERSON OF christopher-fe2": 2, "1017": 1, "wo3@uni": 1, "fe8 1008": 1, "zoe": 0}
        for sought, count in counts.items():
            box.fill(sought)
            assert rows.count() == count, sought
        box.fill("christopher")
        page.locator(".find select").select_option("evening")
        assert set(page.locator(".everybody tr:visible td:last-child").all_inner_texts()) == {"evening"}
        assert page.locator(".find [role=status]").inner_text() == f"{rows.count()} of 24"
        assert 0 < rows.count() < 24

"""A sample site: an event of twelve submissions, its pages, and the two pictures of them that README shows.

    python3 -m tests.sample_site build/sample        writes build/sample/cup.site and tournament/pages/screenshots/*.png
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from tests.classroom import ROOT, make
from tests.support.browsing import chromium, visit, why_not
from tournament.__main__ import main

PLAYERS = ("ann", "bob", "dana", "eli", "fay", "gil", "hana", "ivo", "kim", "max", "nia", "oli")
PICTURES = ROOT / "tournament" / "pages" / "screenshots"
SIZE = {"width": 1280, "height": 840}
GAME = "games.html#hana/dana/1"
TO_A_MISTAKE = """
    document.getElementById("first").click();
    // A mistake of the one who thinks aloud.
    for (let k = 0; k < 24 && !document.querySelector("#printed pre"); k += 1) document.getElementById("mistake").click();
"""

# What students print while they look for a mistake.
THINKS_ALOUD = """

class MyPlayer(MyPlayer):
    def get_input(self, go, piece_type):
        own, other = (sum(row.count(colour) for row in go.board) for colour in (piece_type, 3 - piece_type))
        points = [(i, j) for i in range(go.size) for j in range(go.size)]
        legal = [point for point in points if go.valid_place_check(*point, piece_type, test_check=True)]
        move = super().get_input(go, piece_type)
        print(f"stones: {own} of mine, {other} of theirs; {len(legal)} legal points")
        print(f"captured last: {go.died_pieces or 'nothing'}; I play {move}")
        return move
"""


def build(folder: Path) -> Path:
    """Play the event and write its pages; what was played or computed before is kept. Return the folder of pages."""
    make(folder / "all")
    chosen = folder / "hw12"
    chosen.mkdir(exist_ok=True)
    for path in (folder / "all").iterdir():
        if path.name.partition(".")[0] not in PLAYERS:
            continue
        if path.is_dir():
            shutil.copytree(path, chosen / path.name, dirs_exist_ok=True)
        else:
            shutil.copy(path, chosen / path.name)
    with (chosen / "hana" / "my_player.py").open("a") as file:
        file.write(THINKS_ALOUD)
    event = ["--name", "cup", "--rubric", "2019-second", "--size", "5", "--games", "2", "--move-seconds", "1"]
    _run("round-robin", str(chosen), *event, "--require-tier", "T0", "--store", str(folder / "cup.db"))
    _run("report", str(folder / "cup.db"), "--truth", "2", "--out", str(folder / "cup.site"))
    return folder / "cup.site"


def _run(*arguments: str) -> None:
    if status := main(arguments):
        sys.exit(status)


def take_pictures(site: Path, pictures: Path) -> None:
    """Write standings.png and game.png, by a Chromium without a window."""
    if said := why_not():
        sys.exit(f"sample_site: no pictures: {said}")
    pictures.mkdir(parents=True, exist_ok=True)
    with chromium() as browser:
        page = browser.new_page(viewport=SIZE)
        visit(page, site.resolve())
        page.screenshot(path=pictures / "standings.png")
        visit(page, site.resolve(), GAME)
        page.evaluate(TO_A_MISTAKE)
        bottom = page.evaluate("document.querySelector('.play').getBoundingClientRect().bottom")
        part = {"x": 0, "y": 0, "width": SIZE["width"], "height": bottom}
        page.screenshot(path=pictures / "game.png", full_page=True, clip=part)


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    take_pictures(build(target), PICTURES)
    print(f"pages in {target / 'cup.site'}, pictures in {PICTURES.relative_to(ROOT)}")

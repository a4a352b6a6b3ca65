"""Takes the pictures in README and docs/, from pages that `python3 -m tournament sample FOLDER --site` wrote.

    python3 -m tests.support.pictures FOLDER-small.site FOLDER-grade.site        writes docs/screenshots/*.png
"""

from __future__ import annotations

import sys
from pathlib import Path

from lab.browsing import chromium, why_not
from tests.support.browsing import visit

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "screenshots"
SIZE = {"width": 1280, "height": 840}
GAME = "games.html#hana/dana/1"
SUBMISSION = "player-max.html"
TO_A_MISTAKE = """
    document.getElementById("first").click();
    // A mistake of the one who thinks aloud.
    for (let k = 0; k < 24 && !document.querySelector("#printed pre"); k += 1) document.getElementById("mistake").click();
"""


def take_pictures(site: Path, marks: Path, pictures: Path) -> None:
    """Write standings.png and game.png of an event, marks.png and submission.png of a grade, with a headless Chromium."""
    if said := why_not():
        sys.exit(f"no pictures: {said}")
    pictures.mkdir(parents=True, exist_ok=True)
    with chromium() as browser:
        page = browser.new_page(viewport=SIZE)
        for folder, address, name in (
            (site, "index.html", "standings"), (marks, "index.html", "marks"), (marks, SUBMISSION, "submission"),
        ):  # fmt: skip
            visit(page, folder.resolve(), address)
            page.screenshot(path=pictures / f"{name}.png")
        visit(page, site.resolve(), GAME)
        page.evaluate(TO_A_MISTAKE)
        bottom = page.evaluate("document.querySelector('.play').getBoundingClientRect().bottom")
        part = {"x": 0, "y": 0, "width": SIZE["width"], "height": bottom}
        page.screenshot(path=pictures / "game.png", full_page=True, clip=part)


if __name__ == "__main__":
    take_pictures(Path(sys.argv[1]), Path(sys.argv[2]), PICTURES)
    print(f"pictures in {PICTURES.relative_to(ROOT)}")

"""A sample site: an event of twelve submissions, its pages, and the two pictures of them that README shows.

    python3 -m tests.sample_site build/sample        writes build/sample/cup.site and tournament/pages/screenshots/*.png
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from tests.classroom import ROOT, make
from tournament.__main__ import main

PLAYERS = ("ann", "bob", "dana", "eli", "fay", "gil", "hana", "ivo", "kim", "max", "nia", "oli")
PICTURES = ROOT / "tournament" / "pages" / "screenshots"
SIZE = {"width": 1280, "height": 840}
GAME = "games.html#hana/dana/1"


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
    event = ["--name", "cup", "--rubric", "2019-second", "--size", "5", "--games", "2", "--move-seconds", "1"]
    _run("round-robin", str(chosen), *event, "--require-tier", "T0", "--store", str(folder / "cup.db"))
    _run("report", str(folder / "cup.db"), "--truth", "2", "--out", str(folder / "cup.site"))
    return folder / "cup.site"


def _run(*arguments: str) -> None:
    if status := main(arguments):
        sys.exit(status)


def take_pictures(site: Path, pictures: Path) -> None:
    """Write standings.png and game.png, by a Chromium without a window."""
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        sys.exit("sample_site: no Chromium on this machine, so no pictures: apt-get install chromium")
    pictures.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"], timeout=180_000)
        page = browser.new_page(viewport=SIZE)
        page.goto(f"{site.resolve().as_uri()}/index.html")
        page.screenshot(path=pictures / "standings.png")
        page.goto(f"{site.resolve().as_uri()}/{GAME}")
        page.wait_for_selector("html[data-ready]")
        page.evaluate("document.getElementById('first').click(); document.getElementById('mistake').click()")
        page.screenshot(path=pictures / "game.png")
        browser.close()


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    take_pictures(build(target), PICTURES)
    print(f"pages in {target / 'cup.site'}, pictures in {PICTURES.relative_to(ROOT)}")

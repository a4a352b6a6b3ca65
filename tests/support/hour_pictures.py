"""Takes the pictures of docs/first-hour.md: does what it says, in a folder of its own, and looks at what comes of it. And that
of docs/training.md, while a table learns.

    python3 -m tests.support.hour_pictures        writes docs/screenshots/hour-*.png and learning.png
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from lab.browsing import PATIENCE, chromium, why_not
from tests.support.board_pages import served
from tests.support.browsing import visit
from tests.support.clicked_games import shown
from tests.support.documents import ROOT, Saved, steps
from tests.support.pictures import PICTURES

HOUR = ROOT / "docs" / "first-hour.md"
SIZE = {"width": 960, "height": 700}
# The games that are played only to see who wins, and what takes longest.
LEFT_OUT = ("make install", ".venv", "--browser", "-t=20", "hour.zip")


def do_the_hour(folder: Path) -> None:
    """Save the files of the document, and run those of its commands that make something to look at."""
    for step in steps(HOUR):
        if isinstance(step, Saved):
            (folder / step.name).parent.mkdir(exist_ok=True)
            (folder / step.name).write_text(step.text)
        elif not any(part in step.line for part in LEFT_OUT):
            words = [str(ROOT / word) if word == "go_play.py" else word for word in shlex.split(step.line)[1:]]
            subprocess.run([sys.executable, *words], cwd=folder, env=os.environ | {"PYTHONPATH": str(ROOT)}, check=True)


def take_pictures(folder: Path, pictures: Path) -> None:
    """Write hour-board.png, hour-lost.png and hour-marks.png, with a headless Chromium."""
    with chromium() as browser, served() as server:
        page = browser.new_page(viewport=SIZE)
        page.set_default_timeout(PATIENCE)
        page.goto(server.address)
        page.wait_for_selector("html[data-ready]")
        for ply, point in ((2, "C3"), (4, "B2")):
            page.locator(f".point[data-name={point}]").click()
            shown(page, ply)
        page.screenshot(path=pictures / "hour-board.png")
        # Tall enough for a whole game.
        page.set_viewport_size({"width": SIZE["width"], "height": 1060})
        visit(page, folder / "hour", "lost.html")
        page.locator("#mistake").click()
        page.screenshot(path=pictures / "hour-lost.png")
        page.set_viewport_size(SIZE)
        visit(page, folder / "hour.site", "player-hour.html")
        page.screenshot(path=pictures / "hour-marks.png")


def take_learning(folder: Path, pictures: Path) -> None:
    """Write learning.png: the page of `my_player.py learn --browser` after two thirds of its games, at one against `smart`."""
    command = [sys.executable, str(ROOT / "my_player.py"), "learn", "--browser"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as learning:
        assert learning.stderr is not None
        address = learning.stderr.readline().split()[0]
        with chromium() as browser:
            page = browser.new_page(viewport={"width": 1280, "height": 760})
            page.set_default_timeout(PATIENCE)
            page.goto(address)
            page.locator("#figures tbody tr:nth-child(9)").wait_for(state="attached", timeout=0)
            page.locator("#boards").select_option("3")
            page.locator("#turn").fill("3")
            page.screenshot(path=pictures / "learning.png")
        learning.terminate()


if __name__ == "__main__":
    if said := why_not():
        sys.exit(f"no pictures: {said}")
    with tempfile.TemporaryDirectory() as made:
        do_the_hour(Path(made))
        take_pictures(Path(made), PICTURES)
        take_learning(Path(made), PICTURES)
    print(f"pictures in {PICTURES.relative_to(ROOT)}")

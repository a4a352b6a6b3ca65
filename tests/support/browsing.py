"""Chromium without a window, driven by playwright: for tests of the pages, pictures of them, and the time they take."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

CHROMIUM = next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)

PATIENCE = 180_000
"""Milliseconds: on a machine that is busy with other things a browser may need a minute to start."""

DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 360, "height": 740}


def why_not() -> str:
    """Return what is missing, '' if a browser can be started."""
    if CHROMIUM is None:
        return "no Chromium on this machine (apt-get install chromium)"
    return "" if importlib.util.find_spec("playwright") else 'playwright is not installed (pip install -e ".[test]")'


@contextmanager
def chromium() -> Iterator[Any]:
    """Start a browser; playwright's `Browser`."""
    from playwright.sync_api import sync_playwright

    # A browser that runs as root, as in a container, has no sandbox of its own.
    options = ["--no-sandbox", "--disable-dev-shm-usage"]
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=options, timeout=PATIENCE)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def opened(browser, folder, **options):
    """A page that fails the test in the end if it said something or asked for anything outside of its folder."""
    context = browser.new_context(**({"viewport": DESKTOP} | options))
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    said, asked = [], []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: asked.append(request.url))
    yield page
    context.close()
    assert said == []
    assert [url for url in asked if not url.startswith((folder.as_uri(), "data:"))] == []


def visit(page, folder, name="index.html"):
    """Open a page of a site; where it shows games, wait until it does."""
    page.goto(f"{folder.as_uri()}/{name}")
    if name.startswith("games.html"):
        page.wait_for_selector("html[data-ready]")

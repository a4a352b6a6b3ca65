"""Headless Chromium, driven by playwright."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

CHROMIUM = next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)

PATIENCE = 180_000
"""Milliseconds. On a busy machine a browser may need a minute to start."""

DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 360, "height": 740}


def why_not() -> str:
    """Return what is missing, '' if a browser can be started."""
    if CHROMIUM is None:
        return "there is no Chromium here (apt-get install chromium)"
    return "" if importlib.util.find_spec("playwright") else 'playwright is not installed (pip install -e ".[test]")'


@contextmanager
def chromium() -> Iterator[Any]:
    """Start a browser; yield playwright's `Browser`."""
    from playwright.sync_api import sync_playwright

    # Chromium's own sandbox does not work as root, as in a container.
    options = ["--no-sandbox", "--disable-dev-shm-usage"]
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=options, timeout=PATIENCE)
        try:
            yield browser
        finally:
            browser.close()

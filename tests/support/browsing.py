"""Pages in a browser. They fail their test if they write to the console or load anything from outside.

What a page comes to is waited for by `waiting.wait_until` and `page.evaluate`. Playwright's `wait_for_function` does not do it:
if it has to ask twice, it asks in the page, whose policy forbids `eval`.
"""

from __future__ import annotations

import shutil
import subprocess
import tarfile
import tempfile
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from lab.browsing import DESKTOP, PATIENCE
from tests.support.missing import node_environment, skip_if

AXE = "axe-core@4.14.1"
_KEPT = Path(__file__).parents[2] / "build" / "axe" / AXE
# Where nothing answers, npm tries for minutes.
_AT_ONCE = ("--fetch-retries=0", "--fetch-timeout=20000")
_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@contextmanager
def opened(browser, folder, **options):
    """A page. When it is closed, the test fails if the page wrote to the console or asked for anything outside its folder."""
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


@contextmanager
def opened_pages(browser, viewport=DESKTOP):
    """What opens pages of a server, each in a context of its own. The test fails if one says anything on the console."""
    said, contexts = [], []

    def open_one(address, **options):
        context = browser.new_context(**({"viewport": viewport} | options))
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(address)
        page.wait_for_selector("html[data-ready]")
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert said == []


def visit(page, folder, name="index.html"):
    """Open a page of a site; if it shows games, wait until it does."""
    address = f"{folder.as_uri()}/{name}"
    # Else another place in the same file would not be loaded anew. From one file to another a process of the browser's goes on.
    if page.url.partition("#")[0] == address.partition("#")[0]:
        page.goto("about:blank")
    page.goto(address)
    if "games.html" in name:
        page.wait_for_selector("html[data-ready]")


@cache
def axe():
    """The script of axe-core, which looks for what people who see or hear less cannot use; skips the test if there is none.

    It is one that node knows, else the one that was fetched from npm before, or is now.
    """
    kept = _KEPT / "axe.min.js"
    if not kept.is_file() and shutil.which("npm"):
        asked = ["node", "-p", "require.resolve('axe-core/axe.min.js')"]
        told = subprocess.run(asked, env=node_environment(), capture_output=True)
        if told.returncode == 0:
            return Path(told.stdout.decode().strip()).read_text("utf-8")
        with tempfile.TemporaryDirectory() as folder:
            fetched = subprocess.run(["npm", "pack", AXE, *_AT_ONCE], cwd=folder, capture_output=True)
            for packed in Path(folder).glob("*.tgz") if fetched.returncode == 0 else ():
                with tarfile.open(packed) as archive:
                    text = archive.extractfile("package/axe.min.js").read()
                _KEPT.mkdir(parents=True, exist_ok=True)
                whole = _KEPT / f"{Path(folder).name}.part"
                whole.write_bytes(text)
                whole.replace(kept)
    skip_if("" if kept.is_file() else f"there is no axe-core here, and npm cannot fetch it (npm pack {AXE})")
    return kept.read_text("utf-8")


def complaints(page, rules=None):
    """What axe says is wrong with a page as it is shown now: a line for each element. rules: those of axe to go by; if none are
    named, all that WCAG 2.2 AA asks, and more."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe())
    found = page.evaluate(f"axe.run(document, {{resultTypes: ['violations'], runOnly: {rules or _RULES}, preload: false}})")
    return [
        f"{one['id']}: {node['html'][:120]}: {' '.join(node['failureSummary'].split())[:200]}"
        for one in found["violations"]
        for node in one["nodes"]
    ]

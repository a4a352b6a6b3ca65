"""Pages in a browser. They fail their test if they write to the console or load anything from outside."""

from __future__ import annotations

from contextlib import contextmanager

from benchmarks.browsing import DESKTOP, PATIENCE


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


def visit(page, folder, name="index.html"):
    """Open a page of a site; if it shows games, wait until it does."""
    page.goto(f"{folder.as_uri()}/{name}")
    if name.startswith("games.html"):
        page.wait_for_selector("html[data-ready]")

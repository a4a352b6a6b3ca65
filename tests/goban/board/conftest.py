"""A browser and a served board, one for each file of tests, and what a page of it asks."""

import pytest

from goban.board import desk, game_files, games, truths
from lab.browsing import chromium
from tests.support.board_pages import Client, served
from tests.support.browsing import opened_pages
from tests.support.waiting import PATIENCE


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """On a busy machine the solver and a player's process find what they look for as well, only later."""
    limits = {
        desk: ["_SECONDS"],
        game_files: ["_GAME_SECONDS", "_ALL_SECONDS"],
        games: ["_WHERE_SECONDS"],
        truths: ["_GAME_SECONDS"],
    }
    for module, names in limits.items():
        for name in names:
            monkeypatch.setattr(module, name, PATIENCE)


@pytest.fixture(scope="module")
def browser():
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def server():
    with served() as server:
        yield server


@pytest.fixture
def client(server):
    return Client(server)


@pytest.fixture
def open_page(browser, server):
    with opened_pages(browser, {"width": 1280, "height": 800}) as open_one:
        yield lambda of=server, **options: open_one(of.address, **options)

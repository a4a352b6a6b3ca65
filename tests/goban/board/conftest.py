"""A browser and a served board, one for each file of tests, and what a page of it asks."""

import pytest

from lab.browsing import chromium
from tests.support.board_pages import Client, served


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

"""A browser for the tests of a file, started when the first of them needs it."""

import pytest

from lab.browsing import chromium


@pytest.fixture(scope="module")
def browser():
    with chromium() as browser:
        yield browser

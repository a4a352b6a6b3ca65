"""A process without open seats for the tests of a run."""

import pytest

from gojudge.refereeing.open_seats import close_here
from tests.support.stub_runs import Inline


@pytest.fixture
def fresh_process():
    close_here()
    Inline.order = []
    yield
    close_here()

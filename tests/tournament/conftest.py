"""Games in this process, for tests that are not about processes."""

from functools import partial

import pytest

from gojudge.refereeing.open_seats import close_here
from gojudge.refereeing.runner import Runner
from tests.support.stub_runs import Inline


@pytest.fixture
def played_here(monkeypatch):
    """Games are played here. What is started from a shell plays them in processes of its own, as people's runs do."""
    for command in ("application.runs", "commands.stores"):
        monkeypatch.setattr(f"tournament.{command}.Runner", partial(Runner, executor=Inline))
    monkeypatch.setattr("tournament.application.runs.local_executor", Inline)
    close_here()
    yield
    close_here()

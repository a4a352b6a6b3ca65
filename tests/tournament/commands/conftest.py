"""Games in this process, for tests of commands that are not about processes; and none by which `check` foresees points."""

from functools import partial

import pytest

from gojudge.refereeing.open_seats import close_here
from gojudge.refereeing.runner import Runner
from tests.support.stub_runs import Inline


@pytest.fixture
def played_here(monkeypatch):
    """Games are played here. What is started from a shell plays them in processes of its own, as people's runs do."""
    monkeypatch.setattr("tournament.application.runs.Runner", partial(Runner, executor=Inline))
    close_here()
    yield
    close_here()


@pytest.fixture(autouse=True)
def games_ahead(monkeypatch):
    """A function that sets how many games `check` plays against each reference player; none if it is not called."""

    def play(number):
        monkeypatch.setattr("tournament.commands.check.GAMES_AHEAD", number)

    play(0)
    return play

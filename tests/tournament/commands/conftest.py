"""No games by which `check` foresees points, for tests that are not about those."""

import pytest


@pytest.fixture(autouse=True)
def games_ahead(monkeypatch):
    """A function that sets how many games `check` plays against each reference player; none if it is not called."""

    def play(number):
        monkeypatch.setattr("tournament.commands.check.GAMES_AHEAD", number)

    play(0)
    return play

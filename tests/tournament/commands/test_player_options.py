"""Reference players with options, in the commands that take names of players."""

import pytest

from gojudge.errors import BadRosterError
from tournament.application.classes import single_players, take_in_players
from tournament.errors import BadEventError
from tournament.events.event_files import make_event
from tournament.events.schedules import reference_entrants

CHAMPION = "perfect:strength=9"


def test_an_entrant_is_named_after_its_options_and_made_from_them():
    (entrant,) = reference_entrants(["my:depth=3,book=a b"])
    assert (entrant.name, entrant.reference, entrant.digest) == ("my_depth_3_book_a_b", *["my:depth=3,book=a b"] * 2)


def test_names_are_short_enough_for_the_ids_of_games():
    assert len(reference_entrants([f"my:book={'x' * 100}"])[0].name) == 60


def test_an_option_nobody_has_is_refused_before_any_game(tmp_path):
    with pytest.raises(BadRosterError, match=r"^player 'perfect:strength=9': expected no options, got 'strength=9'$"):
        single_players([CHAMPION, "random"], tmp_path)
    with pytest.raises(BadRosterError, match="strength=9"):
        take_in_players([CHAMPION, "random"], None, tmp_path / "x.db", "course")


@pytest.mark.parametrize("references", [CHAMPION, ["random", CHAMPION]])
def test_event_files_and_options_are_refused_alike(references):
    with pytest.raises(BadEventError) as caught:
        make_event({"kind": "gauntlet", "references": references}, lambda key: f"cup.toml: {key}")
    said = str(caught.value)
    assert said.startswith("cup.toml: references: expected players with options that they have (player 'perfect:strength=9'")

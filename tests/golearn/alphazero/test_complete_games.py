"""A plug-in with the members of cweill/alphago's interface alone has everything that the pipeline asks for."""

import pytest

from golearn.alphazero.game_checks import check_game
from golearn.alphazero.games import CompleteGame, PlainStates, game_from_name
from tests.support.take_away import TakeAway


def test_what_a_game_lacks_has_a_default():
    game = CompleteGame(TakeAway())
    state = game.initial_state()
    assert game.max_plies is None
    assert game.margin(state) is None
    assert game.ownership(state) is None
    assert isinstance(game.states(1), PlainStates)
    assert game.solver() is None
    assert game.key(state) == state
    assert game.legal_mask((1, 1)).tolist() == [True, False]
    assert [(points.tolist(), actions.tolist()) for points, actions in game.symmetries()] == [(list(range(7)), [0, 1])]
    assert game.action_name(1) == "1"
    assert game.parse_action("1") == 1
    assert game.text(state) == "|||||||"


@pytest.mark.parametrize("text", ["2", "-1", "", "one", "²"])
def test_a_text_that_names_no_action_is_refused(text):
    with pytest.raises(ValueError, match="expected an action from 0 to 1, got"):
        CompleteGame(TakeAway()).parse_action(text)


def test_a_game_with_the_required_members_alone_passes_the_checks():
    assert check_game(TakeAway()) == []


def test_what_a_game_has_of_its_own_is_used():
    game = CompleteGame(game_from_name("go5"))
    assert game.max_plies == 24
    assert len(game.symmetries()) == 8
    assert (game.action_name(12), game.parse_action("c3"), game.action_name(25)) == ("C3", 12, "pass")

"""`check_game` says nothing of the games there are, and names the fault that was planted in one."""

import re

import numpy as np
import pytest

from golearn.alphazero.game_checks import GameFault, check_game
from golearn.alphazero.games import GAME_CHOICES, CompleteGame, Symmetry, board_symmetries, game_from_name
from golearn.alphazero.plans import Plan
from golearn.alphazero.runs import begin
from golearn.alphazero.small_games import ConnectFour, Othello, TicTacToe
from golearn.errors import BadPlanError
from tests.support.take_away import TakeAway


@pytest.mark.parametrize("name", GAME_CHOICES)
def test_nothing_is_found_in_the_games_there_are(name):
    assert check_game(game_from_name(name), games=3) == []


class Mutating(TakeAway):
    """There is one heap, and who takes from it changes it."""

    def initial_state(self):
        return Heap(7, 1)

    def apply_move(self, state, action):
        state[:] = super().apply_move(state, action)
        return state


class Heap(list):
    """A list with a hash, such as an object of one's own has it."""

    def __init__(self, *numbers):
        super().__init__(numbers)

    __hash__ = object.__hash__


class WrongPerspective(TicTacToe):
    """The first player's squares are always in plane 0."""

    def encode(self, state):
        return super().encode(state)[:: self.current_player(state)].copy()


class PlanesExchanged(Othello):
    """The mover's discs are in plane 1."""

    def encode(self, state):
        return super().encode(state)[::-1].copy()


class IllegalListed(ConnectFour):
    """Full columns are listed."""

    def legal_moves(self, state):
        return [] if self.is_terminal(state) else list(range(7))


class LegalLeftOut(TicTacToe):
    """The last square is never listed while there is another."""

    def legal_moves(self, state):
        return super().legal_moves(state)[:-1] or super().legal_moves(state)

    def symmetries(self):
        return []


class Unhashable(TakeAway):
    """States are lists."""

    def initial_state(self):
        return [7, 1]

    def apply_move(self, state, action):
        return list(super().apply_move(state, action))


class ComparedByIdentity(TicTacToe):
    """Two states that are the same are not equal."""

    class Squares(type(TicTacToe().initial_state())):
        __eq__ = object.__eq__
        __ne__ = object.__ne__
        __hash__ = object.__hash__

    def initial_state(self):
        return self.Squares(0, 0)

    def apply_move(self, state, action):
        return self.Squares(*super().apply_move(state, action))


class WinnerByTruth(TakeAway):
    """True if the first player has won, False if the second: as a number, False would be a draw."""

    def winner(self, state):
        return super().winner(state) == 1 if self.is_terminal(state) else None


class WrongShape(TakeAway):
    """Planes without the board's height."""

    def encode(self, state):
        return super().encode(state)[:, 0]


class MovesInAnArray(TakeAway):
    """The actions come from numpy."""

    def legal_moves(self, state):
        return np.array(super().legal_moves(state), dtype=np.int8)


class WrongSymmetry(ConnectFour):
    """Upside down."""

    def symmetries(self):
        return [Symmetry(np.arange(42).reshape(6, 7)[::-1].ravel(), np.arange(7))]


class ActionsNotTurned(TicTacToe):
    """The points are turned, the actions are not."""

    def symmetries(self):
        return [Symmetry(turn.points, np.arange(9)) for turn in board_symmetries(3)]


class NoPermutation(TicTacToe):
    """One point twice."""

    def symmetries(self):
        return [Symmetry(np.array([0, 0, 1, 2, 3, 4, 5, 6, 7]), np.arange(9))]


class Endless(TicTacToe):
    """A full board is wiped."""

    def winner(self, state):
        return None

    def legal_moves(self, state):
        return list(range(9))

    def apply_move(self, state, action):
        taken = state.first | state.second
        return super().apply_move(state if not taken >> action & 1 else super().initial_state(), action)

    max_plies = None


class EndlessInItsOwnWords(Othello):
    """Fewer plies are promised than played."""

    def __init__(self):
        super().__init__(6)
        self.max_plies = 10


class InOtherForms(TicTacToe):
    """The planes are whatever a function makes of them."""

    def __init__(self, form):
        self.form = form

    def encode(self, state):
        return self.form(super().encode(state))


class ColoursInOnePlane(TicTacToe):
    """Own pieces are 1, the opponent's are 2."""

    num_planes = 1

    def encode(self, state):
        own, other = super().encode(state)[:2]
        return (own + 2 * other)[None]


class SignsInOnePlane(TicTacToe):
    """Own pieces are 1, the opponent's are -1; nothing is in the other plane."""

    def encode(self, state):
        planes = super().encode(state)
        planes[0], planes[1] = planes[0] - planes[1], 0
        return planes


class NoEmptySquares(TicTacToe):
    """In one plane every square is 1 or -1: own or not."""

    num_planes = TicTacToe.num_planes + 1

    def encode(self, state):
        planes = super().encode(state)
        return np.concatenate([planes, 2 * planes[:1] - 1])


class Shaded(ConnectFour):
    """One plane says how high each point is, from 0 to 1."""

    num_planes = 3

    def encode(self, state):
        heights = np.repeat(np.linspace(0, 1, 6, dtype=np.float32)[:, None], 7, axis=1)
        return np.stack([*super().encode(state)[:2], heights])


class WinnerTooEarly(TicTacToe):
    """Somebody has won before the end."""

    def winner(self, state):
        return super().winner(state) or 0

    def is_terminal(self, state):
        return super().winner(state) is not None


class NoWinner(ConnectFour):
    """Nobody has won at the end."""

    def winner(self, state):
        return None

    def is_terminal(self, state):
        return super().winner(state) is not None


class Crashing(TicTacToe):
    """A slip in one place."""

    def encode(self, state):
        return super().encode(state) if state.first.bit_count() < 3 else {}["planes"]


PLANTED = [
    (Mutating, GameFault.MUTATING),
    (WrongPerspective, GameFault.PERSPECTIVE),
    (PlanesExchanged, GameFault.PERSPECTIVE),
    (IllegalListed, GameFault.ILLEGAL_LISTED),
    (LegalLeftOut, GameFault.LEGAL_LEFT_OUT),
    (Unhashable, GameFault.UNHASHABLE),
    (ComparedByIdentity, GameFault.UNHASHABLE),
    (WrongSymmetry, GameFault.SYMMETRY),
    (ActionsNotTurned, GameFault.SYMMETRY),
    (NoPermutation, GameFault.SYMMETRY),
    (Endless, GameFault.ENDLESS),
    (EndlessInItsOwnWords, GameFault.ENDLESS),
    (ColoursInOnePlane, GameFault.ENCODING),
    (SignsInOnePlane, GameFault.ENCODING),
    (NoEmptySquares, GameFault.ENCODING),
    (Shaded, GameFault.ENCODING),
    (WinnerTooEarly, GameFault.RESULT),
    (NoWinner, GameFault.RESULT),
    (WinnerByTruth, GameFault.RESULT),
    (Crashing, GameFault.RAISING),
]


@pytest.mark.parametrize(("game", "fault"), PLANTED, ids=lambda case: getattr(case, "__name__", ""))
def test_a_planted_fault_is_named_and_no_other(game, fault):
    assert [finding.fault for finding in check_game(game())] == [fault]


def test_moves_may_be_an_array():
    assert check_game(MovesInAnArray()) == []


KINDS = [np.float64, np.float16, np.uint8, np.int64, np.bool_, list]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_planes_may_be_numbers_of_any_kind(kind):
    def make(planes):
        return planes.tolist() if kind is list else planes.astype(kind)

    assert check_game(InOtherForms(make), games=2) == []
    game, plain = CompleteGame(InOtherForms(make)), TicTacToe()
    state = plain.apply_move(plain.initial_state(), 4)
    assert game.encode(state).dtype == np.float32
    assert np.array_equal(game.encode(state), plain.encode(state))


@pytest.mark.parametrize(("form", "told"), [
    (lambda planes: planes.astype(complex), "encode returns complex128 of shape (2, 3, 3)"),
    (lambda planes: planes.astype(str), "encode returns <U32 of shape (2, 3, 3)"),
    (lambda planes: planes[0], "encode returns float32 of shape (3, 3), expected numbers of shape (2, 3, 3)"),
    (lambda planes: None, "encode returns object of shape ()"),
    (lambda planes: [[1], [1, 2]], "encode returns what is no array: ValueError: "),
    (lambda planes: planes.astype(float) * 1e300, "encode returns numbers that are not finite"),
])  # fmt: skip
def test_planes_that_are_none_are_told(form, told):
    finding, *_ = check_game(InOtherForms(form))
    assert finding.fault is GameFault.ENCODING
    assert finding.detail.startswith(told)


@pytest.mark.parametrize(("game", "told"), [
    (WinnerByTruth, "result: winner is False at the end, expected 1, -1 or 0"),
    (WrongShape, r"encoding: encode returns float32 of shape (3, 7), expected numbers of shape (3, 1, 7)"),
    (Crashing, "raising: KeyError: 'planes'"),
    (Endless, "endless: no end after 2000 actions"),
])  # fmt: skip
def test_no_run_begins_with_a_game_of_such_a_fault(game, told, tmp_path):
    plan = Plan(game=f"{__name__}:{game.__name__}", games=5)
    with pytest.raises(BadPlanError, match=re.escape(f"game: {plan.game} has a fault: {told}")):
        begin(tmp_path / "run", plan)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(("game", "most"), [(LegalLeftOut, 0), (Unhashable, 0), (Endless, 50)])
def test_a_run_begins_where_a_fault_does_no_harm(game, most, tmp_path):
    begin(tmp_path / "run", Plan(game=f"{__name__}:{game.__name__}", games=5, max_plies=most))
    assert (tmp_path / "run" / "plan.toml").exists()


def test_a_plane_of_several_values_is_told_with_its_number_and_some_of_them():
    (finding,) = check_game(Shaded())
    assert finding.detail == (
        "plane 2 holds several values besides 0 (0.2, 0.4, 0.6, 0.8, 1): each kind of point wants a plane of its own"
    )


def test_a_plane_of_one_number_everywhere_is_none_of_several_values():
    class Counting(TicTacToe):
        num_planes = 4

        def encode(self, state):
            plies = (state.first | state.second).bit_count() / 9
            return np.concatenate([super().encode(state), np.full((4 - super().num_planes, 3, 3), plies, np.float32)])

    assert check_game(Counting()) == []


def test_who_waits_is_told_of_each_game():
    told = []
    check_game(TicTacToe(), games=4, told=told.append)
    assert told == [1, 2, 3, 4]


def test_a_finding_says_where():
    (finding,) = check_game(IllegalListed())
    said = r"illegal listed as legal: legal_moves lists (\d), but apply_move refuses it, after actions( \d)+( \.\.\.)?"
    assert re.fullmatch(said, str(finding))
    assert all(finding.actions.count(column) <= 6 for column in range(7))

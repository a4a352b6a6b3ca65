"""The host's loop: two seats, one game, from a state to its outcome.

A *seat* is whatever answers for a player. It gets the state and, if it is asked again in the same turn, what was wrong with
its last answer; it returns an answer, which may be any object. What a seat does wrong becomes part of the record, never an
exception: the other seat must not suffer for it. The end of this file describes a game in words and drawings, move by move,
for people who watch it in a terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from goban.common.arguments import check_functions, check_kind, is_whole
from goban.common.player_faults import fault_words
from goban.diagrams import diagram
from goban.errors import BadAnswerError, BadArgumentError, BadPointError
from goban.grids import BLACK, WHITE
from goban.moves import PASS, RESIGN, AnyMove, Move, Remarked, Resign, move_name, move_of, read_answer
from goban.rulesets import COLOUR_NAMES, Ending, Outcome, opponent
from goban.states import State

Seat = Callable[[State, str], object]
"""`seat(state, complaint)` -> answer; the complaint is '' the first time in a turn."""

Watcher = Callable[[State, Move], None]

_LETTERS = {BLACK: "X", WHITE: "O"}


@dataclass(frozen=True)
class GameRecord:
    """A finished game: its start, the moves in order (Black's first if Black began), and how it ended."""

    start: State
    moves: tuple[Move, ...]
    final: State
    outcome: Outcome

    def __post_init__(self) -> None:
        check_kind(self.start, State, "a position (goban.State) as `start`", BadArgumentError)
        check_kind(self.moves, tuple, "a tuple of moves", BadArgumentError)
        check_kind(self.final, State, "a position (goban.State) as `final`", BadArgumentError)
        check_kind(self.outcome, Outcome, "an outcome (goban.Outcome)", BadArgumentError)


def record_of(start: State, moves: Iterable[AnyMove]) -> GameRecord:
    """Return the game with these moves, given as points or names; if it is not over, it counts as abandoned.

    Raises IllegalMoveError or BadPointError for a move that may not be played.
    """
    check_kind(start, State, "a position (goban.State)", BadArgumentError)
    check_kind(moves, Iterable, "the moves of a game", BadArgumentError)
    state, played = start, list[Move]()
    for move in moves:
        played.append(move_of(move, start.grid.size))
        state = state.play(played[-1])
    return GameRecord(start, tuple(played), state, state.outcome or Outcome(0, *state.scores(), Ending.LEFT))


class GameLeftError(SystemExit):
    """A person leaves in the middle of a game. record: the game so far, which nobody has won."""

    def __init__(self, code: object, record: GameRecord) -> None:
        super().__init__(code)
        self.record = record


class TakeBackError(Exception):
    """A person takes back their last move and the reply to it. Raised by a seat that has moved before."""


class _ForfeitError(Exception):
    """Ends the asking in one turn; carries how the game ended and one line about it."""

    def __init__(self, ending: Ending, detail: str) -> None:
        super().__init__(detail)
        self.ending = ending


def play_game(start: State, black: Seat, white: Seat, watch: Watcher | None = None) -> GameRecord:
    """Play a game between two functions whose answers are moves, whatever `State.play` takes; see `play_answers`."""
    check_kind(start, State, "a position (goban.State)", BadArgumentError)
    check_functions(BadArgumentError, black=black, white=white, **({} if watch is None else {"watch": watch}))
    return play_answers(start, _moving(black), _moving(white), watch)


def _moving(choose: Seat) -> Seat:
    """Return a seat that answers as a player does: there None is no pass but a forgotten `return`, and only pairs are moves."""

    def seat(state: State, complaint: str) -> object:
        answer, size = choose(state, complaint), state.grid.size
        if answer is PASS:
            return "PASS"
        try:
            is_name = isinstance(answer, str) or is_whole(answer, 0, size * size)
            return move_of(answer, size) or "PASS" if is_name else answer  # type: ignore[arg-type]
        except BadPointError:
            return answer

    return seat


def play_answers(start: State, black: Seat, white: Seat, watch: Watcher | None = None) -> GameRecord:
    """Play from `start` to the end; `watch(state, move)` is called with every new state and the move that led to it.

    A seat that raises an exception forfeits at once. KeyboardInterrupt passes through, and so does SystemExit, as
    GameLeftError: a seat that must not end the program has to convert it. TakeBackError takes the game two moves back.
    """
    seats = {1: black, 2: white}
    state, moves = start, list[Move]()
    while not state.is_over:
        try:
            move = _ask(seats[state.to_move], state)
        except _ForfeitError as fault:
            return GameRecord(start, tuple(moves), state, _forfeit(state, fault))
        except TakeBackError:
            state = start
            del moves[-2:]
            for move in moves:
                state = state.after(move)
            continue
        except SystemExit as leaving:
            outcome = Outcome(0, *state.scores(), Ending.LEFT)
            raise GameLeftError(leaving.code, GameRecord(start, tuple(moves), state, outcome)) from leaving
        state = state.after(move)
        moves.append(move)
        if watch is not None:
            watch(state, move)
    assert state.outcome is not None
    return GameRecord(start, tuple(moves), state, state.outcome)


def judge_answer(answer: object, state: State) -> tuple[Move, str, Ending]:
    """Return (the move that an answer means, what is wrong with it or '', the ending if that is not forgiven).

    An answer that is RESIGN itself, not its text, comes from our side of a GTP engine, which may resign under all rules.
    """
    if state.is_known_legal(answer):
        return answer, "", Ending.ILLEGAL_MOVE
    remark = ""
    # The true class: `isinstance` asks the object, which may lie or raise.
    if type(answer) is Remarked:
        remark = answer.remark
        answer = answer.answer
    if type(answer) is Resign:
        return RESIGN, "", Ending.ILLEGAL_MOVE
    try:
        move = read_answer(answer, state.grid.size)
    except BadAnswerError as error:
        return PASS, f"invalid answer: {error}", Ending.INVALID_ANSWER
    breach = state.why_illegal(move)
    complaint = "" if breach is None else f"illegal move {move_name(move, state.grid.size)}: {breach}{remark}"
    return move, complaint, Ending.ILLEGAL_MOVE


def _ask(seat: Seat, state: State) -> Move:
    """Return a legal move from the seat, asking again as often as the rules allow."""
    complaint = ""
    for _ in range(1 + state.rules.asked_again):
        try:
            answer = seat(state, complaint)
        except TakeBackError:
            raise
        except Exception as error:
            raise _ForfeitError(Ending.CRASH, fault_words(error)) from error
        if state.is_known_legal(answer):
            return answer
        move, complaint, ending = judge_answer(answer, state)
        if not complaint:
            return move
    # Where a program is asked again, the course has only one reason for giving up on it.
    raise _ForfeitError(Ending.ILLEGAL_MOVE if state.rules.asked_again else ending, complaint)


def _forfeit(state: State, fault: _ForfeitError) -> Outcome:
    black, white = state.scores()
    detail = f"{COLOUR_NAMES[state.to_move]} forfeits at move {state.n_move + 1}: {fault}"
    return Outcome(opponent(state.to_move), black, white, fault.ending, detail)


def move_in_words(state: State, move: Move, colours: bool = False) -> str:
    """Describe the last move and draw the board. `state` is the one after the move, or that in which a player resigned.

    colours: draw it for a terminal with colours.
    """
    if isinstance(move, Resign):
        return f"\nMove {state.n_move + 1}: {_LETTERS[state.to_move]} resigns"
    mover = _LETTERS[opponent(state.to_move)]
    drawn = diagram(state.rows(), state.last_point, state.grid.points_of(state.captured), colours)
    return f"\nMove {state.n_move}: {mover} {move_name(move, state.grid.size)}\n{drawn}"


def result_in_words(record: GameRecord) -> str:
    """Return one line that says how a game ended, and with how many points."""
    outcome = record.outcome
    points = f"X {outcome.black:g}, O {outcome.white:g} (komi included)"
    winner = f"The winner is {_LETTERS[outcome.winner]}." if outcome.winner else "The game is a tie."
    return f"Game ended: {outcome.detail or outcome.ending.value}. {points}. {winner}"

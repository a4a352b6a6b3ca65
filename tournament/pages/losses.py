"""Where in a loser's own code the move was returned that lost a game: it is asked again, once, and kept beside the results.

A game comes out the same from its seeds. So a class that has lost is asked for its moves once more, in a sandbox of its own, up
to the one that lost the game, and says at that one which line returned it. Games that count are played without that. What it
says is its own word: no more is taken of it than a place in its own files, and the source there is read from the copy of what
was handed in. Pages show it to its own student and to the instructor.

A line of STORE.losses.jsonl is a game; its key is made of the game, the loser's files and the moves. Half a line is skipped.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from goban.common.files import append_line
from goban.common.player_faults import Passage, passages
from goban.game import GameLeftError, play_answers
from goban.grids import BLACK, WHITE
from goban.moves import move_name
from goban.points import parse_vertex
from goban.rulesets import opponent, ruleset
from goban.states import State, new_game
from gojudge.errors import HarnessFaultError
from gojudge.records import CLASS, Entrant, GameResult, PlayerFaultError
from tournament.pages.truths import Truth, truth_of

if TYPE_CHECKING:
    from gojudge.sandbox.class_seat import ClassSeat

MOST_OF_ONE, MOST_OF_PAIR = 10, 2
"""Losses that are asked again, of a submission and of these against one opponent."""
MOST_SECONDS = 30.0
"""That a loser's answers up to the losing move may have taken; others are not asked again."""


@dataclass(frozen=True)
class LosingMove:
    """key: what it is known by. move: which one lost the game. passages: where it was returned; why: a sentence that says why
    that is not known, '' if it is."""

    key: str
    move: int
    passages: tuple[Passage, ...] = ()
    why: str = ""


@dataclass(frozen=True)
class LossQuestion:
    """A loss that may be asked again."""

    result: GameResult
    loser: Entrant
    move: int

    @property
    def key(self) -> str:
        """What its answer is known by."""
        return _key(self.result, self.loser, self.move)


# Which move it was


def losing_move(result: GameResult, truth: Truth | None, rules: str, size: int) -> int | None:
    """Return the number of the move that lost a game; None if no move did. `replay.js` opens the game there. It is the loser's
    last move that gave away a better result, else the move that cost most stones. Without known values it is the move before
    the largest capture.
    """
    if not result.winner or result.forfeited_by:
        return None
    own = range(opponent(result.winner), len(result.turns) + 1, 2)
    if truth is None or all(winner is None for winner in truth.winners):
        return _before_capture(result, rules, size)
    turned = [ply for ply in own if truth.turn(ply) and truth.winners[ply] == result.winner]
    costly = max(own, key=lambda ply: truth.cost(ply) or 0, default=0)
    return turned[-1] if turned else costly if costly and truth.cost(costly) else None


def _before_capture(result: GameResult, rules: str, size: int) -> int | None:
    state, latest, most = new_game(ruleset(rules), size), None, 1
    for ply, turn in enumerate(result.turns):
        if turn.move == "resign":
            break
        mover = state.to_move
        state = state.after(parse_vertex(turn.move, size))
        if ply and mover == result.winner and (taken := state.captured.bit_count()) >= most:
            latest, most = ply, taken
    return latest


def questions(
    results: Iterable[GameResult], entrants: Iterable[Entrant], truths: Mapping[str, Truth], rules: str, size: int
) -> Iterator[LossQuestion]:
    """Yield the losses whose lines pages show: the first ones of each class, of several opponents."""
    classes = {one.name: one for one in entrants if one.is_submission and one.kind == CLASS}
    counts: Counter[tuple[str, ...]] = Counter()
    for result in results:
        loser = classes.get(loser_of(result))
        if loser is None:
            continue
        pair = loser.name, result.spec.opponent_of(loser.name)
        if counts[loser.name,] >= MOST_OF_ONE or counts[pair] >= MOST_OF_PAIR:
            continue
        if (move := losing_move(result, truth_of(result.turns, rules, size, truths), rules, size)) is not None:
            counts[loser.name,] += 1
            counts[pair] += 1
            yield LossQuestion(result, loser, move)


def loser_of(result: GameResult) -> str:
    """Return the name of who has lost a game, '' for nobody."""
    return {BLACK: result.spec.white, WHITE: result.spec.black}.get(result.winner or 0, "")


def _key(result: GameResult, loser: Entrant, move: int) -> str:
    moves = " ".join(turn.move for turn in result.turns[:move])
    return hashlib.sha256(f"{result.spec.id} {loser.digest} {moves}".encode()).hexdigest()[:24]


# Asking again


def ask_again(question: LossQuestion, seat: ClassSeat, start: State) -> LosingMove:
    """Ask a loser for its moves once more, in a seat of its own. Raises what seats raise for faults that are ours."""
    result, move = question.result, question.move
    colour = opponent(result.winner or BLACK)
    took = sum(turn.spent.charge for turn in result.turns[colour - 1 : move : 2])
    if took > MOST_SECONDS:
        why = f"This move was not asked for again: its player's answers up to it took {took:.0f} s."
        return LosingMove(question.key, move, why=why)
    names = [turn.move for turn in result.turns[:move]]
    played, last = _play_again(question, seat, start, colour, names)
    if played != names:
        at = next((k for k, pair in enumerate(zip(played, names, strict=False)) if pair[0] != pair[1]), len(played))
        now = played[at] if at < len(played) else "nothing"
        why = f"Where this move was returned is not known: asked again for move {at + 1}, it answered {now}."
        return LosingMove(question.key, move, why=why)
    places = tuple(passages(_places(last), str(question.loser.folder)))
    return LosingMove(question.key, move, places, "" if places else "Where this move was returned is not known.")


def _play_again(
    question: LossQuestion, seat: ClassSeat, start: State, colour: int, names: Sequence[str]
) -> tuple[list[str], list[object]]:
    """Return the moves that come of it if a loser is asked anew and the other moves as before; and where the last came from."""
    last: list[object] = []
    faults: list[HarnessFaultError] = []

    def own(state: State, complaint: str) -> object:
        if state.n_move >= len(names):
            raise SystemExit
        # Only then, so that nothing about the others can differ.
        seat.follows = state.n_move == len(names) - 1
        try:
            reply = seat.answer(state, complaint)
        except HarnessFaultError as error:
            faults.append(error)
            raise
        last[:] = reply.came_from
        return reply.answer

    def other(state: State, complaint: str) -> object:
        if state.n_move >= len(names) or complaint:
            raise SystemExit
        point = parse_vertex(names[state.n_move], state.grid.size)
        return "PASS" if point is None else point

    played: list[str] = []
    try:
        seat.begin(question.result.spec, colour)
        seats = (own, other) if colour == BLACK else (other, own)
        play_answers(start, *seats, watch=lambda state, one: played.append(move_name(one, state.grid.size)))
    except (GameLeftError, PlayerFaultError):
        pass
    finally:
        seat.follows = False
        seat.end()
    if faults:
        raise faults[0]
    return played[: len(names)], last


def _places(said: Iterable[object]) -> list[tuple[str, int, str]]:
    """Return the entries that have the types of a place in a file; a submission may say anything."""
    places = []
    for one in said:
        match one:
            case [str(file), int(line), str(function)]:
                places.append((file, line, function))
    return places


# The file


def losses_path(store: Path) -> Path:
    """Return the path of the file with the losing moves of a store's games."""
    return store.with_name(f"{store.name}.losses.jsonl")


def read_losses(path: Path) -> dict[str, LosingMove]:
    """Return game id -> what is known of a loss; lines that cannot be read are skipped."""
    losses: dict[str, LosingMove] = {}
    if path.is_file():
        for line in path.read_bytes().splitlines():
            try:
                data = json.loads(line)
                kept = tuple((str(a), int(b), str(c), int(d), [str(one) for one in e]) for a, b, c, d, e in data["passages"])
                losses[data["game"]] = LosingMove(data["key"], int(data["move"]), kept, str(data["why"]))
            except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
                continue
    return losses


def append_loss(path: Path, game: str, loss: LosingMove) -> None:
    """Append a line. Only the owner can read the file, for it has lines of what was handed in. Raises OSError."""
    append_line(path, json.dumps({"game": game, **asdict(loss)}).encode(), 0o600)


def known_loss(result: GameResult, loser: Entrant | None, losses: Mapping[str, LosingMove]) -> LosingMove | None:
    """Return what is known of how a game was lost; None if nothing is, or if its loser has handed in anew since."""
    loss = losses.get(result.spec.id)
    return loss if loss is not None and loser is not None and loss.key == _key(result, loser, loss.move) else None

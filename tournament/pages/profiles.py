"""What a player's games say about them: forfeits by cause, moves missed, losses and why, time per move, accuracy.

And what players can do, on their pages: read from the file that `probe --out STORE.probes.json` has written.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from goban.common.excerpts import quoted_path
from goban.common.files import read_bounded
from goban.errors import GobanError
from goban.grids import BLACK, WHITE
from goban.rulesets import COLOUR_NAMES, opponent
from goban.solver.candidates import loses
from gojudge.errors import JudgeError
from gojudge.records import Entrant, GameResult
from gojudge.seats import Limits
from tournament.pages.editions import game_number
from tournament.pages.truths import PHASES, Accuracy, Truth, count_accuracy
from tournament.pages.words import TimeOut, cause, common_cause, ending, forfeit, instead, traceback, turning_point, visible
from tournament.probing.findings import drawing
from tournament.probing.positions import Position, read_moves

# Upper ends of the bins of times, in seconds; the last bin is open.
BINS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
BIN_LABELS = ("≤ 1 ms", "≤ 3 ms", "≤ 10 ms", "≤ 30 ms", "≤ 0.1 s", "≤ 0.3 s", "≤ 1 s", "≤ 3 s", "longer")
MOST_LOSSES = 200
"""Losses shown on a player's page. Further ones are found among the games of each pair."""
MOST_CAUSES = 20
MOST_NAMED = 12
"""Games named for one cause of forfeits."""
MOST_MISSED = 6
_REASON_CHARACTERS = 4_000


@dataclass(frozen=True, slots=True)
class GamePlace:
    """One game of a player, or a move of it. ply: 0 for the game as a whole."""

    opponent: str
    number: int
    colour: int
    moves: int
    ply: int = 0


@dataclass(frozen=True, slots=True)
class Loss:
    """A lost game that was played to its end."""

    place: GamePlace
    why: str
    turning: str


@dataclass(slots=True)
class ForfeitCause:
    """Forfeits of one cause. cause: what they have in common. why, evidence: of the first one, evidence '' if it left none.
    timed_out: the answer of the first one that took too long, None if it is no time-out. places: of the first MOST_NAMED."""

    cause: str
    why: str
    evidence: str
    timed_out: TimeOut | None = None
    count: int = 0
    places: list[GamePlace] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class MissedMove:
    """A move that cost its player something. turn: 'win to loss', '' if the result stayed; cost: stones, None if unknown."""

    place: GamePlace
    move: str
    better: str
    turn: str
    cost: int | None

    @property
    def weight(self) -> tuple[bool, bool, int]:
        """What ranks missed moves: those that lost the game first, then those that lost a win, then by stones."""
        return loses(self.turn), bool(self.turn), self.cost or 0


@dataclass(slots=True)
class Profile:
    """Gathered game by game.

    times: answers per bin of BINS. faults: `common_cause` -> forfeits, the first MOST_CAUSES. losses: the first MOST_LOSSES
    without a forfeit, of `lost` in all. missed: the worst moves for which a better one is known, worst first. limits: those of
    the event.
    """

    times: list[int] = field(default_factory=lambda: [0] * len(BIN_LABELS))
    faults: dict[str, ForfeitCause] = field(default_factory=dict)
    losses: list[Loss] = field(default_factory=list)
    lost: int = 0
    missed: list[MissedMove] = field(default_factory=list)
    phases: list[Accuracy] = field(default_factory=lambda: [Accuracy() for _ in range(PHASES)])
    limits: Limits = field(default_factory=Limits)

    def add(
        self, result: GameResult, colour: int, truth: Truth | None, size: int, timed_out: TimeOut | None = None
    ) -> None:
        """Add a game that the player played as `colour`. timed_out: what is known of the answer that ended it."""
        for answer in result.answers_of(colour):
            self.times[min(bisect_right(BINS, answer.spent.charge), len(BINS))] += 1
        spec = result.spec
        place = GamePlace(spec.white if colour == BLACK else spec.black, int(game_number(spec.id)), colour, len(result.turns))
        if truth is not None:
            count_accuracy(self.phases, truth, colour, size)
            self._miss(result, truth, place)
        if result.forfeited_by == colour:
            self._forfeit(result, place, timed_out)
        elif result.winner == 3 - colour:
            self.lost += 1
            if len(self.losses) < MOST_LOSSES:
                why = visible(ending(result), _REASON_CHARACTERS)
                self.losses.append(Loss(place, why, turning_point(truth, result)))

    def _forfeit(self, result: GameResult, place: GamePlace, timed_out: TimeOut | None) -> None:
        what = cause(result)
        key = common_cause(what)
        if key not in self.faults and len(self.faults) >= MOST_CAUSES:
            key = what = "other causes"
        first = ForfeitCause(what, forfeit(result, self.limits), traceback(result), timed_out)
        fault = self.faults.setdefault(key, first)
        if fault.cause != what:
            fault.cause = key
        fault.count += 1
        if len(fault.places) < MOST_NAMED:
            fault.places.append(place)

    def _miss(self, result: GameResult, truth: Truth, place: GamePlace) -> None:
        for ply in truth.mistakes:
            if ply % 2 == place.colour % 2 and (better := instead(truth, ply)):
                at = GamePlace(place.opponent, place.number, place.colour, place.moves, ply)
                self.missed.append(MissedMove(at, result.turns[ply - 1].move, better, truth.turn(ply), truth.cost(ply)))
        self.missed.sort(key=lambda one: one.weight, reverse=True)
        del self.missed[MOST_MISSED:]

    @property
    def causes(self) -> list[tuple[str, ForfeitCause]]:
        """The causes of forfeits, the most frequent first."""
        return sorted(((fault.cause, fault) for fault in self.faults.values()), key=lambda item: -item[1].count)


def add_game(
    profiles: Mapping[str, Profile], result: GameResult, truth: Truth | None, size: int, timed_out: TimeOut | None = None
) -> None:
    """Add a game to the profiles of its players; not all players have one."""
    for name, colour in ((result.spec.black, BLACK), (result.spec.white, WHITE)):
        if name in profiles:
            profiles[name].add(result, colour, truth, size, timed_out)


# Games worth looking at, so that nobody needs to know whom to choose: short lists that are written beside the games.
#
#     all         the first ones                               forfeits    lost by a fault of a program
#     upsets      won by the one with the lower rating         longest     most moves, then most time
#     thrown      lost by who had a won position, last turn first, where that is known
#
# A list holds at most MOST games and says of how many. Where it must leave some out, everybody's first game is listed before
# anybody's second, so that one submission that always crashes does not hide the others. A game in it is a list, as
# `assets/lists.js` reads it:
#
#     number  black  white  mark  moves  milliseconds  ending  ply
#
# black and white are places in the list of players; ply is the move at which to open it, 0 for the usual one.


MOST = 400
LABELS = {
    "all": "All games", "forfeits": "Forfeits", "upsets": "Upsets", "longest": "Longest", "thrown": "Won games thrown away",
}  # fmt: skip
_Item = tuple[float, int, list[object]]


@dataclass
class Highlights:
    """Gathered game by game. places: name -> place in the list of players. ratings: name -> rating, empty for no upsets."""

    places: Mapping[str, int]
    ratings: Mapping[str, float]
    kept: dict[str, dict[int, list[_Item]]] = field(default_factory=lambda: {key: {} for key in LABELS})
    totals: dict[str, int] = field(default_factory=lambda: dict.fromkeys(LABELS, 0))

    def add(self, result: GameResult, truth: Truth | None) -> None:
        """Put a game on the lists that it belongs on."""
        spec = result.spec
        milliseconds = round(1000 * sum(turn.spent.charge for turn in result.turns))
        moves = len(result.turns)
        game = [
            int(game_number(spec.id)), self.places[spec.black], self.places[spec.white], result.text, moves, milliseconds,
            ending(result), 0,
        ]  # fmt: skip
        pair = self.places[spec.black], self.places[spec.white]
        owner, loser = min(pair), pair[(result.winner or 0) % 2]
        self._keep("all", owner, 0, game)
        if result.forfeited_by:
            self._keep("forfeits", loser, 0, game)
        else:
            self._keep("longest", owner, moves + milliseconds / 1e9, game)
        if (gap := self._gap(result)) > 0:
            self._keep("upsets", loser, gap, game)
        if ply := thrown_away(result, truth):
            self._keep("thrown", loser, ply, [*game[:-1], ply])

    def _gap(self, result: GameResult) -> float:
        """Return by how much the winner's rating is below the loser's; 0 if there was no winner or a rating is missing."""
        pair = [self.ratings.get(name) for name in (result.spec.black, result.spec.white)]
        if not result.winner or pair[0] is None or pair[1] is None:
            return 0.0
        return pair[0] - pair[1] if result.winner == 2 else pair[1] - pair[0]

    def _keep(self, key: str, owner: int, weight: float, game: list[object]) -> None:
        kept = self.kept[key].setdefault(owner, [])
        kept.append((-weight, self.totals[key], game))
        self.totals[key] += 1
        if len(kept) > 2 * MOST:
            kept.sort()
            del kept[MOST:]

    def lists(self) -> list[dict[str, object]]:
        """Return the lists that hold a game, as plain data."""
        by_kind = {key: [game for _, _, game in _fair(kept.values())] for key, kept in self.kept.items() if kept}
        return [
            {"key": key, "label": LABELS[key], "total": self.totals[key], "games": games} for key, games in by_kind.items()
        ]


def _fair(kept: Iterable[list[_Item]]) -> list[_Item]:
    """Return MOST games, the heaviest first: everybody's heaviest, then everybody's second, and so on."""
    turns = sorted((turn, item) for items in kept for turn, item in enumerate(sorted(items)))
    return sorted(item for _, item in turns[:MOST])


def thrown_away(result: GameResult, truth: Truth | None) -> int:
    """Return the last move by which the loser gave away a won game; 0 if none is known, or if a forfeit decided."""
    if truth is None or not result.winner or result.forfeited_by:
        return 0
    loser = opponent(result.winner)
    plies = range(loser, len(truth.winners), 2)
    return next((ply for ply in reversed(plies) if truth.turn(ply).startswith("win")), 0)


_MOST_BYTES = 2**28
_CHARACTERS = 200


@dataclass(frozen=True)
class MissedPosition:
    """A position that was missed: who moves, what was played, which moves win, how it looks, and the moves that lead to it."""

    to_move: str
    played: str
    wins: str
    cost: int | None
    board: str
    moves: str


@dataclass(frozen=True)
class ProbeLine:
    """One probe, as a line of a table."""

    says: str
    passed: int
    of: int
    missed: tuple[MissedPosition, ...]


@dataclass(frozen=True)
class Probed:
    """What is known of one submission. phases: (name, stones lost a game, None if unknown)."""

    passed: int
    of: int
    lines: tuple[ProbeLine, ...]
    phases: tuple[tuple[str, float | None], ...]
    alike: int
    images: int
    by_chance: int
    symmetric: int


def probed_path(store: Path) -> Path:
    """Return the path of the file with what the players of an event can do."""
    return store.with_name(f"{store.name}.probes.json")


def read_probed(path: Path, entrants: Iterable[Entrant]) -> dict[str, Probed]:
    """Return name -> what is known of a submission; {} if there is no such file.

    Of a submission that has changed since, nothing is known. Raises JudgeError for a file that cannot be read.
    """
    if not path.is_file():
        return {}
    digests = {entrant.name: entrant.digest for entrant in entrants if entrant.is_submission}
    try:
        data = json.loads(read_bounded(path, _MOST_BYTES))
        rules, profiles = str(data["rules"]), {str(one["name"]): one for one in data["profiles"]}
        return {name: _read_probed(rules, one) for name, one in profiles.items() if digests.get(name) == one["digest"]}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, GobanError):
        line = "expected what probe --out writes; remove the file, or write it anew"
        raise JudgeError(f"{quoted_path(path)}: {line}") from None


def _read_probed(rules: str, data: Mapping[str, Any]) -> Probed:
    lines = tuple(_line(rules, one) for one in data["probes"])
    phases = tuple((_text(one["name"]), _number(one["stones_a_game"])) for one in data["phases"])
    alike = (int(data["symmetric"][key]) for key in ("alike", "images", "by_chance", "positions"))
    return Probed(int(data["passed"]), int(data["of"]), lines, phases, *alike)


def _line(rules: str, data: Mapping[str, Any]) -> ProbeLine:
    missed = tuple(_read_missed(rules, one) for one in data["missed"])
    return ProbeLine(_text(data["says"]), int(data["passed"]), int(data["of"]), missed)


def _read_missed(rules: str, data: Mapping[str, Any]) -> MissedPosition:
    position = Position(rules, "", read_moves(data["moves"]), {})
    cost = None if data["cost"] is None else int(data["cost"])
    colour = COLOUR_NAMES[position.to_move].capitalize()
    return MissedPosition(colour, _text(data["played"]), _text(data["wins"]), cost, drawing(position), _text(data["moves"]))


def _number(value: object) -> float | None:
    return None if value is None else float(str(value))


def _text(value: object) -> str:
    return visible(str(value), _CHARACTERS)

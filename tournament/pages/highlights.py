"""Games worth looking at, so that nobody needs to know whom to choose: short lists that are written beside the games.

    all         the first ones                               forfeits    lost by a fault of a program
    upsets      won by the one with the lower rating         longest     most moves, then most time
    thrown      lost by who had a won position, last turn first, where that is known

A list holds at most MOST games and says of how many. Where it must leave some out, everybody's first game is listed before
anybody's second, so that one submission that always crashes does not hide the others. A game in it is a list, as
`assets/lists.js` reads it:

    number  black  white  mark  moves  milliseconds  ending  ply

black and white are places in the list of players; ply is the move at which to open it, 0 for the usual one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from goban.outcomes import opponent
from tournament.pages.editions import game_number
from tournament.pages.truths import Truth
from tournament.pages.words import ending
from tournament.records import GameResult

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
        found = {key: [game for _, _, game in _fair(kept.values())] for key, kept in self.kept.items() if kept}
        return [
            {"key": key, "label": LABELS[key], "total": self.totals[key], "games": games} for key, games in found.items()
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

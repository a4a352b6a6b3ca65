"""Which games an event consists of: pure functions of the event, its key and the names of its entrants.

A game's id is made of the two names and a number: 'alice-bob-003'. If a name has a '-' itself, the names are separated by
'~' ('anna-lena~bob-003'), which no name contains, so no two pairs share an id. The ids, seeds and colours of a pair do not
depend on who else takes part, so submissions can be added later without changing games already played.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from tournament.errors import BadRosterError, OtherEventError
from tournament.events.chance import Key
from tournament.events.events import Event
from tournament.records import Entrant, GameSpec


@dataclass(frozen=True)
class Pairing:
    """Two entrants and their games. one, other: in the order of the game ids. first: Black in game 1; colours alternate."""

    one: str
    other: str
    first: str
    games: int

    def id_of(self, number: int) -> str:
        """Return the id of game `number`, from 1."""
        between = "~" if "-" in self.one + self.other else "-"
        digits = max(3, len(str(self.games)))
        return f"{self.one}{between}{self.other}-{number:0{digits}d}"

    def colours(self, number: int) -> tuple[str, str]:
        """Return (Black, White) in game `number`."""
        second = self.other if self.first == self.one else self.one
        return (self.first, second) if number % 2 else (second, self.first)

    def game(self, number: int, key: Key) -> GameSpec:
        """Return game `number`."""
        game_id = self.id_of(number)
        return GameSpec(game_id, *self.colours(number), key.seeds(game_id))


@dataclass(frozen=True)
class Batch:
    """Games of one pairing that are still to be played, by number. They share two seats, one game after the other."""

    pairing: Pairing
    numbers: tuple[int, ...]

    def games(self, key: Key) -> Iterator[GameSpec]:
        """Yield the games, in order."""
        return (self.pairing.game(number, key) for number in self.numbers)


def reference_entrants(names: Sequence[str]) -> list[Entrant]:
    """Return the reference players of these names as entrants."""
    return [Entrant(name, reference=name, digest=name) for name in names]


def pairings(
    event: Event, entrants: Sequence[Entrant], key: Key, points: Mapping[str, float] | None = None
) -> list[Pairing]:
    """Return who plays whom, in the order in which the games are best played.

    entrants: everyone, reference players too. points: name -> points of a first stage, for a round robin; a missing name
    has none. Raises BadRosterError if two entrants have the same name, or if there are too few or too many.

        grade         every submission against every reference player
        round-robin   everyone against everyone
        match         the two entrants
        gauntlet      the first entrant against each of the others
    """
    _check_names(entrants)
    names = [entrant.name for entrant in entrants]
    if event.kind == "grade":
        own = sorted(entrant.name for entrant in entrants if not entrant.reference)
        references = [entrant.name for entrant in entrants if entrant.reference]
        _expect(bool(own), "at least one submission", own)
        _expect(bool(references), "at least one reference player", references)
        return [Pairing(name, reference, name, event.games) for name in own for reference in references]
    if event.kind == "round-robin":
        _expect(len(names) > 1, "at least two entrants", names)
        return [_by_points(event, one, other, key, points or {}) for one, other in combinations(sorted(names), 2)]
    if event.kind == "match":
        _expect(len(names) == 2, "two entrants", names)
    _expect(len(names) > 1, "one entrant and at least one opponent", names)
    return [Pairing(names[0], other, names[0], event.games) for other in names[1:]]


def _by_points(event: Event, one: str, other: str, key: Key, points: Mapping[str, float]) -> Pairing:
    """Return a pairing that gives the extra first move to the one with more points; a draw by the key decides if equal."""
    ahead = points.get(one, 0.0) - points.get(other, 0.0)
    first = key.draws_first(one, other) if ahead == 0 else ahead > 0
    return Pairing(one, other, one if first else other, event.games)


def _check_names(entrants: Sequence[Entrant]) -> None:
    seen: dict[str, Entrant] = {}
    for entrant in entrants:
        other = seen.setdefault(entrant.name, entrant)
        if other is not entrant:
            what = [f"the reference player {e.name}" if e.reference else str(e.folder) for e in (other, entrant)]
            raise BadRosterError(f"expected entrants of different names, got {entrant.name!r} twice: {' and '.join(what)}")


def _expect(right: bool, what: str, names: Sequence[str]) -> None:
    if not right:
        raise BadRosterError(f"expected {what}, got {', '.join(names) or 'none'}")


def open_batches(pairs: Sequence[Pairing], finished: Mapping[str, str]) -> list[Batch]:
    """Return the games that are not finished, pair by pair. finished: id -> who was Black.

    Raises OtherEventError if a finished game was played with other colours than it would have now.
    """
    batches = []
    for pairing in pairs:
        missing = []
        for number in range(1, pairing.games + 1):
            game_id = pairing.id_of(number)
            black = finished.get(game_id)
            if black is None:
                missing.append(number)
            elif black != pairing.colours(number)[0]:
                raise OtherEventError(
                    f"game {game_id} was played with {black} as Black, now it would be {pairing.colours(number)[0]}: "
                    "have points of the first stage changed, or the order of the entrants?"
                )
        if missing:
            batches.append(Batch(pairing, tuple(missing)))
    return batches

"""Which games an event consists of: pure functions of the event, its key and the names of its entrants.

A game's id is made of the two names and a number: 'alice-bob-003'. If a name has a '-' itself, the names are separated by
'~' ('anna-lena~bob-003'), which no name contains, so no two pairs share an id. The ids, seeds and colours of a pair do not
depend on who else takes part, so submissions can be added later without changing games already played.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import shlex
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from operator import itemgetter

from goban.common.command_lines import command_line
from goban.grids import BLACK, WHITE
from gojudge.errors import BadRosterError
from gojudge.records import Entrant, GameSpec
from tournament.errors import OtherEventError
from tournament.events.events import Event

# Chance: an event's secret key, and all that is drawn by it.
#
#     the key            256 random bits, drawn when the event's store is made and kept in it; or made of `--seed N`
#     players' seeds     of each player in each game, 128 bits: all its random choices in this game come from it
#     the first draw     who has the extra first move of two with equal points; the schedule shows what came of it
#     places             who meets whom in the first round, and among equals later; the schedule shows that, too
#
# Everything is HMAC-SHA-256 (RFC 2104) of the key and the name of what is drawn. Whoever knows some of these values can
# compute neither another one nor the key. A player is given its own seed and nothing else that depends on the key. A game
# has no seed of its own: nothing in it is drawn but by its players.
#
# The key is shown by `python3 -m tournament key` only. It is in no page, export or message.


_KEY_BYTES = 32
_SEED_BYTES = 16


@dataclass(frozen=True)
class Key:
    """An event's key. secret: 32 bytes; left out of the key's `repr`, so that no message shows it by accident."""

    secret: bytes = field(repr=False)

    def seeds(self, game_id: str) -> tuple[int, int]:
        """Return the seeds of Black and of White in a game, each 0 .. 2**128 - 1."""
        return self._draw("player", game_id, str(BLACK)), self._draw("player", game_id, str(WHITE))

    def draws_place(self, name: str) -> int:
        """Return the place of an entrant among its equals when rounds are made: a number that nobody can foretell."""
        return self._draw("place", name)

    def draws_first(self, one: str, other: str) -> bool:
        """Tell whether the draw for the extra first move between these two falls on the first named."""
        return self._draw("first move", one, other) % 2 == 1

    def chooses(self, game_id: str, share: float) -> bool:
        """Tell whether a game is one of this share that is played again to check it."""
        return self._draw("check", game_id) < int(share * (1 << 8 * _SEED_BYTES))

    def mark_of_check(self, game_id: str, worker: str) -> str:
        """Return what says that a game has been checked that a worker has played; nobody else can make it."""
        return f"{self._draw('checked', game_id, worker):032x}"

    def _draw(self, *name: str) -> int:
        # No id and no entrant's name holds the separator, so no two draws share a name.
        text = "\x1f".join(name).encode()
        return int.from_bytes(hmac.digest(self.secret, text, hashlib.sha256)[:_SEED_BYTES], "big")


def new_key() -> Key:
    """Return a key that nobody knows, from the operating system's source of random bytes."""
    return Key(secrets.token_bytes(_KEY_BYTES))


def key_of_seed(seed: int) -> Key:
    """Return the key that `--seed` stands for: the SHA-256 of a label and the number. It is as public as the number."""
    return Key(hashlib.sha256(f"go-competition-harness event key {seed}".encode()).digest())


_OTHER = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST_NAME = 60


@dataclass(frozen=True)
class Pairing:
    """Two entrants and their games. one, other: in the order of the game ids. first: Black in game 1; colours alternate.

    digits: how many a game's number has at least in its id; 0 for three, or as many as `games` has. round: in which the two
    meet, from 1; it stands before the number ('ann-bob-2003'). 0 where there are no rounds.
    """

    one: str
    other: str
    first: str
    games: int
    digits: int = 0
    round: int = 0

    def id_of(self, number: int) -> str:
        """Return the id of game `number`, from 1."""
        between = "~" if "-" in self.one + self.other else "-"
        return f"{self.one}{between}{self.other}-{self.round or ''}{number:0{self._digits}d}"

    @property
    def ids(self) -> list[str]:
        """The ids of its games, in order."""
        return [self.id_of(number) for number in range(1, self.games + 1)]

    @property
    def _digits(self) -> int:
        return self.digits or max(3, len(str(self.games)))

    def round_of(self, game_id: str) -> int:
        """Return the round in the id of a game of such a pair; 0 if there is none."""
        return int(game_id.rpartition("-")[2][: -self._digits] or 0)

    def due(self, games: int) -> Pairing:
        """Return the pairing with another number of games; the games keep the ids that they have in this one."""
        return replace(self, games=games, digits=self._digits)

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
    """Return the reference players of these names, with options or without, as entrants.

    Those with options are called like `montecarlo_simulations_5000`.
    """
    return [Entrant(_OTHER.sub("_", name)[:_LONGEST_NAME], reference=name, digest=name) for name in names]


def pairings(
    event: Event, entrants: Sequence[Entrant], key: Key, points: Mapping[str, float] | None = None
) -> list[Pairing]:
    """Return who plays whom, in the order in which the games are best played.

    entrants: everyone, reference players too. points: name -> points of a first stage, for a round robin; a missing name
    has none. Raises BadRosterError if two entrants have the same name, or if there are too few or too many.

        grade         every submission against every reference player
        round-robin   everyone against everyone; which of these are played may depend on results
        match         the two entrants
        gauntlet      the first entrant against each of the others
    """
    _check_names(entrants)
    names = [entrant.name for entrant in entrants]
    if event.kind == "grade":
        own = sorted(entrant.name for entrant in entrants if entrant.is_submission)
        references = [entrant.name for entrant in entrants if entrant.reference]
        _expect(bool(own), "at least one submission", own)
        _expect(bool(references), "at least one reference player", references)
        return [Pairing(name, reference, name, event.games) for name in own for reference in references]
    if event.kind == "round-robin":
        _expect(len(names) > 1, "at least two entrants", names)
        return [_by_points(event, one, other, key, points or {}) for one, other in combinations(sorted(names), 2)]
    if event.kind == "match":
        _expect(len(names) == 2, "two entrants for a match (round-robin and gauntlet take more)", names)
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
        other = seen.get(entrant.name)
        if other is not None:
            if entrant.reference and other.reference:
                raise BadRosterError(
                    f"expected entrants of different names, got {entrant.name!r} twice; "
                    f"{command_line('go_play')} -p1={entrant.name} -p2={entrant.name} plays a player against itself"
                )
            what = " and ".join(map(_about, (other, entrant)))
            raise BadRosterError(f"expected entrants of different names, got {entrant.name!r} twice: {what}")
        seen[entrant.name] = entrant


def _about(entrant: Entrant) -> str:
    if entrant.engine is not None:
        return f"the engine {shlex.join(entrant.engine.command)}"
    return f"the reference player {entrant.name}" if entrant.reference else str(entrant.folder)


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
        for number, game_id in enumerate(pairing.ids, 1):
            black = finished.get(game_id)
            if black is None:
                missing.append(number)
            elif black != pairing.colours(number)[0]:
                raise OtherEventError(
                    f"game {game_id} was played with {black} as Black, now it would be {pairing.colours(number)[0]}: "
                    "have first-stage points changed, or the order of the entrants?"
                )
        if missing:
            batches.append(Batch(pairing, tuple(missing)))
    return batches


def in_groups(batches: Sequence[Batch], references: Collection[str], seats: int) -> list[list[Batch]]:
    """Return the same games in groups that a worker plays one after the other, so that it loads few players.

    A group has the games of one submission against all reference players, or of one entrant against a few others; against the
    same few all others play next. references: names of players that are not loaded. seats: how many players a worker keeps
    loaded, at least 3: the few, the last group's entrant and this one's.
    """
    rows: dict[str, int] = {}
    groups: dict[tuple[int, str], list[Batch]] = {}
    for batch in batches:
        one, other = batch.pairing.one, batch.pairing.other
        block = rows.setdefault(one, len(rows)) // (seats - 2)
        groups.setdefault((block, one if other in references else other), []).append(batch)
    return [groups[key] for key in sorted(groups, key=itemgetter(0))]


def count_by_pair(batches: Sequence[Batch], later: int = 0) -> Counter[frozenset[str]]:
    """Return pair of names -> number of games. The empty pair has the `later` games, whose players are not known yet."""
    games = Counter({frozenset[str](): later} if later else {})
    for batch in batches:
        games[frozenset((batch.pairing.one, batch.pairing.other))] += len(batch.numbers)
    return games


def in_turns(batches: Sequence[Batch]) -> list[list[Batch]]:
    """Return the same games in groups of one game: the first of each pairing, then the second of each, and so on.

    So a run that ends early has played about as many games of every pairing, and as many with each colour.
    """
    most = max((len(batch.numbers) for batch in batches), default=0)
    rounds = ((batch, batch.numbers[turn : turn + 1]) for turn in range(most) for batch in batches)
    return [[replace(batch, numbers=numbers)] for batch, numbers in rounds if numbers]

"""Ideas: what a move does on the board. Each function returns the legal placements of the player to move that do it.

These look at the board only, never at what a move is worth: the probes put the two together.

A ladder is a group with two liberties that is put into atari again and again, until it cannot run any further. What is read is
the ladder alone. A runner who can take a stone of the ladder counts as safe; the exact solver has the last word on every
position of the probes that is drawn by this.

In each position of a *probe* the game hangs on one idea, and that is exact:

    FIND    some moves win, at most half of all, and each of them is of the idea
    AVOID   some moves win, some lose, and each of those is of the idea

So whoever keeps the win has passed, and whoever loses it has missed, or fallen for, just this. The winner is the one with
best play of both sides to the end (`goban.solver.solver`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from enum import Enum

from goban.moves import PASS, Move
from goban.points import Point
from goban.states import State, ko_points, taken_by

Idea = Callable[[State], frozenset[Move]]


def any_move(state: State) -> frozenset[Move]:
    """All legal moves."""
    return frozenset(state.legal_moves())


def passing(state: State) -> frozenset[Move]:
    """A pass, where the rules have it."""
    return frozenset([PASS]) & any_move(state)


def safe_captures(state: State) -> frozenset[Move]:
    """Captures after which the stone that captured has two liberties or more."""
    return frozenset(point for point, taken in _captures(state) if _liberties_after(state, point) > 1)


def larger_captures(state: State) -> frozenset[Move]:
    """Where captures of different sizes can be made: the largest ones."""
    sizes = {point: taken.bit_count() for point, taken in _captures(state)}
    if len(set(sizes.values())) < 2:
        return frozenset()
    return frozenset(point for point, size in sizes.items() if size == max(sizes.values()))


def rescues(state: State) -> frozenset[Move]:
    """Moves that capture nothing, and after which two own stones or more that were in atari have two liberties or more."""
    return frozenset(point for point in _quiet(state) if _saves(state, point, least=2))


def rescuing_captures(state: State) -> frozenset[Move]:
    """Captures after which own stones that were in atari have two liberties or more."""
    return frozenset(point for point, _ in _captures(state) if _saves(state, point, least=1))


def double_ataris(state: State) -> frozenset[Move]:
    """Moves that capture nothing and put two opposing groups into atari that were not."""
    return frozenset(point for point in _quiet(state) if _new_ataris(state, point) > 1)


def snapbacks(state: State) -> frozenset[Move]:
    """Moves that put in a lone stone with one liberty; who takes it loses two stones or more on that same point."""
    return frozenset(point for point in _quiet(state) if _is_snapback(state, point))


def baits(state: State) -> frozenset[Move]:
    """Captures after which the opponent can take more stones than were captured."""
    return frozenset(point for point, taken in _captures(state) if _most_taken(state.after(point)) > taken.bit_count())


def ladders(state: State) -> frozenset[Move]:
    """Moves that begin a ladder of two ataris or more that works."""
    moves = set[Move]()
    for target in _groups(state, state.colours()[1]):
        point = _a_point(state, target)
        moves |= {move for move in ladder_starts(state, point) if ataris_after(state, move, point) > 1}
    return frozenset(moves)


def ladder_runs(state: State) -> frozenset[Move]:
    """Moves that pull a group out of atari to two liberties, and into a ladder that works."""
    moves = set[Move]()
    for group in _groups(state, state.colours()[0]):
        liberties = state.grid.liberties(group, state.empty)
        if liberties.bit_count() != 1 or taken_by(state, liberties):
            continue
        flight = state.grid.point[liberties]
        if state.allows(flight) and ladder_ataris(state.after(flight), flight):
            moves.add(flight)
    return frozenset(moves)


def ko_captures(state: State) -> frozenset[Move]:
    """Captures of one stone after which ko forbids to take back at once."""
    return frozenset(point for point, taken in _captures(state) if ko_points(state.after(point)))


def ko_answers(state: State) -> frozenset[Move]:
    """All legal moves where ko forbids to take back now."""
    return any_move(state) if ko_points(state) else frozenset()


def connections(state: State) -> frozenset[Move]:
    """Moves that capture nothing and join two own groups or more."""
    own = state.colours()[0]
    return frozenset(point for point in _quiet(state) if _groups_beside(state, point, own) > 1)


def cuts(state: State) -> frozenset[Move]:
    """Moves that capture nothing, on a point where two opposing groups or more could have been joined."""
    other = state.colours()[1]
    return frozenset(point for point in _quiet(state) if _groups_beside(state, point, other) > 1)


def self_ataris(state: State) -> frozenset[Move]:
    """Moves that capture nothing and leave the group of the stone one liberty."""
    return frozenset(point for point in _quiet(state) if _liberties_after(state, point) == 1)


def own_eyes(state: State) -> frozenset[Move]:
    """Moves into an eye of the player's own, see `Grid.is_eye`."""
    own = state.colours()[0]
    return frozenset(point for point in _quiet(state) if state.grid.is_eye(state.grid.bit[point], own))


def quiet_positions(state: State) -> frozenset[Move]:
    """All legal moves where no group is in atari."""
    stones = (state.black, state.white)
    in_atari = any(free.bit_count() == 1 for colour in stones for free in state.grid.by_liberties(colour, state.empty))
    return frozenset() if in_atari else any_move(state)


# Ladders


def ladder_ataris(state: State, point: Point) -> int:
    """Return in how many ataris the player to move catches the opposing group on `point`, 0 if it is not caught so.

    The group must have two liberties. Of two ladders the first that works counts.
    """
    return next((ataris for move in ladder_starts(state, point) if (ataris := ataris_after(state, move, point))), 0)


def ladder_starts(state: State, point: Point) -> list[Point]:
    """Return the legal moves that put the opposing group on `point` into atari; [] unless it has two liberties."""
    _, liberties = state.group_at(point)
    if liberties.bit_count() != 2:
        return []
    return [move for move in state.grid.points_of(liberties) if state.allows(move)]


def ataris_after(state: State, move: Point, point: Point) -> int:
    """Return in how many ataris, this one counted, the group on `point` is caught if `move` puts it into atari; 0 if not."""
    after = state.after(move)
    stones, liberties = after.group_at(point)
    if after.is_over or liberties.bit_count() != 1 or _can_take(after, stones):
        return 0
    flight = after.grid.point[liberties]
    if not after.allows(flight):
        return 1
    fled = after.after(flight)
    left = fled.group_at(point)[1].bit_count()
    if fled.is_over or left > 2:
        return 0
    if left < 2:
        return 1
    rest = ladder_ataris(fled, point)
    return rest + 1 if rest else 0


def _can_take(state: State, stones: int) -> bool:
    """Tell whether the player to move, whose `stones` are in atari, can take a group that touches them."""
    grid, other = state.grid, state.colours()[1]
    touching = grid.adjacent(stones) & other
    groups = grid.by_liberties(grid.group(touching, other) if touching else 0, state.empty)
    return any(free.bit_count() == 1 and state.allows(grid.point[free]) for free in groups)


# Parts


def _points(state: State) -> list[Point]:
    return [] if state.is_over else state.grid.points_of(state.placements())


def _captures(state: State) -> Iterator[tuple[Point, int]]:
    """Yield the placements that capture, each with the mask of what it takes."""
    for point in _points(state):
        if taken := taken_by(state, state.grid.bit[point]):
            yield point, taken


def _most_taken(state: State) -> int:
    return max((taken.bit_count() for _, taken in _captures(state)), default=0)


def _quiet(state: State) -> list[Point]:
    """Return the placements that capture nothing."""
    return [point for point in _points(state) if not taken_by(state, state.grid.bit[point])]


def _groups(state: State, stones: int) -> Iterator[int]:
    while stones:
        group = state.grid.group(stones & -stones, stones)
        yield group
        stones ^= group


def _a_point(state: State, mask: int) -> Point:
    return state.grid.point[mask & -mask]


def _groups_beside(state: State, point: Point, stones: int) -> int:
    near = state.grid.near[state.grid.bit[point]]
    return sum(1 for group in _groups(state, stones) if group & near)


def _liberties_after(state: State, point: Point) -> int:
    return state.after(point).group_at(point)[1].bit_count()


def _saves(state: State, point: Point, least: int) -> bool:
    """Tell whether so many own stones, connected and in atari, have two liberties or more after a move."""
    after = state.after(point)
    for group in _groups(state, state.colours()[0]):
        in_atari = state.grid.liberties(group, state.empty).bit_count() == 1
        if in_atari and group.bit_count() >= least and after.group_at(_a_point(state, group))[1].bit_count() > 1:
            return True
    return False


def _new_ataris(state: State, point: Point) -> int:
    """Return how many opposing groups a move that captures nothing puts into atari."""
    grid, near = state.grid, state.grid.near[state.grid.bit[point]]
    beside = [group for group in _groups(state, state.colours()[1]) if group & near]
    return sum(1 for group in beside if grid.liberties(group, state.empty).bit_count() == 2)


def _is_snapback(state: State, point: Point) -> bool:
    after = state.after(point)
    stones, liberties = after.group_at(point)
    if stones.bit_count() != 1 or liberties.bit_count() != 1:
        return False
    taking = after.grid.point[liberties]
    if after.why_illegal(taking) is not None or taken_by(after, liberties) != stones:
        return False
    back = after.after(taking)
    return back.why_illegal(point) is None and taken_by(back, stones).bit_count() > 1


_MOST_WINNING = 1 / 2
FIRST_SOLVED = {"course": 6, "littlego": 8}
"""Moves made before the first positions of which it is known within seconds by how much each move wins."""
_LAST_MOVES = 6
# From here on that takes milliseconds, so many positions can be looked at.
_ANYWHERE = range(13, 24)


class Kind(Enum):
    """What is asked of the player: to find a move of an idea, or to avoid one."""

    FIND = "find"
    AVOID = "avoid"


@dataclass(frozen=True)
class Probe:
    """One probe. says: what it tests, after 'the player ...'. plies: the moves that were made before its positions.
    least: the share of the legal moves that lose, or more, if it is to AVOID. rules: those under which there are positions.
    """

    name: str
    says: str
    idea: Idea
    kind: Kind = Kind.FIND
    plies: range = _ANYWHERE
    least: float = 0.0
    rules: tuple[str, ...] = ("course", "littlego")

    def may_show(self, state: State) -> bool:
        """Tell whether a position may be one of this probe, as far as can be told without knowing who wins."""
        if state.n_move not in self.plies or state.is_over:
            return False
        shown, legal = len(self.idea(state)), len(state.legal_moves())
        return shown > 0 and (self.kind is Kind.FIND or shown >= legal * self.least)

    def shows(self, state: State, winning: Collection[Move]) -> bool:
        """Tell whether a position is one of this probe. winning: the moves that win."""
        return self.may_show(state) and self.decides(state, winning)

    def decides(self, state: State, winning: Collection[Move]) -> bool:
        """Tell whether the game hangs on the idea in a position, after however many moves. winning: the moves that win."""
        if not winning or state.is_over:
            return False
        legal, moves = state.legal_moves(), self.idea(state)
        if self.kind is Kind.FIND:
            return len(winning) <= len(legal) * _MOST_WINNING and moves.issuperset(winning)
        losing = set(legal) - set(winning)
        return 0 < len(losing) >= len(legal) * self.least and moves.issuperset(losing)


PROBES = (
    Probe("opening", "keeps a won game in the opening", any_move, plies=range(6, 9)),
    Probe("capture", "takes a free capture", safe_captures),
    Probe("larger-capture", "takes the larger of two captures", larger_captures),
    Probe("rescue", "saves a group in atari", rescues),
    Probe("rescuing-capture", "saves a group by a capture", rescuing_captures),
    Probe("double-atari", "gives atari to two groups at once", double_ataris),
    Probe("snapback", "sees a snapback", snapbacks),
    Probe("bait", "makes no capture that costs more than it takes", baits, Kind.AVOID, rules=("course",)),
    Probe("ladder", "begins a ladder that works", ladders),
    Probe("ladder-run", "does not run into a ladder", ladder_runs, Kind.AVOID),
    Probe("ko", "takes a ko", ko_captures),
    Probe("ko-answer", "finds a move where ko forbids one", ko_answers),
    Probe("connection", "joins its groups", connections),
    Probe("cut", "cuts the opponent's groups apart", cuts),
    Probe("self-atari", "avoids self-atari", self_ataris, Kind.AVOID, least=1 / 4),
    Probe("own-eye", "does not fill its own eye", own_eyes, Kind.AVOID),
    Probe("vital-point", "finds the point where nothing is in atari", quiet_positions, plies=range(11, 24)),
    Probe("pass", "passes when every stone would cost the game", passing, rules=("littlego",)),
    Probe("count", "counts in the last six moves", any_move, plies=range(18, 23)),
    Probe("last-move", "makes the last move count", any_move, plies=range(23, 24)),
)
BY_NAME = {probe.name: probe for probe in PROBES}

SAMPLE = "sample"
"""The set of positions that were drawn as they came, from which the stones lost in each phase are estimated."""
SYMMETRIC = "symmetric"
"""The set of positions that are shown in all their images; each has exactly one move that wins."""


def probes_for(rules: str) -> list[Probe]:
    """Return the probes that a rule set has positions for."""
    return [probe for probe in PROBES if rules in probe.rules]


def phases(rules: str) -> list[range]:
    """Return, for each phase of the game, how many moves were made before its positions."""
    return [range(FIRST_SOLVED[rules], 12), range(12, 18), range(18, 24)]


def lesson_of(state: State, winning: Collection[Move]) -> Probe | None:
    """Return the probe whose idea a position teaches, on a board of any size; None if there is none.

    winning: the moves that win. It is the first of PROBES whose idea decides; to count teaches something near the end only.
    """
    limit = state.rules.max_move(state.grid.size)
    left = state.grid.size**2 if limit is None else limit - state.n_move
    wanting = {"opening": False, "count": left <= _LAST_MOVES, "last-move": left == 1}
    return next((probe for probe in PROBES if wanting.get(probe.name, True) and probe.decides(state, winning)), None)


def ideas_in(state: State) -> dict[str, list[Move]]:
    """Return what moves of a position do, whatever they are worth: names of probes, each with the moves of its idea."""
    anything = (any_move, quiet_positions, passing, ko_answers)
    ideas = {probe.name: probe.idea(state) for probe in PROBES if probe.idea not in anything}
    return {name: [move for move in state.legal_moves() if move in moves] for name, moves in ideas.items() if moves}

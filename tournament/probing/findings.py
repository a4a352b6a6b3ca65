"""What came of a player's answers: how many positions it passed, what its moves lost, how alike and how fast it plays.

At the end the same as text, and as JSON.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from goban.diagrams import diagram
from goban.ideas import PROBES, SAMPLE, SYMMETRIC, Probe, phases
from goban.moves import Move, move_name
from goban.points import Point
from goban.rulesets import COLOUR_NAMES, ruleset
from goban.sgf import SgfGame, SgfMove, write_sgf
from gojudge.records import Termination
from tournament.probing.asking import ProbeAnswer
from tournament.probing.positions import SIZE, Position, moves_text


@dataclass(frozen=True)
class Miss:
    """A position that was not passed. played: what was done there; better: the moves that win; cost: stones, if it moved."""

    position: Position
    played: str
    better: str
    cost: int | None


@dataclass(frozen=True)
class ProbeFinding:
    """How one probe went: how many positions it had, and how many were passed."""

    probe: Probe
    passed: int
    of: int
    misses: Sequence[Miss]


@dataclass(frozen=True)
class PhaseFinding:
    """What moves lost in one phase of the game. moved: positions with a move; without: those with a fault. stones: lost in all.

    best: moves that lost nothing. moves: those that one player makes in this phase of a game.
    """

    name: str
    moves: int
    moved: int
    without: int
    stones: int
    best: int

    @property
    def a_game(self) -> float | None:
        """Stones lost a game in this phase, both sides playing their best afterwards; None if there was no move."""
        return self.stones / self.moved * self.moves if self.moved else None


@dataclass(frozen=True)
class Findings:
    """All that is known of one player.

    alike: images of the symmetric positions, of so many, that were answered as the position itself was; by_chance: in how many
    of these positions another seed gave another move. median_seconds, longest_seconds: what an answer was charged, None if
    there was none. faults: forfeits by their kind, with the first line of each. void: positions that could not be asked.
    """

    name: str
    digest: str
    tier: str
    probes: Sequence[ProbeFinding]
    phases: Sequence[PhaseFinding]
    alike: int
    images: int
    by_chance: int
    symmetric: int
    median_seconds: float | None
    longest_seconds: float | None
    faults: dict[Termination, tuple[int, str]]
    void: int

    @property
    def passed(self) -> int:
        """Positions passed, of all probes."""
        return sum(one.passed for one in self.probes)

    @property
    def of(self) -> int:
        """Positions of all probes."""
        return sum(one.of for one in self.probes)


def findings(name: str, digest: str, tier: str, answers: Sequence[ProbeAnswer]) -> Findings:
    """Return what the answers of one player, one at least, say."""
    asked = {answer.position.group for answer in answers}
    probes = [_probe(probe, _of(answers, probe.name)) for probe in PROBES if probe.name in asked]
    alike, images, by_chance, symmetric = _symmetry(_of(answers, SYMMETRIC))
    seconds = [answer.spent.charge for answer in answers if answer.moved]
    counted = Counter(answer.fault.termination for answer in answers if answer.fault is not None)
    first = {answer.fault.termination: answer.fault.detail for answer in reversed(answers) if answer.fault is not None}
    phased = _phases(answers[0].position.rules, _of(answers, SAMPLE))
    return Findings(
        name=name,
        digest=digest,
        tier=tier,
        probes=probes,
        phases=phased,
        alike=alike,
        images=images,
        by_chance=by_chance,
        symmetric=symmetric,
        median_seconds=median(seconds) if seconds else None,
        longest_seconds=max(seconds, default=None),
        faults={kind: (counted[kind], first[kind]) for kind in counted},
        void=sum(bool(answer.void) for answer in answers),
    )


def names(moves: Sequence[Move]) -> str:
    """Return moves as 'C3 D4'."""
    return " ".join(move_name(move, SIZE) for move in moves)


def _of(answers: Sequence[ProbeAnswer], group: str) -> list[ProbeAnswer]:
    return [answer for answer in answers if answer.position.group == group and not answer.void]


def _probe(probe: Probe, answers: Sequence[ProbeAnswer]) -> ProbeFinding:
    misses = [_miss(answer) for answer in answers if not answer.passed]
    return ProbeFinding(probe, len(answers) - len(misses), len(answers), misses)


def _miss(answer: ProbeAnswer) -> Miss:
    position = answer.position
    better = names([move for move in position.margins if move in position.winning])
    if answer.fault is not None:
        return Miss(position, f"{answer.fault.termination}: {answer.fault.detail}", better, None)
    return Miss(position, move_name(answer.move, SIZE), better, position.cost(answer.move))


def _phases(rules: str, answers: Sequence[ProbeAnswer]) -> list[PhaseFinding]:
    found = []
    for part in phases(rules):
        own = [answer for answer in answers if len(answer.position.moves) in part]
        costs = [answer.position.cost(answer.move) for answer in own if answer.moved]
        moves, faults = len(part) // 2, len(own) - len(costs)
        found.append(PhaseFinding(_phase_name(part), moves, len(costs), faults, sum(costs), costs.count(0)))
    return found


def _phase_name(part: range) -> str:
    return f"the last {len(part)} moves" if part.stop == SIZE**2 - 1 else f"moves {part.start + 1} to {part.stop}"


def _symmetry(answers: Sequence[ProbeAnswer]) -> tuple[int, int, int, int]:
    """Return images answered as the position was, images, positions answered otherwise with another seed, positions."""
    alike = images = by_chance = symmetric = 0
    for plain in [answer for answer in answers if not answer.question.image and not answer.question.draw]:
        symmetric += 1
        for other in answers:
            if other.position is not plain.position or other is plain:
                continue
            same = other.moved and plain.moved and other.move == plain.move
            if other.question.draw:
                by_chance += not same
            else:
                images += 1
                alike += same
    return alike, images, by_chance, symmetric


# As text, and as JSON


_ABREAST = 6
_NOTHING = "-"


def table(profiles: Sequence[Findings]) -> str:
    """Return what a terminal shows: a line for each probe and figure, a column for each player, a few abreast."""
    from tabulate import tabulate

    blocks = []
    for start in range(0, len(profiles), _ABREAST):
        part = profiles[start : start + _ABREAST]
        header = ["", "the player ...", *(one.name for one in part)]
        align = ["left", "left", *["right"] * len(part)]
        blocks.append(tabulate(list(_rows(part)), header, disable_numparse=True, colalign=align))
    return "\n\n".join(blocks)


def _rows(profiles: Sequence[Findings]) -> Iterator[list[str]]:
    for same in zip(*(one.probes for one in profiles), strict=True):
        yield [same[0].probe.name, same[0].probe.says, *(f"{one.passed}/{one.of}" for one in same)]
    yield ["all", "keeps the win", *(f"{one.passed}/{one.of}" for one in profiles)]
    for parts in zip(*(one.phases for one in profiles), strict=True):
        yield ["stones lost", f"loses a game in {parts[0].name}", *(_figure(one.a_game, 1) for one in parts)]
    yield ["symmetric", "plays an image of a position alike", *(f"{one.alike}/{one.images}" for one in profiles)]
    yield ["by chance", "plays otherwise with another seed", *(f"{one.by_chance}/{one.symmetric}" for one in profiles)]
    yield ["seconds", "takes for an answer, median", *(_figure(one.median_seconds, 3) for one in profiles)]
    yield ["", "takes for the longest", *(_figure(one.longest_seconds, 3) for one in profiles)]
    faults = [sum(count for count, _ in one.faults.values()) for one in profiles]
    yield ["faults", "gives no legal answer in time", *map(str, faults)]


def _figure(value: float | None, digits: int) -> str:
    return _NOTHING if value is None else f"{value:.{digits}f}"


def remarks(player: Findings) -> list[str]:
    """Return a line for each kind of fault, and one if positions could not be asked."""
    lines = [f"{player.name}: {kind} in {_positions(count)}, the first: {why}" for kind, (count, why) in player.faults.items()]
    if player.void:
        lines.append(f"{player.name}: {_positions(player.void)} could not be asked, which is not its fault")
    return lines


def _positions(count: int) -> str:
    return f"{count} position{'' if count == 1 else 's'}"


def missed_text(finding: ProbeFinding) -> str:
    """Return each missed position of a probe, drawn, with what was played there and what wins."""
    return "\n\n".join(f"{finding.probe.name}: {_describe_miss(miss)}\n{drawing(miss.position)}" for miss in finding.misses)


def drawing(position: Position) -> str:
    """Return a position as a board with coordinates, the last stone in parentheses."""
    state = position.state()
    return diagram(state.rows(), state.last_point)


def _describe_miss(miss: Miss) -> str:
    cost = "" if miss.cost is None else f", {miss.cost} {'stone' if miss.cost == 1 else 'stones'} worse"
    return f"{COLOUR_NAMES[miss.position.to_move]} to move played {miss.played}{cost}; what wins: {miss.better}"


def sgf(profiles: Sequence[Findings]) -> str:
    """Return every missed position as a game that leads to it, in one collection; a comment says what was played there."""
    games = []
    for one in profiles:
        for finding in one.probes:
            games += [_game(one.name, finding, miss) for miss in finding.misses]
    return "".join(write_sgf(game) + "\n" for game in games)


def _game(name: str, finding: ProbeFinding, miss: Miss) -> SgfGame:
    position = miss.position
    moves = [SgfMove(1 + number % 2, _placement(move)) for number, move in enumerate(position.moves)]
    moves[-1] = SgfMove(moves[-1].colour, moves[-1].move, f"{finding.probe.name}: {_describe_miss(miss)}")
    players = (name, "probe") if position.to_move == 1 else ("probe", name)
    return SgfGame(SIZE, ruleset(position.rules).komi(SIZE), position.rules, *players, moves=tuple(moves))


def _placement(move: Move) -> Point | None:
    assert move is None or isinstance(move, tuple)
    return move


def document(profiles: Sequence[Findings], rules: str, seed: int) -> str:
    """Return all findings as JSON: one object with the rules, the size, the seed and a profile for each player."""
    return json.dumps({"rules": rules, "size": SIZE, "seed": seed, "profiles": [_profile(one) for one in profiles]}, indent=1)


def _profile(player: Findings) -> dict[str, Any]:
    return {
        "name": player.name,
        "digest": player.digest,
        "tier": player.tier,
        "passed": player.passed,
        "of": player.of,
        "probes": [_probe_data(finding) for finding in player.probes],
        "phases": [
            {"name": phase.name, "positions": phase.moved + phase.without, "faults": phase.without, "stones": phase.stones,
             "best_moves": phase.best, "stones_a_game": None if phase.a_game is None else round(phase.a_game, 3)}
            for phase in player.phases
        ],
        "symmetric": {
            "alike": player.alike, "images": player.images, "by_chance": player.by_chance, "positions": player.symmetric,
        },
        "seconds": {"median": player.median_seconds, "longest": player.longest_seconds},
        "faults": {str(kind): {"positions": count, "first": why} for kind, (count, why) in player.faults.items()},
        "void": player.void,
    }  # fmt: skip


def _probe_data(finding: ProbeFinding) -> dict[str, Any]:
    missed = [
        {"moves": moves_text(miss.position.moves), "played": miss.played, "wins": miss.better, "cost": miss.cost}
        for miss in finding.misses
    ]
    return {
        "name": finding.probe.name, "says": finding.probe.says, "passed": finding.passed, "of": finding.of, "missed": missed,
    }  # fmt: skip

"""What came of a player's answers: how many positions it passed, what its moves lost, how alike and how fast it plays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from goban.moves import Move, move_name
from goban.probes import PROBES, SAMPLE, SYMMETRIC, Probe, phases
from tournament.probing.asking import ProbeAnswer
from tournament.probing.positions import SIZE, Position
from tournament.verdicts import Termination


@dataclass(frozen=True)
class Miss:
    """A position that was not passed. played: what was done there; better: the moves that win; cost: stones, if it moved."""

    position: Position
    played: str
    better: str
    cost: int | None


@dataclass(frozen=True)
class ProbeFinding:
    """How one probe went: of so many positions so many passed."""

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
        name, digest, tier, probes, phased, alike, images, by_chance, symmetric,
        median(seconds) if seconds else None, max(seconds, default=None),
        {kind: (counted[kind], first[kind]) for kind in counted}, sum(bool(answer.void) for answer in answers),
    )  # fmt: skip


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

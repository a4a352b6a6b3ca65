"""Findings as text, as JSON, and as SGF: every position that was missed, to be replayed in any Go program."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from goban.diagrams import diagram
from goban.moves import Move
from goban.points import Point
from goban.rulesets import COLOUR_NAMES, ruleset
from goban.sgf import SgfGame, SgfMove, write_sgf
from tournament.probing.findings import Findings, Miss, ProbeFinding
from tournament.probing.positions import SIZE, Position, moves_text

_ABREAST = 6
_NOTHING = "-"


def table(found: Sequence[Findings]) -> str:
    """Return what a terminal shows: a line for each probe and figure, a column for each player, a few abreast."""
    from tabulate import tabulate

    blocks = []
    for start in range(0, len(found), _ABREAST):
        part = found[start : start + _ABREAST]
        header = ["", "the player ...", *(one.name for one in part)]
        align = ["left", "left", *["right"] * len(part)]
        blocks.append(tabulate(list(_rows(part)), header, disable_numparse=True, colalign=align))
    return "\n\n".join(blocks)


def _rows(found: Sequence[Findings]) -> Iterator[list[str]]:
    for same in zip(*(one.probes for one in found), strict=True):
        yield [same[0].probe.name, same[0].probe.says, *(f"{one.passed}/{one.of}" for one in same)]
    yield ["all", "keeps the win", *(f"{one.passed}/{one.of}" for one in found)]
    for phases in zip(*(one.phases for one in found), strict=True):
        yield ["stones lost", f"loses a game in {phases[0].name}", *(_figure(one.a_game, 1) for one in phases)]
    yield ["symmetric", "plays an image of a position alike", *(f"{one.alike}/{one.images}" for one in found)]
    yield ["by chance", "plays otherwise with another seed", *(f"{one.by_chance}/{one.symmetric}" for one in found)]
    yield ["seconds", "takes for an answer, median", *(_figure(one.median_seconds, 3) for one in found)]
    yield ["", "takes for the longest", *(_figure(one.longest_seconds, 3) for one in found)]
    yield ["faults", "gives no legal answer in time", *(str(sum(count for count, _ in one.faults.values())) for one in found)]


def _figure(value: float | None, digits: int) -> str:
    return _NOTHING if value is None else f"{value:.{digits}f}"


def remarks(found: Findings) -> list[str]:
    """Return a line for each kind of fault, and one if positions could not be asked."""
    lines = [f"{found.name}: {kind} in {_positions(count)}, the first: {why}" for kind, (count, why) in found.faults.items()]
    if found.void:
        lines.append(f"{found.name}: {_positions(found.void)} could not be asked, which is not its fault")
    return lines


def _positions(count: int) -> str:
    return f"{count} position{'' if count == 1 else 's'}"


def missed_text(finding: ProbeFinding) -> str:
    """Return each missed position of a probe, drawn, with what was played there and what wins."""
    return "\n\n".join(f"{finding.probe.name}: {_told(miss)}\n{drawing(miss.position)}" for miss in finding.misses)


def drawing(position: Position) -> str:
    """Return a position as a board with coordinates, the last stone in parentheses."""
    state = position.state()
    return diagram(state.rows(), state.last_point)


def _told(miss: Miss) -> str:
    cost = "" if miss.cost is None else f", {miss.cost} {'stone' if miss.cost == 1 else 'stones'} worse"
    return f"{COLOUR_NAMES[miss.position.to_move]} to move played {miss.played}{cost}; what wins: {miss.better}"


def sgf(found: Sequence[Findings]) -> str:
    """Return every missed position as a game that leads to it, in one collection; a comment says what was played there."""
    games = []
    for one in found:
        for finding in one.probes:
            games += [_game(one.name, finding, miss) for miss in finding.misses]
    return "".join(write_sgf(game) + "\n" for game in games)


def _game(name: str, finding: ProbeFinding, miss: Miss) -> SgfGame:
    position = miss.position
    moves = [SgfMove(1 + number % 2, _placement(move)) for number, move in enumerate(position.moves)]
    moves[-1] = SgfMove(moves[-1].colour, moves[-1].move, f"{finding.probe.name}: {_told(miss)}")
    players = (name, "probe") if position.to_move == 1 else ("probe", name)
    return SgfGame(SIZE, ruleset(position.rules).komi(SIZE), position.rules, *players, moves=tuple(moves))


def _placement(move: Move) -> Point | None:
    assert move is None or isinstance(move, tuple)
    return move


def document(found: Sequence[Findings], rules: str, seed: int) -> str:
    """Return all findings as JSON: one object with the rules, the size, the seed and a profile for each player."""
    return json.dumps({"rules": rules, "size": SIZE, "seed": seed, "profiles": [_profile(one) for one in found]}, indent=1)


def _profile(found: Findings) -> dict[str, Any]:
    return {
        "name": found.name,
        "digest": found.digest,
        "tier": found.tier,
        "passed": found.passed,
        "of": found.of,
        "probes": [_probe(one) for one in found.probes],
        "phases": [
            {"name": one.name, "positions": one.moved + one.without, "faults": one.without, "stones": one.stones,
             "best_moves": one.best, "stones_a_game": None if one.a_game is None else round(one.a_game, 3)}
            for one in found.phases
        ],
        "symmetric": {"alike": found.alike, "images": found.images, "by_chance": found.by_chance, "positions": found.symmetric},
        "seconds": {"median": found.median_seconds, "longest": found.longest_seconds},
        "faults": {str(kind): {"positions": count, "first": why} for kind, (count, why) in found.faults.items()},
        "void": found.void,
    }  # fmt: skip


def _probe(finding: ProbeFinding) -> dict[str, Any]:
    missed = [
        {"moves": moves_text(miss.position.moves), "played": miss.played, "wins": miss.better, "cost": miss.cost}
        for miss in finding.misses
    ]
    return {
        "name": finding.probe.name, "says": finding.probe.says, "passed": finding.passed, "of": finding.of, "missed": missed,
    }  # fmt: skip

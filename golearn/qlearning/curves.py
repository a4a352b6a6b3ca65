"""Learning curves: how well the trained player does on the real host against the reference players, as text or as a picture."""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from go import GO
from goban.common.command_lines import how_to_install
from goban.common.files import write_beside
from goban.grids import BLACK, WHITE
from goban.kernels.reference_players import REFERENCES
from golearn.errors import BadPlanError
from players.qlearner_player import QLearnerPlayer
from players.registry import make_player
from players.shipped_player import ShippedPlayer


class TableAlone(QLearnerPlayer):
    """Plays as `qlearner` does, by another table: what was learned is seen best without a look ahead."""

    def __init__(self, table: Path) -> None:
        super().__init__(random.Random(1))
        self._learner = ShippedPlayer(table)


def _wins(player: TableAlone, opponent: str, colour: int, games: range, seed: int) -> int:
    """Return how many of the games `player` wins as `colour`; each has its own generator, made from seed and number."""
    won = 0
    for game in games:
        other = make_player(opponent, random.Random(f"{seed} {opponent} {colour} {game}"))
        black, white = (player, other) if colour == BLACK else (other, player)
        won += GO(5).play(black, white) == colour
    return won


def win_rates(table: Path, games: int, seed: int) -> Iterator[tuple[str, float]]:
    """Yield ('smart B', share of games won as Black), ('smart W', ...) for every reference player."""
    player = TableAlone(table)
    for opponent in REFERENCES:
        for colour, letter in ((BLACK, "B"), (WHITE, "W")):
            yield f"{opponent} {letter}", _wins(player, opponent, colour, range(games), seed) / games


Point = dict[str, float]
"""One evaluation: 'games' played so far, mean squared 'error', and a win rate (0 to 1) under each opponent and colour."""


def header(point: Point) -> str:
    """Return the line of column names above a curve."""
    return f"{'games':>10} {'error':>7}" + "".join(f" {name:>12}" for name in point if name not in ("games", "error"))


def line(point: Point) -> str:
    """Return one evaluation as a line under `header`."""
    rates = (rate for name, rate in point.items() if name not in ("games", "error"))
    return f"{point['games']:>10.0f} {point['error']:>7.4f}" + "".join(f" {rate:>12.1%}" for rate in rates)


def check_format(path: Path) -> None:
    """Raise BadPlanError if no curve can be written to this path: a wrong ending, or no matplotlib for a picture."""
    if path.suffix not in (".txt", ".png"):
        raise BadPlanError(f"--curve: expected a file ending in .txt or .png, got {str(path)!r}")
    if path.suffix == ".png" and importlib.util.find_spec("matplotlib") is None:
        raise BadPlanError(f"--curve: a .png needs matplotlib, which is missing ({how_to_install('plots')}); ask for a .txt")


def write(curve: Sequence[Point], path: Path) -> None:
    """Write a curve of at least one point as text or as a picture, as the ending of the path says."""
    if path.suffix == ".txt":
        write_beside(path, "\n".join([header(curve[0]), *map(line, curve), ""]).encode())
    else:
        _draw(curve, path)


def _draw(curve: Sequence[Point], path: Path) -> None:
    import io

    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 5), layout="constrained")
    axes = figure.subplots()
    games = [point["games"] for point in curve]
    # A colour for each opponent; a broken line as White, so that lines on top of each other can be told apart.
    for k, name in enumerate(name for name in curve[0] if name not in ("games", "error")):
        opponent, colour = name.split()
        side, style = ("Black", "o-") if colour == "B" else ("White", "x--")
        axes.plot(games, [100 * point[name] for point in curve], style, color=f"C{k // 2}", label=f"{opponent}, as {side}")
    axes.set(xlabel="training games", ylabel="games won, %", ylim=(-2, 102))
    axes.set_xlim(left=0)
    axes.grid(alpha=0.3)
    figure.legend(loc="outside right upper")
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    write_beside(path, buffer.getvalue())

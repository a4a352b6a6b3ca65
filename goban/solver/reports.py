"""What is known of a position, and what every move of a game was worth: as text and as JSON, as `goban.solver.truth` says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from tabulate import tabulate

from goban.diagrams import diagram
from goban.grids import BLACK, WHITE
from goban.moves import Move, move_name
from goban.rulesets import COLOUR_NAMES, RuleSet, result_text
from goban.sgf import SgfGame
from goban.solver.analysis import Row, first_losing_move, mistakes_of
from goban.solver.positions import counts_area
from goban.solver.solver import Solution
from goban.states import State

_MOST_SHOWN = 5


# A position


def value_text(winner: int | None, margin: int | None, komi: float) -> str:
    """Return a value as results are written: 'B+2.5', 'W+?', 'tie' or 'unknown'."""
    if winner is None:
        return "unknown"
    if not winner:
        return "tie"
    return f"{'B' if winner == BLACK else 'W'}+?" if margin is None else result_text(winner, margin - komi)


def names_of(moves: Sequence[Move], size: int, most: int | None = None) -> str:
    """Return names with spaces between, no more than `most` of them."""
    names = [move_name(move, size) for move in moves[:most]]
    return " ".join([*names, f"+{len(moves) - len(names)} more"] if len(moves) > len(names) else names)


def who_wins(winner: int | None) -> str | None:
    """Return 'black', 'white', 'tie', or None for unknown."""
    return None if winner is None else {0: "tie", **COLOUR_NAMES}[winner]


def position_text(state: State, value: Solution, line: Sequence[Move]) -> str:
    """Return what is known of a position, for people."""
    size = state.grid.size
    komi, mover = state.rules.komi(size), COLOUR_NAMES[state.to_move]
    value_now = value_text(value.winner, value.margin, komi)
    # Where area counts their number decides nothing, and may be left out of a file.
    made = "" if counts_area(state.rules) else f"{state.n_move} moves made, "
    lines = [diagram(state.rows(), state.last_point), f"{state.rules.name}, {made}komi {komi:g}"]
    if state.is_over:
        return "\n".join([*lines, f"the game is over: {value_now}"])
    wins = names_of(value.winning_moves, size) or ("unknown" if _wins_unknown(state, value) else "none")
    told = [
        ("to move", mover),
        ("with best play", value_now),
        ("winning moves", wins),
        ("best moves", names_of(value.best_moves, size) or "unknown"),
        ("principal line", names_of(line, size) or "unknown"),
    ]
    if value.margin is None and value.bounds is not None:
        low, high = value.bounds
        told.insert(2, ("black less white", f"{low} to {high}, komi left out"))
    return "\n".join([*lines, tabulate(told, tablefmt="plain", disable_numparse=True)])


def _wins_unknown(state: State, value: Solution) -> bool:
    return value.winner is None or (value.winner == state.to_move and not value.winning_moves and not state.is_over)


def position_json(state: State, value: Solution, line: Sequence[Move]) -> dict[str, Any]:
    """Return a position as `goban.solver.truth` says."""
    size = state.grid.size

    def names(moves: Sequence[Move]) -> list[str]:
        return [move_name(move, size) for move in moves]

    return {
        "kind": "position", "rules": state.rules.name, "size": size, "komi": state.rules.komi(size),
        "moves": state.n_move, "to_move": COLOUR_NAMES[state.to_move],
        "winner": who_wins(value.winner), "margin": value.margin, "bounds": list(value.bounds or (None, None)),
        "winning_moves": None if _wins_unknown(state, value) else names(value.winning_moves),
        "best_moves": names(value.best_moves), "line": names(line),
    }  # fmt: skip


# A game


def _cost_text(row: Row) -> str:
    stones = "?" if row.cost_stones is None else str(row.cost_stones or "")
    return f"{stones}, {row.turns_win}" if row.turns_win else stones


def _best_text(row: Row, size: int) -> str:
    if row.best_moves:
        return names_of(row.best_moves, size, _MOST_SHOWN)
    return f"win: {names_of(row.winning_moves, size, _MOST_SHOWN)}" if row.winning_moves else "unknown"


def _instead(row: Row, size: int) -> str:
    if row.best_moves:
        return f"; best was {names_of(row.best_moves, size, _MOST_SHOWN)}"
    return f"; to win: {names_of(row.winning_moves, size, _MOST_SHOWN)}" if row.winning_moves else ""


def table(rows: Sequence[Row], komi: float, size: int) -> str:
    """Return the rows as a table for people."""
    return tabulate(
        [
            (
                row.ply, COLOUR_NAMES[row.colour], move_name(row.move, size),
                value_text(row.winner_before, row.margin_before, komi),
                value_text(row.winner_after, row.margin_after, komi),
                _cost_text(row), _best_text(row, size),
            )
            for row in rows
        ],
        ["no.", "player", "move", "before", "after", "cost in stones", "best moves"],
        disable_numparse=True,
    )  # fmt: skip


def summary(rows: Sequence[Row], size: int) -> str:
    """Return the first losing move in words, and each player's mistakes as a table."""
    lost = first_losing_move(rows)
    unknown = [row.ply for row in rows if None in (row.winner_before, row.winner_after)]
    lines = [f"No move {'is known to have ' if unknown else ''}lost the game."]
    if lost is not None:
        first = "First move known to have lost the game" if unknown and unknown[0] < lost.ply else "First losing move"
        name = f"move {lost.ply}, {COLOUR_NAMES[lost.colour]} {move_name(lost.move, size)}"
        lines = [f"{first}: {name} ({lost.turns_win}){_instead(lost, size)}"]
    if unknown:
        plies = ", ".join(map(str, unknown))
        lines.append(f"Unknown is whether these moves won or lost: {plies}. More seconds or memory may tell.")
    rows_by_colour = [(COLOUR_NAMES[colour], *mistakes_of(rows, colour).values()) for colour in (BLACK, WHITE)]
    header = ["player", "moves", "of unknown cost", "mistakes", "stones lost", "wins lost"]
    return "\n".join([*lines, "", tabulate(rows_by_colour, header)])


def game_json(rows: Sequence[Row], game: SgfGame, rules: RuleSet) -> dict[str, Any]:
    """Return a game as `goban.solver.truth` says."""
    lost, size = first_losing_move(rows), game.size
    moves = [
        asdict(row)
        | {"colour": COLOUR_NAMES[row.colour], "move": move_name(row.move, size), "is_mistake": row.is_mistake}
        | {"winner_before": who_wins(row.winner_before), "winner_after": who_wins(row.winner_after)}
        | {name: [move_name(move, size) for move in getattr(row, name)] for name in ("best_moves", "winning_moves")}
        for row in rows
    ]
    return {
        "kind": "game", "rules": rules.name, "size": size, "komi": rules.komi(size),
        "black": game.black, "white": game.white, "result": game.result,
        "first_losing_move": lost.ply if lost else None, "moves": moves,
        "mistakes": {COLOUR_NAMES[colour]: mistakes_of(rows, colour) for colour in (BLACK, WHITE)},
    }  # fmt: skip

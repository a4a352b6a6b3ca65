"""What every move of a game was worth under perfect play, and what a position is worth.

    python3 -m search.truth --sgf game.sgf            every move: value before and after, its cost, the best moves
    python3 -m search.truth --sgf games.sgf --game 3  the third game of a file
    python3 -m search.truth position.txt              who wins, by how much, with which moves
    python3 -m search.truth input.txt --moves 7       the same for Little-Go's file (see search/positions.py)

A value is written as results are: 'B+2.5' if Black wins by 2.5 points with best play, komi counted; 'B+?' if only the
winner could be found out within --seconds; 'unknown' if not even he. Nothing is guessed. Rules: `course` and `littlego`.

--json prints one object. Colours are 'black' and 'white', winners also 'tie', moves 'B4' or 'pass', margins Black's stones
less White's at the end without komi; null, and [] for best_moves, stand for unknown.

    game       kind ('game'), rules, size, komi, black, white, result (as the file has them), first_losing_move (ply),
               moves: of each ply, colour, move, winner_before, margin_before, winner_after, margin_after, cost_stones,
                      turns_win ('win to loss', 'win to tie', 'tie to loss' or ''), is_mistake, best_moves
               mistakes: for black and white each moves, unknown, mistakes, stones, win_lost
    position   kind ('position'), rules, size, komi, moves, to_move, winner, margin, winning_moves, best_moves, line
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NoReturn

from tabulate import tabulate
from tqdm import tqdm

from goban.errors import GobanError
from goban.excerpts import printable
from goban.grids import BLACK, WHITE
from goban.moves import Move, move_name
from goban.outcomes import COLOUR_NAMES, opponent
from goban.rulesets import RuleSet, ruleset
from goban.sgf import SgfGame
from goban.states import State, new_game
from kernels.entries import compilation_told
from search.errors import BadBudgetError, BadPositionError, SearchError
from search.positions import names_of, position_json, position_text, read_game, read_position, start_of, value_text, who_wins
from search.smallboards import RULES
from search.solver import Solution, Solver

INTERRUPTED = 130
SECONDS, MEMORY = 3.0, 256
_MOST_SHOWN = 5


@dataclass(frozen=True)
class Row:
    """One move. Winners: 1, 2, or 0 for a tie; margins: Black's stones less White's at the end; None where unknown.

    ply: its number in the game, from 1. cost_stones: by how much it worsened the mover's margin, 0 or more. turns_win:
    'win to loss', 'win to tie', 'tie to loss' or ''. best_moves: those that would have cost nothing; () if unknown.
    """

    ply: int
    colour: int
    move: Move
    winner_before: int | None
    margin_before: int | None
    winner_after: int | None
    margin_after: int | None
    cost_stones: int | None
    turns_win: str
    best_moves: tuple[Move, ...]

    @property
    def is_mistake(self) -> bool:
        """True if the move is known to have cost something."""
        return bool(self.cost_stones or self.turns_win)


def value_of(state: State, solver: Solver, seconds: float | None = None) -> Solution:
    """Return winner, margin, winning and best moves of one position, as far as they are known."""
    return solver.best_moves(state, seconds=seconds)


def values_of(
    states: Sequence[State], solver: Solver, seconds: float | None = None, progress: Callable[[], object] | None = None
) -> list[Solution]:
    """Return the values of the positions of one game, in their order, as far as they are found within `seconds` for all.

    First all winners, then all margins, then all best moves, with an equal share of the time each; every time from the last
    position to the first, because late ones take no time and what is proven of them helps with the earlier ones. No
    question takes more than half of what is left of its share. progress: called after each question, three times for
    every position.
    """
    end = None if seconds is None else solver.clock() + seconds
    found = [Solution()] * len(states)
    for shares, ask in ((3, solver.winner), (2, solver.margin), (1, solver.best_moves)):
        until = None if end is None else solver.clock() + (end - solver.clock()) / shares
        for k in reversed(range(len(states))):
            answer = ask(states[k], seconds=None if until is None else max(0.0, until - solver.clock()) / 2)
            if answer.winner is not None:
                found[k] = answer
            if progress is not None:
                progress()
    return found


def analyse(
    moves: Sequence[Move],
    rules: RuleSet,
    size: int = 5,
    *,
    start: State | None = None,
    solver: Solver | None = None,
    seconds: float | None = None,
    progress: Callable[[], object] | None = None,
) -> list[Row]:
    """Return a row for each move of a game, from the empty board or from `start` (then `rules` and `size` are its own).

    seconds: how long to think about the game, as long as it takes if None: on 5x5 that is many minutes for the margins of
    the first moves. progress: see `values_of`; there are `len(moves) + 1` positions. Raises IllegalMoveError or
    BadPointError for a move that may not be played, UnsupportedGameError or BadPositionError for what `search.solver`
    does not know.
    """
    state = new_game(rules, size) if start is None else start
    states = [state]
    for move in moves:
        state = state.play(move)
        states.append(state)
    solver = solver or Solver(MEMORY)
    # Compiling must not use up the time there is.
    solver.winner(states[0], nodes=1)
    values = values_of(states, solver, seconds, progress)
    return [_row(states[k], move, values[k], values[k + 1]) for k, move in enumerate(moves)]


def _row(state: State, move: Move, before: Solution, after: Solution) -> Row:
    cost = None
    if before.margin is not None and after.margin is not None:
        cost = before.margin - after.margin if state.to_move == BLACK else after.margin - before.margin
    turn = ""
    if before.winner is not None and after.winner is not None and before.winner != after.winner:
        names = {state.to_move: "win", 0: "tie", opponent(state.to_move): "loss"}
        turn = f"{names[before.winner]} to {names[after.winner]}"
    return Row(
        state.n_move + 1, state.to_move, move, before.winner, before.margin, after.winner, after.margin, cost, turn,
        before.best_moves,
    )  # fmt: skip


def first_losing_move(rows: Sequence[Row]) -> Row | None:
    """Return the first move known to have turned a win or a tie into a loss; None if there is none."""
    return next((row for row in rows if row.turns_win.endswith("loss")), None)


def mistakes_of(rows: Sequence[Row], colour: int) -> dict[str, int]:
    """Return how many moves a player made, how many of unknown cost; mistakes, stones lost by them, and wins thrown away."""
    own = [row for row in rows if row.colour == colour]
    return {
        "moves": len(own),
        "unknown": sum(row.cost_stones is None for row in own),
        "mistakes": sum(row.is_mistake for row in own),
        "stones": sum(row.cost_stones or 0 for row in own),
        "win_lost": sum(row.turns_win.startswith("win") for row in own),
    }


# As text


def _cost_text(row: Row) -> str:
    stones = "?" if row.cost_stones is None else str(row.cost_stones or "")
    return f"{stones}, {row.turns_win}" if row.turns_win else stones


def table(rows: Sequence[Row], komi: float, size: int) -> str:
    """Return the rows as a table for people."""
    return tabulate(
        [
            (
                row.ply, COLOUR_NAMES[row.colour], move_name(row.move, size),
                value_text(row.winner_before, row.margin_before, komi),
                value_text(row.winner_after, row.margin_after, komi),
                _cost_text(row), names_of(row.best_moves, size, _MOST_SHOWN) or "unknown",
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
        best = names_of(lost.best_moves, size, _MOST_SHOWN)
        name = f"move {lost.ply}, {COLOUR_NAMES[lost.colour]} {move_name(lost.move, size)}"
        lines = [f"{first}: {name} ({lost.turns_win}){best and '; best was ' + best}"]
    if unknown:
        plies = ", ".join(map(str, unknown))
        lines.append(f"Unknown is whether these moves won or lost: {plies}. More --seconds or --memory may tell.")
    found = [(COLOUR_NAMES[colour], *mistakes_of(rows, colour).values()) for colour in (BLACK, WHITE)]
    header = ["player", "moves", "of unknown cost", "mistakes", "stones lost", "wins lost"]
    return "\n".join([*lines, "", tabulate(found, header)])


def game_json(rows: Sequence[Row], game: SgfGame, rules: RuleSet) -> dict[str, Any]:
    """Return a game as the docstring on top says."""
    lost, size = first_losing_move(rows), game.size
    moves = [
        asdict(row)
        | {"colour": COLOUR_NAMES[row.colour], "move": move_name(row.move, size), "is_mistake": row.is_mistake}
        | {"winner_before": who_wins(row.winner_before), "winner_after": who_wins(row.winner_after)}
        | {"best_moves": [move_name(move, size) for move in row.best_moves]}
        for row in rows
    ]
    return {
        "kind": "game", "rules": rules.name, "size": size, "komi": rules.komi(size),
        "black": game.black, "white": game.white, "result": game.result,
        "first_losing_move": lost.ply if lost else None, "moves": moves,
        "mistakes": {COLOUR_NAMES[colour]: mistakes_of(rows, colour) for colour in (BLACK, WHITE)},
    }  # fmt: skip


# The command line


class Parser(argparse.ArgumentParser):
    """Complains in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"truth: {' '.join(message.split())}\n")


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(prog="python3 -m search.truth", description="What moves and positions are worth under perfect play.")
    given = made.add_mutually_exclusive_group(required=True)
    given.add_argument("position", nargs="?", help="a file with a drawn position, or Little-Go's input.txt")
    given.add_argument("--sgf", metavar="FILE", help="a game")
    made.add_argument("--game", type=int, metavar="K", help="which game of the SGF file, from 1")
    made.add_argument("--rules", choices=RULES, help="default: as the file says, else course")
    made.add_argument("--moves", type=int, metavar="K", help="how many moves were made before the position")
    made.add_argument("--seconds", type=float, default=SECONDS, metavar="S", help=f"for all, default {SECONDS:g}")
    made.add_argument("--memory", type=int, default=MEMORY, metavar="MIB", help=f"for the solver's table, default {MEMORY}")
    made.add_argument("--threads", type=int, default=1, metavar="N", help="that search, default 1")
    made.add_argument("--json", action="store_true", help="print JSON instead of a table")
    return made


def _game_report(options: argparse.Namespace, rules: RuleSet | None, solver: Solver) -> str:
    game = read_game(Path(options.sgf).read_bytes(), options.game)
    start = start_of(game, rules, options.moves)
    moves = [played.move for played in game.moves]
    with tqdm(total=3 * len(moves) + 3, unit="question", leave=False, disable=not sys.stderr.isatty()) as bar:
        rows = analyse(moves, start.rules, start=start, solver=solver, seconds=options.seconds, progress=bar.update)
    if options.json:
        return json.dumps(game_json(rows, game, start.rules), indent=1)
    black, white = (printable(name, 40) or "?" for name in (game.black, game.white))
    komi = start.rules.komi(game.size)
    title = f"{black} (black) - {white} (white), {start.rules.name}, {game.size}x{game.size}, komi {komi:g}"
    return "\n\n".join([title, table(rows, komi, game.size), summary(rows, game.size)])


def _position_report(options: argparse.Namespace, rules: RuleSet | None, solver: Solver) -> str:
    if options.game is not None:
        raise BadPositionError("--game: expected with --sgf only")
    text = Path(options.position).read_bytes().decode("utf-8-sig", "replace")
    state = read_position(text, rules, options.moves)
    solver.winner(state, nodes=1)
    value = value_of(state, solver, options.seconds)
    line = solver.line(state, seconds=options.seconds).line
    return json.dumps(position_json(state, value, line), indent=1) if options.json else position_text(state, value, line)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    reader = parser()
    options = reader.parse_args(arguments)
    if not options.seconds >= 0:
        reader.error(f"argument --seconds: expected 0 or more, got {options.seconds:g}")
    rules = None if options.rules is None else ruleset(options.rules)
    name = options.position if options.sgf is None else options.sgf
    try:
        with compilation_told(lambda: print("truth: compiling, once for this machine...", file=sys.stderr)):
            solver = Solver(options.memory, options.threads)
            report = _position_report(options, rules, solver) if options.sgf is None else _game_report(options, rules, solver)
        print(report, flush=True)
    except KeyboardInterrupt:
        print("truth: stopped", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # `truth ... | head`: nobody reads on.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return INTERRUPTED
    except BadBudgetError as error:
        print(f"truth: {error}", file=sys.stderr)
    except MemoryError:
        print(f"truth: --memory: {options.memory} MiB cannot be had", file=sys.stderr)
    except (OSError, GobanError, SearchError) as error:
        said = error.strerror if isinstance(error, OSError) else error
        print(f"truth: {ascii(name)[1:-1]}: {said}", file=sys.stderr)
    else:
        return 0
    return 2


if __name__ == "__main__":
    sys.exit(main())

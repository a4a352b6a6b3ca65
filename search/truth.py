"""What every move of a game was worth under perfect play, and what a position is worth.

    python3 -m search.truth --sgf game.sgf            every move: value before and after, its cost, the best moves
    python3 -m search.truth --sgf games.sgf --game 3  the third game of a file
    python3 -m search.truth position.txt              who wins, by how much, with which moves
    python3 -m search.truth input.txt --moves 7       the same for Little-Go's file (see search/positions.py)

A value is written as results are: 'B+2.5' if Black wins by 2.5 points with best play, komi counted; 'B+?' if only the
winner could be found out within --seconds; 'unknown' if not even he. Best moves are those that cost no stone, or, where that
is unknown, the 'win: ...' moves that win. Nothing is guessed. Rules: `course` and `littlego`.

--json prints one object. Colours are 'black' and 'white', winners also 'tie', moves 'B4' or 'pass', margins Black's stones
less White's at the end without komi; null, and [] for best_moves, stand for unknown, [] for winning_moves for none or unknown.

    game       kind ('game'), rules, size, komi, black, white, result (as the file has them), first_losing_move (ply),
               moves: of each ply, colour, move, winner_before, margin_before, winner_after, margin_after, cost_stones,
                      turns_win ('win to loss', 'win to tie', 'tie to loss' or ''), best_moves, winning_moves, is_mistake
               mistakes: for black and white each moves, unknown, mistakes, stones, win_lost
    position   kind ('position'), rules, size, komi, moves, to_move, winner, margin, winning_moves, best_moves, line
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NoReturn

from tabulate import tabulate
from tqdm import tqdm

from common.excerpts import printable
from goban.errors import GobanError
from goban.grids import BLACK, WHITE
from goban.moves import move_name
from goban.outcomes import COLOUR_NAMES
from goban.rulesets import RuleSet, ruleset
from goban.sgf import SgfGame
from kernels.numba_tools.entry_points import compilation_told
from search.alphabeta.boards import RULES
from search.analysis import MEMORY_MIB, QUESTIONS, Row, analyse, first_losing_move, mistakes_of
from search.errors import BadBudgetError, BadPositionError, SearchError
from search.positions import names_of, position_json, position_text, read_game, read_position, start_of, value_text, who_wins
from search.solver import Solver

INTERRUPTED = 130
TRUTH_SECONDS = 2.0
_MOST_SHOWN = 5


# As text


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
        | {name: [move_name(move, size) for move in getattr(row, name)] for name in ("best_moves", "winning_moves")}
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
    made.add_argument("--seconds", type=float, default=TRUTH_SECONDS, metavar="S", help=f"for all, default {TRUTH_SECONDS:g}")
    memory = f"for the solver's table, default {MEMORY_MIB}"
    made.add_argument("--memory", type=int, default=MEMORY_MIB, metavar="MIB", help=memory)
    made.add_argument("--threads", type=int, default=1, metavar="N", help="that search, default 1")
    made.add_argument("--json", action="store_true", help="print JSON instead of a table")
    return made


def _game_report(options: argparse.Namespace, rules: RuleSet | None, solver: Solver) -> str:
    game = read_game(Path(options.sgf).read_bytes(), options.game)
    start = start_of(game, rules, options.moves)
    moves = [played.move for played in game.moves]
    with tqdm(total=QUESTIONS * (len(moves) + 1), unit="question", leave=False, disable=not sys.stderr.isatty()) as bar:
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
    value = solver.best_moves(state, seconds=options.seconds)
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

"""What every move of a game was worth under perfect play, and what a position is worth.

    python3 -m goban.solver.truth --sgf game.sgf            every move: value before and after, its cost, the best moves
    python3 -m goban.solver.truth --sgf games.sgf --game 3  the third game of a file
    python3 -m goban.solver.truth position.txt              who wins, by how much, with which moves
    python3 -m goban.solver.truth input.txt --moves 7       the same for Little-Go's file (see goban/solver/positions.py)
    python3 -m goban.solver.truth prove 3x4 -o proof.go     a value with its proof, see `goban.solver.area.command`
    python3 -m goban.solver.truth serve                     the same by GET, as JSON, see `goban.solver.server`
    python3 -m goban.solver.truth dataset -o FOLDER         positions with their values as files, see `goban.solver.dataset`
    python3 -m goban.solver.truth explorer -o page.html     the openings of 5x5 with their values as one page
    python3 -m goban.solver.truth --compile                 compile the solver for this machine now, not at the first question

A value is written as results are: 'B+2.5' if Black wins by 2.5 points with best play, komi counted; 'B+?' if only the
winner could be found within --seconds; 'unknown' if not even that. Best moves are those that cost no stone. Where these are
unknown, the moves that win are shown as 'win: ...'. Nothing is guessed. Where the margin of a position is unknown, it is said
between which it lies. Rules: `course`, `littlego`, and all by which two passes end the game and area counts; `area` stands for
these, without komi.

--json prints one object. Colours are 'black' and 'white', winners also 'tie', moves 'B4' or 'pass', margins Black's stones
less White's at the end without komi; null, and [] for best_moves, stand for unknown, [] for winning_moves for none or unknown.

    game       kind ('game'), rules, size, komi, black, white, result (as the file has them), first_losing_move (ply),
               moves: of each ply, colour, move, winner_before, margin_before, winner_after, margin_after, cost_stones,
                      turns_win ('win to loss', 'win to tie', 'tie to loss' or ''), best_moves, winning_moves, is_mistake
               mistakes: for black and white each moves, unknown, mistakes, stones, win_lost
    position   kind ('position'), rules, size, komi, moves, to_move, winner, margin, bounds (the least margin and the most that
               it can be), winning_moves, best_moves, line
"""

from __future__ import annotations

from goban.common.starting import begin, is_started

if is_started(__name__):
    begin()

import argparse
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from goban.common.command_lines import DONE, CommandError, Parser, command_line, complain, run
from goban.common.excerpts import is_terminal, printable
from goban.common.files import read_bounded
from goban.common.terminals import fit_tables
from goban.errors import GobanError
from goban.rulesets import RuleSet
from goban.solver.errors import RULES, BadBudgetError, BadPositionError, SearchError

if TYPE_CHECKING:
    from goban.solver.solver import Solver

# What needs more than the standard library is imported where it is used, so that `run` can say what is missing.
_NAME = "truth"
TRUTH_SECONDS = 2.0
_COMPILING = "compiling, once for this machine..."
_MOST_SECONDS = 100_000
_MOST_BYTES = 100_000_000
"""Of a file: some hundred thousand games. A position takes less than a thousand bytes."""


def parser() -> Parser:
    """Return the command line's parser."""
    from goban.solver.analysis import MEMORY_MIB
    from goban.solver.positions import AREA

    description = "What moves and positions are worth under perfect play. Other commands: prove, serve, dataset, explorer."
    made = Parser(name=_NAME, prog=command_line("goban.solver.truth"), description=description)
    given = made.add_mutually_exclusive_group(required=True)
    given.add_argument("position", nargs="?", help="a file with a drawn position, or Little-Go's input.txt")
    given.add_argument("--sgf", metavar="FILE", help="a file with a game")
    given.add_argument("--compile", action="store_true", help="compile the solver for this machine, and stop")
    made.add_argument("--game", type=int, metavar="K", help="number of the game in the SGF file, from 1; default 1")
    made.add_argument("--rules", choices=[*RULES, AREA.name], help="default: those the file names")
    made.add_argument("--moves", type=int, metavar="K", help="number of moves made before the position")
    made.add_argument("--seconds", type=float, default=TRUTH_SECONDS, metavar="S", help=(
        f"time for all moves together, default {TRUTH_SECONDS:g}"
    ))  # fmt: skip
    memory = f"for the solver's table, default {MEMORY_MIB}"
    made.add_argument("--memory", type=int, default=MEMORY_MIB, metavar="MIB", help=memory)
    made.add_argument("--threads", type=int, default=1, metavar="N", help="threads that search, default 1")
    made.add_argument("--json", action="store_true", help="print JSON instead of a table")
    return made


def _game_report(options: argparse.Namespace, rules: RuleSet | None, solver: Solver) -> str:
    from tqdm import tqdm

    from goban.solver.analysis import QUESTIONS, analyse
    from goban.solver.positions import last_part, rules_of, start_of
    from goban.solver.reports import game_json, summary, table
    from goban.solver.sgf_files import read_game

    game = last_part(read_game(read_bounded(options.sgf, _MOST_BYTES), options.game))
    notes: list[str] = []
    if rules is None:
        rules, notes = rules_of(game)
    start = start_of(game, rules, options.moves)
    moves = [played.move for played in game.moves]
    with tqdm(total=QUESTIONS * (len(moves) + 1), unit="question", leave=False, disable=not is_terminal(sys.stderr)) as bar:
        rows = analyse(moves, start.rules, start=start, solver=solver, seconds=options.seconds, progress=bar.update)
    for note in (*game.mended, *notes):
        complain(_NAME, note)
    if options.json:
        return json.dumps(game_json(rows, game, start.rules), indent=1)
    black, white = (printable(name, 40) or "?" for name in (game.black, game.white))
    komi = start.rules.komi(game.size)
    title = f"{black} (black) - {white} (white), {start.rules.name}, {game.size}x{game.size}, komi {komi:g}"
    return "\n\n".join([title, table(rows, komi, game.size), summary(rows, game.size)])


def _position_report(options: argparse.Namespace, rules: RuleSet | None, solver: Solver) -> str:
    from goban.solver.analysis import value_with_line
    from goban.solver.positions import read_position
    from goban.solver.reports import position_json, position_text

    if options.game is not None:
        raise BadPositionError("--game: expected with --sgf only")
    text = read_bounded(options.position, _MOST_BYTES).decode("utf-8-sig", "replace")
    state = read_position(text, rules, options.moves)
    value = value_with_line(state, solver, options.seconds)
    told = (state, value, value.line)
    return json.dumps(position_json(*told), indent=1) if options.json else position_text(*told)


def _report(options: argparse.Namespace) -> str:
    """Return what is to be printed; raises CommandError, and BadBudgetError."""
    from goban.kernels.numba_tools.compile import compilation_told
    from goban.solver.positions import rules_by_name
    from goban.solver.solver import Solver

    rules = None if options.rules is None else rules_by_name(options.rules)
    make_report, name = (_position_report, options.position) if options.sgf is None else (_game_report, options.sgf)
    try:
        with compilation_told(lambda: complain(_NAME, _COMPILING)):
            return make_report(options, rules, Solver(options.memory, options.threads))
    except BadBudgetError:
        raise
    except MemoryError:
        raise CommandError(f"--memory: {options.memory} MiB are not available") from None
    except (OSError, GobanError, SearchError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise CommandError(f"{printable(name, 400)}: {parser().name_option(str(reason))}") from None


def _answer(arguments: Sequence[str] | None) -> int:
    reader = parser()
    options = reader.parse_args(arguments)
    if not 0 <= options.seconds <= _MOST_SECONDS:
        reader.error(f"argument --seconds: expected a number from 0 to {_MOST_SECONDS}, got {options.seconds:g}")
    if options.compile:
        _compile()
    else:
        print(fit_tables(_report(options)), flush=True)
    return DONE


def _compile() -> None:
    from goban.kernels.numba_tools.compile import compilation_told
    from goban.rulesets import COURSE
    from goban.solver.positions import AREA
    from goban.solver.solver import Solver
    from goban.states import new_game

    with compilation_told(lambda: complain(_NAME, _COMPILING)):
        solver = Solver(memory_mib=16)
        for rules in (COURSE, AREA):
            solver.prepare(new_game(rules, 2))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    if given[:1] == ["prove"]:
        from goban.solver.area.command import prove

        return run(f"{_NAME} prove", lambda: prove(given[1:]), GobanError, SearchError)
    if given[:1] == ["dataset"]:
        from goban.solver.dataset import dataset

        return run(f"{_NAME} dataset", lambda: dataset(given[1:]), SearchError)
    if given[:1] == ["explorer"]:
        from goban.solver.dataset import explorer

        return run(f"{_NAME} explorer", lambda: explorer(given[1:]), SearchError)
    if given[:1] == ["serve"]:
        from goban.solver.server import serve

        return run(f"{_NAME} serve", lambda: serve(given[1:]), SearchError)
    return run(_NAME, lambda: _answer(given), BadBudgetError)


if __name__ == "__main__":
    sys.exit(main())

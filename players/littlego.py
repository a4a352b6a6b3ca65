"""Any player as a program of Little-Go: reads input.txt, writes output.txt, is started anew for every move.

    python3 -m players.littlego greedy                in the folder where input.txt is
    python3 -m players.littlego my_player.py --moves 6 --input there/input.txt --output there/output.txt

With the same seed it plays the moves the player would play in one process: between two moves of a game the state of its
random generator, the number of moves and its last board are kept in littlego_notes.json beside input.txt. Where these notes
are missing or are about another game, the number of moves is the fewest that fits the stones (see `goban.inputs`), and
chance begins anew.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from go import GO
from goban.common.command_lines import DONE, LEFT, CommandError, Parser, command_line, complain, run
from goban.common.files import read_bounded
from goban.errors import BadInputError, GobanError
from goban.game import judge_answer
from goban.inputs import Input, Note, continues, moves_made, note_in, note_text, output_text, read_input
from goban.moves import Resign
from goban.rulesets import PRESETS, full_name, ruleset
from players.errors import BadPlayerError
from players.registry import NAMES, make_player

NOTES = "littlego_notes.json"
_NAME = "players.littlego"
_MOST_BYTES = 100_000
"""Of input.txt, which has some hundreds."""


@dataclass(frozen=True)
class Notes:
    """What is kept between two moves. last: the player's last move; seed, state: of its generator (`Random.getstate`)."""

    last: Note
    seed: int
    state: tuple[object, ...]


def parser() -> Parser:
    """Return the command line's parser."""
    names = ", ".join(name for name in NAMES if name != "manual")
    description = "Answer an input.txt of Little-Go with a player's move."
    made = Parser(name=_NAME, prog="python3 -m players.littlego", description=description)
    made.add_argument("player", metavar="PLAYER", help=f"{names}, a file.py, or module:Class; options follow as :key=value,...")
    made.add_argument("--seed", type=int, metavar="N", help="repeat the game of an earlier run with this seed")
    made.add_argument("--moves", type=int, metavar="N", help=(
        "moves made so far (default: as noted in the folder, or else estimated from the stones)"
    ))  # fmt: skip
    made.add_argument(
        "--rules", type=full_name, choices=PRESETS, default="littlego", metavar="NAME", help="rule set (default: %(default)s)"
    )
    made.add_argument("--input", type=Path, default=Path("input.txt"), metavar="FILE", help="default: %(default)s")
    made.add_argument("--output", type=Path, default=Path("output.txt"), metavar="FILE", help="default: %(default)s")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Answer once; return DONE, LEFT if the player answered no legal move, FAILED if it could not be asked."""
    return run(_NAME, lambda: _answer(parser().parse_args(arguments)), GobanError, BadPlayerError)


def _answer(options: argparse.Namespace) -> int:
    if options.player == "manual":
        raise CommandError(f"expected a program, got manual: play at the keyboard with {command_line('go_play')}")
    given = read_input(read_bounded(options.input, _MOST_BYTES).decode("ascii", "replace"))
    place = options.input.parent / NOTES
    notes = _read_notes(place)
    if notes is not None and (not continues(given, notes.last) or options.seed not in (None, notes.seed)):
        notes = None
    seed = random.SystemRandom().randrange(10**9) if options.seed is None else options.seed
    rng = random.Random(seed)
    if notes is not None:
        seed = notes.seed
        rng.setstate(notes.state)
    go = host_of(given, options.rules, notes, options.moves)
    state = go.position(given.colour)
    answer = make_player(options.player, rng).get_input(go, given.colour)
    move, complaint, _ = judge_answer(answer, state)
    if not complaint and isinstance(move, Resign):
        complaint = "it resigned, which output.txt cannot say"
    if complaint:
        return complain(_NAME, complaint, LEFT)
    options.output.write_text(output_text(move))
    kept = {"seed": seed, "random": rng.getstate()}
    place.write_text(note_text(Note(state.n_move + 1, state.after(move).rows(), kept)))
    return DONE


def host_of(given: Input, rules: str, notes: Notes | None, moves: int | None) -> GO:
    """Return the object a player is given to look at; raises BadInputError if so many moves cannot have been made."""
    go = GO(given.size, ruleset(rules))
    go.set_board(given.colour, given.previous, given.board)
    go.n_move = moves_made(given, None if notes is None else notes.last) if moves is None else moves
    if not 0 <= go.n_move < go.max_move or go.n_move % 2 != given.colour - 1:
        raise BadInputError(f"--moves: expected a number below {go.max_move} that fits the colour, got {moves}")
    go.X_move = go.n_move % 2 == 0
    return go


def _read_notes(place: Path) -> Notes | None:
    note = note_in(place)
    if note is None:
        return None
    try:
        version, inner, gauss = note.more["random"]
        state = (version, tuple(inner), gauss)
        random.Random().setstate(state)
        return Notes(note, int(note.more["seed"]), state)
    except (ValueError, TypeError, KeyError, OverflowError):
        return None


if __name__ == "__main__":
    sys.exit(main())

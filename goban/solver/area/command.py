"""`python3 -m goban.solver.truth prove`: what a board is worth, and a proof that anybody can check.

python3 -m goban.solver.truth prove 3x4 -o proof.go               by area: Black's proof, and White's if it says anything
                                                                  (proof.go.white)
python3 -m goban.solver.truth prove 5x5 --first C3 --at-least 25  one claim
python3 -m goban.solver.truth prove board.txt                     a drawn board, perhaps with `to_move: white`, `rules: course`
python3 goban/solver/area/verify_proof.py proof.go                the check, by a program that knows the rules only
python3 -m goban.solver.truth prove 4x4 --rules course -o game.go  the same of a game of the course, `course` or `littlego`
python3 goban/solver/alphabeta/verify_course_proof.py game.go     its check
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from goban.common.command_lines import DONE, LEFT, CommandError, Parser, command_line, complain, whole_number
from goban.common.excerpts import printable, quoted
from goban.common.files import check_writable, open_beside, read_bounded
from goban.errors import BadPointError, GobanError
from goban.grids import BLACK, WHITE
from goban.points import parse_vertex
from goban.rulesets import COLOUR_NAMES, RuleSet, opponent
from goban.solver.alphabeta.course_proofs import CourseClaim, Tell, holds, proof_of_course_claim
from goban.solver.area.boards import shape_of
from goban.solver.area.prover import Claim, Prover, decide
from goban.solver.area.solver import AreaPosition, AreaSolver, AreaValue, check_position, empty_board
from goban.solver.area.strategies import claims_of, pieces_of_proof
from goban.solver.area.verify_proof import Board
from goban.solver.book import no_book
from goban.solver.engine import Engine
from goban.solver.errors import RULES, BadPositionError, SearchError
from goban.solver.positions import AREA, read_drawing, read_position, rules_by_name
from goban.states import State, new_game

if TYPE_CHECKING:
    from goban.solver.solver import Solution

_NAME = "truth prove"
_MOST_BYTES = 10_000
_BETWEEN_LINES = 30.0
"""Seconds."""
_SIZE = re.compile("([0-9]{1,2})x([0-9]{1,2})")
_RULES = (AREA.name, *RULES)
_COLOURS = {name: colour for colour, name in COLOUR_NAMES.items()}


def parser() -> Parser:
    """Return the command line's parser."""
    prog = f"{command_line('goban.solver.truth')} prove"
    command = Parser(name=_NAME, prog=prog, description="Find the values of positions, and prove them.")
    command.add_argument("board", help="a size, such as 3x4 (rows x columns), or a file with a drawn board")
    rules = "those that the file names; else area: two passes end the game, scored by area"
    command.add_argument("--rules", choices=_RULES, help=rules)
    command.add_argument("--suicide", action="store_true", help="suicide of two stones or more is allowed")
    command.add_argument("--first", metavar="MOVE", help="the first move, such as C3")
    command.add_argument("--by", choices=list(_COLOURS), default="black", help="the side that gets the margin of --at-least")
    command.add_argument("--at-least", type=int, metavar="N", help="prove this margin instead of finding the value")
    command.add_argument("--nodes", type=whole_number(0, 10**15, "positions"), metavar="N", help="positions searched at most")
    command.add_argument("--memory", type=whole_number(1, 2**18, "a number of MiB"), default=256, metavar="MIB", help=(
        "memory for the search, default 256"
    ))  # fmt: skip
    command.add_argument("--threads", type=whole_number(1, 64, "threads"), default=1, metavar="N", help=(
        "threads that search for a claim under area rules, default 1"
    ))  # fmt: skip
    command.add_argument("-o", "--out", type=Path, metavar="PROOF", help="where to write the proof")
    return command


def prove(arguments: Sequence[str]) -> int:
    """Find a value, or prove a claim; return the exit status."""
    from goban.kernels.numba_tools.compile import compilation_told

    options = parser().parse_args(arguments)
    if options.out is not None:
        check_writable(options.out, ".proof")
    if options.rules is None:
        options.rules = _rules_of(options.board)
    with compilation_told(lambda: complain(_NAME, "compiling, once for this machine...")):
        return _prove_by_area(options) if options.rules == AREA.name else _prove_course(options)


def _prove_by_area(options: argparse.Namespace) -> int:
    position = _position(options.board)
    if options.first is not None:
        position = _after(position, options.first)
    if options.at_least is None:
        solver = AreaSolver(position.height, position.width, options.memory, options.suicide)
        value = solver.value(position, options.nodes)
        print(_value_text(value))
        claims = claims_of(position, value.lower, value.upper, options.suicide)
        del solver
        if options.out is not None and not claims:
            complain(_NAME, f"{printable(str(options.out), 400)} is not written: neither side is certain of anything")
            return LEFT
        written = claims if options.out is not None else []
        provers = [Prover(claim, options.memory, _make_teller(), options.threads) for claim in written]
    else:
        _check_margin(options.at_least, position.points)
        claim = Claim(position, _COLOURS[options.by], options.at_least, options.suicide)
        prover = Prover(claim, options.memory, _make_teller(), options.threads)
        reached, nodes = decide(prover, options.memory, options.nodes)
        refuted = "refuted where a game that goes on for ever is a tie"
        print(_claim_text(options.by, options.at_least, reached, refuted, nodes))
        if not reached:
            return LEFT
        provers = [prover]
    if options.out is not None:
        for prover, out in zip(provers, _name_proofs(options.out, [one.claim.prover for one in provers]), strict=True):
            _write(out, prover.claim.prover, prover.claim.margin, pieces_of_proof(prover))
    return DONE


def _prove_course(options: argparse.Namespace) -> int:
    from goban.solver.solver import Solver

    if options.threads > 1:
        raise CommandError(f"--threads: expected only under area rules, got --rules {options.rules}")
    if options.suicide:
        raise CommandError(f"--suicide: expected only under area rules, got --rules {options.rules}")
    state = _state(options.board, rules_by_name(options.rules))
    if options.first is not None:
        try:
            state = state.play(options.first)
        except GobanError as error:
            raise CommandError(f"--first: {error}") from None
    # A book says who wins, but not by which answers.
    solver = Solver(options.memory, book=no_book)
    if options.at_least is None:
        margin = solver.margin(state, options.nodes)
        if margin.margin is None:
            print(f"black less white: not found ({margin.nodes:,} positions searched)")
            return LEFT
        print(f"black less white: {margin.margin}, {_winner_text(margin, state)} ({margin.nodes:,} positions searched)")
        claims = [CourseClaim(state, BLACK, margin.margin), CourseClaim(state, WHITE, -margin.margin)]
    else:
        _check_margin(options.at_least, state.grid.size**2)
        claims = [CourseClaim(state, _COLOURS[options.by], options.at_least)]
        reached = holds(solver.engine, claims[0], options.nodes)
        print(_claim_text(options.by, options.at_least, reached, "refuted", solver.engine.nodes))
        if not reached:
            return LEFT
    if options.out is not None:
        for claim, out in zip(claims, _name_proofs(options.out, [claim.prover for claim in claims]), strict=True):
            _write_course_proof(solver.engine, claim, out)
    return DONE


def _write_course_proof(engine: Engine, claim: CourseClaim, out: Path) -> None:
    """Write a proof; what an interrupted one had done is kept beside it, and gone on from."""
    unfinished = out.with_name(f"{out.name}.unfinished")
    check_writable(out, ".proof")
    try:
        data = proof_of_course_claim(engine, claim, unfinished, _make_teller())
    except KeyboardInterrupt:
        complain(_NAME, f"{printable(str(unfinished), 400)} has what is done; the same command goes on from there")
        raise
    _write(out, claim.prover, claim.margin, [data])
    unfinished.unlink(missing_ok=True)


def _make_teller() -> Tell:
    """Return what tells how far a long proof is, every half a minute."""
    last_line = monotonic()

    def tell(text: str) -> None:
        nonlocal last_line
        if monotonic() - last_line > _BETWEEN_LINES:
            last_line = monotonic()
            complain(_NAME, text)

    return tell


def _check_margin(margin: int, points: int) -> None:
    if abs(margin) > points:
        raise CommandError(f"--at-least: expected at most {points} points either way, got {margin}")


def _claim_text(prover: str, margin: int, reached: bool | None, refuted: str, nodes: int) -> str:
    verdict = "not found" if reached is None else "proven" if reached else refuted
    return f"{prover} gets at least {margin}: {verdict} ({nodes:,} positions searched)"


def _winner_text(solution: Solution, state: State) -> str:
    won = f"{COLOUR_NAMES[solution.winner]} wins" if solution.winner else "nobody wins"
    return f"{won} with a komi of {state.rules.komi(state.grid.size):g}"


def _state(text: str, rules: RuleSet) -> State:
    size = _SIZE.fullmatch(text)
    if size is None:
        try:
            return read_position(_text_of(text), rules)
        except (GobanError, SearchError) as error:
            raise CommandError(f"{printable(text, 400)}: {error}") from None
    if size[1] != size[2]:
        raise CommandError(f"expected a square board under {rules.name}, such as 4x4, got {quoted(text)}")
    return new_game(rules, int(size[1]))


def _name_proofs(path: Path, provers: Sequence[int]) -> list[Path]:
    """Return proofs' names: the one that was asked for, then the same with the prover's colour."""
    return [path, *(path.with_name(f"{path.name}.{COLOUR_NAMES[prover]}") for prover in provers[1:])]


def _write(out: Path, prover: int, margin: int, pieces: Iterable[bytes]) -> None:
    """Write a proof, each piece as soon as it is made, and tell its name."""
    with open_beside(out) as file:
        size = sum(file.write(piece) for piece in pieces)
    print(f"{printable(str(out), 400)}: {COLOUR_NAMES[prover]} gets at least {margin} ({size:,} bytes)")


def _value_text(value: AreaValue) -> str:
    bounds = f"{value.lower}" if value.lower == value.upper else f"{value.lower} to {value.upper}"
    known = value.tied is not None and value.lower != value.upper
    tied = f", {value.tied} where a game that goes on for ever is a tie" if known else ""
    return f"black less white: {bounds}, whoever repeats positions{tied} ({value.nodes:,} positions searched)"


def _position(text: str) -> AreaPosition:
    size = _SIZE.fullmatch(text)
    if size:
        position = empty_board(int(size[1]), int(size[2]))
        shape_of(position.height, position.width)
        return position
    try:
        return _drawn(*_drawing(text))
    except BadPositionError as error:
        raise CommandError(f"{printable(text, 400)}: {error}") from None


def _rules_of(board: str) -> str:
    """Return the rules that a file with a drawn board names; area for one that names none, and for a size."""
    if _SIZE.fullmatch(board):
        return AREA.name
    try:
        named = _drawing(board)[0].get("rules", AREA.name)
        if named.lower() not in _RULES:
            raise BadPositionError(f"rules: expected one of {', '.join(_RULES)}, got {quoted(named)}")
    except BadPositionError as error:
        raise CommandError(f"{printable(board, 400)}: {error}") from None
    return named.lower()


def _drawing(path: str) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Return what `read_drawing` makes of a file."""
    lines = [line.strip() for line in _text_of(path).splitlines()]
    return read_drawing([line for line in lines if line and not line.startswith("#")])


def _text_of(path: str) -> str:
    try:
        return read_bounded(path, _MOST_BYTES).decode("utf-8-sig", "replace")
    except FileNotFoundError:
        raise CommandError(f"expected a size such as 3x4, or a file with a drawn board, got {quoted(path)}") from None


def _drawn(headers: Mapping[str, str], drawn: Mapping[str, Sequence[str]]) -> AreaPosition:
    if set(drawn) != {"board"}:
        raise BadPositionError("expected one board under area rules, where a claim begins without a ko, got a previous one too")
    rows = ["".join(row.split()).upper() for row in drawn["board"]]
    if len({len(row) for row in rows}) != 1 or set("".join(rows)) - set(".XO"):
        raise BadPositionError("expected rows of equal length of '.', 'X' and 'O'")
    mover = headers.get("to_move", "black").lower()
    if mover not in _COLOURS:
        raise BadPositionError(f"to_move: expected black or white, got {quoted(headers['to_move'])}")
    points = "".join(rows)
    black, white = (sum(1 << k for k, mark in enumerate(points) if mark == colour) for colour in "XO")
    position = AreaPosition(len(rows), len(rows[0]), black, white, _COLOURS[mover])
    check_position(position, position.shape)
    return position


def _after(position: AreaPosition, text: str) -> AreaPosition:
    """Return the position after a placement of the player to move."""
    height, width, larger = position.height, position.width, max(position.height, position.width)
    try:
        point = parse_vertex(text, larger)
    except BadPointError:
        point = None
    if point is None or point[0] < larger - height or point[1] >= width:
        raise CommandError(f"--first: expected a point of the {height}x{width} board, such as A1, got {quoted(text)}")
    bit = 1 << width * (point[0] - larger + height) + point[1]
    own, other = position.stones(position.to_move), position.stones(opponent(position.to_move))
    after = None if (own | other) & bit else Board(height, width, False).play(own, other, bit)
    if after is None or after[2]:
        raise CommandError(f"--first: expected a legal move that begins no ko, got {quoted(text)}")
    mine, theirs, _ = after
    black, white = (mine, theirs) if position.to_move == BLACK else (theirs, mine)
    return replace(position, black=black, white=white, to_move=WHITE if position.to_move == BLACK else BLACK)

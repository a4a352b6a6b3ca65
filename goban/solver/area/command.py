"""`python3 -m goban.solver.truth prove`: what a board is worth under `area` rules, and a proof that anybody can check.

    python3 -m goban.solver.truth prove 3x4 -o proof.go               Black's proof, and White's if it says anything
    (proof.go.white) python3 -m goban.solver.truth prove 5x5 --first C3 --at-least 25  one claim
    python3 -m goban.solver.truth prove board.txt                     a drawn board, `to_move: white` if White is to move
    python3 goban/solver/area/verify_proof.py proof.go                the check, by a program that knows the rules only
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from goban.common.command_lines import DONE, LEFT, CommandError, Parser, command_line, complain, whole_number
from goban.common.excerpts import printable, quoted
from goban.common.files import read_bounded, write_beside
from goban.errors import BadPointError
from goban.grids import BLACK, WHITE
from goban.points import parse_vertex
from goban.rulesets import COLOUR_NAMES, opponent
from goban.solver.area.boards import shape_of
from goban.solver.area.solver import AreaPosition, AreaSolver, AreaValue, check_position, empty_board
from goban.solver.area.strategies import Claim, claims_of, proof_of_claim
from goban.solver.area.verify_proof import Board
from goban.solver.errors import BadPositionError
from goban.solver.positions import read_drawing

_NAME = "truth prove"
_MOST_BYTES = 10_000
_COLOURS = {name: colour for colour, name in COLOUR_NAMES.items()}


def parser() -> Parser:
    """Return the command line's parser."""
    prog = f"{command_line('goban.solver.truth')} prove"
    made = Parser(name=_NAME, prog=prog, description="Values under area rules, with their proof.")
    made.add_argument("board", help="a size, such as 3x4 (rows x columns), or a file with a drawn board")
    made.add_argument("--rules", choices=["area"], default="area", help="two passes end the game, area counts (default)")
    made.add_argument("--suicide", action="store_true", help="suicide of two stones or more is allowed")
    made.add_argument("--first", metavar="POINT", help="the first move, such as C3")
    made.add_argument("--by", choices=list(_COLOURS), default="black", help="who gets --at-least so many points more")
    made.add_argument("--at-least", type=int, metavar="N", help="prove this margin instead of looking for the value")
    made.add_argument("--nodes", type=whole_number(0, 10**15, "positions"), metavar="N", help="searched at most")
    made.add_argument("--memory", type=whole_number(1, 2**18, "a number of MiB"), default=256, metavar="MIB", help="256")
    made.add_argument("-o", "--out", type=Path, metavar="PROOF", help="where to write the proof")
    return made


def prove(arguments: Sequence[str]) -> int:
    """Find a value, or prove a claim; return the exit status."""
    from goban.kernels.numba_tools.entry_points import compilation_told

    options = parser().parse_args(arguments)
    position = _position(options.board)
    if options.first is not None:
        position = _after(position, options.first)
    with compilation_told(lambda: complain(_NAME, "compiling, once for this machine...")):
        solver = AreaSolver(position.height, position.width, options.memory, options.suicide)
        if options.at_least is None:
            value = solver.value(position, options.nodes)
            print(_value_text(value))
            claims = claims_of(position, value.lower, value.upper, options.suicide)
        else:
            if abs(options.at_least) > position.points:
                raise CommandError(f"--at-least: expected at most {position.points} points either way, got {options.at_least}")
            claims = [Claim(position, _COLOURS[options.by], options.at_least, options.suicide)]
            reached = solver.reaches(position, claims[0].prover, claims[0].margin, options.nodes)
            answers = {True: "proven", False: "refuted where a game that goes on for ever is a tie", None: "not found"}
            print(f"{options.by} gets at least {options.at_least}: {answers[reached]} ({solver.nodes:,} positions searched)")
            if not reached:
                return LEFT
        if options.out is not None:
            _write(solver, claims, options.out)
    return DONE


def _write(solver: AreaSolver, claims: Sequence[Claim], path: Path) -> None:
    for number, claim in enumerate(claims):
        out = path if number == 0 else path.with_name(f"{path.name}.{COLOUR_NAMES[claim.prover]}")
        data = proof_of_claim(solver, claim)
        write_beside(out, data)
        print(f"{printable(str(out), 400)}: {COLOUR_NAMES[claim.prover]} gets at least {claim.margin} ({len(data):,} bytes)")


def _value_text(value: AreaValue) -> str:
    said = f"{value.lower}" if value.lower == value.upper else f"{value.lower} to {value.upper}"
    known = value.tied is not None and value.lower != value.upper
    tied = f", {value.tied} where a game that goes on for ever is a tie" if known else ""
    return f"black less white: {said}, whatever the rule about repetition{tied} ({value.nodes:,} positions searched)"


def _position(text: str) -> AreaPosition:
    size = re.fullmatch("([0-9]{1,2})x([0-9]{1,2})", text)
    if size:
        position = empty_board(int(size[1]), int(size[2]))
        shape_of(position.height, position.width)
        return position
    try:
        lines = read_bounded(text, _MOST_BYTES).decode("utf-8-sig", "replace").splitlines()
    except FileNotFoundError:
        raise CommandError(f"expected a size such as 3x4, or a file with a drawn board, got {quoted(text)}") from None
    try:
        return _drawn([line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")])
    except BadPositionError as error:
        raise CommandError(f"{printable(text, 400)}: {error}") from None


def _drawn(lines: list[str]) -> AreaPosition:
    said, drawn = read_drawing(lines)
    if set(said) - {"to_move"} or set(drawn) != {"board"}:
        raise BadPositionError("expected a drawn board and perhaps to_move under area rules, got more")
    rows = ["".join(row.split()).upper() for row in drawn["board"]]
    if len({len(row) for row in rows}) != 1 or set("".join(rows)) - set(".XO"):
        raise BadPositionError("expected rows of equal length of '.', 'X' and 'O'")
    mover = said.get("to_move", "black").lower()
    if mover not in _COLOURS:
        raise BadPositionError(f"to_move: expected black or white, got {quoted(said['to_move'])}")
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

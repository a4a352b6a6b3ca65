"""Games of a store as files for other programs: csv, json, SGF. The same games give the same bytes.

Whatever differs from run to run is left out unless asked for: `times` adds seconds, `machine` the sandbox's tier, how
often a game was replayed and why, `logs` what players printed and their tracebacks. Games are written in the order given,
one at a time, so that memory does not grow with their number. A file is written as a whole or not at all.

What a roster says of the entrants besides their names goes into csv and json, in columns of its own.

Names, and what a roster says, are written as they stand, in UTF-8. What submissions have said is made printable, and `cell`
keeps a spreadsheet from taking any text for a formula (https://owasp.org/www-community/attacks/CSV_Injection).
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from goban.common.excerpts import as_written, printable
from goban.common.files import make_folder, open_beside, write_beside
from goban.errors import GobanError
from goban.grids import BLACK, WHITE
from goban.moves import PASS
from goban.points import parse_vertex
from goban.rulesets import ruleset
from goban.sgf import SgfGame, SgfMove, escape, write_sgf
from gojudge.errors import JudgeError
from gojudge.records import Entrant, Fields, GameResult, GameSpec, Termination
from tournament.results.rubrics import show_points

FORMATS = ("csv", "json", "sgf")
_WINNERS = {BLACK: "black", WHITE: "white", 0: "tie"}
_COLOURS = {0: "", BLACK: "black", WHITE: "white"}
_TIMES = ("wall", "cpu", "slept", "waited")
# The wide signs of East Asian keyboards, too; what is not seen before one does not count. Where commas stand in numbers, Excel
# begins a cell behind each semicolon, whatever quotation it is in.
_CELL = "(?:^|(?<=;))"
_FORMULA = '(?=[\\s"\u00ad\u200b-\u200f\u2060\ufeff]*[=+\\-@\uff1d\uff0b\uff0d\uff20])'
_AS_FORMULA, _AS_TEXT = re.compile(_CELL + _FORMULA), re.compile(f"{_CELL}'{_FORMULA}")
_TEXT_CHARACTERS = 400
_LOG_CHARACTERS = 200_000

_NO_GAME = GameResult(GameSpec("", "", "", (0, 0)), None, 0, 0, Termination.VOID)


@dataclass(frozen=True)
class Extras:
    """Which of the parts that differ from run to run to add; see above."""

    times: bool = False
    machine: bool = False
    logs: bool = False


def cell(value: object) -> object:
    """Return a value as a cell of a CSV file: a text as it is written, in one line, but nothing that would be computed.

    A fraction is taken for points.
    """
    if isinstance(value, Fraction):
        value = show_points(value)
    if not isinstance(value, str):
        return value
    return _AS_FORMULA.sub("'", as_written(value))


def from_cell(text: str) -> str:
    """Return the text of a cell that `cell` made, and that a spreadsheet may have saved since."""
    return _AS_TEXT.sub("", text)


def plain_names(names: Iterable[str]) -> dict[str, str]:
    """Return name -> a name that `cell` leaves as it is, for files that a table lists; no two are the same."""
    plain: dict[str, str] = {}
    given = list(dict.fromkeys(names))
    taken = set(given)
    for name in given:
        plain[name] = _AS_FORMULA.sub("_", name)
        while plain[name] != name and plain[name] in taken:
            plain[name] = f"_{plain[name]}"
        taken.add(plain[name])
    return plain


def csv_line(values: Iterable[object]) -> str:
    """Return one line of a CSV file."""
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow([cell(value) for value in values])
    return line.getvalue()


def roster_headers(everybody: Iterable[Fields], taken: Collection[str], prefix: str = "") -> dict[str, str]:
    """Return header -> column of the roster, for all columns of these entrants, in their order; no header is a taken one."""
    columns = dict.fromkeys(column for fields in everybody for column, _ in fields)
    return {f"{'roster_' * (prefix + column in taken)}{prefix}{column}": column for column in columns}


def record(result: GameResult, extras: Extras) -> dict[str, Any]:
    """Return a game as plain data for JSON, and, with its lists joined, for a line of CSV."""
    fields: dict[str, Any] = {
        "id": result.spec.id,
        "black": result.spec.black,
        "white": result.spec.white,
        "winner": "void" if result.winner is None else _WINNERS[result.winner],
        "black_score": result.black_score,
        "white_score": result.white_score,
        "termination": result.termination.value,
        "forfeited_by": _COLOURS[result.forfeited_by],
        "detail": printable(result.detail, _TEXT_CHARACTERS),
        "n_moves": len(result.turns),
        "moves": [turn.move for turn in result.turns],
    }
    if extras.times:
        for name in _TIMES:
            fields[f"{name}_seconds"] = [round(getattr(turn.spent, name), 6) for turn in result.turns]
        for name in _TIMES:
            fields[f"last_{name}_seconds"] = None if result.last is None else round(getattr(result.last.spent, name), 6)
    if extras.machine:
        fields["tier"] = result.tier
        fields["replays"] = result.replays
        fields["notes"] = [printable(note, _TEXT_CHARACTERS) for note in result.notes]
    if extras.logs:
        texts = {"evidence": result.evidence, "black_log": result.black_log, "white_log": result.white_log}
        lines = {name: text[:_LOG_CHARACTERS].splitlines() for name, text in texts.items()}
        fields |= {name: [printable(line, _TEXT_CHARACTERS) for line in of_text] for name, of_text in lines.items()}
    return fields


def check_list(path: Path, of: str, *beginnings: str) -> None:
    """Raise JudgeError if there is another list at `path`, such as the class's roster: it would be lost.

    of: what ours lists; beginnings: how its first line may begin.
    """
    if not path.is_file() or not path.stat().st_size:
        return
    known = tuple(map(str.encode, beginnings))
    with path.open("rb") as file:
        beginning = file.read(max(map(len, known)))
    if not beginning.startswith(known):
        raise JudgeError(f"{path} is no list of {of}, and is not overwritten (--out says where else to write)")


def write_csv(results: Iterable[GameResult], path: Path, extras: Extras, entrants: Sequence[Entrant] = ()) -> int:
    """Write a header and one line per game; return the number of games. Raises OSError.

    entrants: those of whom a roster says more; that stands behind the game, once for Black and once for White.
    """
    fields, header = {entrant.name: entrant.fields for entrant in entrants}, record(_NO_GAME, extras)
    sides = [(side, roster_headers(fields.values(), header, f"{side}_")) for side in ("black", "white")]
    number = 0
    with open_beside(path) as file:
        file.write(csv_line([*header, *(name for _, headers in sides for name in headers)]).encode())
        for result in results:
            number += 1
            written = record(result, extras)
            joined = [" ".join(map(str, value)) if isinstance(value, list) else value for value in written.values()]
            for side, headers in sides:
                said = dict(fields.get(written[side], ()))
                joined += [said.get(column, "") for column in headers.values()]
            file.write(csv_line("" if value is None else value for value in joined).encode())
    return number


def write_json(
    results: Iterable[GameResult], path: Path, extras: Extras, about: dict[str, Any], entrants: Sequence[Entrant] = ()
) -> int:
    """Write `{"event": about, "games": [...]}`, one game per line; return the number of games. Raises OSError.

    entrants: if a roster says more of any of them, `"roster": {name: {column: text}}` stands between event and games.
    """
    number = 0
    roster = {entrant.name: dict(entrant.fields) for entrant in entrants if entrant.fields}
    more = f'"roster": {json.dumps(roster, sort_keys=True)}, ' if roster else ""
    with open_beside(path) as file:
        file.write(f'{{"event": {json.dumps(about, sort_keys=True)}, {more}"games": [\n'.encode())
        for number, result in enumerate(results, 1):
            separator = ",\n" if number > 1 else ""
            file.write(f"{separator}{json.dumps(record(result, extras))}".encode())
        file.write(b"\n]}\n")
    return number


# SGF


def sgf_game(result: GameResult, rules: str, size: int, extras: Extras) -> SgfGame:
    """Return a game as SGF, in which a resignation is not a move. Raises JudgeError for a text that is not a move."""
    preset = ruleset(rules)
    reason = result.termination.value + (f": {printable(result.detail, _TEXT_CHARACTERS)}" if result.detail else "")
    moves = []
    for number, turn in enumerate(result.turns):
        if turn.move == "resign":
            break
        try:
            point = PASS if turn.move == "pass" else parse_vertex(turn.move, size)
        except GobanError as error:
            raise JudgeError(f"game {result.spec.id}: move {number + 1}: {error}") from error
        seconds = round(turn.spent.charge, 3) if extras.times else None
        moves.append(SgfMove(BLACK if number % 2 == 0 else WHITE, point, seconds=seconds))
    return SgfGame(
        size=size,
        komi=preset.komi(size),
        rules=preset.name,
        black=result.spec.black,
        white=result.spec.white,
        result=result.text,
        moves=tuple(moves),
        extra=(("GN", (escape(result.spec.id),)), ("GC", (escape(reason),))),
    )


def pair_name(result: GameResult) -> str:
    """Return 'alice-bob' for the games of alice and bob, whoever plays Black."""
    return "-".join(sorted((result.spec.black, result.spec.white)))


def write_sgfs(
    results: Iterable[GameResult], folder: Path, rules: str, size: int, extras: Extras, per_game: bool = False
) -> int:
    """Write a file per pair (`alice-bob.sgf`, its games in the order given) or per game; return the number of games.

    With a file per pair, all games are held in memory as text. The folder is created. Raises OSError, JudgeError.
    """
    make_folder(folder)
    named = ((result.spec.id if per_game else pair_name(result), sgf_game(result, rules, size, extras)) for result in results)
    number = 0
    for name, texts in _texts(named, per_game):
        number += len(texts)
        write_beside(folder / f"{name}.sgf", "".join(texts).encode())
    return number


def _texts(named: Iterable[tuple[str, SgfGame]], per_game: bool) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield file names, each with its games; the games of a pair need not follow one another."""
    if per_game:
        yield from ((name, [write_sgf(game)]) for name, game in named)
        return
    files: dict[str, list[str]] = {}
    for name, game in named:
        files.setdefault(name, []).append(write_sgf(game))
    yield from files.items()

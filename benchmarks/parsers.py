"""The command lines of benchmarks."""

from __future__ import annotations

from goban.common.command_lines import Parser, whole_number


def parser_of(name: str, description: str, games: int = 0, least: int = 1) -> Parser:
    """Return the parser of `python3 -m benchmarks.NAME`. games: the default of its argument; 0 if it has no such argument."""
    made = Parser(name=name, prog=f"python3 -m benchmarks.{name}", description=description)
    if games:
        number = whole_number(least, 10**9, "a number of games")
        made.add_argument("games", nargs="?", type=number, default=games, help=f"default: {games}")
    return made

"""What the commands of analysis are asked, and the lines they print: those of Leela Zero, KataGo and Sabaki.

    lz-analyze b 50       info move C3 visits 1000 winrate 10000 prior 400 lcb 10000 order 0 pv C3 info move ...
    kata-analyze b 50     info move C3 visits 1000 winrate 1.000000 scoreLead 22.5 prior 0.040000 lcb 1.000000 order 0 pv C3 ...
    analyze b 50          as kata-analyze

All moves stand on one line. Where nothing else is known, every move is as likely beforehand, and the least a move is worth is
what it is worth.

Sources: https://github.com/SabakiHQ/Sabaki/blob/master/docs/guides/engine-analysis-integration.md,
https://github.com/lightvector/KataGo/blob/master/docs/GTP_Extensions.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from common.excerpts import quoted
from goban.errors import GtpError
from goban.gtp import colour_of, whole_number_of
from goban.points import vertex
from players.gtp_engine.arguments import Words

if TYPE_CHECKING:
    from search.candidates import Candidate, Candidates

_ASKS_FOR_MORE = ("minmoves", "ownership", "ownershipStdev", "movesOwnership", "movesOwnershipStdev", "pvVisits", "rootInfo")
"""Options that ask for more than there is to say; all others must be obeyed or refused."""


@dataclass(frozen=True)
class Wanted:
    """What is to be analysed and said. interval: seconds from line to line; most_moves: how many on a line."""

    colour: int
    interval: float = 0.5
    most_moves: int = 1000


def read_wanted(words: Words, to_move: int) -> Wanted:
    """Return what `[colour] [interval] [option value ...]` asks for; raises GtpError. The interval is in hundredths."""
    rest = list(words)
    colour = to_move
    if rest and rest[0].isalpha() and rest[0].lower() in ("b", "w", "black", "white"):
        colour = colour_of(rest.pop(0))
    if rest and rest[0].isdigit():
        rest.insert(0, "interval")
    found = {"interval": 50, "maxmoves": 1000}
    for name, value in _pairs(rest):
        if name in found:
            found[name] = whole_number_of(value)
        elif name not in _ASKS_FOR_MORE:
            raise GtpError(f"syntax error: expected a colour, an interval, interval N or maxmoves N, got {quoted(name)}")
    return Wanted(colour, max(found["interval"], 1) / 100, found["maxmoves"])


def _pairs(words: list[str]) -> Iterator[tuple[str, str]]:
    if len(words) % 2:
        raise GtpError(f"syntax error: expected options with a value each, got {quoted(' '.join(words))}")
    return zip(words[::2], words[1::2], strict=True)


def info_line(found: Candidates, size: int, most_moves: int, whole: bool) -> str:
    """Return what is known of the moves as one line. whole: win rates as whole numbers up to 10000, and no leads."""
    prior = 1 / len(found)
    return " ".join(_info(one, order, prior, size, whole) for order, one in enumerate(found[:most_moves]))


def _info(one: Candidate, order: int, prior: float, size: int, whole: bool) -> str:
    def rate(share: float) -> str:
        return f"{round(10_000 * share)}" if whole else f"{share:.6f}"

    lead = "" if whole or one.lead is None else f" scoreLead {one.lead:g}"
    move, win = vertex(one.move, size), rate(one.winrate)
    line = " ".join(vertex(point, size) for point in (one.move, *one.line))
    return f"info move {move} visits {one.visits} winrate {win}{lead} prior {rate(prior)} lcb {win} order {order} pv {line}"

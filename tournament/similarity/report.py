"""What is alike, as text and CSV, for a person to judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from goban.common.excerpts import printable
from goban.diagrams import diagram
from goban.grids import Rows
from tournament.results.exports import csv_line
from tournament.results.standings import terminal_table
from tournament.similarity.choices import SameMove
from tournament.similarity.playing_alike import LEVEL, PlayPair
from tournament.similarity.reading_alike import SHARE, Aside, Passage, TextPair

JUDGEMENT = """\
A * is a reason to look at a pair, and no finding. The same textbook algorithm, the same teacher, help that was allowed and
a common source on the web make programs alike, too. Read both sources, and hear both people, before you conclude anything."""
_SHOWN = 10
_NAMED = 5
_COLUMN = 58
_COLOURS = ("Black", "White")


def play_table(pairs: Sequence[PlayPair]) -> str:
    """Return the pairs that agree most surprisingly as a table, all that are marked and up to ten, and how many say nothing."""
    known = [pair for pair in pairs if pair.enough]
    shown = [pair for place, pair in enumerate(known) if pair.marked or place < _SHOWN]
    rows = [
        [
            "*" * pair.marked, f"{pair.one} & {pair.other}", str(pair.shared), f"{pair.agreed:.1f}", f"{pair.expected:.1f}",
            _chance(pair.chance), _chance(pair.adjusted),
        ]
        for pair in shown
    ]  # fmt: skip
    heads = ["", "pair", "positions", "same move", "expected", "chance", "any pair"]
    align = ["left", "left", *["right"] * 5]
    lines = ["Playing alike: the same moves in the same positions"]
    if rows:
        lines += ["", terminal_table(rows, heads, align), ""]
    few = "; the others share too few positions, and nothing can be said of them" * (len(known) < len(pairs))
    lines.append(f"{len(known)} of {len(pairs)} pairs can be compared{few}.")
    if taught := [f"{pair.one} & {pair.other}" for pair in pairs if pair.taught]:
        lines.append(f"Without a star, since both play as the greedy player of the documents: {', '.join(taught)}.")
    lines.append(f"* marks pairs so alike that {100 * LEVEL:g} % of events, or fewer, have one if everybody works alone.")
    return "\n".join(lines)


def _chance(chance: float) -> str:
    return f"{chance:.3f}" if chance >= 0.001 else "< 1e-9" if chance < 1e-9 else f"{chance:.0e}"


def text_table(pairs: Sequence[TextPair], compared: int, short: Sequence[str]) -> str:
    """Return the pairs that read most alike as a table, all that are marked and up to ten.

    compared: how many submissions were. short: the names of those that were not, too short as they are.
    """
    shown = [pair for place, pair in enumerate(pairs) if pair.marked or place < _SHOWN]
    rows = [
        [
            "*" * pair.marked, f"{pair.one} & {pair.other}", str(pair.common), f"{100 * pair.of_one:.0f} %",
            f"{100 * pair.of_other:.0f} %", str(pair.passages[0].tokens),
        ]
        for pair in shown
    ]  # fmt: skip
    heads = ["", "pair", "in common", "of the one", "of the other", "longest, in tokens"]
    lines = ["Reading alike: fingerprints of passages, without what the course and this project gave to everybody"]
    if rows:
        lines += ["", terminal_table(rows, heads, ["left", "left", *["right"] * 4]), ""]
    number = compared * (compared - 1) // 2
    lines.append(f"{len(pairs)} of {number} pairs have anything in common; * marks those with {100 * SHARE:g} % or more.")
    if short:
        lines.append(f"Too short without what everybody has: {', '.join(sorted(short))}.")
    return "\n".join(lines)


def asides_text(asides: Sequence[Aside], most: int) -> str:
    """Return which files count for nothing and why, a line for up to `most` of them; '' if there are none."""
    lines = []
    for one in asides[:most]:
        names = " & ".join(one.names) if len(one.names) < 3 else ", ".join(one.names[:_NAMED])
        names += f" and {len(one.names) - _NAMED} more" * (len(one.names) > _NAMED)
        alike = " (the same)" * one.same
        lines.append(f"  {printable(one.path, 40)} of {names}{alike}: {one.why}")
    if not lines:
        return ""
    more = [f"  ... and {len(asides) - most} more files"] * (len(asides) > most)
    return "\n".join(["Left aside, without a star for what is alike in them:", *lines, *more])


def same_move_text(found: SameMove, board: Rows) -> str:
    """Return a position in which two players made the same move."""
    others = f"{found.same:.1f}".removesuffix(".0")
    said = f"{others} of {found.others} others did" if found.others else "nobody else met it"
    title = f"{_COLOURS[found.ply % 2]} played {found.move}; {said} (as in {found.game}, move {found.ply + 1})"
    return f"{title}\n{diagram(board)}"


def passage_text(passage: Passage, texts: Sequence[Mapping[str, Sequence[str]]], most: int) -> str:
    """Return up to `most` lines of a passage side by side. texts: path -> lines, of the one and of the other."""
    columns = []
    for (path, first, last), lines in zip((passage.one, passage.other), texts, strict=True):
        numbered = [f"{number:4} {_line(lines.get(path, ()), number)}" for number in range(first, last + 1)]
        columns.append([f"{printable(path, 40)}, lines {first} to {last}", *numbered])
    rows = list(zip_longest(*columns, fillvalue=""))
    shown = [f"{mine:{_COLUMN}} | {theirs}".rstrip() for mine, theirs in rows[: most + 1]]
    return "\n".join(shown + [f"... and {len(rows) - most - 1} more lines"] * (len(rows) > most + 1))


def _line(lines: Sequence[str], number: int) -> str:
    return printable(lines[number - 1][:_COLUMN].expandtabs(4), _COLUMN - 5) if number <= len(lines) else ""


def pairs_csv(played: Sequence[PlayPair], read: Sequence[TextPair]) -> str:
    """Return all pairs as CSV, one line each, by name; cells of what is not known are empty."""
    header = ["one", "other", "positions", "same_move", "expected", "chance", "chance_in_any_pair", "plays_alike",
              "fingerprints", "share_of_one", "share_of_other", "reads_alike"]  # fmt: skip
    plays = {(pair.one, pair.other): _play_cells(pair) for pair in played}
    reads = {
        (pair.one, pair.other): [pair.common, f"{pair.of_one:.3f}", f"{pair.of_other:.3f}", int(pair.marked)] for pair in read
    }
    names = sorted({*plays, *reads})
    lines = (csv_line([*pair, *plays.get(pair, [""] * 6), *reads.get(pair, [""] * 4)]) for pair in names)
    return "".join([csv_line(header), *lines])


def _play_cells(pair: PlayPair) -> list[object]:
    if not pair.enough:
        return [pair.shared, "", "", "", "", 0]
    numbers = (f"{pair.agreed:.2f}", f"{pair.expected:.2f}", f"{pair.chance:.3g}", f"{pair.adjusted:.3g}")
    return [pair.shared, *numbers, int(pair.marked)]

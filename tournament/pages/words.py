"""How a game ended, in words. The game is as an edition shows it."""

from __future__ import annotations

import re
import shlex
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from goban.common.excerpts import as_written, signs
from goban.grids import Rows
from goban.inputs import question_text
from goban.points import parse_vertex
from goban.rulesets import COLOUR_NAMES, ruleset
from goban.states import State, new_game
from gojudge.records import CLASS, PROGRAM, Entrant, GameResult, Termination
from gojudge.sandbox.transcripts import shorten_paths
from gojudge.seats import Limits

if TYPE_CHECKING:
    from tournament.pages.truths import Truth


# Untrusted texts, made fit to be shown on a page.
#
# Letters of all languages stay. Control characters, escape sequences and everything that changes the direction of writing
# become visible escapes, as Python writes them; stacks of accents are cut. Markup is not treated here: the templates escape
# everything, and the scripts only ever set text.


_LINE_CHARACTERS = 400
_REPEATED = re.compile(r"(\W)\1{2,}")


def visible(text: str, length: int) -> str:
    """Return a text as one line of at most `length` characters (a few more if some are escaped)."""
    cut = text[: length + 1]
    shown = "".join(signs(cut))
    return shown if len(cut) <= length else f"{shown[: length - 1]}…"


def show_name(text: str) -> str:
    """Return a name as it is written, in one line; no script needs the same mark three times in a row."""
    return _REPEATED.sub(lambda match: match[1] * 2 if unicodedata.combining(match[1]) else match[0], as_written(text))


def excerpt(text: str, length: int) -> str:
    """Return the head and the tail of a text of many lines, about `length` characters, each line cut and made visible."""
    if len(text) > length:
        half = length // 2
        text = f"{text[:half]}\n[{len(text) - 2 * half} signs left out]\n{text[-half:]}"
    return "\n".join(visible(line.replace("\t", "    "), _LINE_CHARACTERS) for line in text.replace("\r\n", "\n").split("\n"))


_DETAIL_CHARACTERS = 300
_EVIDENCE_CHARACTERS = 4_000
_MOST_NAMED = 3
_ERROR = re.compile(r"([\w.]+)(?:: .*)? \((.+?), line (\d+)\)(?:; .*)?")
_ILLEGAL = re.compile(r"illegal move \S+: (.+)")
# What may differ between forfeits of one cause: what was answered, and how long it took.
_VARYING = re.compile(r"'[^']*'|\"[^\"]*\"|\d+\.\d+")


def _name(colour: int) -> str:
    return COLOUR_NAMES[colour].capitalize()


def _describe_forfeit(result: GameResult) -> str:
    """Return what is known of a forfeit besides its kind: 'ZeroDivisionError: division by zero (max.py, line 6)'."""
    return visible(result.detail, _DETAIL_CHARACTERS).partition(": ")[2]


def cause(result: GameResult) -> str:
    """Return the cause of a forfeit: 'ZeroDivisionError, max.py line 6', 'illegal move: the point is occupied'."""
    said, kind = _describe_forfeit(result), result.termination
    if not said:
        return kind.value
    if error := _ERROR.fullmatch(said):
        said = f"{error[1]}, {error[2]} line {error[3]}"
    elif move := _ILLEGAL.fullmatch(said):
        return f"{kind.value}: {move[1]}"
    return said if kind is Termination.CRASH or said.startswith(kind.value) else f"{kind.value}: {said}"


def common_cause(cause: str) -> str:
    """Return what a cause has in common with others like it: 'time-out: used … s of CPU', 'invalid answer …: off the board'."""
    return _VARYING.sub("…", cause)


def ending(result: GameResult) -> str:
    """Return one sentence: who won and by how much, or who forfeited, when and why."""
    if result.forfeited_by:
        said, reason = _describe_forfeit(result), result.termination.value
        why = said if said.startswith(reason) else reason + (f" ({said})" if said else "")
        when = "before" if result.termination is Termination.START_UP_FAILURE else "at"
        return f"{_name(result.forfeited_by)} forfeits {when} move {len(result.turns) + 1}: {why}."
    if not result.winner:
        return "A tie" + (" by repetition." if result.termination is Termination.REPETITION else ".")
    if result.termination is Termination.SCORE:
        margin = abs(result.black_score - result.white_score)
        return f"{_name(result.winner)} wins by {margin:g}: Black {result.black_score:g}, White {result.white_score:g}."
    return f"{_name(result.winner)} wins by {result.termination.value}."


def forfeit(result: GameResult, limits: Limits) -> str:
    """Return what a student is told of a game that they forfeited: its ending, and of a time-out what their answers took."""
    said = ending(result)
    if result.termination is not Termination.TIME_OUT or result.last is None:
        return said
    *others, last = [answer.spent.charge for answer in result.answers_of(result.forfeited_by)]
    said += f" The answer took {last:.1f} s; the limit is {limits.move_seconds:g} s"
    if not others:
        return f"{said}."
    least, most = (f"{seconds:.1f}" if seconds >= 1 else f"{round(seconds, 3):g}" for seconds in (min(others), max(others)))
    number = f"{len(others)} answers" if len(others) > 1 else "answer"
    return f"{said}; its other {number} took {least}{f' to {most}' * (least != most)} s."


@dataclass(frozen=True, slots=True)
class TimeOut:
    """An answer that took too long. move: which move it was to be. rows, last: the position asked about, and the point of the
    move that led to it. took: seconds; None if nobody counted them. others: its player's other answers in the game, as (move,
    seconds). asks, replays: the command lines that ask once more and the one that plays the game again; where an edition may
    not show them, nothing."""

    move: int
    colour: int
    rows: Rows
    last: tuple[int, int] | None
    took: float | None
    limit: float
    others: tuple[tuple[int, float], ...]
    asks: tuple[str, ...] = ()
    replays: str = ""

    @property
    def words(self) -> str:
        """How long it took, in a sentence: 'Move 8: White's answer took 5.01 s; the limit is 5 s.'"""
        took = "no time was kept" if self.took is None else f"{_name(self.colour)}'s answer took {self.took:.2f} s"
        return f"Move {self.move}: {took}; the limit is {self.limit:g} s."


def time_out(
    result: GameResult, rules: str, size: int, limits: Limits, entrant: Entrant | None = None, replays: str = ""
) -> TimeOut | None:
    """Return what is to be known of a time-out, None if a game did not end by one.

    entrant: who forfeited, if the readers may see their files. replays: see `TimeOut`.
    """
    if result.termination is not Termination.TIME_OUT or not result.forfeited_by:
        return None
    state = new_game(ruleset(rules), size)
    for turn in result.turns:
        state = state.after(parse_vertex(turn.move, size))
    number, colour = len(result.turns) + 1, result.forfeited_by
    took = None if result.last is None else result.last.spent.charge
    others = tuple((ply, result.turns[ply - 1].spent.charge) for ply in range(colour, number, 2))
    asks = tuple(_asking(entrant, state)) if entrant is not None else ()
    return TimeOut(
        move=number,
        colour=colour,
        rows=state.rows(),
        last=state.last_point,
        took=took,
        limit=limits.move_seconds,
        others=others,
        asks=asks,
        replays=replays,
    )


def _asking(entrant: Entrant, state: State) -> list[str]:
    """Return the command lines that ask a submission for its move in a position."""
    if entrant.kind not in (CLASS, PROGRAM) or entrant.reference:
        return []
    question = question_text(state).strip().replace("\n", "\\n")
    asked = [f"printf '{question}\\n' > input.txt"]
    if entrant.kind == CLASS:
        player = entrant.entry + (f":{entrant.class_name}" if entrant.class_name != "MyPlayer" else "")
        words = ["python3", "-m", "players.littlego", player, f"--rules={state.rules.name}", f"--moves={state.n_move}"]
        return [*asked, f"time {shlex.join(words)}"]
    stem, _, ending = entrant.entry.rpartition(".")
    compiled = {"cpp": f"g++ -O2 *.cpp -o {shlex.quote(stem)} && time {shlex.quote(f'./{stem}')}",
                "java": f"javac {shlex.quote(entrant.entry)} && time java {shlex.quote(stem)}"}  # fmt: skip
    return [*asked, compiled.get(ending, f"time python3 {shlex.quote(entrant.entry)}")]


def traceback(result: GameResult) -> str:
    """Return what the player's own traceback says of a forfeit, '' if it left none."""
    return excerpt(result.evidence, _EVIDENCE_CHARACTERS)


def first_forfeits(games: Iterable[GameResult], limits: Limits) -> dict[str, dict[str, str]]:
    """Return name -> opponent -> what is told of the first game that the player has forfeited against it."""
    first: dict[str, dict[str, str]] = {}
    for game in games:
        if game.forfeited_by:
            sides = (game.spec.black, game.spec.white)
            name, opponent = sides[game.forfeited_by - 1], sides[2 - game.forfeited_by]
            # Games of before were stored with paths of the machine that played them.
            game = replace(game, detail=shorten_paths(game.detail), evidence=shorten_paths(game.evidence))
            told = "\n".join(text for text in (forfeit(game, limits), traceback(game)) if text)
            first.setdefault(name, {}).setdefault(opponent, told)
    return first


def turning_point(truth: Truth | None, result: GameResult) -> str:
    """Return which move lost the game, as far as that is known; '' if nothing is."""
    if truth is None:
        return ""
    ply = truth.first_losing_move
    if ply is None:
        known = all(winner is not None for winner in truth.winners)
        if known and result.winner and truth.winners[0] == result.winner:
            return f"With best play {_name(result.winner)} won from the start, and never let it go."
        return ""
    certain = all(winner is not None for winner in truth.winners[: ply - 1])
    said = f"{'First losing move' if certain else 'First move known to lose'}: {_move(truth, result, ply)}."
    last = truth.last_turn
    return said if last is None or last == ply else f"{said} Last turn: {_move(truth, result, last)}."


def _move(truth: Truth, result: GameResult, ply: int) -> str:
    """Return 'White C1, move 18; E1 or D2 was best', or '... would have won' where the best moves are unknown."""
    better = instead(truth, ply)
    return f"{_name(2 - ply % 2)} {result.turns[ply - 1].move}, move {ply}{'; ' * bool(better)}{better}"


def instead(truth: Truth, ply: int) -> str:
    """Return which moves were better than move `ply`: 'E1 or D2 was best', 'C3 would have won'; '' if that is unknown."""
    better, what = (truth.best[ply], "was best") if ply in truth.best else (truth.winning.get(ply, ""), "would have won")
    moves = better.split()
    more = " among others" if len(moves) > _MOST_NAMED else ""
    return f"{' or '.join(moves[:_MOST_NAMED])} {what}{more}" if moves else ""

"""What a controller tells an engine in a game, and what the engine's answers mean.

    name, version, list_commands                                   once, when the engine has been started
    [start-up commands], boardsize, clear_board, komi,             when a game begins; the last two
    [time_settings], [set_random_seed]                             if the engine knows them
    play w C3, genmove b                                           at each of its turns

An engine keeps a board of its own, of which we believe nothing: we play its moves on ours.
"""

from __future__ import annotations

from collections.abc import Collection

from common.excerpts import quoted
from goban.errors import GtpError
from goban.grids import BLACK
from goban.gtp import vertex_of
from goban.moves import PASS, RESIGN, Move, move_name
from goban.points import Point
from goban.rulesets import RuleSet, opponent
from goban.states import State

_LETTERS = {BLACK: "b", opponent(BLACK): "w"}
_SEED_BITS = 31
"""Engines read a seed as a signed number of 32 bits."""

GET_READY = "harness-get_ready"
"""A command of our own engines, which is answered once they can play: what they compile is no time of their first move."""


def seed_for_engine(seed: int) -> int:
    """Return the part of a seed that an engine can read, 0 .. 2**31 - 1."""
    return seed % (1 << _SEED_BITS)


def filled_in(word: str, seed: int, size: int, komi: float) -> str:
    """Return a word of a command line or of a start-up command with {seed}, {size} and {komi} as this game has them."""
    for name, value in (("seed", seed_for_engine(seed)), ("size", size), ("komi", f"{komi:g}")):
        word = word.replace(f"{{{name}}}", str(value))
    return word


def opening_commands(
    size: int, komi: float, known: Collection[str], seed: int, move_seconds: float | None = None
) -> list[str]:
    """Return what is sent when a game begins, after the start-up commands. known: the commands that the engine has listed.

    move_seconds: for each move; None where no clock runs. GTP counts whole seconds: a part of one is left out.
    """
    commands = [f"boardsize {size}", "clear_board", f"komi {komi:g}"]
    if move_seconds is not None and "time_settings" in known:
        commands.append(f"time_settings 0 {max(1, int(move_seconds))} 1")
    if "set_random_seed" in known:
        commands.append(f"set_random_seed {seed_for_engine(seed)}")
    if GET_READY in known:
        commands.append(GET_READY)
    return commands


def play_command(colour: int, move: Point | None, size: int) -> str:
    """Return the command that tells of a move."""
    return f"play {_LETTERS[colour]} {move_name(move, size)}"


def genmove_command(colour: int) -> str:
    """Return the command that asks for a move."""
    return f"genmove {_LETTERS[colour]}"


def last_move_command(state: State) -> str:
    """Return the command that tells of the move before a position; '' if there was none."""
    if not state.n_move:
        return ""
    return play_command(opponent(state.to_move), PASS if state.passed else state.last_point, state.grid.size)


def generated_move(text: str, size: int) -> Move:
    """Return the move in an answer to genmove: a point, a pass, or a resignation. Raises GtpError."""
    return RESIGN if text.lower() == "resign" else vertex_of(text, size)


def refused_move(command: str, said: str, rules: RuleSet) -> str:
    """Return what to say of an engine that refuses to hear of a legal move. command: a play; said: its answer."""
    move = command.split()[-1]
    verdict = f"it refuses {move}, which {rules.name} allows, with {quoted(said)}"
    return verdict if move == "pass" else f"{verdict}: is its ko rule another than {rules.repetition.value}?"


def refused_opening(command: str, said: str) -> str:
    """Return what to say of an engine that refuses what begins a game: this size or komi, or a start-up command."""
    return f"it answers {quoted(command)} with {quoted(f'? {said}')}"


def commands_listed(text: str) -> frozenset[str]:
    """Return the names in an answer to list_commands."""
    return frozenset(text.split())


def expect_id(answer_id: str, number: int, command: str) -> None:
    """Raise GtpError if an answer has not the id of its command: the two sides would talk at cross purposes from then on."""
    if answer_id != str(number):
        got = f"id {answer_id}" if answer_id else "no id"
        raise GtpError(f"answered command {number}, {quoted(command)}, with {got}")

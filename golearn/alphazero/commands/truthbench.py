"""truthbench: any policies of 5x5 Go, scored on the published positions, a row for each.

An engine that speaks GTP, gtp:COMMAND, is told each position's moves, as in a game: so it can know how many are left. A wrong
answer, such as a point where nothing may be played, a pass where nobody may pass, or none since an engine has gone, is a fault:
it counts as the legal move that loses most. Faults are counted in a column of their own.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from goban.common.command_lines import DONE, CommandError, complain
from goban.common.excerpts import quoted
from goban.common.files import check_writable, write_beside
from goban.common.terminals import fit_tables
from golearn.alphazero.commands.measuring import LINES_OF_JSON, PLAYERS_HELP, add_seed, cell, lines_of, show_progress
from players.registry import tell_compilation

if TYPE_CHECKING:
    from goban.moves import Move
    from goban.points import Point
    from goban.states import State
    from golearn.alphazero.go_positions import KnownPositions
    from golearn.errors import WrongAnswerError
    from golearn.evaluation import Results

SUMMARY = "score any policies for 5x5 Go on positions with exact values, one row each"
ENGINE = "gtp:"
COLUMNS = ("winner", "calibration", "kept wins", "best moves", "regret")
"""Metrics of `golearn.alphazero.truth`."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    from golearn.evaluation import OF_POSITIONS

    parser.add_argument("policies", nargs="*", metavar="POLICY", help=PLAYERS_HELP)
    parser.add_argument("--game", choices=tuple(OF_POSITIONS), default="go5", help="default: %(default)s")
    parser.add_argument("--positions", type=Path, metavar="FILE", help=(
        "positions with exact values, as written by truth-set (default: those that come with the project)"
    ))  # fmt: skip
    add_seed(parser)
    parser.add_argument("--out", type=Path, metavar="FILE", help="also write every figure, as lines of JSON")
    parser.add_argument("--export", type=Path, metavar="FILE", help=(
        "write positions and values as an .npz, for programs that do not know the rules"
    ))  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Score all policies and print the table; write the positions where that is asked for."""
    from golearn.alphazero.go_positions import table_bytes
    from golearn.evaluation import known_positions

    if not options.policies and options.export is None:
        raise CommandError("expected a POLICY, or --export FILE")
    for path, suffixes in ((options.out, LINES_OF_JSON), (options.export, (".npz",))):
        if path is not None:
            check_writable(path, *suffixes)
    known = known_positions(options.game, options.positions)
    if options.export is not None:
        write_beside(options.export, table_bytes(known))
        print(f"{options.export}: {len(known):,} positions of {known.rules}, {options.export.stat().st_size:,} bytes")
    rows: list[list[str]] = []
    lines: list[str] = []
    for name in options.policies:
        results, faults = _score(known, name, f"{options.seed} {name}")
        rows.append(_row(name, results, faults))
        lines += lines_of({"policy": name, "game": options.game, "faults": faults.count}, results)
        if options.out is not None:
            write_beside(options.out, "".join(f"{line}\n" for line in lines).encode())
    if rows:
        print(fit_tables(_table(rows)))
    return DONE


class _Faults:
    """What stands for wrong answers; counts them, and keeps what the first one was."""

    def __init__(self, known: KnownPositions) -> None:
        self.count, self.first = 0, ""
        self._known, self._numbers = known, {state: number for number, state in enumerate(known.states())}
        self._wins, self._leads = known.wins(), known.leads()

    def __call__(self, state: State, error: WrongAnswerError) -> int:
        self.count, self.first = self.count + 1, self.first or str(error)
        number = self._numbers[state]

        def worth(action: int) -> tuple[bool, float]:
            lead = self._leads[number, action]
            return bool(self._wins[number, action]), float(lead if lead == lead else 0)

        legal: Sequence[Any] = self._known.winners[number].nonzero()[0].tolist()
        return int(min(legal, key=worth))


class _Engine:
    """A `golearn.alphazero.answers.MoveMaker` that speaks GTP. Raises UnknownPlayerError if it cannot be started."""

    def __init__(self, known: KnownPositions, name: str, seed: str) -> None:
        from goban.engines import Engine
        from goban.errors import EngineError, GtpError
        from golearn.alphazero.go_positions import chance_of
        from golearn.errors import UnknownPlayerError

        self._known, self._numbers = known, {state: number for number, state in enumerate(known.states())}
        self._game, self._name, self._chance = known.game, name, chance_of(seed)
        try:
            self._engine = Engine(name.removeprefix(ENGINE), self._chance)
            _ = self._engine.commands
        except (EngineError, GtpError) as error:
            raise UnknownPlayerError(f"player {quoted(name)}: {error}") from None
        self.close = self._engine.close

    def action(self, state: State) -> int:
        """Return what it answers after the moves that led to a known position; WrongAnswerError."""
        from goban.errors import GtpError
        from golearn.alphazero.go_positions import action_of
        from golearn.errors import WrongAnswerError

        try:
            answer = self._answer(self._numbers[state], state)
        except GtpError as error:
            raise WrongAnswerError(f"player {self._name!r}: {error}") from None
        return action_of(answer, self._game, state, self._name)

    def _answer(self, number: int, state: State) -> Move:
        from goban.grids import BLACK, WHITE
        from goban.gtp import genmove_command, opening_commands, play_command, read_generated_move
        from golearn.alphazero.go_positions import NO_MOVE

        size, komi = self._game.size, self._game.komi
        for command in opening_commands(size, komi, self._engine.commands, self._chance.getrandbits(64)):
            self._tell(command)
        moves = [self._game.move_of(int(action)) for action in self._known.moves[number] if action != NO_MOVE]
        for ply, move in enumerate(moves):
            self._tell(play_command(BLACK if ply % 2 == 0 else WHITE, cast("Point | None", move), size))
        return read_generated_move(self._tell(genmove_command(state.to_move)), size)

    def _tell(self, command: str) -> str:
        from goban.errors import GtpError

        answer = self._engine.ask(command)
        if not answer.ok:
            raise GtpError(f"it answers {command} with {quoted(f'? {answer.text}')}")
        return answer.text


def _score(known: KnownPositions, name: str, seed: str) -> tuple[Results, _Faults]:
    from golearn.alphazero.answers import player_answers
    from golearn.alphazero.games import CompleteGame
    from golearn.contenders import find_player
    from golearn.evaluation import of_positions

    faults, engine = _Faults(known), _Engine(known, name, seed) if name.startswith(ENGINE) else None
    try:
        with tell_compilation("truthbench"):
            game = CompleteGame(known.game)
            ask = player_answers(engine, faults) if engine else find_player(name, game, seed, faults)
            with show_progress() as show:
                results = of_positions(known, ask, show)
    finally:
        if engine is not None:
            engine.close()
    if faults.count:
        complain("truthbench", f"{faults.count:,} faults count as the move that loses most; the first: {faults.first}")
    return results, faults


def _row(name: str, results: Results, faults: _Faults) -> list[str]:
    from golearn.alphazero.truth import EVERY

    return [name, *(cell(column, results[EVERY].get(column)) for column in COLUMNS), f"{faults.count:,}"]


def _table(rows: list[list[str]]) -> str:
    from tabulate import tabulate

    return tabulate(rows, ["policy", *COLUMNS, "faults"], disable_numparse=True)

"""play: one game, for people who are writing a player and want to see what it does.

What broke a player is left ready to be run again by hand: a folder with its files and the last input.txt it was given.
"""

from __future__ import annotations

import argparse
import shlex
import shutil
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import count
from pathlib import Path

from goban.common.command_lines import DONE, LEFT, command_line, say
from goban.common.excerpts import printable, quoted
from goban.diagrams import diagram
from goban.grids import BLACK
from goban.inputs import question_text
from goban.moves import move_name
from goban.rulesets import opponent
from goban.states import State
from gojudge.inside.answer_files import BUILT
from gojudge.intake.dependencies import hint
from gojudge.intake.player_files import kinds_for
from gojudge.records import CLASS, PROGRAM, Entrant, GameResult, GameSpec, Tier, open_seeds
from gojudge.refereeing.open_seats import Asked, Conditions, WatchedSeat, open_entrant
from gojudge.refereeing.referee import play
from gojudge.sandbox.compilers import recipe_for
from gojudge.sandbox.leftovers import owned_folder
from gojudge.sandbox.sweeping import sweep
from gojudge.seats import Reply
from tournament.application.classes import check_references, single_players
from tournament.application.runs import conditions_at
from tournament.commands.event_options import add_event_option, add_move_seconds, read_named_file, seed_of, single_event
from tournament.events.events import Event, Machine

SUMMARY = "play one game, move by move if you like; what broke a player is left in a folder"
EXAMPLE = "mine/my_player.py greedy --show"
_LETTERS = {1: "X", 2: "O"}
_LINES = 40


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("players", nargs=2, metavar="PLAYER", help=(
        "Black, then White: a reference player, a file, a folder, or gtp:COMMAND for an engine"
    ))  # fmt: skip
    parser.add_argument("--show", action="store_true", help="show every move, the board, and what the players print")
    usual_rules = "littlego for a program that reads input.txt, aga for an engine, else course"
    add_event_option(parser, "a TOML file with rules, board and limits", usual_rules)
    parser.add_argument("--size", type=int, metavar="N", help="board size (default: the rules' usual one)")
    parser.add_argument("--seed", type=int, metavar="N", help="seed of the game; each gives a different one (default: 0)")
    add_move_seconds(parser)


def run(options: argparse.Namespace) -> int:
    """Play the game; return 0, or 1 if a player forfeited or the game could not be played."""
    sweep()
    with ExitStack() as stack:
        copies = stack.enter_context(owned_folder())
        file = read_named_file(options)
        rules = options.rules or file.values.get("rules")
        kinds = kinds_for(single_event(options, file)[0].rules) if rules else (CLASS, PROGRAM)
        players = single_players(options.players, copies, kinds, say)
        event, machine = single_event(options, file, _rules_for(players))
        seed = options.seed if options.seed is not None else seed_of(options, file, 0)
        conditions = _conditions(event, machine, players)
        check_references(players, conditions.rules, conditions.size)
        black, white = players
        board = f"{conditions.size}x{conditions.size}"
        print(f"{black.name} (X) against {white.name} (O): {conditions.rules}, {board}, seed {seed}")
        tell = _Narrator(players) if options.show else _say_nothing
        seats = []
        for entrant in players:
            seat = open_entrant(entrant, conditions)
            stack.callback(seat.close)
            seats.append(WatchedSeat(seat, tell))
        # The seeds do not depend on the names, so renaming a file does not change the game.
        spec = GameSpec(f"{black.name}~{white.name}-001", black.name, white.name, open_seeds(seed, "play"))
        result = play(spec, conditions.start(), *seats).result
        return _report(result, players, seats, options)


def _rules_for(players: Sequence[Entrant]) -> str:
    """Return the rules where nobody names any."""
    programs = any(entrant.kind == PROGRAM for entrant in players)
    engines = any(entrant.engine is not None for entrant in players)
    return "littlego" if programs else "aga" if engines else "course"


def _conditions(event: Event, machine: Machine, players: Sequence[Entrant]) -> Conditions:
    tier = ""
    if not all(entrant.reference for entrant in players):
        from gojudge.sandbox.tiers import require

        tier = require(machine.require_tier)
        weak = f" (events require T2: see {command_line('tournament')} doctor)" if tier < Tier.T2 else ""
        who = "submissions" if any(entrant.is_submission for entrant in players) else "engines"
        say(f"{who} play in a sandbox of tier {tier}{weak}")
    return conditions_at(tier, event, machine)


def _say_nothing(asked: Asked) -> None:
    pass


class _Narrator:
    """Prints each move as it is made: the player, the point, the time, what was printed, and the board after it."""

    def __init__(self, players: Sequence[Entrant]) -> None:
        self._names = {colour: entrant.name for colour, entrant in enumerate(players, 1)}
        self._refused = (-1, "", "")

    def __call__(self, asked: Asked) -> None:
        state, reply = asked.state, asked.reply
        before, self._refused = self._refused, (state.n_move, asked.complaint, asked.printed)
        if asked.complaint and self._refused == before:
            # Under the course's rules a player is asked again ten times, and often gives the same answer.
            return
        head = f"\nMove {state.n_move + 1}: {_LETTERS[state.to_move]} {self._names[state.to_move]}"
        if reply is None:
            print(f"{head} gives no answer")
        elif asked.complaint:
            print(f"{head} answers {quoted(reply.answer)}, {_time(reply)}: {asked.complaint}")
        else:
            print(f"{head} {move_name(asked.move, state.grid.size)}, {_time(reply)}")
        _print_indented(asked.printed)
        if reply is not None and not asked.complaint:
            after = state.after(asked.move)
            print(diagram(after.rows(), after.last_point), flush=True)


def _time(reply: Reply) -> str:
    return f"{reply.spent.charge:.2f} s ({reply.spent.cpu:.2f} s of CPU)"


def _print_indented(text: str) -> None:
    lines = text.splitlines()
    if len(lines) > _LINES:
        lines = [*lines[: _LINES // 2], f"[{len(lines) - _LINES} lines]", *lines[-_LINES // 2 :]]
    for line in lines:
        print(f"    | {printable(line, 200)}".rstrip())


def _report(result: GameResult, players: Sequence[Entrant], seats: Sequence[WatchedSeat], options: argparse.Namespace) -> int:
    """Print how the game ended; return the exit status."""
    print()
    if result.winner is None:
        print(f"The game could not be played, and neither player is at fault: {result.detail}")
        return LEFT
    if not result.forfeited_by:
        points = f"X {result.black_score:g}, O {result.white_score:g} (komi included)"
        who = f"{_LETTERS[result.winner]} ({players[result.winner - 1].name}) wins" if result.winner else "a tie"
        print(f"Game over after {len(result.turns)} moves: {points}; {who}")
        return DONE
    loser = players[result.forfeited_by - 1]
    print(f"{result.detail}; {_LETTERS[opponent(result.forfeited_by)]} wins")
    if advice := hint(Path(options.players[result.forfeited_by - 1]), result.detail):
        print(advice)
    questions = seats[result.forfeited_by - 1].questions
    _print_words(result, loser, shown=options.show and bool(questions))
    if questions and loser.is_submission:
        folder = leave_for_rerun(loser, questions, Path())
        print(f"\nThe input.txt that broke it, which is now in {folder} beside the player:\n")
        print(f"{question_text(questions[-1])}\n")
        once, *every = rerun_commands(loser, questions[-1], folder)
        print(f"To ask it again by hand:\n\n    {once}")
        for command in every:
            print(f"\nIf it keeps files from move to move, ask it everything again:\n\n    {command}")
    return LEFT


def _print_words(result: GameResult, loser: Entrant, shown: bool) -> None:
    """Print what the loser printed, and its traceback. shown: True if what it printed has been shown already."""
    log = result.black_log if result.forfeited_by == BLACK else result.white_log
    # The traceback of a program, and what an engine has said last, are part of what it printed.
    in_log = loser.kind != CLASS
    if not shown:
        _print_indented(result.evidence if in_log and result.evidence else log)
    if not in_log:
        _print_indented(result.evidence)


INPUT = "input.txt"
_INPUTS = "inputs"
_ROOT = Path(__file__).resolve().parents[2]


def leave_for_rerun(entrant: Entrant, questions: Sequence[State], place: Path) -> Path:
    """Make a folder in `place` with a submission's files, and the last of its questions as input.txt; return its path.

    The folder `inputs` in it has all questions, since a program may count moves in files of its own. Of the folders that
    earlier games have left, one in which the submission's files are still the same is replaced. Raises OSError.
    """
    state = questions[-1]
    folder = first = place / f"{entrant.name}-move-{state.n_move + 1}"
    for number in count(2):
        if _has_copies(folder, entrant.folder):
            shutil.rmtree(folder)
        if not folder.exists():
            break
        # Whoever looked for the fault may have changed the player there.
        folder = first.with_name(f"{first.name}-{number}")
    shutil.copytree(entrant.folder, folder)
    (folder / _INPUTS).mkdir(exist_ok=True)
    for question in questions:
        (folder / _INPUTS / f"{question.n_move + 1:02}.txt").write_text(question_text(question))
    (folder / INPUT).write_text(question_text(state))
    return folder


def _has_copies(folder: Path, submission: Path) -> bool:
    """Tell whether an earlier game has left a folder, and the submission's files in it are as they are today."""
    files = [path for path in submission.rglob("*") if path.is_file()]
    copies = [folder / path.relative_to(submission) for path in files]
    return (folder / _INPUTS).is_dir() and all(
        copy.is_file() and copy.read_bytes() == path.read_bytes() for copy, path in zip(copies, files, strict=True)
    )


def rerun_commands(entrant: Entrant, state: State, folder: Path) -> list[str]:
    """Return command lines that ask a submission again. For a program, the second one asks all its questions in turn."""
    if entrant.kind == PROGRAM:
        build, program = _run(entrant)
        there = f"cd {shlex.quote(str(folder))} && {build}"
        every = f"for file in {_INPUTS}/*.txt; do cp $file {INPUT}; {program}; done"
        return [f"({there}{program})", f"({there}{every})"]
    player = str(folder / entrant.entry) + (f":{entrant.class_name}" if entrant.class_name != "MyPlayer" else "")
    words = [
        "python3", "-m", "players.littlego", player, f"--rules={state.rules.name}", f"--moves={state.n_move}",
        f"--input={folder / INPUT}", f"--output={folder / 'output.txt'}",
    ]  # fmt: skip
    return [shlex.join(words)]


def _run(entrant: Entrant) -> tuple[str, str]:
    """Return the shell commands that prepare a program in its folder, up to and including '&& ', and that run it."""
    recipe = recipe_for(entrant.entry, entrant.folder)
    if recipe is not None:
        build = " || ".join(map(shlex.join, recipe.build))
        return f"mkdir -p {BUILT} && {f'({build})' if len(recipe.build) > 1 else build} && ", shlex.join(recipe.run)
    path = f"{_ROOT / 'gojudge/inside/course_modules'}:{_ROOT}"
    return f"export PYTHONPATH={shlex.quote(path)} && ", f"python3 {shlex.quote(entrant.entry)}"

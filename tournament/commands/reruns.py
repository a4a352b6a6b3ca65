"""What broke a player, ready to be run again by hand: a folder with its files and the last input.txt it was given."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

from goban.inputs import question_text
from goban.states import State
from gojudge.inside.keeper import BUILT
from gojudge.records import PROGRAM, Entrant
from gojudge.sandbox.compilers import recipe_for

INPUT = "input.txt"
_INPUTS = "inputs"
_ROOT = Path(__file__).resolve().parents[2]


def leave_for_rerun(entrant: Entrant, questions: Sequence[State], place: Path) -> Path:
    """Make a folder in `place` with a submission's files, and the last of its questions as input.txt; return its path.

    The folder `inputs` in it has all questions, since a program may count moves in files of its own. A folder of the same
    name that an earlier game has left is replaced. Raises OSError.
    """
    state = questions[-1]
    folder = place / f"{entrant.name}-move-{state.n_move + 1}"
    if (folder / _INPUTS).is_dir():
        shutil.rmtree(folder)
    shutil.copytree(entrant.folder, folder, dirs_exist_ok=True)
    (folder / _INPUTS).mkdir(exist_ok=True)
    for question in questions:
        (folder / _INPUTS / f"{question.n_move + 1:02}.txt").write_text(question_text(question))
    (folder / INPUT).write_text(question_text(state))
    return folder


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
        return f"mkdir -p {BUILT} && {shlex.join(recipe.build)} && ", shlex.join(recipe.run)
    path = f"{_ROOT / 'gojudge/inside/course_modules'}:{_ROOT}"
    return f"export PYTHONPATH={shlex.quote(path)} && ", f"python3 {shlex.quote(entrant.entry)}"

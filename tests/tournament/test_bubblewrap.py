"""What bubblewrap is told to show, and what not."""

from pathlib import Path

import pytest

from tournament import bubblewrap, plans
from tournament.interpreters import Interpreter

PYTHON = Interpreter(Path("/opt/python/bin/python3"), (Path("/opt/python"),), (Path("/home/me/venv/site-packages"),))


def arguments(root="/home/me/harness", python=PYTHON, as_root=True):
    modules = [Path("go.py"), Path("goban/grids.py")]
    return bubblewrap.arguments(python, Path(root), modules, Path("/home/me/alice"), as_root)


def shown(options):
    """Every (place outside, place inside) that is bound."""
    return [(options[k + 1], options[k + 2]) for k, option in enumerate(options) if option.startswith("--ro-bind")]


def test_nothing_is_shown_writable():
    assert not [option for option in arguments() if option in ("--bind", "--dev-bind", "--bind-try")]


def test_only_the_interpreter_its_packages_the_host_and_one_submission_are_shown():
    places = {outside for outside, _ in shown(arguments())}
    ours = {place for place in places if place.startswith("/home")}
    compiled = {place for place in ours if "__pycache__" in place}
    assert ours - compiled == {
        "/home/me/venv/site-packages", "/home/me/harness/go.py", "/home/me/harness/goban/grids.py", "/home/me/alice",
    }  # fmt: skip
    assert all(Path(place).name.startswith(("go.", "grids.")) for place in compiled)
    assert "/opt/python" in places


def test_a_harness_below_what_is_shown_is_hidden_again():
    options = arguments(root="/opt/python/harness")
    assert options[options.index("/opt/python/harness") - 1] == "--tmpfs"


def test_the_reference_players_are_no_part_of_the_worker():
    assert not [path for path in plans._modules() if path.parts[0] in ("players", "search", "my_player.py", "kernels")]


@pytest.mark.parametrize("wall", ["--unshare-net", "--unshare-pid", "--unshare-ipc", "--die-with-parent", "--new-session"])
def test_every_wall_is_up(wall):
    assert wall in arguments()
    assert wall in arguments(as_root=False)


def test_an_ordinary_user_gets_a_user_namespace():
    assert "--unshare-user" in arguments(as_root=False)
    assert "--unshare-user" not in arguments(as_root=True)


def test_the_environment_is_ours_and_hashes_are_the_same_every_time():
    options = arguments()
    assert "--clearenv" in options
    assert options[options.index("PYTHONHASHSEED") + 1] == "0"
    assert set(bubblewrap.environment("/tmp")) >= {"PYTHONHASHSEED", "TMPDIR", "PATH"}

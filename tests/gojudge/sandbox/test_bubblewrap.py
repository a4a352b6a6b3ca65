"""What bubblewrap is told to show, and what it must not show."""

from pathlib import Path

import pytest

from gojudge.sandbox import bubblewrap
from gojudge.sandbox.bubblewrap import place_of
from gojudge.sandbox.interpreters import Interpreter

BELOW_TMP = Interpreter(Path("/tmp/python/bin/python3"), (Path("/tmp/python"),), (Path("/tmp/clone/.venv/site-packages"),))
PYTHON = Interpreter(Path("/opt/python/bin/python3"), (Path("/opt/python"),), (Path("/home/me/venv/site-packages"),))


def arguments(root="/home/me/harness", python=PYTHON, as_root=True):
    return bubblewrap.arguments(python, Path(root), Path("/home/me/.cache/host"), Path("/home/me/alice"), as_root)


def shown(options):
    """Return every (path outside, path inside) that is bound."""
    return [(options[k + 1], options[k + 2]) for k, option in enumerate(options) if option.startswith("--ro-bind")]


def test_nothing_is_shown_writable():
    assert not [option for option in arguments() if option in ("--bind", "--bind-try", "--dev-bind-try")]


def test_only_devices_that_hold_nothing_are_shown():
    options = arguments()
    devices = [options[k + 1] for k, option in enumerate(options) if option == "--dev-bind"]
    assert devices == ["/dev/null", "/dev/random", "/dev/urandom"]
    assert "--dev" not in options


def test_only_the_interpreter_its_packages_the_host_and_one_submission_are_shown():
    places = {outside for outside, _ in shown(arguments())}
    ours = {place for place in places if place.startswith("/home")}
    assert ours == {"/home/me/venv/site-packages", "/home/me/.cache/host", "/home/me/alice"}
    assert "/opt/python" in places


def test_a_harness_below_what_is_shown_is_hidden_again():
    options = arguments(root="/opt/python/harness")
    assert options[options.index("/opt/python/harness") - 1] == "--tmpfs"


def test_what_lies_below_tmp_is_shown_elsewhere():
    options = arguments(python=BELOW_TMP)
    moved = [places for places in shown(options) if places[0].startswith("/tmp")]
    assert moved == [(path, f"/elsewhere{path}") for path in ("/tmp/python", "/tmp/clone/.venv/site-packages")]
    assert options[options.index("LD_LIBRARY_PATH") + 1] == "/elsewhere/tmp/python/lib"
    assert "LD_LIBRARY_PATH" not in arguments()


@pytest.mark.parametrize("place", ["/tmp", "/tmp/a", "/dev/shm/a", "/stage/a", "/player", "/host/a", "/elsewhere/tmp/a"])
def test_no_place_that_is_taken_in_the_sandbox_is_used(place):
    assert bubblewrap.place_of(Path(place)) == Path("/elsewhere" + place)


@pytest.mark.parametrize("place", ["/usr/bin", "/opt/tmp", "/tmpfiles", "/home/player"])
def test_everything_else_is_shown_where_it_lies(place):
    assert bubblewrap.place_of(Path(place)) == Path(place)


def test_a_harness_below_what_is_shown_elsewhere_is_hidden_again():
    options = arguments(root="/tmp/python/harness", python=BELOW_TMP)
    assert options[options.index("/elsewhere/tmp/python/harness") - 1] == "--tmpfs"


def test_packages_within_a_harness_that_is_hidden_are_shown_and_can_be_reached():
    site = "/opt/python/harness/.venv/site"
    python = Interpreter(PYTHON.executable, PYTHON.prefixes, (Path(site),))
    options = arguments(root="/opt/python/harness", python=python)
    after = options[options.index("--tmpfs") :]
    assert (site, site) in shown(after)
    for folder in ("/opt/python/harness/.venv", site):
        assert after[after.index(folder) - 3 : after.index(folder)] == ["--perms", "0755", "--dir"]


def installed_in(site):
    """Return an interpreter whose folder of packages has us installed, beside numpy."""
    record = site / "go_competition_harness-0.2.0.dist-info/RECORD"
    for path in (record, site / "players/smart_player.py", site / "go.py", site / "numpy/core.py", site / "six.py"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    record.with_name("METADATA").write_text("Metadata-Version: 2.1\nName: go-competition-harness\nVersion: 0.2.0\n")
    record.write_text(f"go.py,,\nplayers/smart_player.py,,\n../../../bin/go-play,,\n{record.parent.name}/RECORD,,\n")
    return Interpreter(PYTHON.executable, PYTHON.prefixes, (site,))


@pytest.mark.parametrize("linked", [False, True])
def test_installed_among_other_packages_only_those_are_shown(tmp_path, linked):
    site = tmp_path / "site-packages"
    python = installed_in(site)
    if linked:
        (tmp_path / "link").symlink_to(tmp_path)
        python = Interpreter(PYTHON.executable, PYTHON.prefixes, (tmp_path / "link/site-packages",))
    options = arguments(root=site.resolve(), python=python)
    place = str(place_of(python.site[0]))
    packages = [inside for _, inside in shown(options) if inside.startswith(place)]
    assert packages == [f"{place}/{name}" for name in ("numpy", "six.py")]
    assert options.index(f"{place}/numpy") > options.index("--tmpfs")


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

"""The folder with our own modules that a sandbox is shown."""

import importlib.util
import marshal
import os
from pathlib import Path

import pytest

from gojudge.errors import HarnessFaultError
from gojudge.sandbox import caches, launching

HERE = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_the_host_consists_of_what_a_worker_needs():
    folder = launching.host_folder()
    sources = {path.relative_to(folder) for path in folder.rglob("*.py")}
    assert sources >= {Path("go.py"), Path("goban/grids.py"), Path("gojudge/inside/worker.py")}
    assert {path.parts[0] for path in sources} == {"go.py", "goban", "gojudge"}
    assert {path.parts[1] for path in sources if path.parts[0] == "gojudge"} == {"inside"}
    # A submission's folder may have that name, too.
    assert Path("gojudge/__init__.py") not in sources
    # No solver is shown.
    assert {path.parts[1] for path in sources if path.parts[0] == "goban" and len(path.parts) > 2} == {"common"}
    assert all((folder / path).read_bytes() == (HERE / path).read_bytes() for path in sources)


def test_every_module_is_there_compiled_whatever_its_time():
    folder = launching.host_folder()
    for path in folder.rglob("*.py"):
        form = Path(importlib.util.cache_from_source(path)).read_bytes()
        assert form[:8] == importlib.util.MAGIC_NUMBER + bytes((1, 0, 0, 0))
        assert marshal.loads(form[16:]).co_filename == f"/host/{path.relative_to(folder)}"


def test_it_is_made_once_and_anew_if_somebody_has_removed_it():
    folder = launching.host_folder()
    before = folder.stat().st_ino
    assert launching.host_folder().stat().st_ino == before
    folder.rename(folder.with_name("elsewhere"))
    assert launching.host_folder() == folder
    assert folder.stat().st_ino != before


def test_others_may_read_it_whatever_this_process_keeps_to_itself():
    before = os.umask(0o077)
    try:
        folder = launching.host_folder()
    finally:
        os.umask(before)
    modes = {path.stat().st_mode & 0o777 for path in (folder, *folder.rglob("*"))}
    assert modes == {0o755, 0o644}


def test_a_folder_that_cannot_be_made_is_nobodys_fault(monkeypatch):
    monkeypatch.setattr(caches, "cache_folder", lambda kind: Path("/proc/nobody"))
    with pytest.raises(HarnessFaultError, match="a folder for the host's modules could not be made"):
        launching.host_folder()

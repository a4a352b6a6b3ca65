"""What a cluster is started with: certificates that only its own take, and a wheel of this very program."""

import json
import os
import shutil
import stat
import subprocess
import sys
import zipfile
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec

import pytest

from gojudge.cluster.dask_link import tls_files
from gojudge.cluster.kits import make_kit, write_wheel
from gojudge.cluster.replies import program_files, versions
from gojudge.errors import ClusterError
from tests.support.missing import needs, no_program
from tournament.__main__ import main

ADDRESS = "tls://head:8786"
NOW = datetime.now(UTC)
kit_needs = needs("" if find_spec("distributed") and find_spec("cryptography") else "dask is not installed (make test-cluster)")


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
def kit(tmp_path):
    return make_kit(tmp_path / "kit", ADDRESS, NOW)


@kit_needs
@needs(no_program("openssl"))
def test_certificates_are_of_one_authority_whose_key_is_not_kept(kit):
    files = {f"{path.parent.name}/{path.name}" for path in kit.folder.rglob("*.pem")}
    assert files == {"head/ca.pem", "head/scheduler.pem", "head/client.pem", "worker/ca.pem", "worker/worker.pem"}
    assert (kit.folder / "head/ca.pem").read_bytes() == (kit.folder / "worker/ca.pem").read_bytes()
    assert b"PRIVATE" not in (kit.folder / "head/ca.pem").read_bytes()
    for own, purpose in (("head/scheduler", "sslserver"), ("head/client", "sslclient"), ("worker/worker", "sslserver")):
        command = ["openssl", "verify", "-x509_strict", "-purpose", purpose, "-CAfile", "head/ca.pem", f"{own}.pem"]
        done = subprocess.run(command, cwd=kit.folder, capture_output=True, text=True)
        assert done.stdout == f"{own}.pem: OK\n", done.stderr
    command = ["openssl", "verify", "-purpose", "sslserver", "-CAfile", "head/ca.pem", "head/client.pem"]
    assert subprocess.run(command, cwd=kit.folder, capture_output=True).returncode != 0


@kit_needs
def test_nobody_else_may_read_it(kit):
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in [kit.folder, *kit.folder.rglob("*")]}
    assert {mode for path, mode in modes.items() if path.is_dir()} == {0o700}
    secret = {path.name: mode for path, mode in modes.items() if path.is_file() and b"PRIVATE" in path.read_bytes()}
    assert secret == dict.fromkeys(("scheduler.pem", "client.pem", "worker.pem"), 0o600)


@kit_needs
def test_a_run_finds_the_kit_of_an_address(kit, tmp_path):
    make_kit(tmp_path / "other", "tls://other:1", NOW)
    assert tls_files(ADDRESS) == tuple(str(kit.folder / "head" / name) for name in ("ca.pem", "client.pem"))
    assert tls_files("tls://other:1")[0] == str(tmp_path / "other/head/ca.pem")
    assert tls_files("tls://head:8787") is None


@kit_needs
def test_certificates_that_cannot_be_used_are_told_in_one_line(kit, tmp_path):
    make_kit(tmp_path / "old", "tls://old:1", NOW - timedelta(days=500))
    ended = r"^tls://old:1: its certificates in .*old have ended on 20\d\d-\d\d-\d\d; the command cluster makes"
    with pytest.raises(ClusterError, match=ended):
        tls_files("tls://old:1")
    for spoil in (lambda path: path.write_text("rubbish"), lambda path: path.unlink()):
        spoil(kit.folder / "head/client.pem")
        with pytest.raises(ClusterError, match=r"^tls://head:8786: its certificates in .*kit cannot be used: [^\n]*$"):
            tls_files(ADDRESS)
    shutil.rmtree(kit.folder)
    with pytest.raises(ClusterError, match="cannot be used"):
        tls_files(ADDRESS)


@pytest.mark.parametrize("text", ["{", "[]", "3", '{"tls://head:8786": 3}'])
def test_a_configuration_that_cannot_be_read_knows_no_kit(text, tmp_path):
    (tmp_path / "config/go-competition-harness").mkdir(parents=True)
    (tmp_path / "config/go-competition-harness/clusters.json").write_text(text)
    assert tls_files("tls://other:1") is None


@pytest.mark.parametrize(
    "address", ["", "head", "tcp://head:1", "tls://head", "tls://head:0", "tls://head:99999", "tls://a b:1"],
)
def test_an_address_that_is_none_is_told(address, capsys):
    assert main(["cluster", "kit", address]) == 2
    expected = "expected tls://HOST:PORT of this machine, as workers are to reach it, got"
    assert capsys.readouterr().err == f"cluster: {expected} {address!r}\n"


def test_a_folder_that_is_there_stays_as_it_is(tmp_path, capsys):
    (tmp_path / "kit").mkdir()
    assert main(["cluster", "kit", ADDRESS]) == 2
    assert capsys.readouterr().err == "cluster: 'kit': expected a folder that is not there yet\n"
    assert list((tmp_path / "kit").iterdir()) == []


@pytest.mark.parametrize("package", ["cryptography", "distributed"])
def test_what_is_not_installed_is_named(package, monkeypatch, capsys, tmp_path):
    def no_version(name):
        raise kits.PackageNotFoundError(name)

    from gojudge.cluster import kits

    if package == "distributed":
        monkeypatch.setattr(kits, "version", no_version)
    else:
        monkeypatch.setattr(kits, "version", lambda name: "1")
        monkeypatch.setitem(sys.modules, "cryptography", None)
    assert main(["cluster", "kit", ADDRESS]) == 2
    name = "dask" if package == "distributed" else package
    assert capsys.readouterr().err.startswith(f"cluster: needs {name}, which is not installed: ")
    assert not (tmp_path / "kit").exists()


@kit_needs
def test_the_lines_to_type_are_printed(tmp_path, capsys):
    assert main(["cluster", "kit", "tls://head:8786"]) == 0
    said = capsys.readouterr().out
    assert f"--port 8786 --no-dashboard --tls-ca-file {tmp_path}/kit/head/ca.pem" in said
    assert "env/bin/dask worker tls://head:8786 --nworkers $(nproc) --nthreads 1 --memory-limit 0" in said
    pins = (tmp_path / "kit/worker/requirements.txt").read_text().splitlines()
    assert pins[0].endswith("-py3-none-any.whl[cluster]")
    assert any(pin == f"numpy=={versions()['numpy']}" for pin in pins)


def test_the_wheel_has_every_file_on_which_results_depend(tmp_path):
    wheel = write_wheel(tmp_path)
    with zipfile.ZipFile(wheel) as files:
        names = files.namelist()
        assert files.testzip() is None
    assert {str(path) for path in program_files()} <= set(names)
    assert not [name for name in names if "__pycache__" in name]
    assert write_wheel(tmp_path).read_bytes() == wheel.read_bytes()


@pytest.mark.slow
def test_what_pip_installs_of_it_is_this_program(tmp_path):
    wheel = write_wheel(tmp_path)
    target = tmp_path / "there"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-compile"]
    subprocess.run([*pip, "--target", str(target), str(wheel)], check=True)
    ask = "import json; from gojudge.cluster import replies; print(json.dumps([replies.__file__, replies.versions()]))"
    environment = {**os.environ, "PYTHONPATH": str(target)}
    done = subprocess.run([sys.executable, "-c", ask], cwd=target, env=environment, capture_output=True, text=True, check=True)
    where, there = json.loads(done.stdout)
    assert where.startswith(str(target))
    assert there == versions()

"""--cluster on the command line: what cannot be used is one line and exit status 2, and nothing is lost."""

import sys
from types import SimpleNamespace
from unittest import mock

import pytest

from goban.common.command_lines import how_to_install
from gojudge.cluster import dask_link
from gojudge.errors import ClusterError
from tournament.__main__ import main

MATCH = ["gauntlet", "random", "greedy", "--size=3", "--games=2"]


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def said(capsys, *command):
    assert main(list(command)) == 2
    return capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize("text", ["", "here", "tcp://", "tcp://host", "udp://host:1", "local:0", "local:x", "tcp://a b:1"])
def test_what_names_no_cluster(text, capsys):
    line = said(capsys, *MATCH, f"--cluster={text}")
    assert line == f"gauntlet: --cluster: expected tls://HOST:PORT or tcp://HOST:PORT of a scheduler, or local:N, got {text!r}"


def test_without_dask_it_says_how_to_install_it(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "dask", None)
    line = said(capsys, *MATCH, "--cluster=tcp://127.0.0.1:8786")
    assert line == f"gauntlet: --cluster: needs dask, which is not installed: {how_to_install('cluster')}"


def test_workers_that_nobody_speaks_to_are_ended(monkeypatch):
    cluster = mock.Mock()
    dask = SimpleNamespace(LocalCluster=lambda **_: cluster, Client=mock.Mock(side_effect=OSError("no answer")))
    monkeypatch.setitem(sys.modules, "dask", mock.Mock())
    monkeypatch.setitem(sys.modules, "distributed", dask)
    monkeypatch.setattr(dask_link, "limit_messages", lambda: None)
    with pytest.raises(ClusterError, match=r"local:2: expected a dask scheduler: .*no answer"):
        dask_link.connect("local:2")
    cluster.close.assert_called_once()


def test_jobs_are_for_this_machine(capsys):
    line = said(capsys, *MATCH, "--cluster=local:2", "--jobs=2")
    assert line == "gauntlet: --jobs: expected none with a cluster, each worker plays one game at a time; got 2"


def test_engines_play_at_home(capsys):
    line = said(capsys, "gauntlet", "gtp:gnugo --mode gtp", "random", "--rules=aga", "--size=5", "--cluster=local:2")
    assert line.startswith("gauntlet: --cluster: expected no engines, which play where they are installed; got 'gnugo_")


def test_a_finished_event_needs_no_cluster(capsys):
    assert main([*MATCH, "--jobs=1"]) == 0
    assert main([*MATCH, "--cluster=tcp://127.0.0.1:1"]) == 0

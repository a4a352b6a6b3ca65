"""The standings in the terminal, and pages for a browser on this machine only."""

import http.client
import os
import pty
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from benchmarks.made_up_events import make_store
from tests.support.page_events import small_store
from tests.support.waiting import PATIENCE
from tournament.__main__ import main
from tournament.commands import report
from tournament.commands.report import file_of, make_server
from tournament.commands.standings import Shown, screen
from tournament.store.store import read_store

ROOT = Path(__file__).parents[3]


def test_watch_shows_the_standings_once_where_the_output_is_no_terminal(tmp_path, capsys):
    assert main(["standings", "--follow", str(small_store(tmp_path / "cup.db"))]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "cup: round-robin, course, 5x5: 24 of 24 games, 12 forfeits"
    assert [name for name in ("ann", "bob", "cyra", "random") if any(name in line for line in lines)] == [
        "ann", "bob", "cyra", "random",
    ]  # fmt: skip


def test_watch_shows_the_points_of_ranks(tmp_path, capsys):
    store = str(small_store(tmp_path / "cup.db"))
    assert main(["standings", "--follow", store]) == 0
    assert "points" not in capsys.readouterr().out
    assert main(["standings", "--follow", store, "--rubric", "2019-second"]) == 0
    head, _, first = capsys.readouterr().out.splitlines()[2:5]
    assert head.split()[:4] == ["rank", "name", "WINs", "points"]
    assert (first.split()[0], first.split()[3]) == ("1", "20")


def test_watch_fills_one_screen_and_no_more(tmp_path):
    names = [f"student{k}" for k in range(50)]
    with read_store(make_store(tmp_path / "cup.db", names, [])) as store:
        lines = screen(Shown(store.event, store.entrants(), store.rows()), 40, 20).split("\n")
    assert len(lines) == 20
    assert max(map(len, lines)) <= 40
    assert lines[-2] == "... 36 more"


def test_watch_shows_the_columns_that_fit_as_a_whole(tmp_path):
    with read_store(small_store(tmp_path / "cup.db")) as store:
        shown = Shown(store.event, store.entrants(), store.rows())
        wide, lines = (screen(shown, columns, 20).split("\n") for columns in (0, 80))
    assert max(map(len, wide)) > 80
    assert lines[2].split() == wide[2].split()[:-1]
    assert wide[2].split()[-1] == "rating"


def test_watch_leaves_the_terminal_as_it_was(tmp_path):
    store = small_store(tmp_path / "cup.db")
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "tournament", "standings", str(store), "--follow"]
    watching = subprocess.Popen(command, cwd=ROOT, stdout=follower, stderr=subprocess.PIPE)
    os.close(follower)
    try:
        shown = read_until(leader, b"Ctrl-C leaves")
        watching.send_signal(signal.SIGINT)
        shown += read_until(leader, b"\x1b[?1049l")
        _, said = watching.communicate(timeout=PATIENCE)
    finally:
        watching.kill()
        os.close(leader)
    assert watching.returncode == 0
    assert said == b""
    assert shown.startswith(b"\x1b[?1049h")


def read_until(terminal, wanted):
    """What a program wrote on its terminal, until it wrote this."""
    shown, end = b"", time.monotonic() + PATIENCE
    while wanted not in shown and time.monotonic() < end:
        if select.select([terminal], [], [], 1)[0]:
            shown += os.read(terminal, 65536)
    return shown


@contextmanager
def served(folder):
    server = make_server(folder, 0)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def ask(port, target, method="GET", host=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.putrequest(method, target, skip_host=True)
    connection.putheader("Host", host or f"127.0.0.1:{port}")
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, answer.getheader("Content-Type"), body


@pytest.fixture
def folder(tmp_path):
    site = tmp_path / "site"
    (site / "data").mkdir(parents=True)
    (site / "index.html").write_text("<p>standings</p>")
    (site / "data/head.js").write_text("1")
    (tmp_path / "secret").write_text("secret")
    (site / "link").symlink_to(tmp_path / "secret")
    (site / "up").symlink_to(tmp_path)
    return site


def test_serve_answers_with_files_of_the_folder(folder):
    with served(folder) as port:
        assert ask(port, "/") == (200, "text/html; charset=utf-8", b"<p>standings</p>")
        assert ask(port, "/index.html?x=1")[0] == 200
        assert ask(port, "/data/head.js") == (200, "text/javascript; charset=utf-8", b"1")
        assert ask(port, "/none.html")[0] == 404
        assert ask(port, "/data/")[0] == 404


OUTSIDE = ["/../secret", "/%2e%2e/secret", "/data/../../secret", "/link", "/up/secret", "//etc/passwd", "/%00", "/..%5csecret"]


@pytest.mark.parametrize("target", OUTSIDE)
def test_serve_lets_nothing_out_of_other_folders(folder, target):
    assert file_of(folder.resolve(), target) is None
    with served(folder) as port:
        assert ask(port, target)[0] == 404


NO_FILES = [
    "/" + "x" * 5000, "/" + "x" * 300, "/" + "y/" * 3000, "/%", "/%zz", "/%ff", "/%ed%a0%80", "http://[::1", "http://[evil]/",
    "//[",
    "/index.html/x", "/%0a", "/\x1b[31m", "/loop", "/fifo",
]  # fmt: skip


@pytest.mark.parametrize("target", NO_FILES, ids=range(len(NO_FILES)))
def test_serve_answers_that_there_is_no_such_file(folder, capsys, target):
    (folder / "loop").symlink_to(folder / "loop")
    os.mkfifo(folder / "fifo")
    with served(folder) as port:
        request = f"GET {target} HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n"
        assert answer_to(port, request.encode()).startswith(b"HTTP/1.0 404 ")
    assert capsys.readouterr().err == ""


def answer_to(port, request):
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        return connection.makefile("rb").read()


NO_REQUESTS = [
    (b"GET / HTTP/1.1\r\nX: " + b"y" * 70_000, b"431"), (b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 300, b"431"),
    (b"GET /" + b"x" * 70_000, b"414"), (b"GET / HTTP/9.9", b"505"), (b"GET / x y", b"400"), (b"\xff\xfe\0", b"400"), (b"GET",
    b"400"),
]  # fmt: skip


@pytest.mark.parametrize(("request_line", "status"), NO_REQUESTS, ids=range(len(NO_REQUESTS)))
def test_serve_answers_what_is_no_request(folder, capsys, request_line, status):
    with served(folder) as port:
        assert status in answer_to(port, request_line + b"\r\n\r\n")
    assert capsys.readouterr().err == ""


def test_serve_says_nothing_of_a_browser_that_leaves_and_one_line_of_a_fault(folder, capsys, monkeypatch):
    for error in (ConnectionResetError(104, "reset"), RuntimeError("two\nlines")):
        monkeypatch.setattr(report, "file_of", raising(error))
        with served(folder) as port:
            assert answer_to(port, f"GET / HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n".encode()) == b""
    assert capsys.readouterr().err == "serve: a request failed: RuntimeError: two\\nlines\n"


def raising(error):
    def fail(*_):
        raise error

    return fail


def test_serve_only_reads_and_only_for_this_machine(folder):
    with served(folder) as port:
        for method in ("POST", "PUT", "DELETE", "HEAD", "OPTIONS"):
            assert ask(port, "/", method)[0] == 501
        assert ask(port, "/", host="evil.example")[0] == 403
        assert ask(port, "/", host=f"localhost:{port}")[0] == 200


BAD = [
    (("standings", "none.db", "--follow"), "standings: none.db: expected a results file, found nothing"),
    (("standings", "a.db", "--follow", "--out=x"), "standings: --follow: expected without --out"),
    (("report", "none", "--serve"), "report: none: expected a results file, found nothing"),
    (("report", "/"), "report: /: expected a results file, found a folder"),
    (("report", ".", "--serve", "99999"), "report: --serve: expected a port from 0 to 65535, got 99999"),
    (("report", ".", "--serve", "--edition", "class"), "report: --edition: expected a results file, got the folder"),
]


@pytest.mark.parametrize(("arguments", "line"), BAD)
def test_bad_input_is_one_line(tmp_path, capsys, monkeypatch, arguments, line):
    monkeypatch.chdir(tmp_path)
    assert main(list(arguments)) == 2
    said = capsys.readouterr().err
    assert said.startswith(line)
    assert said.count("\n") == 1

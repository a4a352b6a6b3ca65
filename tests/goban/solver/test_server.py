"""`truth serve`: positions by GET, as JSON; what it refuses, and that it ends."""

import http.client
import json
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from urllib.parse import quote

import pytest

from goban.solver.server import TruthServer
from goban.solver.solver import Solver
from goban.solver.truth import main
from tests.support.waiting import PATIENCE

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def served():
    with TruthServer(0, Solver(16), 3600) as made:
        thread = threading.Thread(target=made.serve_forever)
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def ask(served, path, host="127.0.0.1:{}", method="GET"):
    """(status, answer) of a request."""
    port = served.server_address[1]
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
    connection.request(method, path, headers={"Host": host.format(port)})
    reply = connection.getresponse()
    assert reply.getheader("Content-Type") == "application/json"
    answer = json.loads(reply.read())
    connection.close()
    return reply.status, answer


def test_a_position_is_told_as_the_command_line_tells_it(served, tmp_path, capsys):
    path = tmp_path / "position.txt"
    path.write_text("rules: littlego\nmoves: 6\n. X .\nX O O\n. . .\n")
    assert main(["--memory", "16", "--json", str(path)]) == 0
    told = json.loads(capsys.readouterr().out)
    status, answer = ask(served, "/position?rules=littlego&made=6&board=.X./XOO/...&seconds=3600")
    assert (status, answer) == (200, told)
    assert answer["winner"] in ("black", "white")


def test_moves_are_played_from_the_empty_board_and_from_a_drawn_one(served):
    _, one = ask(served, "/position?size=3&moves=B2,A1&seconds=3600")
    _, other = ask(served, "/position?board=.../.X./...&made=1&moves=A1&seconds=3600")
    assert (one["moves"], one["to_move"], one["margin"]) == (2, "black", other["margin"])
    assert one["line"][0] in one["best_moves"]


def test_area_rules_with_bounds(served):
    _, answer = ask(served, "/position?rules=area&size=3&seconds=3600")
    assert (answer["winner"], answer["margin"], answer["bounds"]) == ("black", 9, [9, 9])
    _, answer = ask(served, "/position?rules=area&size=2&seconds=3600")
    assert (answer["winner"], answer["margin"], answer["bounds"]) == (None, None, [-4, 4])


REFUSED = [
    ("/", 404, "expected /position?"),
    ("/position?", 200, None),
    ("/position?rules=chess", 400, "expected one of course, "),
    ("/position?size=6", 400, "size: expected 2 to 5, got '6'"),
    ("/position?size=3&size=3", 400, "expected each name once"),
    ("/position?colour=red", 400, "expected one of rules, size, board, made, to_move, previous, moves, seconds, got 'colour'"),
    ("/position?rules", 400, "expected name=value"),
    ("/position?moves=Z9", 400, "'Z9'"),
    ("/position?moves=C3,C3", 400, "the point is occupied"),
    ("/position?rules=aga&size=5&moves=" + "pass," * 3, 400, "the game is over"),
    ("/position?seconds=3601", 400, "seconds: expected a number from 0 to 3600, got '3601'"),
    ("/position?seconds=nan", 400, "seconds: expected a number from 0 to 3600, got 'nan'"),
    ("/position?rules=area&board=XO/O.", 400, "a liberty"),
    ("/position?board=.X/..", 400, "expected the number of moves made before"),
    ("/position?board=.X/..&made=x", 400, "made: expected a number of moves, got 'x'"),
    ("/position?board=.X/..&made=1&size=2", 400, "size: expected without board only"),
    ("/position?made=1", 400, "made: expected with board only"),
    ("/position?board=" + quote(".X/..\nrules: aga"), 400, "expected plain letters"),
    ("/position?board=" + "x/" * 60, 400, "expected"),
    ("http://[x/position", 404, "expected /position?"),
    ("/position?moves=" + "A" * 3000, 414, "expected an address of 2000 letters at most"),
]


@pytest.mark.parametrize(("path", "status", "words"), REFUSED)
def test_what_cannot_be_answered_is_one_sentence(served, path, status, words):
    found, answer = ask(served, path + ("" if words else "seconds=0"))
    assert found == status
    if words:
        assert list(answer) == ["error"]
        assert words in answer["error"]
        assert "\n" not in answer["error"]


def test_another_name_for_this_machine_is_refused(served):
    assert ask(served, "/position", host="example.org:{}") == (
        403, {"error": "expected a request to this machine by its own name"},
    )  # fmt: skip


@pytest.mark.parametrize("host", ["localhost:{}", "LocalHost:{}", "127.0.0.1", "localhost"])
def test_its_own_name_is_known_in_capitals_and_without_port_80(served, host):
    assert ask(served, "/position?size=2&seconds=0", host)[0] == 200


def test_who_asks_for_the_head_only_gets_no_more(served):
    with socket.create_connection(served.server_address, timeout=PATIENCE) as client:
        client.sendall(b"HEAD /position HTTP/1.1\r\nHost: localhost\r\n\r\n")
        told = client.makefile("rb").read()
    assert told.startswith(b"HTTP/1.0 501 ")
    assert told.endswith(b"\r\n\r\n")


def test_other_methods_and_no_http_are_refused_in_json(served):
    status, answer = ask(served, "/position", method="POST")
    assert (status, "POST" in answer["error"]) == (501, True)
    with socket.create_connection(served.server_address, timeout=PATIENCE) as client:
        client.sendall(b"hello\r\n\r\n")
        told = client.makefile("rb").read()
    assert b"error" in told
    assert b"Traceback" not in told


def test_too_many_at_once_are_told_to_come_again(served):
    # Whoever was answered before gives their place back a moment later.
    for _ in range(16):
        served._places.acquire()
    status, answer = ask(served, "/position?size=2&seconds=0")
    assert (status, answer["error"]) == (503, "expected at most 16 questions at once: ask again later")
    for _ in range(16):
        served._places.release()
    assert ask(served, "/position?size=2&seconds=0")[0] == 200


def test_questions_are_answered_one_after_the_other(served):
    found = []
    askers = [threading.Thread(target=lambda: found.append(ask(served, "/position?size=3&seconds=3600"))) for _ in range(4)]
    for thread in askers:
        thread.start()
    for thread in askers:
        thread.join()
    assert len(found) == 4
    assert all(one == found[0] for one in found)


def test_a_port_that_is_taken_and_other_wrong_options_are_one_line(served, capsys):
    port = str(served.server_address[1])
    assert main(["serve", "--memory", "16", "--port", port]) == 2
    assert capsys.readouterr().err.startswith(f"truth serve: --port: {port} cannot be had: ")
    with pytest.raises(SystemExit):
        main(["serve", "--seconds", "nan"])
    assert "expected a number from 0 to 100000, got nan" in capsys.readouterr().err


@pytest.mark.slow
def test_ctrl_c_ends_it_without_a_traceback():
    command = [sys.executable, "-m", "goban.solver.truth", "serve", "--port", "0", "--memory", "16"]
    options = {"cwd": ROOT, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    # Whoever runs the tests in the background may have Ctrl-C ignored.
    with subprocess.Popen(command, **options, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) as process:
        assert process.stdout.readline().endswith("position  (Ctrl-C stops)\n")
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
    assert (process.returncode, said.splitlines()[-1]) == (0, "stopped")

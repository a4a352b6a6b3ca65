"""The server of the board: who may ask it, what it says, and what players may do to it."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from goban.board.games import Game, GameError, Seat
from goban.points import parse_vertex
from goban.rulesets import ruleset
from goban.states import new_game
from tests.support.board_pages import WAITS, Client, graded_by, moves_of, served
from tests.support.go_play_runs import LEGAL, start, write
from tests.support.missing import needs, no_package
from tests.support.waiting import PATIENCE, wait_until

KO = ["B5", "C5", "A4", "D4", "B3", "C3", "C4", "B4"]
"""White's B4 takes at C4, and Black may not take back at once."""


# Who may ask


def test_the_page_needs_nothing_from_elsewhere(client):
    status, page = client.send(b"", "GET", client.address.path, Origin=None)
    assert status == 200
    assert not re.search(rb"""(src|href)=["']?(https?:)?//""", page)
    assert b"default-src 'none'" in page


REFUSED = {
    "another token": (404, {"path": "/0123456789/ask"}),
    "no token": (404, {"path": "/"}),
    "a foreign origin": (403, {"Origin": "http://evil.example"}),
    "a page opened from disk": (403, {"Origin": "null"}),
    "no origin": (403, {"Origin": None}),
    "a foreign host": (403, {"Host": "evil.example"}),
    "a foreign host with our port": (403, {"Host": "evil.example:80"}),
    "no host": (403, {"Host": None}),
    "another method": (501, {"method": "PUT"}),
    "no length": (411, {"Content-Length": None}),
    "a length that is none": (411, {"Content-Length": "-1"}),
}


@pytest.mark.parametrize("name", REFUSED)
def test_whoever_is_not_the_boards_own_page_is_refused(client, name):
    status, changes = REFUSED[name]
    assert client.send(b'{"do": "new"}', **changes)[0] == status


def test_the_page_is_shown_to_nobody_without_the_token(client):
    for path in ("/", "/ask", client.address.path[:-2] + "/", client.address.path + "x"):
        assert client.send(b"", "GET", path, Origin=None)[0] == 404
    assert client.send(b"", "GET", client.address.path, Host="evil.example", Origin=None)[0] == 403
    assert client.send(b"", "GET", client.address.path, Origin="http://evil.example")[0] == 403


def test_ten_megabytes_are_refused_unread(client):
    status, data = client.send(b" " * 10_000_000)
    assert (status, json.loads(data)) == (413, {"error": "expected at most 262144 bytes"})
    assert client.begin()["game"]


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"[" * 100_000, b"[1]", b'"new"', b"NaN"])
def test_what_is_no_request_is_refused(client, body):
    status, data = client.send(body)
    assert status in (200, 400)
    assert json.loads(data)["error"].startswith("expected")


BAD = {
    "expected something to do, got 'dance'": {"do": "dance", "game": "GAME"},
    "there is no such game any more": {"do": "undo", "game": "0"},
    "game: expected a text, got None": {"do": "undo", "game": None},
    "size: expected a number from 2 to 19, got 20": {"size": 20},
    "size: expected a number from 2 to 19, got True": {"size": True},
    "version: expected a number from -1 to 1000000000, got -2": {"do": "wait", "game": "GAME", "version": -2},
    "number: expected a number from 0 to 1000000000, got 0.5": {"do": "ideas", "game": "GAME", "number": 0.5},
    "stones: expected a number from -1 to 361, got 362": {"do": "teach", "game": "GAME", "stones": 362},
    "expected two players, got 1": {"players": ["smart"]},
    "players: expected up to 2 texts, got 'smart'": {"players": "smart"},
    "black may not play C3 as move 2": {"moves": ["C3", "C3"], "colour": "black"},
    "expected a vertex like 'B4' or 'pass', got 'Z9'": {"moves": ["Z9"]},
    "expected one of course, littlego": {"rules": "chess"},
}


@pytest.mark.parametrize("message", BAD)
def test_a_request_that_cannot_be_done_is_answered_with_the_reason(client, message):
    new = {"do": "new", "rules": "course", "size": 5, "players": ["", ""], "moves": []}
    request = BAD[message] if "do" in BAD[message] else new | BAD[message]
    if request.get("game") == "GAME":
        request = request | {"game": client.begin()["game"]}
    error = client.ask(**request)["error"]
    assert error.startswith(message.replace("black", "white") if "C3 as move" in message else message)


# The teacher, and what positions teach


@needs(no_package("numba"))
def test_a_move_that_throws_the_game_away_is_taken_back_with_its_reason(client):
    client.begin(size=3, moves=["A2", "B1"], teach=0)
    view = client.play("A3", 2)
    assert view["checking"]
    view = client.until(lambda view: not view["checking"])
    assert moves_of(view) == ["A2", "B1"]
    lesson = view["lesson"]
    assert (lesson["number"], lesson["move"], lesson["better"]) == (2, "A3", ["C2"])
    assert lesson["said"].startswith("A3 throws the win away")
    assert f"White answers {lesson['line'][0]}" in lesson["said"]
    assert view["lines"] == ["A2 B1 A3"]
    client.play("C2", 2)
    view = client.until(lambda view: not view["checking"])
    assert (moves_of(view), view["lesson"]) == (["A2", "B1", "C2"], None)


@needs(no_package("numba"))
def test_a_program_answers_no_move_that_is_taken_back(client):
    client.begin(size=3, white="random", moves=[], teach=3)
    client.play("A1", 0)
    view = client.until(lambda view: not view["checking"])
    assert (moves_of(view), view["lesson"]["cost"]) == ([], 4)
    client.ask(do="teach", stones=-1)
    client.play("A1", 0)
    assert len(moves_of(client.until(lambda view: len(moves_of(view)) == 2))) == 2


def test_what_moves_do_is_known_without_a_solver(client):
    client.begin(size=5, moves=["A4", "A5"])
    assert client.ask(do="ideas", number=2)["ideas"]["found"]["capture"] == ["B5"]
    assert client.ask(do="ideas", number=3)["error"] == "expected a move up to 2, got 3"


@needs(no_package("numba"))
def test_with_its_values_comes_what_a_position_teaches(client):
    client.begin(size=3, moves=["A2", "B1"])
    client.ask(do="values", number=2)
    values = client.until(lambda view: view["values"] and view["values"]["done"])["values"]
    assert "lesson" in values


# Playing


def test_an_illegal_move_is_answered_with_the_rule(client):
    view = client.begin(moves=KO)
    assert view["refused"] == {"C4": "ko, the board would be again what it was after move 7"}
    assert client.play("C4", 8)["error"] == "C4: ko, the board would be again what it was after move 7"
    assert client.play("C3", 8)["error"] == "C3: the point is occupied"
    assert client.play("pass", 8)["error"] == "pass: these rules know no passing"
    assert client.play("J3", 8)["error"] == "vertex 'J3' is off the 5x5 board"
    assert moves_of(client.play("E1", 8)) == [*KO, "E1"]


def test_a_move_for_a_board_that_has_gone_on_is_refused(client):
    client.begin()
    client.play("C3", 0)
    assert "look at the board again" in client.play("B2", 0)["error"]


def test_two_pages_have_games_of_their_own(server):
    one, other = Client(server), Client(server)
    one.begin()
    other.begin(rules="littlego", size=4)
    one.play("C3", 0)
    assert moves_of(other.play("pass", 0)) == ["pass"]
    assert moves_of(one.play("D3", 1)) == ["C3", "D3"]


def test_undo_takes_back_the_last_move_of_a_person_and_the_reply(client):
    client.begin(white="greedy")
    client.play("C3", 0)
    client.until(lambda view: len(moves_of(view)) == 2)
    assert moves_of(client.ask(do="undo")) == []
    assert client.ask(do="undo")["error"] == "there is no move of yours to take back"


def test_what_is_left_again_stays_a_variation(client):
    client.begin(size=4)
    for number, move in enumerate(("B2", "C3", "A1")):
        client.play(move, number)
    assert client.ask(do="undo")["lines"] == ["B2 C3 A1"]
    assert client.play("D4", 2)["lines"] == ["B2 C3 A1"]
    first = client.game
    branch = client.ask(do="branch", players=["", ""], number=1, moves=["B3"])
    assert (branch["size"], moves_of(branch), branch["lines"]) == (4, ["B2", "B3"], ["B2 C3 A1", "B2 C3 D4"])
    assert branch["game"] != first
    client.game = first
    assert client.ask(do="branch", players=["", ""], number=0, moves=["J9"])["error"] == "vertex 'J9' is off the 4x4 board"


def test_whoever_resigns_has_lost_under_all_rules(client):
    client.begin()
    view = client.play("resign", 0)
    assert (view["over"], view["record"][3:6]) == (True, [2, "W+R", "White wins by resignation."])
    assert not client.ask(do="undo")["over"]


def test_two_programs_play_a_whole_game_by_the_rules(client):
    client.begin("greedy", "smart", size=4)
    view = client.until(lambda view: view["over"])
    state = new_game(ruleset("course"), 4)
    for name in moves_of(view):
        state = state.play(parse_vertex(name, 4))
    assert state.outcome.result() == view["record"][4]


def test_a_server_that_is_being_stopped_does_not_say_that_there_is_no_such_game():
    """A request that comes at that moment is left without an answer, like those that follow."""
    with served() as server:
        client = Client(server)
        client.begin()
        server._desk.close()
        with pytest.raises(http.client.RemoteDisconnected):
            client.ask(do="wait", version=-1)
        with pytest.raises(http.client.RemoteDisconnected):
            client.begin()


def test_games_that_nobody_asks_for_are_closed(client):
    first = client.begin()["game"]
    for _ in range(24):
        client.begin()
    client.game = first
    assert client.ask(do="undo")["error"] == "there is no such game any more"


# What players may do

PRINTS = "\nclass MyPlayer:\n    def get_input(self, go, piece_type):\n"
BREAKS = {
    "crash": (
        PRINTS + "        print('hm, hm')\n        return [][7]\n",
        r"black \(visitor\.py\) forfeits at move 1: IndexError: list index out of range \(visitor\.py, line 5\)$",
    ),
    "dies": (
        PRINTS + "        import os; os.write(1, b'hm, hm'); os.kill(os.getpid(), 9)\n",
        r"black .*: its process was ended by SIGKILL$",
    ),
    "illegal": (PRINTS + "        return 9, 9\n", r"black .* expected a row and a column from 0 to 4, got \(9, 9\)"),
    "cannot be loaded": (f"import no_such_thing\n{LEGAL}", r"^player .*: ModuleNotFoundError: .*no_such_thing"),
    "no file": (None, r"^player file .* cannot be read: No such file"),
    "takes the pipes away": (
        PRINTS + "        import os; os.closerange(3, 64); return 'C3'\n",
        r"black .*: its process ended with status 1$",
    ),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_player_that_fails_is_told_of_and_nothing_is_lost(server, tmp_path, name):
    client = Client(server)
    text, message = BREAKS[name]
    path = str(tmp_path / "visitor.py") if text is None else write(tmp_path, text)
    client.begin(black=path)
    view = client.until(lambda view: view["fault"])
    said = view["record"][5].replace(str(tmp_path) + "/", "")
    assert re.search(message, said)
    assert view["record"][3:5] == [2, "W+F"]
    if name in ("crash", "dies"):
        assert view["record"][11][0] == {"1": "hm, hm"}
    if name == "crash":
        assert "return [][7]" in view["record"][11][2]


def test_a_mended_player_is_asked_again(server, tmp_path):
    client = Client(server)
    client.begin(black=write(tmp_path, "class MyPlayer:\n    pass\n"))
    assert "expected a method get_input" in client.until(lambda view: view["fault"])["record"][5]
    write(tmp_path, LEGAL)
    client.ask(do="again")
    assert not client.until(lambda view: len(moves_of(view)) == 1)["fault"]


def save(folder, text, name="visitor.py"):
    """Save a file at once, so that nobody sees half of it."""
    os.replace(write(folder, text, f"{name}.new"), folder / name)


def test_a_player_whose_file_is_saved_is_loaded_anew(server, tmp_path):
    """In the middle of a game, also where it had failed, or is thinking, or where a file beside it is saved."""
    client = Client(server)
    (tmp_path / "beside.py").write_text("POINT = 0, 0\n")
    text = "from beside import POINT\n" + PRINTS + "        return POINT\n"
    client.begin(white=write(tmp_path, text))
    client.play("C3", 0)
    assert moves_of(client.until(lambda view: len(moves_of(view)) == 2))[1] == "A5"
    save(tmp_path, "POINT = 10 // 10, 0\n", "beside.py")
    view = client.until(lambda view: view["loaded"][0] == 1)
    assert view["loaded"][1] == "visitor.py"
    client.play("D3", 2)
    assert moves_of(client.until(lambda view: len(moves_of(view)) == 4))[3] == "A4"
    client.play("E3", 4)
    assert client.until(lambda view: view["fault"])["loaded"][0] == 1
    save(tmp_path, LEGAL)
    view = client.until(lambda view: len(moves_of(view)) == 6)
    assert (view["fault"], view["loaded"][0]) == (False, 2)
    save(tmp_path, PRINTS + "        while True:\n            pass\n")
    client.until(lambda view: view["loaded"][0] == 3)
    state = view["refused"]
    free = next(name for name in ("A1", "B1", "C1", "D1", "E1", "A2", "B2") if name not in moves_of(view) and name not in state)
    client.play(free, 6)
    client.until(lambda view: view["thinking"] is not None)
    save(tmp_path, LEGAL + "\n")
    assert len(moves_of(client.until(lambda view: len(moves_of(view)) == 8))) == 8


def test_a_player_that_hangs_can_be_stopped_and_asked_again(server, tmp_path):
    client = Client(server)
    path = write(tmp_path, PRINTS + "        print('round and round')\n        while True:\n            pass\n")
    client.begin(white=path)
    client.play("C3", 0)
    client.until(lambda view: view["thinking"] is not None)
    # Others play on meanwhile.
    other = Client(server)
    other.begin(white="random")
    other.play("C3", 0)
    other.until(lambda view: len(moves_of(view)) == 2)
    view = client.ask(do="stop")
    assert re.match(r"stopped by hand: it was the turn of white", view["record"][5])
    assert view["fault"]
    write(tmp_path, LEGAL)
    assert moves_of(client.ask(do="undo")) == []
    client.play("D3", 0)
    assert len(moves_of(client.until(lambda view: len(moves_of(view)) == 2))) == 2


def test_a_program_that_was_not_asked_cannot_be_stopped():
    game = Game(ruleset("aga"), 5, (Seat("greedy"), Seat()))
    game._programs[1] = object()
    with pytest.raises(GameError, match=r"^no program is thinking$"):
        game.stop()


def test_an_engine_that_never_answers_is_ended_with_its_player(server, tmp_path):
    client = Client(server)
    pid = tmp_path / "pid"
    client.begin(black=f"gtp:sh -c 'echo $$ > {pid}.new; mv {pid}.new {pid}; exec sleep 3600'")
    wait_until(pid.exists)
    assert client.ask(do="stop")["fault"]
    wait_until(lambda: not Path(f"/proc/{pid.read_text().strip()}").exists())


def test_a_move_taken_back_while_a_player_thinks_is_not_answered(server, tmp_path):
    client = Client(server)
    client.begin(white=write(tmp_path, "import time\n" + PRINTS + "        time.sleep(3600)\n"))
    client.play("C3", 0)
    client.until(lambda view: view["thinking"] is not None)
    view = client.ask(do="undo")
    assert (moves_of(view), view["thinking"], view["over"]) == ([], None, False)


# The command line


def test_the_command_line_says_where_the_board_is_and_ends_with_ctrl_c(tmp_path):
    hangs = write(tmp_path, PRINTS + "        while True:\n            pass\n")
    process = start("--browser", "-p1", hangs, "-p2=random", "--rules", "littlego", "--size=6", flags=())
    try:
        address = re.fullmatch(r"(http://127\.0\.0\.1:\d+/[\w-]{20,}/)  \(Ctrl-C stops\)\n", process.stdout.readline())[1]
        client = Client(type("Server", (), {"address": address}))
        assert b'"size":6' in client.send(b"", "GET", client.address.path, Origin=None)[1]
        client.begin(hangs, "random")
        client.until(lambda view: view["thinking"] is not None)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert (process.returncode, out, err) == (0, "", "stopped\n")


@pytest.mark.parametrize(("words", "said"), [
    (("game.txt",), "expected a player's FILE.py, without -p2, or FILE.sgf, got 'game.txt'"),
    (("mine.py", "-p2=smart"), "expected a player's FILE.py, without -p2, or FILE.sgf, got 'mine.py'"),
    (("none.sgf",), "none.sgf: No such file or directory"),
    (("bad.sgf",), "argument --browser: 'bad.sgf': expected a game, '(;' to ')', got 'hello'"),
])
def test_what_cannot_be_opened_in_a_browser_is_refused(tmp_path, words, said):
    (tmp_path / "bad.sgf").write_text("hello")
    process = start("--browser", *words, cwd=tmp_path)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err.count("\n")) == (2, "", 1)
    assert said in err


@pytest.mark.parametrize("option", ["--show", "--times=2", "--html=games.html"])
def test_options_that_mean_nothing_in_a_browser_are_refused(option):
    process = start("--browser", option)
    _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (2, f"go_play.py: argument --browser: expected without {option.partition('=')[0]}\n")


# What would be graded

SAYS = """import sys
print("12 of 80 games", file=sys.stderr)
print("visitor: ok")
print("a grade would play", *sys.argv[2:])
"""
NEEDS_A_SANDBOX = """import sys
if "--no-sandbox" not in sys.argv:
    sys.exit("check: no submission can be run here; --no-sandbox plays your own code without one")
print("a grade would play, without a sandbox")
"""


@pytest.fixture
def graded(client, tmp_path, monkeypatch):
    """A game against a file; a function that sets the command which says what would be graded."""

    def begin(command):
        graded_by(command, tmp_path, monkeypatch)
        client.begin("", write(tmp_path, LEGAL))
        return client

    return begin


def is_done(view):
    return view["verdict"] is not None and view["verdict"]["done"]


def test_what_would_be_graded_is_what_the_command_says(graded, tmp_path):
    client = graded(SAYS)
    begun = client.ask(do="check", colour=2)
    assert (begun["files"], begun["verdict"]["file"], begun["verdict"]["done"]) == (["", "visitor.py"], "visitor.py", False)
    assert client.until(is_done)["verdict"] == {
        "file": "visitor.py", "lines": ["visitor: ok", f"a grade would play {tmp_path}/visitor.py --rules course"], "doing": "",
        "done": True, "changed": False,
    }  # fmt: skip
    assert "expected a player from a file, got none" in client.ask(do="check", colour=1)["error"]


def test_it_can_be_stopped_and_says_what_it_knows(graded):
    client = graded(WAITS)
    client.ask(do="check", colour=2)
    client.until(lambda view: view["verdict"]["doing"] == "12 of 80 games")
    client.ask(do="uncheck")
    assert client.until(is_done)["verdict"]["lines"] == ["a grade would play something"]


def test_a_file_that_is_saved_meanwhile_is_told_of(graded, tmp_path):
    client = graded(WAITS)
    client.ask(do="check", colour=2)
    client.until(lambda view: view["verdict"]["doing"] == "12 of 80 games")
    write(tmp_path, f"{LEGAL}# better\n")
    client.until(lambda view: view["verdict"]["changed"])
    client.ask(do="uncheck")
    assert client.until(is_done)["verdict"]["changed"]
    # Asked again, it is of the file as it is now.
    assert not client.ask(do="check", colour=2)["verdict"]["changed"]
    client.until(lambda view: view["verdict"]["doing"] == "12 of 80 games")
    client.ask(do="uncheck")


def test_where_there_is_no_sandbox_it_is_played_without(graded):
    client = graded(NEEDS_A_SANDBOX)
    client.ask(do="check", colour=2)
    assert client.until(is_done)["verdict"]["lines"] == ["a grade would play, without a sandbox"]


@pytest.mark.slow
def test_the_command_is_the_one_that_people_type(client, tmp_path):
    client.begin("", write(tmp_path, f"import nothing_like_this\n{LEGAL}"))
    client.ask(do="check", colour=2)
    assert client.until(is_done)["verdict"]["lines"][-1] == (
        "a grade would play visitor.py, class MyPlayer: 0 of 100 points as long as it cannot start"
    )


def test_the_board_is_not_loaded_for_games_without_one():
    code = "import sys, go_play; go_play.main(['-t', '1']); print(sorted(m for m in sys.modules if m.startswith('board')))"
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"

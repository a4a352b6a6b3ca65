"""A board in a browser, served by this process, and a page that asks it as a browser would."""

from __future__ import annotations

import http.client
import json
import threading
import time
from contextlib import contextmanager
from urllib.parse import urlsplit

from go_play import browser_page
from goban.board.desk import Desk
from goban.board.play_server import PlayServer
from tests.support.waiting import PATIENCE


@contextmanager
def served(players=("", "smart")):
    """Serve the board; yield the server."""
    page = browser_page({"rules": "course", "size": 5, "players": players})
    with PlayServer(page, Desk(1)) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


WAITS = """import signal, sys
try:
    print("12 of 80 games", file=sys.stderr, flush=True)
    while True: signal.pause()
except KeyboardInterrupt:
    print("a grade would play something")
"""
"""A command that is stopped before it says what would be graded."""


def graded_by(command, folder, monkeypatch):
    """Have another program say what would be graded. folder: for its source."""
    (folder / "stub_check.py").write_text(command)
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.setattr("goban.board.processes.CHECK", ("stub_check", "check"))


class Client:
    """One page. Its requests are those of a browser, unless a test says otherwise."""

    def __init__(self, server):
        self.address = urlsplit(server.address)
        self.game = ""

    def send(self, body, method="POST", path="", **headers):
        """Return the status and the body of the answer."""
        host = self.address.netloc
        usual = {"Host": host, "Origin": f"http://{host}", "Content-Type": "application/json"}
        connection = http.client.HTTPConnection(self.address.hostname, self.address.port, timeout=PATIENCE)
        try:
            connection.putrequest(method, path or f"{self.address.path}ask", skip_host=True)
            for name, value in (usual | {"Content-Length": str(len(body))} | headers).items():
                if value is not None:
                    connection.putheader(name, value)
            connection.endheaders(body)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def ask(self, **request):
        """Return the answer to a request about the page's game."""
        if self.game:
            request.setdefault("game", self.game)
        status, data = self.send(json.dumps(request).encode())
        assert status == 200, data
        found = json.loads(data)
        self.game = found.get("game", self.game)
        return found

    def begin(self, black="", white="", rules="course", size=5, moves=(), teach=-1):
        """Begin a game."""
        self.game = ""
        return self.ask(do="new", rules=rules, size=size, players=[black, white], moves=list(moves), teach=teach)

    def play(self, move, number):
        """Make a person's move."""
        return self.ask(do="play", move=move, number=number)

    def until(self, wanted):
        """Wait for news until they are as wanted; return them."""
        found, end = self.ask(do="wait", version=-1), time.monotonic() + PATIENCE
        while not wanted(found):
            assert time.monotonic() < end, "it did not happen"
            found = self.ask(do="wait", version=found["version"])
        return found


def moves_of(view):
    """Return the names of the moves of a game."""
    return view["record"][6].split()

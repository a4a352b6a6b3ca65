"""The board in a browser: a page, and a server for it that this machine's user alone can talk to.

Whoever asks must know a token, which stands in the page's address; must name this machine as the host, and no other site as
the origin; and may send `MOST_BYTES`. What comes is JSON, and is given to a `goban.board.desk.Desk`, or to who
else answers pages.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
import sys
from http import HTTPStatus
from typing import Any, Protocol, TextIO

from goban.board.desk import ClosedError
from goban.board.games import GameError
from goban.common.excerpts import quoted
from goban.common.local_server import ADDRESS, HOSTS, LocalHandler, LocalServer

MOST_BYTES = 262_144
_DRAINED_BYTES = 64 * 2**20
_HEADERS = {"Cache-Control": "no-store", "X-Frame-Options": "DENY", "Cross-Origin-Resource-Policy": "same-origin"}


class Answering(Protocol):
    """Answers what pages ask, from any thread. Raises GameError, and ClosedError when it answers nothing any more."""

    def answer(self, request: dict[str, Any]) -> dict[str, Any]: ...
    def close(self) -> None: ...


class PlayServer(LocalServer):
    """Serves one page, on any free port. `address` is the page's. name: the command line's."""

    def __init__(self, page: bytes, desk: Answering, name: str = "go_play.py") -> None:
        token = secrets.token_urlsafe(24)

        class Handler(_Handler):
            root = f"/{token}/"

        Handler.page, Handler.desk = page, desk
        super().__init__(0, Handler, name)
        self._desk = desk
        port = self.server_address[1]
        Handler.origins = tuple(f"http://{host}:{port}" for host in HOSTS)
        self.address = f"http://{ADDRESS}:{port}/{token}/"

    def server_close(self) -> None:
        """Stop listening, and end all games."""
        super().server_close()
        self._desk.close()


class _Handler(LocalHandler):
    """Answers GET with the page, POST with what the desk says, and everything else with an error."""

    root: str
    page: bytes
    desk: Answering
    origins: tuple[str, ...]
    timeout = 60

    def do_GET(self) -> None:  # noqa: N802
        """Answer with the page."""
        if self._may_ask(self.root, {*self.origins, None}):
            self.send_data(self.page, "text/html; charset=utf-8", _HEADERS)

    def do_POST(self) -> None:  # noqa: N802
        """Do what the page asks for."""
        length = self.headers.get("Content-Length") or ""
        if not self._may_ask(f"{self.root}ask", set(self.origins)):
            return
        if not (length.isascii() and length.isdigit() and len(length) < 20):
            self._refuse(HTTPStatus.LENGTH_REQUIRED, "expected the length of the request")
        elif int(length) > MOST_BYTES:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"expected at most {MOST_BYTES} bytes")
            self._drain(int(length))
        else:
            self._answer(self.rfile.read(int(length)))

    def _may_ask(self, path: str, origins: set[str | None]) -> bool:
        """Tell whether a request is ours to answer; refuse it if not."""
        if not self.asks_for_us() or self.headers.get("Origin") not in origins:
            self._refuse(HTTPStatus.FORBIDDEN, "expected a request of the board's own page")
        elif not hmac.compare_digest(self.path.encode(), path.encode()):
            self._refuse(HTTPStatus.NOT_FOUND, "there is nothing here: take the address that was printed")
        else:
            return True
        return False

    def _answer(self, data: bytes) -> None:
        try:
            request = json.loads(data)
            if not isinstance(request, dict):
                raise GameError(f"expected an object, got {quoted(request)}")
            self._send(self.desk.answer(request))
        except (ValueError, RecursionError):
            self._refuse(HTTPStatus.BAD_REQUEST, "expected JSON")
        except GameError as error:
            self._send({"error": str(error)})
        except ClosedError:
            # Its page is to see that nobody answers any more, not that there is no such game.
            self.close_connection = True

    def _refuse(self, status: HTTPStatus, why: str) -> None:
        self._send({"error": why}, status)

    def _send(self, answer: dict[str, Any], status: HTTPStatus = HTTPStatus.OK) -> None:
        self.send_data(json.dumps(answer).encode(), "application/json", _HEADERS, status)

    def _drain(self, length: int) -> None:
        """Read what was too long away, for otherwise its sender may not hear the answer."""
        left = min(length, _DRAINED_BYTES)
        while left > 0 and (data := self.rfile.read(min(left, 65_536))):
            left -= len(data)


def serve(server: PlayServer) -> None:
    """Say where the page is, show it, and serve it until Ctrl-C."""
    server.serve_until_stopped(lambda: show(server, sys.stdout))


def show(server: PlayServer, output: TextIO) -> None:
    """Say where the page is, and show it in a browser, if there is one that has a window of its own."""
    output.write(f"{server.address}  (Ctrl-C stops)\n")
    output.flush()
    has_screen = sys.platform in ("win32", "darwin") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if has_screen:
        import webbrowser

        webbrowser.open(server.address)

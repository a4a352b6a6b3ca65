"""A web server for browsers on this machine only."""

from __future__ import annotations

import http.server
import sys
from collections.abc import Callable
from http import HTTPStatus

from goban.common.command_lines import complain
from goban.common.excerpts import error_line

ADDRESS = "127.0.0.1"
HOSTS = (ADDRESS, "localhost")


class LocalServer(http.server.ThreadingHTTPServer):
    """Says in one line what goes wrong, and nothing if a browser leaves before it has its answer. name: the command line's."""

    def __init__(self, port: int, handler: type[LocalHandler], name: str) -> None:
        super().__init__((ADDRESS, port), handler)
        self._name = name

    def serve_until_stopped(self, announce: Callable[[], object]) -> None:
        """Announce it, then answer until Ctrl-C, which may come as soon as the announcement does."""
        with self:
            try:
                announce()
                self.serve_forever()
            except KeyboardInterrupt:
                sys.stderr.write("stopped\n")

    def handle_error(self, request: object, client_address: object) -> None:
        """Say what went wrong with a request."""
        error = sys.exception()
        if error is not None and not isinstance(error, (ConnectionError, TimeoutError)):
            complain(self._name, f"a request failed: {error_line(error)}")


class LocalHandler(http.server.BaseHTTPRequestHandler):
    """Answers one request."""

    server_version = "pages"
    sys_version = ""
    error_message_format = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>%(message)s</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem; background: Canvas; color: CanvasText; }
a { color: inherit; }
</style>
</head>
<body>
<main>
<h1>%(message)s</h1>
<p>%(explain)s (%(code)d).</p>
<p><a href="/">To the first page</a></p>
</main>
</body>
</html>
"""

    def asks_for_us(self) -> bool:
        """Tell whether the request names this machine.

        Another site whose name resolves to this machine must not be able to read the pages (DNS rebinding). Clients leave out
        port 80, and may write a name in capitals.
        """
        return (self.headers.get("Host") or "").partition(":")[0].lower() in HOSTS

    def send_data(self, data: bytes, kind: str, more: dict[str, str], status: HTTPStatus = HTTPStatus.OK) -> None:
        """Answer with data of this type, which a client that asks for the head only does not get."""
        self.send_response(status)
        headers = {"Content-Type": kind, "Content-Length": str(len(data)), "X-Content-Type-Options": "nosniff"}
        for name, value in (headers | {"Referrer-Policy": "no-referrer"} | more).items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

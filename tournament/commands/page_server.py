"""A folder of pages for a browser on this machine, read-only: what `report --serve` shows."""

from __future__ import annotations

import mimetypes
import os
import sys
from http import HTTPStatus
from pathlib import Path
from urllib.parse import unquote, urlsplit

from goban.common.local_server import ADDRESS, LocalHandler, LocalServer
from gojudge.errors import JudgeError

_TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}


def serve(folder: Path, port: int) -> None:
    """Serve a folder until Ctrl-C. port: 0 for any that is free. Raises JudgeError, or OSError if the port is taken."""
    if not 0 <= port <= 65535:
        raise JudgeError(f"--serve: expected a port from 0 to 65535, got {port}")
    server = make_server(folder, port)
    place = f"http://{ADDRESS}:{server.server_address[1]}/"
    server.serve_until_stopped(lambda: print(f"{place}  (Ctrl-C stops)", file=sys.stderr, flush=True))


def make_server(folder: Path, port: int) -> LocalServer:
    """Return a server for a folder, not yet running. Raises OSError if the port is taken."""
    root = folder.resolve()

    class Handler(_Handler):
        place = root

    return LocalServer(port, Handler, "serve")


class _Handler(LocalHandler):
    """Answers GET with a file of the folder, and everything else with an error."""

    place: Path

    def do_GET(self) -> None:  # noqa: N802
        """Answer with a file."""
        if not self.asks_for_us():
            self.send_error(HTTPStatus.FORBIDDEN)
            return
        path = file_of(self.place, self.path)
        try:
            data = path.read_bytes() if path is not None else None
        except OSError:
            data = None
        if path is None or data is None:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        kind = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        self.send_data(data, kind, {"Cache-Control": "no-cache"})


def file_of(root: Path, target: str) -> Path | None:
    """Return the file that a request means; None if it is not a file in the folder. Links out of the folder are not."""
    try:
        name = unquote(urlsplit(target).path).lstrip("/")
    except ValueError:
        return None
    if "\0" in name or "\\" in name:
        return None
    path = Path(os.path.realpath(root / name))
    # Unlike Path.is_dir and is_file, these take a name that is too long for one that does not exist.
    if os.path.isdir(path):
        path = path / "index.html"
    inside = path.is_relative_to(root) and Path(os.path.realpath(path)).is_relative_to(root)
    return path if inside and os.path.isfile(path) else None

"""`python3 -m goban.solver.truth serve`: what positions are worth, for programs on this machine that ask by GET.

    python3 -m goban.solver.truth serve --port 8025
    curl 'http://127.0.0.1:8025/position?rules=littlego&size=5&moves=C3,D4'
    curl 'http://127.0.0.1:8025/position?rules=area&board=.../.X./...&to_move=white&seconds=1'

What may stand in the address, each once:

    rules     course (the default), littlego, area, or a preset by which area counts
    size      2 to 5, default 5; not with `board`
    board     rows from the top, with '/' between: X Black, O White, . empty; else the empty board
    made      how many moves were made before that board, passes counted
    to_move, previous                as in a file, see `goban.solver.positions`; the rows of `previous` as those of `board`
    moves     what was played from there, as C3,D4,pass
    seconds   how long to search at most, default 2; no more than --seconds

The answer is the object of `python3 -m goban.solver.truth --json` for a position. Anything else is an object with one sentence
in `error`, and a status of 400 or more: 503 where too many ask at once. Positions are searched one after the other.
"""

from __future__ import annotations

import json
import math
import re
import threading
from collections.abc import Sequence
from http import HTTPStatus
from socket import socket
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from goban.common.command_lines import DONE, CommandError, Parser, command_line, complain, whole_number
from goban.common.excerpts import quoted
from goban.common.local_server import ADDRESS, LocalHandler, LocalServer
from goban.errors import GobanError
from goban.points import parse_vertex
from goban.solver.errors import BadPositionError, SearchError
from goban.solver.positions import read_position, rules_by_name
from goban.states import State, new_game

if TYPE_CHECKING:
    from goban.solver.solver import Solver

_NAME = "truth serve"
_PORT = 8025
_SECONDS, _MOST_SECONDS = 2.0, 60
_MEMORY_MIB = 256
_MOST_AT_ONCE = 16
_MOST_LETTERS = 2_000
"""Of an address: some hundred moves."""
_MOST_MOVES = 500
_KNOWN = ("rules", "size", "board", "made", "to_move", "previous", "moves", "seconds")


class AskedWrongError(Exception):
    """A request that cannot be answered; the message says why. status: of the answer."""

    def __init__(self, message: str, status: HTTPStatus = HTTPStatus.BAD_REQUEST) -> None:
        super().__init__(message)
        self.status = status


class TruthServer(LocalServer):
    """Answers for one solver. most_seconds: for a search. port: 0 for any that is free. Raises OSError if the port is taken."""

    daemon_threads = True

    def __init__(self, port: int, solver: Solver, most_seconds: float = _MOST_SECONDS) -> None:
        class Handler(_Handler):
            truths = PositionAnswers(solver, most_seconds)

        self._places = threading.BoundedSemaphore(_MOST_AT_ONCE)
        super().__init__(port, Handler, _NAME)
        self.address = f"http://{ADDRESS}:{self.server_address[1]}/"

    def process_request(self, request: socket | tuple[bytes, socket], client_address: Any) -> None:  # noqa: ANN401
        """Answer in a thread, unless so many are at work that one more would only wait."""
        if self._places.acquire(blocking=False):
            super().process_request(request, client_address)
            return
        data = _as_json({"error": f"expected at most {_MOST_AT_ONCE} questions at once: ask again later"})
        head = f"HTTP/1.0 503 Service Unavailable\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        if isinstance(request, socket):
            request.settimeout(1)
            request.sendall(head.encode() + data)
        self.shutdown_request(request)

    def process_request_thread(self, request: socket | tuple[bytes, socket], client_address: Any) -> None:  # noqa: ANN401
        """Answer, and make room for the next one."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._places.release()


class PositionAnswers:
    """What is asked, and the answers, one search at a time."""

    def __init__(self, solver: Solver, most_seconds: float) -> None:
        self._solver, self._most_seconds = solver, most_seconds
        self._turn = threading.Lock()

    def answer(self, query: str) -> dict[str, Any]:
        """Return what is known of the position that a query asks about; raises AskedWrongError, GobanError or SearchError."""
        from goban.solver.analysis import value_with_line
        from goban.solver.reports import position_json

        asked = _read(query)
        seconds = self._seconds(asked.get("seconds"))
        state = _position(asked)
        with self._turn:
            # A line may take as long again.
            value = value_with_line(state, self._solver, seconds / 2)
        return position_json(state, value, value.line)

    def _seconds(self, text: str | None) -> float:
        if text is None:
            return min(_SECONDS, self._most_seconds)
        if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{0,9})?", text) or float(text) > self._most_seconds:
            raise AskedWrongError(f"seconds: expected a number from 0 to {self._most_seconds:g}, got {quoted(text)}")
        return float(text)


def _read(query: str) -> dict[str, str]:
    """Return what stands in an address, by name."""
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=True, max_num_fields=len(_KNOWN)) if query else []
    except ValueError:
        raise AskedWrongError(f"expected name=value, with & between, each of {', '.join(_KNOWN)} once at most") from None
    asked = dict(pairs)
    for name, _ in pairs:
        if name not in _KNOWN:
            raise AskedWrongError(f"expected one of {', '.join(_KNOWN)}, got {quoted(name)}")
    if len(asked) < len(pairs):
        raise AskedWrongError("expected each name once")
    return asked


def _position(asked: dict[str, str]) -> State:
    """Return the position asked about; raises AskedWrongError, GobanError or SearchError."""
    if "board" in asked:
        state = _set_up(asked)
    else:
        for name in ("made", "to_move", "previous"):
            if name in asked:
                raise AskedWrongError(f"{name}: expected with board only")
        rules, size = rules_by_name(asked.get("rules", "course")), asked.get("size", "5")
        if size not in {"2", "3", "4", "5"}:
            raise AskedWrongError(f"size: expected 2 to 5, got {quoted(size)}")
        state = new_game(rules, int(size))
    names = [name for name in re.split("[ ,]+", asked.get("moves", "")) if name]
    if len(names) > _MOST_MOVES:
        raise AskedWrongError(f"moves: expected at most {_MOST_MOVES}, got {len(names)}")
    for name in names:
        state = state.play(parse_vertex(name, state.grid.size))
    return state


def _set_up(asked: dict[str, str]) -> State:
    """Return the position of a drawn board, read as a file that says the same."""
    if "size" in asked:
        raise AskedWrongError("size: expected without board only, which has its own")
    if not re.fullmatch("[0-9]{1,3}", made := asked.get("made", "0")):
        raise AskedWrongError(f"made: expected a number of moves, got {quoted(made)}")
    values = {"rules": asked.get("rules"), "moves": asked.get("made"), "to_move": asked.get("to_move")}
    boards = {name: asked[name].split("/") for name in ("board", "previous") if name in asked}
    for name, value in (*values.items(), *((name, row) for name, rows in boards.items() for row in rows)):
        if value is not None and not re.fullmatch("[ -9;-~]*", value):
            raise AskedWrongError(f"{name}: expected plain letters, got {quoted(value)}")
    lines = [f"{name}: {value}" for name, value in values.items() if value is not None]
    for name, rows in boards.items():
        lines += [f"{name}:", *rows]
    try:
        return read_position("\n".join(lines))
    except BadPositionError as error:
        raise AskedWrongError(str(error).partition(": say it with")[0]) from None


class _Handler(LocalHandler):
    """Answers GET with JSON, and everything else with an error that is JSON, too."""

    truths: PositionAnswers
    timeout = 10

    def do_GET(self) -> None:  # noqa: N802
        """Answer."""
        try:
            self._send(self._answer(), HTTPStatus.OK)
        except AskedWrongError as error:
            self._send({"error": str(error)}, error.status)
        except (GobanError, SearchError) as error:
            self._send({"error": str(error)}, HTTPStatus.BAD_REQUEST)
        except MemoryError:
            self._send({"error": "out of memory"}, HTTPStatus.SERVICE_UNAVAILABLE)

    def _answer(self) -> dict[str, Any]:
        if not self.asks_for_us():
            raise AskedWrongError("expected a request to this machine by its own name", HTTPStatus.FORBIDDEN)
        if len(self.path) > _MOST_LETTERS:
            raise AskedWrongError(f"expected an address of {_MOST_LETTERS} letters at most", HTTPStatus.REQUEST_URI_TOO_LONG)
        try:
            address = urlsplit(self.path)
        except ValueError:
            address = None
        if address is None or address.path != "/position":
            raise AskedWrongError("expected /position?rules=course&size=5&moves=C3,D4 or the like", HTTPStatus.NOT_FOUND)
        return self.truths.answer(address.query)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Say what is wrong with a request that is none, or not a GET."""
        self.close_connection = True
        self._send({"error": message or HTTPStatus(code).phrase}, HTTPStatus(code))

    def _send(self, answer: dict[str, Any], status: HTTPStatus) -> None:
        self.send_data(_as_json(answer), "application/json", {"Cache-Control": "no-store"}, status)


def _as_json(answer: dict[str, Any]) -> bytes:
    return json.dumps(answer).encode() + b"\n"


def parser() -> Parser:
    """Return the command line's parser."""
    prog = f"{command_line('goban.solver.truth')} serve"
    made = Parser(name=_NAME, prog=prog, description="Serve the values of positions on this machine, as JSON by GET.")
    made.add_argument("--port", type=whole_number(0, 65535, "a port"), default=_PORT, help=(
        f"default {_PORT}; 0 for any free port"
    ))  # fmt: skip
    seconds = f"longest time that a question may ask for, default {_MOST_SECONDS}"
    made.add_argument("--seconds", type=float, default=_MOST_SECONDS, metavar="S", help=seconds)
    memory = f"for the solver's tables, default {_MEMORY_MIB}"
    made.add_argument("--memory", type=int, default=_MEMORY_MIB, metavar="MIB", help=memory)
    return made


def serve(arguments: Sequence[str]) -> int:
    """Answer until Ctrl-C; return the exit status."""
    from goban.kernels.numba_tools.compile import compilation_told
    from goban.rulesets import COURSE
    from goban.solver.solver import Solver

    reader = parser()
    options = reader.parse_args(arguments)
    if not (math.isfinite(options.seconds) and 0 <= options.seconds <= 100_000):
        reader.error(f"argument --seconds: expected a number from 0 to 100000, got {options.seconds:g}")
    with compilation_told(lambda: complain(_NAME, "compiling, once for this machine...")):
        solver = Solver(options.memory)
        solver.prepare(new_game(COURSE, 5))
    try:
        server = TruthServer(options.port, solver, options.seconds)
    except OSError as error:
        raise CommandError(f"--port: {options.port} cannot be had: {error.strerror}") from None
    server.serve_until_stopped(lambda: print(f"{server.address}position  (Ctrl-C stops)", flush=True))
    return DONE

"""A cluster of dask.distributed: `tcp://HOST:PORT` of a scheduler, or `local:N` for N worker processes on this machine.

dask is imported when it is asked for. Its own messages are pickles, between whoever takes part: see docs/cluster.md.

What a worker has to say comes by way of the scheduler. Neither makes room for a message before it knows how long it is: the
scheduler refuses what is too large, see `limit_messages`, and says from whom it came.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import socket
import ssl
import time
import uuid
from collections.abc import Callable, Collection
from concurrent.futures import CancelledError, Future
from contextlib import ExitStack, suppress
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import wraps
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goban.common.command_lines import how_to_install
from goban.common.excerpts import error_line, quoted
from goban.common.files import write_beside
from gojudge.cluster.replies import NonsenseError
from gojudge.errors import ClusterError
from gojudge.refereeing.executors import main_hidden

if TYPE_CHECKING:
    from distributed import Client, LocalCluster, Scheduler, Security

_ADDRESS = re.compile(r"(tcp|tls)://(\[[0-9a-fA-F:.]+\]|[^\s/:\[\]]+):\d{1,5}")
_LOCAL = re.compile(r"local:([1-9]\d{0,3})")
_CONNECT_SECONDS = 10
# How often to look who is there, in seconds.
_INTERVAL = 1.0
# How many times in a row a scheduler may not answer at all. It is gone if nothing listens there any more.
_MOST_REFUSALS = 3
_ANEW = "; the command cluster makes others, in a new folder"
SILENCE = 30.0
"""Seconds after which a worker, or the scheduler, that was not heard of is given up."""
MOST_MIB = 256
"""Of a message, in units of 2**20 bytes: a submission is of 128 of them at the most, and goes in one."""
# How many bytes more the message that is being read may have; one may have been begun before there was a limit.
_room: ContextVar[int] = ContextVar("room", default=MOST_MIB << 20)
# Those whose messages were too large, in this process.
_refused: set[str] = set()


class DaskLink:
    """A `gojudge.cluster.remote_executor.Link` by dask. silence: see SILENCE."""

    def __init__(self, name: str, client: Client, local: LocalCluster | None = None, silence: float = SILENCE) -> None:
        self.name = name
        self._client = client
        self._local = local
        self._silence = silence
        # address -> when the scheduler last heard of it, by the scheduler's clock, and when we noticed, by ours
        self._heard: dict[str, tuple[float, float]] = {}
        self._answered = time.monotonic()
        self._refusals = 0
        self._closed = False
        client.loop.add_callback(self._watch)

    def alive(self) -> Collection[str]:
        now = time.monotonic()
        if self._refusals >= _MOST_REFUSALS or self._client.status == "closed" or now - self._answered > self._silence:
            raise ClusterError(f"{self.name}: the scheduler is gone")
        return [address for address, (_, noticed) in self._heard.copy().items() if now - noticed < self._silence]

    def submit(self, address: str, task: Callable[..., bytes], *arguments: object) -> Future[bytes]:
        outer: Future[bytes] = Future()
        key = f"{task.__name__}-{uuid.uuid4().hex}"
        try:
            inner = self._client.submit(task, *arguments, key=key, workers=[address], allow_other_workers=False, pure=False)
        except Exception as error:
            raise ClusterError(f"{self.name}: {error_line(error)}") from None
        self._client.loop.add_callback(self._follow, address, inner, outer)
        outer.add_done_callback(lambda ended: self._drop(inner) if ended.cancelled() else None)
        return outer

    def close(self) -> None:
        self._closed = True
        with suppress(Exception):
            self._client.close(timeout=5)
        with suppress(Exception):
            if self._local is not None:
                self._local.close(timeout=10)

    def _drop(self, inner: Any) -> None:  # noqa: ANN401
        with suppress(Exception):
            inner.cancel()

    # In the thread of dask's client

    async def _follow(self, address: str, inner: Any, outer: Future[bytes]) -> None:  # noqa: ANN401
        """Hand a task's result or error on."""
        result = b""
        error: Exception | None = None
        try:
            result = await self._result(address, inner)
        except (CancelledError, asyncio.CancelledError):
            error = ClusterError("given up by the scheduler")
        except HugeMessageError as caught:
            error = NonsenseError(str(caught))
        except Exception as caught:
            error = caught
        with suppress(Exception):
            inner.release()
        if outer.set_running_or_notify_cancel():
            if error is None:
                outer.set_result(result)
            else:
                outer.set_exception(error)

    async def _result(self, address: str, inner: Any) -> bytes:  # noqa: ANN401
        """Wait for a task of a worker, and return its result, or raise what it has raised."""
        await inner._state.wait()
        if inner.status in ("error", "cancelled"):
            await inner._result()
        # dask's client would have results of several workers come in one message, and ask for ever for one that is too large.
        reply = await self._client.scheduler.gather(keys=[inner.key])
        if reply["status"] != "OK":
            if await self._client._run_on_scheduler(has_refused, address):
                raise HugeMessageError
            raise ClusterError("its answer cannot be had")
        # It is looked at what it is by whoever wanted it.
        result: bytes = reply["data"][inner.key]
        return result

    async def _watch(self) -> None:
        """Ask the scheduler again and again whom it has heard of."""
        while not self._closed:
            try:
                about = await asyncio.wait_for(self._client.scheduler.identity(n_workers=-1), self._silence / 2)
                self._note({address: worker["last_seen"] for address, worker in about["workers"].items()})
            except TimeoutError:
                pass
            except Exception:
                self._refusals += 1
            await asyncio.sleep(_INTERVAL)

    def _note(self, seen: dict[str, float]) -> None:
        now = time.monotonic()
        before = self._heard
        self._heard = {
            address: before[address] if address in before and before[address][0] == moment else (moment, now)
            for address, moment in seen.items()
        }
        self._answered, self._refusals = now, 0


class HugeMessageError(Exception):
    """A message of dask is larger than any of ours."""

    def __str__(self) -> str:
        return f"expected a message of at most {MOST_MIB} MiB, got a larger one"


def limit_messages(dask_scheduler: Scheduler | None = None) -> None:
    """Have this process refuse too large messages of dask before there is room made for them.

    None is packed: nobody knows how large it is before it is unpacked. dask_scheduler: given by dask if this is its process.
    """
    import dask
    from distributed.comm import tcp

    dask.config.set({"distributed.comm.compression": False})
    if dask_scheduler is not None:
        # Where it was agreed before to pack messages, one agrees anew.
        dask_scheduler.rpc.collect()
    read, read_bytes = tcp.TCP.read, tcp.read_bytes_rw
    if hasattr(read, "__wrapped__"):
        return

    @wraps(read)
    async def read_limited(comm: tcp.TCP, deserializers: Any = None) -> Any:  # noqa: ANN401
        _room.set(MOST_MIB << 20)
        try:
            return await read(comm, deserializers)
        except HugeMessageError:
            _refused.add(comm.peer_address)
            raise

    async def read_bytes_limited(stream: Any, number: int) -> Any:  # noqa: ANN401
        left = _room.get() - number
        if left < 0:
            raise HugeMessageError
        _room.set(left)
        return await read_bytes(stream, number)

    tcp.TCP.read, tcp.read_bytes_rw = read_limited, read_bytes_limited


def has_refused(address: str) -> bool:
    """Tell whether a message of somebody was too large for this process."""
    return address in _refused


def connect(name: str, silence: float = SILENCE) -> DaskLink:
    """Join the cluster that a text names. Raises ClusterError: if it names none, or no scheduler of our version is there."""
    local = _LOCAL.fullmatch(name)
    if local is None and not _ADDRESS.fullmatch(name):
        expected = "tls://HOST:PORT or tcp://HOST:PORT of a scheduler, or local:N"
        raise ClusterError(f"cluster: expected {expected}, got {quoted(name)}")
    try:
        import dask
        from distributed import Client, LocalCluster
    except ImportError:
        raise ClusterError(f"cluster: needs dask, which is not installed: {how_to_install('cluster')}") from None
    # What goes wrong there is told in our own words.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    # A submission is as large as it is.
    dask.config.set({"distributed.admin.large-graph-warning-threshold": "1GB", "distributed.comm.retry.count": 0})
    limit_messages()
    cluster = client = link = None
    try:
        security = _security(name) if name.startswith("tls:") else None
        if local is None:
            _check_greeting(name, security)
        if local is not None:
            with main_hidden():
                cluster = LocalCluster(
                    n_workers=int(local[1]), threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None,
                    memory_limit=0, silence_logs=logging.CRITICAL,
                )  # fmt: skip
        client = Client(cluster or name, timeout=_CONNECT_SECONDS, set_as_default=False, security=security)
        _check_version(name, client)
        client.run_on_scheduler(limit_messages)
        link = DaskLink(name, client, cluster, silence)
        return link
    except (OSError, ImportError, ValueError, RuntimeError, TypeError, AssertionError) as error:
        raise ClusterError(f"{name}: expected a dask scheduler: {error_line(error)[:300]}") from None
    finally:
        if link is None:
            for one in (client, cluster):
                with suppress(Exception):
                    if one is not None:
                        one.close(timeout=5)


def _security(name: str) -> Security:
    """Return the certificates for an encrypted cluster: its kit's if there is a kit, else those of dask's configuration."""
    from distributed import Security

    if (files := tls_files(name)) is not None:
        authority, client = files
        return Security(tls_ca_file=authority, tls_client_cert=client, tls_client_key=client, require_encryption=True)
    security = Security()
    # dask's client would complain in a traceback when it is thrown away.
    if security.get_connection_args("client").get("ssl_context") is None:
        expected = "a kit of this address, which the command cluster makes, or dask's own TLS settings"
        raise ClusterError(f"{name}: expected {expected}, found neither")
    return security


def _check_greeting(name: str, security: Security | None) -> None:
    """Raise OSError unless whoever listens there speaks first, as dask does. Its client would wait for ever for an answer."""
    host, _, port = name.partition("://")[2].rpartition(":")
    with ExitStack() as open_ones:
        probe = open_ones.enter_context(socket.create_connection((host.strip("[]"), int(port)), _CONNECT_SECONDS))
        probe.settimeout(_CONNECT_SECONDS)
        if security is not None:
            context = security.get_connection_args("client")["ssl_context"]
            probe = open_ones.enter_context(context.wrap_socket(probe))
        if not re.search(rb"python|compression|pickle-protocol", probe.recv(4096)):
            raise OSError("something else is there")


def _check_version(name: str, client: Client) -> None:
    there = client.get_versions(check=False, packages=[])["scheduler"]["packages"]["distributed"]
    if there != version("distributed"):
        raise ClusterError(f"{name}: its scheduler has dask {quoted(there)}, expected {version('distributed')}, as here")


# Kits, as `gojudge.cluster.kits` makes them, by the address of their scheduler


def _known_kits() -> Path:
    base = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(base) / "go-competition-harness" / "clusters.json"


def _read_known() -> dict[str, str]:
    try:
        known = json.loads(_known_kits().read_text(encoding="utf-8"))
        return {str(address): str(folder) for address, folder in known.items()}
    except (OSError, ValueError, AttributeError, RecursionError):
        return {}


def remember_kit(address: str, folder: Path) -> None:
    """Note that the kit for an address lies in a folder."""
    path = _known_kits()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_beside(path, (json.dumps({**_read_known(), address: str(folder)}, indent=1) + "\n").encode())


def tls_files(address: str) -> tuple[str, str] | None:
    """Return the files of authority and client of the kit for an address, None if none was made. Raises ClusterError.

    They are tried: of files that are gone, damaged or too old the error says so in one line.
    """
    folder = _read_known().get(address)
    if folder is None:
        return None
    authority, client = Path(folder) / "head" / "ca.pem", Path(folder) / "head" / "client.pem"
    try:
        context = ssl.create_default_context(cafile=str(authority))
        context.load_cert_chain(client)
        end = ssl.cert_time_to_seconds(str(context.get_ca_certs()[0]["notAfter"]))
    except (OSError, ValueError, IndexError) as error:
        why = error_line(error)[:200]
        raise ClusterError(f"{address}: its certificates in {folder} cannot be used: {why}{_ANEW}") from None
    if end < datetime.now(UTC).timestamp():
        ended = f"{datetime.fromtimestamp(end, UTC):%Y-%m-%d}"
        raise ClusterError(f"{address}: its certificates in {folder} have ended on {ended}{_ANEW}")
    return str(authority), str(client)

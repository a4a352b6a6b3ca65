"""What measurements share: command lines, processes that measure at the same time, results kept on disk as they come."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing.context import BaseContext
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from tqdm import tqdm

from goban.common.command_lines import Parser, whole_number
from goban.common.excerpts import is_terminal

T = TypeVar("T")

LOG_SECONDS = 60
"""How often a log hears how far work is."""


def progress_of(total: int, unit: str) -> tqdm[NoReturn]:
    """Return a bar on standard error; where that is no terminal, it is a line now and then."""
    every = 0.1 if is_terminal(sys.stderr) else LOG_SECONDS
    return tqdm(total=total, unit=f" {unit}", file=sys.stderr, mininterval=every, maxinterval=every)


def watched(items: Sequence[T], unit: str) -> Iterator[T]:
    """Yield these items, and show how many are done as `progress_of` does."""
    with progress_of(len(items), unit) as progress:
        for item in items:
            yield item
            progress.update()


@contextmanager
def processes(context: BaseContext | None = None) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool with a process per core. Ctrl-C ends the processes without tracebacks, and queued work is cancelled."""
    pool = ProcessPoolExecutor(mp_context=context, initializer=_let_ctrl_c_end_it)
    # Forks begin with the first work. Ctrl-C waits for each of them until it is ended by it.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        pool.submit(int)
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _let_ctrl_c_end_it() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def work_off(
    work: Callable[..., dict[str, Any]], jobs: Sequence[tuple[Any, ...]], path: Path, unit: str, done: int = 0
) -> Iterator[dict[str, Any]]:
    """Do jobs on all cores; append each result to a file, as a line of JSON, as it comes, and yield it.

    work: called with what a job has, in another process. done: how many results the file has, which is said with where they
    are when Ctrl-C stops the work.
    """
    try:
        with open(path, "a") as file, processes() as pool, progress_of(len(jobs), unit) as progress:
            # A line that was cut off stays on its own.
            file.write("\n" if file.tell() else "")
            for future in as_completed([pool.submit(work, *job) for job in jobs]):
                result = future.result()
                file.write(json.dumps(result) + "\n")
                file.flush()
                progress.update()
                done += 1
                yield result
    except KeyboardInterrupt:
        sys.stderr.write(f"\n{done} {unit} are in {path}; the same command goes on from there\n")
        raise


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield what `work_off` has written; a line that was cut off is left out."""
    for line in path.read_text().splitlines() if path.exists() else ():
        try:
            found = json.loads(line)
        except ValueError:
            continue
        yield found


def parser_of(name: str, description: str, games: int = 0, least: int = 1) -> Parser:
    """Return the parser of `python3 -m benchmarks.NAME`. games: the default of its argument; 0 if it has no such argument."""
    made = Parser(name=name, prog=f"python3 -m benchmarks.{name}", description=description)
    if games:
        number = whole_number(least, 10**9, "a number of games")
        made.add_argument("games", nargs="?", type=number, default=games, help=f"default: {games}")
    return made

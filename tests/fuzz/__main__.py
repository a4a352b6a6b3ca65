"""Give mutated inputs to the readers of files and messages from outside, and say so if one does what it must not.

    python3 -m tests.fuzz                                   every reader, 10,000 inputs each
    python3 -m tests.fuzz sgf --runs 1000000 --seed 7       one reader, a million inputs
    python3 -m tests.fuzz --runs 1000000 --seconds 600      every reader, at most ten minutes each
    python3 -m tests.fuzz sgf --input build/fuzz/sgf-1f0c   an input that was written to a file, again

A reader may return what it has read, or raise one of its own errors with a message of one printable line. A fault is
anything else: another exception, a message of two lines, more than --cpu-seconds for one input, the end of the process. The
input is then written to a file in build/fuzz and the reader is done; the exit status is 1.

The same seed gives the same inputs, and new code other ones: an input with an outcome that was not seen before is mutated
further. Readers: tests/fuzz/readers.py.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tqdm import tqdm

from goban.common.command_lines import DONE, INTERRUPTED, LEFT, CommandError, Parser, run, whole_number
from goban.common.excerpts import is_terminal
from tests.fuzz.fuzzing import Finding, Tally
from tests.fuzz.readers import Reader
from tests.fuzz.watching import again, fuzz

_NAME = "fuzz"
_FINDINGS = Path("build/fuzz")


def parser(readers: Mapping[str, Reader]) -> Parser:
    """Return the command line's parser."""
    made = Parser(name=_NAME, prog="python3 -m tests.fuzz", description="Give mutated inputs to our readers.")
    made.add_argument("readers", nargs="*", metavar="READER", help=f"of {', '.join(readers)}; all if none is given")
    made.add_argument("--runs", type=whole_number(1, 10**12, "a number of inputs"), default=10_000, metavar="N", help=(
        "inputs for each reader (default: %(default)s)"
    ))  # fmt: skip
    made.add_argument("--seconds", type=whole_number(1, 10**7, "a number of seconds"), metavar="N", help=(
        "at most so long for each reader"
    ))  # fmt: skip
    made.add_argument("--seed", type=whole_number(0, 2**63 - 1, "a seed"), default=0, metavar="N", help="default: 0")
    made.add_argument("--cpu-seconds", type=whole_number(1, 3600, "a number of seconds"), default=10, metavar="N", help=(
        "more CPU time for one input is a hang (default: %(default)s)"
    ))  # fmt: skip
    made.add_argument("--input", type=Path, metavar="FILE", help="give the one reader this input, nothing else")
    return made


def main(arguments: Sequence[str] | None = None, readers: Mapping[str, Reader] | None = None) -> int:
    """Run the command line; return the exit status: LEFT if a reader has a fault. readers: all of ours unless given."""
    if readers is None:
        from tests.fuzz.every import READERS

        readers = READERS
    return run(_NAME, lambda: _fuzz(parser(readers).parse_args(arguments), readers))


def _fuzz(options: argparse.Namespace, readers: Mapping[str, Reader]) -> int:
    if unknown := sorted(set(options.readers) - set(readers)):
        raise CommandError(f"expected readers of {', '.join(readers)}, got {', '.join(unknown)}")
    names = options.readers or list(readers)
    if options.input is not None:
        if len(names) != 1:
            raise CommandError("--input: expected the one reader that it is for")
        finding = again(readers[names[0]], options.input.read_bytes(), options.cpu_seconds)
        print(f"{names[0]}: {finding.what if finding else 'no fault'}")
        return LEFT if finding else DONE
    status = DONE
    for name in names:
        with tqdm(desc=name, total=options.runs, unit="input", leave=False, disable=not is_terminal(sys.stderr)) as bar:
            tally = fuzz(
                readers[name], options.seed, options.runs, options.seconds, options.cpu_seconds,
                lambda done, bar=bar: bar.update(done - bar.n),
            )  # fmt: skip
        print(f"{name}: {_told(tally)}", flush=True)
        if tally.finding is not None:
            _keep(name, tally.finding)
            status = LEFT
        if tally.interrupted:
            return INTERRUPTED
    return status


def _told(tally: Tally) -> str:
    rate = tally.inputs / max(tally.seconds, 1e-9)
    refused = 100 * tally.refused / max(tally.inputs, 1)
    stopped = "stopped after " if tally.interrupted else ""
    return (
        f"{stopped}{tally.inputs:,} inputs, {rate:,.0f} a second, {refused:.0f} % refused, {tally.outcomes:,} different "
        f"outcomes, at most {tally.slowest:.3f} s of CPU for one; {'no fault' if tally.finding is None else 'A FAULT'}"
    )


def _keep(name: str, finding: Finding) -> None:
    """Write the input to a file, and say what it did and how to give it again."""
    path = _FINDINGS / f"{name}-{finding.digest}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(finding.data)
    print(f"{name}: {finding.what}\n{finding.trace}", file=sys.stderr)
    print(f"again: python3 -m tests.fuzz {name} --input {path}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())

"""export: a run's network as one file, for play."""

from __future__ import annotations

import argparse
from pathlib import Path

from goban.common.command_lines import DONE, CommandError
from golearn.alphazero.runs import newest_network
from golearn.alphazero.weights import Weights, write_weights

SUMMARY = "write a run's network to a file, for play"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the folder of the run")
    parser.add_argument("file", type=Path, metavar="FILE", help="the file to write, say go5.npz")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--half", action="store_true", help="numbers of 16 bits: a file half as long")
    kind.add_argument("--onnx", action="store_true", help="an ONNX file, for other programs")


def run(options: argparse.Namespace) -> int:
    """Write it."""
    network = newest_network(options.folder)
    if options.onnx:
        _write_onnx(options.file, network)
    else:
        write_weights(options.file, network, half=options.half)
    print(
        f"{options.file}: {network.about['game']} after {network.about['games']:,} games, {options.file.stat().st_size:,} bytes"
    )
    return DONE


def _write_onnx(path: Path, network: Weights) -> None:
    """Write an ONNX file; raises CommandError without the package that writes it."""
    try:
        from golearn.alphazero.onnx_files import write_onnx
    except ImportError as error:
        raise CommandError(str(error)) from None
    write_onnx(path, network)

"""What to say where the packages of an extra are not installed."""

from __future__ import annotations

from goban.common.command_lines import how_to_install

TORCH_WHEELS = "https://download.pytorch.org/whl/cpu"
"""From here comes torch without the 3 GB of CUDA that it has elsewhere."""

_OPTIONS = dict.fromkeys(("zero", "sb3"), f" --extra-index-url {TORCH_WHEELS}")


def without_extra(error: ImportError, extra: str = "env") -> ImportError:
    """Return the error to raise instead: one sentence that says what is missing and what installs it."""
    missing = (error.name or str(error)).partition(".")[0]
    command = f"{how_to_install(extra)}{_OPTIONS.get(extra, '')}"
    return ImportError(f"{missing} is missing; install it with: {command}", name=missing)

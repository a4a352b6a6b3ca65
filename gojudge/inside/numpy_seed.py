"""Seeds numpy's global generator at the moment numpy is imported, so that the worker itself need not import it."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType


def words_of(seed: int) -> list[int]:
    """Return a seed of 128 bits in the form that numpy takes whole: four 32-bit words, the lowest first."""
    return [seed >> shift & 0xFFFFFFFF for shift in range(0, 128, 32)]


class SeedsNumpy:
    """The first of the import system's finders; waits for numpy."""

    _installed: SeedsNumpy | None = None

    def __init__(self, seed: int) -> None:
        self.seed = seed

    @classmethod
    def install(cls, seed: int) -> None:
        """Seed numpy with `seed`, of 128 bits: now if it has been imported, else as soon as it is."""
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(words_of(seed))
        elif cls._installed is None:
            cls._installed = cls(seed)
            sys.meta_path.insert(0, cls._installed)
        else:
            cls._installed.seed = seed

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Find numpy, and only numpy, for the import system; its loader also seeds it."""
        if name != "numpy":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def execute_and_seed(module: ModuleType) -> None:
                execute(module)
                module.random.seed(words_of(self.seed))

            spec.loader.exec_module = execute_and_seed  # type: ignore[method-assign]
        return spec

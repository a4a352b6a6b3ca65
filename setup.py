"""What pyproject.toml cannot express: the table of my_player.py is installed beside that module, which is in no package."""

from __future__ import annotations

import os

from setuptools import setup
from setuptools.command.build_py import build_py

TABLE = "my_player_table.bin"


class BuildWithTable(build_py):
    """Also copies the table. An editable installation needs no copy, because the module stays beside the table."""

    def run(self) -> None:
        """Build, and copy the table."""
        super().run()
        if not self.editable_mode:
            self.copy_file(TABLE, os.path.join(self.build_lib, TABLE))

    def get_source_files(self) -> list[str]:
        """Return the files that a source distribution must have."""
        return [*super().get_source_files(), TABLE]  # type: ignore[no-untyped-call]

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        """Return the files that `run` makes."""
        return [*super().get_outputs(include_bytecode), os.path.join(self.build_lib, TABLE)]

    def get_output_mapping(self) -> dict[str, str]:
        """Return built file -> source file."""
        return {**super().get_output_mapping(), os.path.join(self.build_lib, TABLE): TABLE}


setup(cmdclass={"build_py": BuildWithTable})

"""What docs/alphazero.md and docs/learning-curve.md tell their reader to type, at a tiny size where it would take minutes.

Here what needs torch; `tests/documents/test_commands.py` types the rest.
"""

import pytest

from tests.documents.test_commands import WITH_TORCH, check, in_place, run, save
from tests.support.documents import ROOT, Saved, steps
from tests.support.missing import needs, no_package

pytestmark = needs(no_package("torch", 2, "zero"))


@pytest.mark.parametrize(("name", "with_torch"), [("alphazero", 7), ("learning-curve", 2)])
def test_a_reader_who_types_what_needs_torch_gets_what_the_document_says(name, with_torch, tmp_path):
    typed = []
    for step in steps(ROOT / f"docs/{name}.md"):
        if isinstance(step, Saved):
            save(step, tmp_path)
        elif WITH_TORCH.match(step.line):
            command = in_place(step.line)
            done = run(command, tmp_path)
            assert not check(command, done, tmp_path), (command, done.stdout, done.stderr)
            typed.append(step.line)
    assert len(typed) >= with_torch

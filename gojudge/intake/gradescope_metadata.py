"""What Gradescope says of the submissions that it exports: `submission_metadata.yml`, as Ruby writes it.

It may hold objects of Ruby's, keys that are symbols, references, and, of a class, a hundred megabytes of results of tests. What
cannot be read of it costs only its owner their name.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from goban.common.excerpts import message_line
from goban.common.files import read_bounded
from goban.common.moments import moment_text

METADATA = "submission_metadata.yml"
_MOST_METADATA_BYTES = 200_000_000
_RESULTS = re.compile(r"^  :results:[^\n]*\n(?:(?: {3,}[^\n]*|  - [^\n]*|)\n)*", re.M)


def read_export_metadata(path: Path) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Return submission -> what is said of it, keys without the `:` of Ruby's symbols; and lines about what cannot be read."""
    if not path.is_file():
        return {}, [f"expected {METADATA} beside the submissions, found none: whose they are is not known"]
    try:
        text = read_bounded(path, _MOST_METADATA_BYTES).decode("utf-8-sig", "replace")
    except (OSError, ValueError) as error:
        return {}, [f"{METADATA} cannot be read: {message_line(str(error), 200)}"]
    # Results of tests are most of it, and take long to read. They may be referred to from elsewhere.
    short = _yaml(_RESULTS.sub("", text))
    document = short if isinstance(short, dict) else _yaml(text)
    if isinstance(document, dict):
        return {str(key): _plain(value) for key, value in document.items()}, []
    # Each entry by itself, so that one that is damaged costs nobody else their name.
    entries: dict[str, dict[str, Any]] = {}
    lost = 0
    for block in re.split(r"(?m)^(?=\S)", text):
        one = _yaml(block) if block.strip() not in ("", "---") else {}
        if isinstance(one, dict):
            entries |= {str(key): _plain(value) for key, value in one.items()}
        else:
            lost += 1
    return entries, [f"{METADATA}: {lost} of {lost + len(entries)} entries cannot be read: whose these are is not known"]


def _yaml(text: str) -> object:
    """Return a text of YAML as plain data; None if it is no YAML."""
    import yaml

    base = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class Loader(base):  # type: ignore[misc, valid-type]
        """Objects of Ruby's are what they hold, and so are its texts of bytes."""

    def of_bytes(loader: Any, node: Any) -> str:  # noqa: ANN401
        return base64.b64decode(loader.construct_scalar(node)).decode("utf-8", "replace")

    def plain(loader: Any, _: str, node: Any) -> object:  # noqa: ANN401
        if isinstance(node, yaml.MappingNode):
            return loader.construct_mapping(node, deep=True)
        if isinstance(node, yaml.SequenceNode):
            return loader.construct_sequence(node, deep=True)
        return loader.construct_scalar(node)

    Loader.add_constructor("!binary", of_bytes)
    Loader.add_multi_constructor("!", plain)
    try:
        document: object = yaml.load(text, Loader)
    except (yaml.YAMLError, ValueError, TypeError, RecursionError, OverflowError):
        return None
    return document


def _plain(value: object) -> dict[str, Any]:
    """Return a table, and the tables right in its lists, without the `:` that begins a symbol of Ruby's.

    No deeper: what YAML reads may hold itself.
    """
    return {key: [_bare(one) for one in part] if isinstance(part, list) else part for key, part in _bare(value).items()}


def _bare(table: object) -> dict[str, Any]:
    return {str(key).lstrip(":"): part for key, part in table.items()} if isinstance(table, dict) else {}


def creation_time(metadata: Mapping[str, Any]) -> str:
    """Return when a submission was made, as `moment_text` does."""
    created = metadata.get("created_at")
    if isinstance(created, dict):  # ActiveSupport::TimeWithZone
        created = created.get("utc", created.get(":utc"))
    return moment_text(created)

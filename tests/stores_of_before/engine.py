"""A GTP engine that passes."""

import sys

ANSWERS = {"protocol_version": "2", "name": "passes", "version": "1", "known_command": "false", "genmove": "pass"}
for line in sys.stdin:
    number, *words = line.split() if line[:1].isdigit() else ("", *line.split())
    print(f"={number} {ANSWERS.get(words[0], '')}\n", flush=True)
    if words[0] == "quit":
        break

"""Writes its answers before it is asked, all but the moves right."""

import sys

for number in range(1, 1000):
    sys.stdout.write(f"={number} C3\n\n")
sys.stdout.flush()
for _ in sys.stdin:
    pass

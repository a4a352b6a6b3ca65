"""Measurements of speed and strength. `python3 -m benchmarks.NAME` prints a table."""

"""Measured speed and strength. Each module prints a table: `python3 -m benchmarks.NAME`."""

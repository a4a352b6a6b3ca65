"""Measurements for whoever works on the project: figures of the documents, and what became of an idea.

`python3 -m lab.NAME` prints a table.
"""

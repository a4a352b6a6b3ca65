"""Columns stand below each other."""

import unicodedata

from tabulate import tabulate

from tournament.results.standings import terminal_table


def width(line):
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in line)


def test_wide_signs_take_two_columns():
    text = terminal_table([["王小明", "1"], ["bob", "12"], ["ＡＢ", "3"]], ["name", "points"], ["left", "right"])
    assert "\0" not in text
    assert "王小明         1" in text.splitlines()
    assert len({width(line) for line in text.splitlines()}) == 1


def test_other_tables_are_as_they_were():
    rows, header = [["ann", 3, "0.5"], ["José", 10, "x"]], ["name", "games", "rate"]
    assert terminal_table(rows, header) == tabulate(rows, header)
    align = ["left", "right", "right"]
    assert terminal_table(rows, header, align) == tabulate(rows, header, disable_numparse=True, colalign=align)

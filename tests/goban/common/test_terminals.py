"""Tables that are printed fit into a terminal: a wide one goes on below itself, and each part names its rows."""

import io
import sys

import pytest

from goban.common.terminals import Progress, fit_tables, fold_tables

RANKING = """\
cup: round-robin

  rank  name        WINs  rating
------  --------  ------  --------------
     1  王小明         2  1276 (988-156)
     2  jo             1

Ratings are few.
Their intervals are wide, and this line is longer than the terminal."""

FOLDED = """\
cup: round-robin

rank  name    WINs
----  ------  ----
   1  王小明     2
   2  jo         1

rank  name    rating
----  ------  --------------
   1  王小明  1276 (988-156)
   2  jo

Ratings are few.
Their intervals are wide, and this line is longer than the terminal."""


def test_a_table_that_is_too_wide_goes_on_below_itself():
    assert fold_tables(RANKING, 32) == FOLDED


def test_a_table_that_is_a_little_too_wide_is_set_close():
    narrow = "name    says\n------  -----------\nbob     a b c d e f"
    assert fold_tables(narrow, 18) == "name  says\n----  -----------\nbob   a b c d e f"


def test_a_table_that_fits_is_left_as_it_is():
    assert fold_tables(RANKING, 40) == RANKING


def test_only_on_a_terminal_are_tables_folded_to_its_width(monkeypatch, as_terminal):
    monkeypatch.setenv("COLUMNS", "32")
    monkeypatch.setattr(sys, "stdout", as_terminal(io.StringIO()))
    assert fit_tables(RANKING) == FOLDED
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert fit_tables(RANKING) == RANKING


@pytest.mark.parametrize(("total", "quiet", "shown"), [(50, False, True), (50, True, False), (1, False, False)])
def test_progress_is_one_line_of_a_terminal_unless_nobody_wants_it(total, quiet, shown, monkeypatch, as_terminal):
    monkeypatch.setattr(sys, "stderr", terminal := as_terminal(io.StringIO()))
    progress = Progress(total, quiet)
    progress.update(1)
    assert (f"1/{total} games" in terminal.getvalue()) == shown
    terminal.isatty = lambda: False
    assert not Progress(total, quiet).shown

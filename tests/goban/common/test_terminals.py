"""Tables fit into a terminal: a wide one goes on below itself, and each part names its rows. Ctrl-C in other programs."""

import io
import os
import signal
import sys
import threading

import pytest

from goban.common.terminals import CtrlC, LastWords, Progress, fit_tables, fold_tables

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


@pytest.fixture
def own_handler():
    """Has a handler as consoles of editors have one, which raises or returns; yields what it was told."""
    before, told = signal.getsignal(signal.SIGINT), []

    def handle(number, frame):
        told.append(frame)
        if "raise" in told:
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, handle)
    yield told
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_is_noticed_where_a_console_has_a_handler_of_its_own(own_handler):
    handler, noticed = signal.getsignal(signal.SIGINT), []
    own_handler.append("raise")
    with CtrlC() as ctrl_c:
        ctrl_c.noticed = noticed.append
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        assert [frame.f_code.co_name for frame in noticed] == [frame.f_code.co_name for frame in own_handler[1:]]
        assert noticed[0].f_code.co_name == test_ctrl_c_is_noticed_where_a_console_has_a_handler_of_its_own.__name__
    assert signal.getsignal(signal.SIGINT) is handler


def test_a_program_that_goes_on_at_ctrl_c_goes_on(own_handler):
    with CtrlC() as ctrl_c:
        signal.raise_signal(signal.SIGINT)
        with ctrl_c.waiting():
            signal.raise_signal(signal.SIGINT)
            assert len(own_handler) == 1
        with ctrl_c.waiting():
            pass
    assert len(own_handler) == 2


def test_in_a_thread_ctrl_c_is_the_program_s_own_affair():
    entered = []

    def play():
        with CtrlC():
            entered.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=play)
    thread.start()
    thread.join()
    assert entered == [signal.getsignal(signal.SIGINT)]


def test_a_debugger_that_follows_every_process_has_none_to_follow(monkeypatch):
    monkeypatch.setitem(sys.modules, "pydevd", io)
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("it would be followed"), raising=False)
    words = LastWords()
    words.set("gone")
    words.close()

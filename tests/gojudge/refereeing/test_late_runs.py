"""Time-outs while our own side was late: the game is played again, alone, a few times at most, before it counts."""

import pytest

from gojudge.records import Fault, PlayerFaultError, Termination
from gojudge.refereeing import open_seats
from gojudge.refereeing.runner import MAX_REPLAYS
from tests.support.stub_runs import Inline, run
from tests.support.stubs import StubSeat

pytestmark = pytest.mark.usefixtures("fresh_process")


class TimesOut(StubSeat):
    """Takes too long in game a-b-002."""

    termination = Termination.TIME_OUT

    def begin(self, spec, colour):
        super().begin(spec, colour)
        if spec.id == "a-b-002":
            raise PlayerFaultError(Fault(TimesOut.termination, "the player was not made within 15 s"))


def late_by(monkeypatch, *seconds):
    """Be late by so many seconds in each of the next time-outs, and in every other answer too."""
    reading = [0.0]
    lags = list(seconds)

    def meter():
        reading[0] += lags[0]
        return reading[0]

    monkeypatch.setattr(open_seats, "_lag_meter", lambda: meter)
    return lags


def test_a_time_out_counts_at_once_if_we_were_in_time(monkeypatch):
    late_by(monkeypatch, 0.0)
    kept, account = run("ab", opener=lambda entrant, conditions: TimesOut(entrant))
    assert account.replayed == 0
    assert Inline.order == ["a-b-001", "a-b-002", "a-b-003", "a-b-004"]
    assert next(result for result in kept if result.spec.id == "a-b-002").termination is Termination.TIME_OUT


@pytest.mark.parametrize(("termination", "late"), [(Termination.TIME_OUT, 0.5), (Termination.START_UP_FAILURE, 0.8)])
def test_who_took_too_long_while_we_were_late_plays_again_alone_before_it_counts(monkeypatch, termination, late):
    """Of 5 s for a move, or 15 s for starting, our side takes a twentieth or more."""
    monkeypatch.setattr(TimesOut, "termination", termination)
    lags = late_by(monkeypatch, late)

    def opener(entrant, conditions):
        if Inline.order.count("a-b-002") > 1:
            lags[0] = 0.0
        return TimesOut(entrant)

    class Counting(Inline):
        def submit(self, task, /, *args, **kwargs):
            if Inline.order.count("a-b-002") == 1 and len(args) > 1 and args[1].id == "a-b-002":
                lags[0] = 0.0
            return super().submit(task, *args, **kwargs)

    kept, account = run("ab", opener=opener, executor=Counting)
    assert Inline.order == ["a-b-001", "a-b-002", "a-b-003", "a-b-004", "a-b-002"]
    again = next(result for result in kept if result.spec.id == "a-b-002")
    assert again.termination is termination
    assert again.notes == (f"{termination.value} while this machine was {late:.2f} s late: played again, alone",)
    assert (again.replays, account.replayed) == (1, 1)


def test_a_start_is_not_in_doubt_for_what_would_put_a_move_in_doubt(monkeypatch):
    monkeypatch.setattr(TimesOut, "termination", Termination.START_UP_FAILURE)
    late_by(monkeypatch, 0.5)
    _, account = run("ab", opener=lambda entrant, conditions: TimesOut(entrant))
    assert account.replayed == 0


def test_replays_of_a_time_out_are_bounded_and_the_record_says_so(monkeypatch):
    late_by(monkeypatch, 0.5)
    kept, _ = run("ab", opener=lambda entrant, conditions: TimesOut(entrant))
    again = next(result for result in kept if result.spec.id == "a-b-002")
    assert again.replays == MAX_REPLAYS
    assert again.notes[-1] == "time-out while this machine was 0.50 s late, as each time before: it counts"
    assert len(again.notes) == MAX_REPLAYS + 1


def test_lateness_excuses_no_other_forfeit(monkeypatch):
    late_by(monkeypatch, 0.5)

    class Crashes(StubSeat):
        def choose(self, state, complaint):
            raise PlayerFaultError(Fault(Termination.CRASH, "ZeroDivisionError"))

    _, account = run("ab", opener=lambda entrant, conditions: Crashes(entrant))
    assert account.replayed == 0

"""We wait twice for a submission that hangs when it is loaded, not in each of its games; the record shows no difference."""

import time
from dataclasses import replace
from functools import partial

import pytest

from tests.support.stubs import StubSeat, conditions
from tests.support.submissions import LIMITS, submission
from tournament.events.chance import key_of_seed
from tournament.events.event_files import make_event
from tournament.events.schedules import pairings, reference_entrants
from tournament.records import Entrant
from tournament.refereeing import lag, open_seats
from tournament.refereeing.executors import LocalExecutor
from tournament.refereeing.open_seats import Conditions, close_here, open_entrant, play_here
from tournament.refereeing.runner import Runner
from tournament.results.exports import Extras, write_json
from tournament.sandbox.tiers import best_tier
from tournament.store.store import Run, open_store, read_store
from tournament.verdicts import Fault, PlayerFaultError, Termination

KEY = key_of_seed(1)
NAMES = ("alice", "bob", "stuck")
HUNG = Fault(Termination.START_UP_FAILURE, "the submission was not loaded within 15 s", hung=True)
SLOW = replace(HUNG, detail="the player was not made within 15 s", hung=False)
BROKEN = replace(HUNG, detail="SyntaxError", evidence="a traceback", hung=False)


@pytest.fixture(autouse=True)
def fresh_process(monkeypatch):
    close_here()
    monkeypatch.setattr(open_seats, "_lag_meter", lambda: lag.never_late)
    yield
    close_here()


class Stuck(StubSeat):
    """A seat that raises these faults one after the other when games begin: None for none, the last one for ever.

    tries: how many games have begun.
    """

    tier = "T2"

    def __init__(self, entrant, *faults):
        super().__init__(entrant)
        self.faults = faults
        self.tries = 0

    def begin(self, spec, colour):
        super().begin(spec, colour)
        fault = self.faults[min(self.tries, len(self.faults) - 1)]
        self.tries += 1
        if fault is not None:
            raise PlayerFaultError(fault)

    def end(self):
        super().end()
        return "loading...\n"


def people():
    return [Entrant(name, digest=name) for name in NAMES]


def played(faults, games=6):
    """Play games of a seat with such faults against another; return it, and the results."""
    seats = {"stuck": Stuck(Entrant("stuck"), *faults), "bob": StubSeat(Entrant("bob"))}
    at = conditions(opener=lambda entrant, at: seats[entrant.name])
    event = make_event({"kind": "round-robin", "games": games})
    everybody = {entrant.name: entrant for entrant in people()[1:]}
    (pairing,) = pairings(event, list(everybody.values()), KEY)
    specs = [pairing.game(number, KEY) for number in range(1, games + 1)]
    return seats["stuck"], [play_here(at, spec, everybody[spec.black], everybody[spec.white]).result for spec in specs]


def without_game(result):
    """Return a result without what differs from game to game: its id, and who was Black."""
    colour = {1: "black", 2: "white"}[result.forfeited_by]
    log = result.black_log if result.forfeited_by == 1 else result.white_log
    detail = result.detail.replace(colour, "COLOUR")
    return result.termination, detail, result.evidence, result.turns, result.last, log, result.tier


def test_who_hangs_when_loaded_is_waited_for_twice_and_every_verdict_is_the_same():
    seat, results = played([HUNG])
    assert seat.tries == 2
    assert seat.calls[-1] == "close"
    assert {without_game(result) for result in results} == {
        (Termination.START_UP_FAILURE, "COLOUR (stuck) forfeits before move 1: the submission was not loaded within 15 s",
         "", (), None, "loading...\n", "T2"),
    }  # fmt: skip
    assert {result.forfeited_by for result in results} == {1, 2}


@pytest.mark.parametrize("fault", [SLOW, BROKEN])
def test_other_failures_at_the_start_are_waited_for_each_time(fault):
    assert played([fault])[0].tries == 6


def test_who_was_loaded_in_between_is_given_another_two():
    assert played([HUNG, None, HUNG, None, HUNG])[0].tries == 6
    assert played([HUNG, None, HUNG, HUNG])[0].tries == 4


def test_while_this_machine_is_late_nobody_is_given_up(monkeypatch):
    late = iter(range(1000))
    monkeypatch.setattr(open_seats, "_lag_meter", lambda: lambda: float(next(late)))
    assert played([HUNG])[0].tries == 6


def test_the_next_run_waits_again():
    assert played([HUNG])[0].tries == 2
    close_here()
    assert played([HUNG])[0].tries == 2


# The same export as if each game had been waited for


def open_stuck(entrant, at):
    return Stuck(entrant, HUNG) if entrant.name == "stuck" else StubSeat(entrant)


def wait_for_ever():
    open_seats._MOST_WAITS = 10**9


def never_doubt():
    """No time-out is in doubt, however busy this machine is: replays are tested elsewhere."""
    lag._DOUBTFUL_SECONDS = 1e9


@pytest.fixture
def no_doubt(monkeypatch):
    monkeypatch.setattr(lag, "_DOUBTFUL_SECONDS", 1e9)


def exported(tmp_path, at, everybody, executor, jobs, games=6):
    """Play a round robin with so many jobs; return all that an export can show, apart from times."""
    path = tmp_path / f"{time.monotonic_ns()}.db"
    event = make_event({"kind": "round-robin", "games": games})
    with open_store(path, event, key=KEY) as store:
        store.begin_run(everybody, Run("", "", ""))
        pairs = pairings(event, everybody, KEY)
        batches = [[pair.game(number, KEY) for number in range(1, games + 1)] for pair in pairs]
        account = Runner(at, everybody, lambda games: store.add(*games), jobs=jobs, executor=executor).run(batches)
    assert (account.played, account.replayed, account.void) == (games * len(batches), 0, {})
    with read_store(path) as store:
        write_json(store.results(), path.with_suffix(".json"), Extras(logs=True, machine=True), {})
    return path.with_suffix(".json").read_bytes()


def quickly():
    """Make an executor whose process gives up after two waits."""
    executor = LocalExecutor(close_here)
    executor.submit(never_doubt)
    return executor


def patiently():
    """Make an executor whose process waits each time."""
    executor = quickly()
    executor.submit(wait_for_ever)
    return executor


@pytest.mark.usefixtures("no_doubt")
def test_the_export_is_the_one_of_waiting_each_time(tmp_path):
    export = partial(exported, tmp_path, replace(conditions(opener=open_stuck)), people())
    waited = export(patiently, 1)
    assert waited.count(HUNG.detail.encode()) == 12
    assert export(quickly, 1) == export(quickly, 2) == waited


@pytest.mark.usefixtures("no_doubt")
def test_a_real_submission_whose_import_hangs(tmp_path):
    source = "import time\nprint('loading')\ntime.sleep(600)\nclass MyPlayer:\n    def get_input(self, go, piece_type): pass\n"
    stuck = replace(submission(tmp_path / "stuck", source), name="stuck", digest="stuck")
    at = Conditions("course", 3, replace(LIMITS, start_seconds=1.0), open_entrant, best_tier())
    everybody = [stuck, *reference_entrants(["random"])]
    export = partial(exported, tmp_path, at, everybody, games=5)
    quick = export(quickly, 1)
    assert export(patiently, 1) == export(quickly, 2) == quick
    assert quick.count(b"the submission was not loaded within 1 s") == quick.count(b'["loading"]') == 5

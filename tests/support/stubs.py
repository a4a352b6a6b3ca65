"""Seats without players: they answer at once, or fail on purpose. Worker processes import them from this module."""

from __future__ import annotations

import os
import random
import time

from goban.moves import Resign
from gojudge.errors import HarnessFaultError
from gojudge.records import Fault, PlayerFaultError, Spent, Termination
from gojudge.refereeing.open_seats import Conditions
from gojudge.seats import Limits, Reply


class StubSeat:
    """Plays seeded random legal moves; subclasses override `choose` to fail. `calls` records the calls, in order."""

    tier = ""

    def __init__(self, entrant):
        self.entrant = entrant
        self.calls = []
        self.rng = random.Random()
        self.asked = 0

    def begin(self, spec, colour):
        self.calls.append("begin")
        self.spec, self.colour, self.asked = spec, colour, 0
        self.rng = random.Random(spec.seeds[colour - 1])

    def answer(self, state, complaint):
        self.calls.append("answer")
        self.asked += 1
        return Reply(self.choose(state, complaint), Spent(0.001, 0.0005))

    def choose(self, state, complaint):
        move = self.rng.choice(state.legal_moves())
        return "PASS" if move is None else move.value if isinstance(move, Resign) else list(move)

    def printed(self):
        return ""

    def end(self):
        self.calls.append("end")
        return f"log of {self.entrant.name}" if self.entrant.name == "noisy" else ""

    def close(self):
        self.calls.append("close")


class Answers(StubSeat):
    """Gives these answers first. An exception among them is raised."""

    def __init__(self, entrant, *answers):
        super().__init__(entrant)
        self.answers = list(answers)

    def choose(self, state, complaint):
        if not self.answers:
            return super().choose(state, complaint)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


class Moody(StubSeat):
    """Fails in the way that its name says."""

    def begin(self, spec, colour):
        super().begin(spec, colour)
        if self.entrant.name == "stuck":
            raise PlayerFaultError(Fault(Termination.START_UP_FAILURE, "the submission was not loaded within 15 s"))

    def choose(self, state, complaint):
        name = self.entrant.name
        if name == "slow":
            time.sleep(0.005)
        if self.asked == 2 and name == "late":
            raise PlayerFaultError(Fault(Termination.TIME_OUT, "no answer within 5 s"))
        if self.asked == 2 and name == "broken":
            raise HarnessFaultError("worker for 'broken' could not start")
        if self.asked == 2 and name.startswith("deadly"):
            os._exit(1)
        if name == "fickle":
            return list(random.SystemRandom().choice([m for m in state.legal_moves() if isinstance(m, tuple)]))
        return super().choose(state, complaint)


def open_stub(entrant, conditions):
    return Moody(entrant)


def conditions(rules="course", size=3, opener=open_stub, **limits):
    return Conditions(rules, size, Limits(**limits), opener)

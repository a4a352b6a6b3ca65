"""What a player is given, and what it can find out by itself, leads to its own seed and to no other, nor to the event's key."""

import hashlib
import json
import re
from dataclasses import replace
from functools import partial

import pytest

from goban.rulesets import COURSE, LITTLEGO
from goban.states import new_game
from gojudge.inside.protocol import Channel
from gojudge.records import Entrant, GameSpec, seed_of
from gojudge.refereeing.referee import play
from gojudge.sandbox.tiers import best_tier, open_seat
from tests.support.programs import LIMITS as PROGRAM_LIMITS
from tests.support.programs import program
from tests.support.programs import seat_for as program_seat
from tests.support.stubs import StubSeat
from tests.support.submissions import get_input, seat_for, shelf, submission, tiers
from tournament.events.schedules import key_of_seed, new_key

GAME = "alice-bob-001"
# However busy this machine is.
PATIENT = {"move_seconds": 60.0, "start_seconds": 60.0}

# Prints all that does not differ from process to process anyway: surroundings, files, arguments, every number of more than 64
# bits that any object holds, and the state of chance.
LOOK = '''
import gc, hashlib, json, os, random, sys

def numbers():
    frame, things, seen = sys._getframe(), gc.get_objects(), {}
    while frame is not None:
        things.append(frame.f_locals)
        frame = frame.f_back
    while things:
        seen.update((id(thing), thing) for thing in things)
        things = [thing for thing in gc.get_referents(*things) if id(thing) not in seen]
        things = list({id(thing): thing for thing in things}.values())
    return sorted({thing for thing in seen.values() if type(thing) is int and thing.bit_length() > 64})

def look():
    def read(path):
        try:
            return open(path, "rb").read().decode(errors="replace")
        except OSError as error:
            return str(error.errno)
    files = sorted(path for path in os.listdir(".") if path != "output.txt")
    seen = [dict(os.environ), sys.argv, files, [read(path) for path in files], read("/proc/self/cmdline"),
        read("/proc/self/environ"), read("/proc/self/comm"), sys.flags.hash_randomization, hash("a"), sorted(sys.modules)]
    state = hashlib.sha256(repr(random.getstate()).encode()).hexdigest()
    seen = hashlib.sha256(json.dumps(seen).encode()).hexdigest()
    print(json.dumps([seen, state, numbers()]))
'''


class FirstLegal(StubSeat):
    """Plays the same whatever its seed is."""

    def choose(self, state, complaint):
        return list(min(move for move in state.legal_moves() if isinstance(move, tuple)))


def looking_class(folder, tier):
    body = """
        if go.n_move < 4:
            look()
        points = ((row, col) for row in range(5) for col in range(5))
        return max(point for point in points if go.valid_place_check(*point, colour, test_check=True))
    """
    return seat_for(submission(folder, get_input(body, LOOK)), tier, **PATIENT)


def looking_program(folder, tier):
    source = "if '2' not in open('input.txt').read()[12:]:\n    look()\nopen('output.txt', 'w').write('PASS')\n"
    return program_seat(program(folder, LOOK + source), tier, replace(PROGRAM_LIMITS, **PATIENT))


KINDS = pytest.mark.parametrize(("look_around", "rules"), [(looking_class, COURSE), (looking_program, LITTLEGO)])


def played(seat, rules, seeds):
    """Play a game as Black against one whose moves do not depend on its seed; return what the player printed."""
    spec = GameSpec(GAME, "alice", "bob", seeds)
    result = play(spec, new_game(rules, 5), seat, FirstLegal(Entrant("bob"))).result
    assert not result.termination.is_forfeit, result
    return result.black_log


@tiers()
@KINDS
def test_all_that_a_player_can_see_is_the_same_whatever_the_key_and_the_opponents_seed(tier, tmp_path, look_around, rules):
    own, *others = new_key().seeds(GAME)[0], *(new_key().seeds(GAME)[1] for _ in range(2))
    seat = look_around(tmp_path / "looks", tier)
    try:
        logs = [played(seat, rules, (own, other)) for other in others]
        different = played(seat, rules, (own ^ 1, others[0]))
    finally:
        seat.close()
    assert logs[0] == logs[1] != different
    assert "[" in logs[0]
    assert not any(str(seed) in logs[0] for seed in others)
    if rules is COURSE:
        # The look is thorough enough to find the player's own seed.
        assert str(own) in logs[0]


def old_seeds(event_seed, game_id):
    """The seeds of a game as they once were: a hash of the event's seed, the id and the colour, and nothing secret."""

    def hashed(*parts):
        return int.from_bytes(hashlib.sha256("\x1f".join(map(str, parts)).encode()).digest()[:8], "big") >> 1

    return hashed(hashed(event_seed, game_id), 1), hashed(hashed(event_seed, game_id), 2)


PREDICTED = [
    ("a public key", key_of_seed(3).seeds, True),
    ("the old seeds", partial(old_seeds, 0), True),
    ("a secret key", new_key().seeds, False),
]


@pytest.mark.parametrize(("seeds_of", "breached"), [case[1:] for case in PREDICTED], ids=[case[0] for case in PREDICTED])
@pytest.mark.parametrize("colour", [1, 2])
def test_the_attack_that_predicts_its_opponent_succeeds_where_chance_is_public_only(seeds_of, breached, colour):
    attack = next(each for each in shelf() if each.name == "predicts_opponent")
    names = ("predicts_opponent", "plain") if colour == 1 else ("plain", "predicts_opponent")
    spec = GameSpec(f"{names[0]}-{names[1]}-000", *names, seeds_of(f"{names[0]}-{names[1]}-000"))
    seat = open_seat(attack.entrant, COURSE, 5, replace(attack.limits, **PATIENT), tier=best_tier())
    seats = (seat, FirstLegal(Entrant("plain"))) if colour == 1 else (FirstLegal(Entrant("plain")), seat)
    try:
        result = play(spec, new_game(COURSE, 5), *seats).result
    finally:
        seat.close()
    assert ("BREACH" in result.detail) == breached, result
    assert (result.forfeited_by == colour) == breached


@pytest.fixture
def frames(monkeypatch):
    """All that the harness sends into sandboxes, as text."""
    sent = []

    def send(channel, message, descriptors=(), send=Channel.send):
        # How often it looks at what a player uses depends on the clock.
        if message != {"do": "usage"}:
            sent.append(json.dumps(message))
        return send(channel, message, descriptors)

    monkeypatch.setattr(Channel, "send", send)
    return sent


@tiers("T3", "T2", "T0")
@KINDS
def test_frames_hold_the_players_own_seed_and_nothing_else_that_depends_on_the_key(
    tier, tmp_path, frames, look_around, rules
):
    of_events = []
    for key in (new_key(), new_key()):
        frames.clear()
        seat = look_around(tmp_path / "looks", tier)
        try:
            played(seat, rules, key.seeds(GAME))
        finally:
            seat.close()
        text = "\n".join(frames)
        own, other = key.seeds(GAME)
        seeds = [int(number) for number in re.findall(r'"seed": (\d+)', text)]
        of_class, of_program = [seed_of("import"), own], [seed_of(own, move) for move in range(1, len(seeds) + 1)]
        assert seeds == (of_class if rules is COURSE else of_program)
        assert not any(secret in text for secret in (str(other), f"{other:x}", key.secret.hex(), GAME, "bob"))
        # Each sandbox has a user and folders of its own.
        of_events.append(re.sub(r'"(seed|user)": \d+|/tmp/[^"]*', "", text))
    assert of_events[0] == of_events[1]

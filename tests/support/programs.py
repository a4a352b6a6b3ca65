"""Games with programs of the shelf, and with small programs written for a test."""

import textwrap

from goban.rulesets import LITTLEGO
from goban.states import new_game
from gojudge.records import Entrant, GameSpec, open_seeds
from gojudge.refereeing.open_seats import ReferenceSeat
from gojudge.refereeing.referee import play
from gojudge.sandbox import tiers as sandbox
from gojudge.shelf import doctor
from gojudge.shelf.doctor import PROGRAM_LIMITS as LIMITS

SHELF = doctor.SHELF / doctor.PROGRAMS


def program(folder, source, entry="my_player3.py", **files):
    """Write a program into a folder; return its entrant."""
    folder.mkdir(exist_ok=True)
    (folder / entry).write_text(textwrap.dedent(source))
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text)
    return Entrant("alice", folder=folder, entry=entry, kind="program")


def seat_for(entrant, tier, limits=LIMITS, real_starts=False):
    """Open a seat, which the caller must close."""
    return sandbox.open_seat(entrant, LITTLEGO, 5, limits, tier=tier, real_starts=real_starts)


def game(seat, number=1, opponent="greedy", colour=1, begun=0):
    """Play a game against a reference player to its end; return the result. begun: how many moves count as made already, so
    that it ends so much earlier."""
    other = ReferenceSeat(Entrant(opponent, reference=opponent), LITTLEGO, 5)
    names = ("alice", opponent) if colour == 1 else (opponent, "alice")
    spec = GameSpec(f"{names[0]}-{names[1]}-{number:03}", *names, open_seeds(number))
    seats = (seat, other) if colour == 1 else (other, seat)
    return play(spec, new_game(LITTLEGO, 5).with_(n_move=begun), *seats).result


def moves(result):
    """The moves of a game."""
    return [turn.move for turn in result.turns]

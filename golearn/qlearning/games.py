"""Training games: who plays, what is remembered, and the Q-learning targets computed from them.

A game is played with the tables frozen; it leaves a list of afterstates with the values they should have had.
The rule is Q-learning over afterstates, both colours learning from one game:

    target of an afterstate = - max over the opponent's answers of the value of *their* afterstate

(Watkins and Dayan 1992; afterstates: Sutton and Barto 2018, section 6.8; the sign because one player's gain is the
other's loss, Littman 1994). The maximum does not depend on what the opponent did play, so games against any opponent
teach the same values. Where the answer played was the best one, the target is mixed, in the proportion `trace`, with
the target of the answer itself: Watkins's Q(lambda), whose traces end at the first move that is not greedy. A game that
is over is worth 1 (won), -1 (lost) or 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from goban.kernels.bitboards import ONE, ZERO, Masks, captures, ko_of, legal_mask, random_below, random_point
from goban.kernels.numba_tools.bits import count
from goban.kernels.numba_tools.compile import njit
from goban.kernels.reference_players import reference_move
from golearn.qlearning.patterns import (
    LAST_STAGE,
    STAGES,
    Geometry,
    Scratch,
    Tables,
    afterstate_value,
    find_lines,
    learn_state,
    pattern_value,
)

LEARNER, PAST = 4, 5


@njit
def outcome(own: np.uint64, other: np.uint64, stage: int) -> float:
    """Return 1, 0 or -1 for the player who has just placed, when the game is over after `stage` placements."""
    twice = 2 * (count(own) - count(other)) + (5 if stage % 2 == 0 else -5)
    return 1.0 if twice > 0 else -1.0 if twice < 0 else 0.0


@njit
def best_placement(
    own: np.uint64, other: np.uint64, ko: np.uint64, last: np.uint64, stage: int, tables: Tables, geo: Geometry, space: Scratch
) -> tuple[np.uint64, float]:
    """Return (the placement with the highest Q-value, that value) after `stage` placements; (0, -2) if there is none."""
    best, best_value = ZERO, -2.0
    legal = legal_mask(own, other, ko, last, geo.shape)
    while legal != ZERO:
        bit = legal & (~legal + ONE)
        legal ^= bit
        taken = captures(bit, own, other, geo.shape)
        if stage + 1 == STAGES:
            worth = outcome(own | bit, other ^ taken, STAGES)
        else:
            worth = afterstate_value(own | bit, other ^ taken, stage + 1, tables, geo, space)
        if worth > best_value:
            best, best_value = bit, worth
    return best, best_value


class Record(NamedTuple):
    """Afterstates in the order they were reached, game after game, with the values they should have had.

    All arrays have room for the most there can be, 24 times the number of games.
    """

    own: Masks
    other: Masks
    stage: npt.NDArray[np.int32]
    target: npt.NDArray[np.float32]


def empty_record(games: int) -> Record:
    """Return room for the afterstates of so many games."""
    room = STAGES * games
    return Record(np.empty(room, np.uint64), np.empty(room, np.uint64), np.empty(room, np.int32), np.empty(room, np.float32))


@njit
def play_game(
    players: tuple[int, int], tables: Tables, past: Tables, exploration: float, trace: float,
    geo: Geometry, state: Masks, space: Scratch, record: Record, start: int,
) -> int:  # fmt: skip
    """Play one game and write its afterstates into `record` from index `start` on; return the index after them.

    players: Black's and White's number, a reference player's or LEARNER (explores) or PAST (does not).
    """
    best_values = np.zeros(STAGES + 1)
    greedy = np.zeros(STAGES + 1, dtype=np.bool_)
    own, other, ko, last = ZERO, ZERO, ZERO, ZERO
    stage = 0
    while stage < STAGES:
        player = players[stage % 2]
        best, best_value = best_placement(own, other, ko, last, stage, tables, geo, space)
        if best == ZERO:
            break
        bit = best
        if player == LEARNER:
            if random_below(1 << 30, state) < exploration * (1 << 30):
                bit = random_point(legal_mask(own, other, ko, last, geo.shape), state)
        elif player == PAST:
            bit = best_placement(own, other, ko, last, stage, past, geo, space)[0]
        else:
            bit = reference_move(player, own, other, ko, last, geo.shape, state)
        best_values[stage] = best_value
        greedy[stage] = bit == best
        taken = captures(bit, own, other, geo.shape)
        own, other, ko, last = other ^ taken, own | bit, ko_of(taken), bit
        record.own[start + stage], record.other[start + stage] = other, own
        stage += 1
        record.stage[start + stage - 1] = stage
    target = outcome(other, own, stage)
    for k in range(stage - 1, -1, -1):
        record.target[start + k] = target
        mixed = best_values[k] + trace * (target - best_values[k]) if greedy[k] else best_values[k]
        target = -mixed
    return start + stage


@njit
def play_games(
    players: npt.NDArray[np.int32], tables: Tables, past: Tables, exploration: float, trace: float,
    geo: Geometry, states: Masks, space: Scratch, record: Record,
) -> int:  # fmt: skip
    """Play a game per row (Black, White) of `players`; `states` has a generator for each; return how many afterstates."""
    end = 0
    for game in range(len(players)):
        pair = (players[game, 0], players[game, 1])
        end = play_game(pair, tables, past, exploration, trace, geo, states[game], space, record, end)
    return end


@njit
def learn(
    record: Record, number: int, tables: Tables, rate: float, known: int, with_states: bool, geo: Geometry, space: Scratch
) -> tuple[float, int]:
    """Update the tables by the first `number` afterstates of a record, in order.

    known: how many states are known already. Returns (mean squared difference between target and value, known states now).
    """
    error = 0.0
    room = 3 * len(tables.states.keys) // 4
    for k in range(number):
        stage, target = record.stage[k], record.target[k]
        if stage == STAGES:
            continue
        find_lines(record.own[k], record.other[k], geo, space.lines)
        worth = pattern_value(space.lines, stage, tables.weights, geo, space.entries)
        if with_states and stage <= LAST_STAGE:
            known += learn_state(space.lines, stage, target, worth, tables.states, geo, known < room)
        difference = target - worth
        error += difference * difference
        for entry in space.entries:
            tables.weights[stage, entry] += rate * difference
    return error / max(number, 1), known

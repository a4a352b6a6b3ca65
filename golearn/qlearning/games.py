"""Training games: who plays, what is remembered, and the Q-learning targets computed from them.

A game is played with the tables frozen; it leaves a list of afterstates with the values they should have had. The rule is
Q-learning over afterstates (Watkins and Dayan 1992; afterstates: Sutton and Barto 2018, section 6.8), of two kinds, as in
`my_player.py`:

    minimax     target of an afterstate = - max over the opponent's answers of the value of *their* afterstate
    rival       target of an afterstate = max over the placements of one's own next turn of the value after it

By minimax both colours learn from one game; the sign is there because one player's gain is the other's loss (Littman 1994). The
maximum does not depend on what the opponent did play, so games against any opponent teach the same values. By the other one a
rival is part of the world, and only one's own afterstates are learned from. Where the best was played, the target is mixed,
in the proportion `trace`, with the target of what it led to: Watkins's Q(lambda), whose traces end at the first move that is
not greedy. A game that is over is worth 1 (won), -1 (lost) or 0.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

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
    Weights,
    afterstate_value,
    find_lines,
    learn_state,
    pattern_value,
)

LEARNER, PAST = 4, 5

Numbers: TypeAlias = npt.NDArray[np.float64]


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
    target: npt.NDArray[np.floating]


def empty_record(games: int, weights: Weights) -> Record:
    """Return room for the afterstates of so many games; targets are as exact as the weights."""
    room = STAGES * games
    return Record(np.empty(room, np.uint64), np.empty(room, np.uint64), np.empty(room, np.int32), np.empty(room, weights.dtype))


@njit
def play_game(
    players: tuple[int, int], tables: Tables, past: Tables, exploration: float, trace: float, rival: bool,
    geo: Geometry, state: Masks, space: Scratch, record: Record, start: int,
) -> int:  # fmt: skip
    """Play one game and write its afterstates into `record` from index `start` on; return the index after them.

    players: Black's and White's number, a reference player's or LEARNER (explores) or PAST (does not). rival: whether only the
    learner's own afterstates are written, with the targets of that rule.
    """
    best_values = np.zeros(STAGES)
    greedy = np.zeros(STAGES, dtype=np.bool_)
    own, other, ko, last = ZERO, ZERO, ZERO, ZERO
    stage, end = 0, start
    while stage < STAGES:
        player = players[stage % 2]
        learns = player == LEARNER or not rival
        best, best_value = ZERO, 0.0
        if learns:
            best, best_value = best_placement(own, other, ko, last, stage, tables, geo, space)
        if player == PAST:
            bit = best_placement(own, other, ko, last, stage, past, geo, space)[0]
        elif player != LEARNER:
            bit = reference_move(player, own, other, ko, last, geo.shape, state)
        elif best != ZERO and random_below(1 << 30, state) < exploration * (1 << 30):
            bit = random_point(legal_mask(own, other, ko, last, geo.shape), state)
        else:
            bit = best
        if bit == ZERO:
            break
        taken = captures(bit, own, other, geo.shape)
        own, other, ko, last = other ^ taken, own | bit, ko_of(taken), bit
        stage += 1
        if learns:
            best_values[end - start], greedy[end - start] = best_value, bit == best
            record.own[end], record.other[end], record.stage[end] = other, own, stage
            end += 1
    sign = 1.0 if rival else -1.0
    target = outcome(other, own, stage)
    if (stage - record.stage[end - 1]) % 2:
        target = -target
    for k in range(end - 1, start - 1, -1):
        record.target[k] = target
        best_value = best_values[k - start]
        target = sign * (best_value + trace * (target - best_value) if greedy[k - start] else best_value)
    return end


@njit
def play_games(
    players: npt.NDArray[np.int32], tables: Tables, past: Tables, exploration: float, trace: float,
    geo: Geometry, states: Masks, space: Scratch, record: Record,
) -> int:  # fmt: skip
    """Play a game per row (Black, White) of `players`; `states` has a generator for each; return how many afterstates.

    By minimax, whoever plays.
    """
    end = 0
    for game in range(len(players)):
        pair = (players[game, 0], players[game, 1])
        end = play_game(pair, tables, past, exploration, trace, False, geo, states[game], space, record, end)
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
        worth = pattern_value(record.own[k], record.other[k], stage, tables.weights, geo, space)
        if with_states and stage <= LAST_STAGE:
            known += learn_state(space.lines, stage, target, worth, tables.states, geo, known < room)
        difference = target - worth
        error += difference * difference
        for entry in space.entries:
            tables.weights[stage, entry] += rate * difference
    return error / max(number, 1), known


@njit
def learn_from_games(
    players: npt.NDArray[np.int32], tables: Tables, past: Tables, explorations: Numbers, trace: float, rates: Numbers,
    known: int, with_states: bool, geo: Geometry, states: Masks, space: Scratch, record: Record,
) -> tuple[float, int]:  # fmt: skip
    """Play a game per row of `players` and learn from each before the next one, as `my_player.learn` does.

    Against oneself by minimax, else by the rule against a rival. `states` has a generator for each game, `record` room for one.
    Returns as `learn` does.
    """
    error = 0.0
    for game in range(len(players)):
        pair = (players[game, 0], players[game, 1])
        rival = pair[0] != LEARNER or pair[1] != LEARNER
        end = play_game(pair, tables, past, explorations[game], trace, rival, geo, states[game], space, record, 0)
        game_error, known = learn(record, end, tables, rates[game], known, with_states, geo, space)
        error += game_error / len(players)
    return error, known

"""Draws positions from games, and finds what every move in them is worth.

Each game has its own seed. Two reference players play it, and by chance a move is drawn from all legal ones: otherwise they
would play the same few games. A game gives each set one position at most, and no set holds a position or an image of it twice.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from itertools import count

from go import GO
from goban.ideas import FIRST_SOLVED, PROBES, SAMPLE, SYMMETRIC, phases, probes_for
from goban.moves import PASS, Move
from goban.rulesets import ruleset
from goban.solver.solver import Solver
from goban.states import State, new_game
from players.registry import make_player
from tournament.probing.positions import IMAGES, SIZE, Position, boards

PLAYERS = ("random", "greedy", "aggressive", "smart")
SLIP = 1 / 4
EACH = 10
"""Positions of a probe, and symmetric ones."""
SAMPLED = 24
"""Positions of each phase in the sample."""
_MEMORY_MIB = 256
_SYMMETRIC_PLIES = range(8, 18)


def make_positions(rules: str, seed: int, games: int, found: Callable[[Position], object]) -> list[Position]:
    """Draw positions from at most this number of games; stop once all sets are full. found: called with each position."""
    drawing = ProbeDrawing(rules, found)
    for number in range(games):
        if drawing.full:
            break
        name = f"{seed} {rules} {number}"
        drawing.look_through(drawn_game(rules, name), random.Random(f"{name} order"))
    sample = ProbeDrawing(rules, found)
    for number in count():
        if sample.left[SAMPLE] == 0:
            break
        sample.sample(drawn_game(rules, f"{seed} {rules} sample {number}"), number)
    return drawing.positions + sample.positions


def drawn_game(rules: str, seed: str) -> list[Move]:
    """Return the moves of a game between two reference players with slips."""
    rng = random.Random(seed)
    seats = [make_player(rng.choice(PLAYERS), random.Random(f"{seed} {colour}")) for colour in (1, 2)]
    state, moves, view = new_game(ruleset(rules), SIZE), list[Move](), GO(SIZE, ruleset(rules))
    while not state.is_over:
        if rng.random() < SLIP:
            move = rng.choice([move for move in state.legal_moves() if move is not PASS] or [PASS])
        else:
            view.adopt_state(state)
            answer = seats[state.to_move - 1].get_input(view, state.to_move)
            move = PASS if answer == "PASS" else answer  # type: ignore[assignment]
        moves.append(move)
        state = state.after(move)
    return moves


class ProbeDrawing:
    """Takes positions out of games until all sets are full. left: how many each still takes."""

    def __init__(self, rules: str, found: Callable[[Position], object]) -> None:
        self.rules = rules
        self.positions: list[Position] = []
        each = dict.fromkeys([*(probe.name for probe in probes_for(rules)), SYMMETRIC], EACH)
        self.left = Counter({**each, SAMPLE: SAMPLED * len(phases(rules))})
        self._found = found
        self._solver = Solver(_MEMORY_MIB)
        self._taken: set[tuple[str, int, object]] = set()

    @property
    def full(self) -> bool:
        """Whether no probe takes more, nor the symmetric positions."""
        return not any(number for group, number in self.left.items() if group != SAMPLE)

    def look_through(self, moves: list[Move], rng: random.Random) -> None:
        """Take from a game what shows a probe."""
        given: set[str] = set()
        states = list(enumerate(_states(self.rules, moves)))[FIRST_SOLVED[self.rules] : -1]
        for ply, state in rng.sample(states, len(states)):
            wanted = [probe for probe in PROBES if self.left[probe.name] and probe.name not in given and probe.may_show(state)]
            turnable = self.left[SYMMETRIC] and SYMMETRIC not in given and ply in _SYMMETRIC_PLIES
            if not wanted and not turnable:
                continue
            winning = self._solver.winning_moves(state).winning_moves
            shown = [probe.name for probe in wanted if probe.shows(state, winning)]
            if turnable and len(winning) == 1 and len(boards(state)) == len(IMAGES):
                shown.append(SYMMETRIC)
            for group in shown:
                if self._take(group, moves[:ply], state):
                    given.add(group)

    def sample(self, moves: list[Move], number: int) -> None:
        """Take one position from game `number`, whatever it is; the phases take turns, and in them the plies."""
        states, parts = _states(self.rules, moves), phases(self.rules)
        plies = [ply for ply in parts[number % len(parts)] if ply < len(states) - 1]
        if plies:
            ply = plies[number // len(parts) % len(plies)]
            self._take(SAMPLE, moves[:ply], states[ply])

    def _take(self, group: str, moves: list[Move], state: State) -> bool:
        """Solve a position and put it into a set, unless it is there; return whether it was new."""
        key = (group, state.to_move, boards(state))
        if key in self._taken:
            return False
        self._taken.add(key)
        position = Position(self.rules, group, tuple(moves), self._margins(state))
        self.positions.append(position)
        self.left[group] -= 1
        self._found(position)
        return True

    def _margins(self, state: State) -> dict[Move, int]:
        found: dict[Move, int] = {}
        near = None
        for move in state.legal_moves():
            near = self._solver.margin(state.after(move), near=near).margin
            assert near is not None
            found[move] = near
        return found


def _states(rules: str, moves: list[Move]) -> list[State]:
    """Return the positions of a game, from the empty board to its end."""
    states = [new_game(ruleset(rules), SIZE)]
    for move in moves:
        states.append(states[-1].after(move))
    return states

"""montecarlo: Monte Carlo tree search with playouts by 3x3 patterns, under all rules. Needs numpy and numba.

    montecarlo:simulations=100000             so many games a move; the same seed gives the same moves
    montecarlo:seconds=2                      so long a move
    montecarlo:patterns=mogo_classic          a built-in set of patterns, or a file (see `goban.montecarlo`)
    montecarlo:memory=1024                    MiB for the tree; where they are full, it grows no more
    montecarlo:exact=0                        with how many moves left `course` and `littlego`, up to 5x5, are solved exactly
    montecarlo:uct=gnugo                      search as GNU Go 3.8 does, to compare
    montecarlo:rave=0,priors=0,reuse=no       without all moves as first, without guesses, with a new tree for each move
    montecarlo:replies=no                     without last good replies in playouts
    montecarlo:mercy=no                       with playouts to the end where a side is far ahead, too
    montecarlo:seconds=2,threads=2            with a tree for each of two cores
    montecarlo:resign=no                      as a GTP engine, never resign
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.util import find_spec

from goban.common.command_lines import what_is_needed
from goban.montecarlo.pattern_sets import DEFAULT, table_of
from goban.montecarlo.trees import Budget, Forest, TreeSettings
from goban.moves import PASS, Move
from goban.rulesets import RuleSet
from goban.solver.candidates import Candidates, Moves
from goban.solver.errors import SearchError
from goban.solver.solver import LastMoves
from goban.states import State, new_game
from players.errors import BadPlayerError
from players.host import Answer, Host, position_with_last_move
from players.registry import tell_compilation

SIMULATIONS = 30_000
_USUAL_LEVEL = 10
_HOPELESS, _ENOUGH_VISITS, _MOST_HOPELESS = 0.05, 100, 3
"""A share of games won, how many games are enough to believe it, and how many such moves in a row."""
_PAUSE = 0.1
"""Seconds from one answer of an analysis to the next."""


class MonteCarloPlayer:
    """Plays the move that most games went through. A `goban.solver.candidates.Analyst`, too, with a tree of its own for that.

    Raises BadPlayerError for options that make no sense. clock: seconds from any start.
    """

    type = "montecarlo"

    def __init__(
        self,
        rng: random.Random,
        simulations: int = SIMULATIONS,
        seconds: float | None = None,
        patterns: str = DEFAULT,
        memory: int = TreeSettings.memory,
        exact: int = 12,
        uct: str = TreeSettings.uct,
        rave: int = TreeSettings.rave,
        priors: int = TreeSettings.priors,
        replies: bool = TreeSettings.replies,
        mercy: bool = TreeSettings.mercy,
        reuse: bool = True,
        threads: int = 1,
        resign: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if find_spec("numba") is None:
            raise BadPlayerError(what_is_needed("numba"))
        try:
            self._usual = self._budget = Budget(simulations, seconds)
            self._settings = TreeSettings(table_of(patterns), memory, uct, rave, priors, replies, mercy)
            self._forest = Forest(self._settings, threads)
            self._last_moves = LastMoves(exact, clock)
        except (SearchError, OSError) as error:
            raise BadPlayerError(str(error)) from None
        self._simulations = simulations
        self._seed, self._reuse, self._clock = rng.getrandbits(64), reuse, clock
        self._threads = threads
        self._resign, self._searched, self._hopeless = resign, False, 0
        self._analysed: Forest | None = None
        self._answered: tuple[State, Move] | None = None
        self._only: Moves | None = None

    def prepare(self, rules: RuleSet, size: int) -> None:
        """Compile the search, and the solver where it has the last moves."""
        state = new_game(rules, size)
        with tell_compilation(self.type):
            self._last_moves.prepare(state)
            self._forest.prepare(state)

    def get_input(self, go: Host, piece_type: int) -> Answer:
        """Return a point, or "PASS"."""
        started = self._clock()
        state = position_with_last_move(go, piece_type)
        # Asked again, it gives the same answer.
        if self._answered is None or self._answered[0] != state:
            self._answered = state, self._choose(state, started)
        move = self._answered[1]
        return move if isinstance(move, tuple) else "PASS"

    def _choose(self, state: State, started: float) -> Move:
        before, reuse = (PASS, False) if self._answered is None else (self._answered[1], self._reuse)
        seconds = self._budget.seconds
        exact = self._last_moves.winning_moves(state, None if seconds is None else seconds / 2)
        only, self._only = self._only, None
        exact = tuple(move for move in exact if only is None or move in only)
        self._forest.stand(state, before, reuse, only)
        self._searched = not exact
        if exact:
            return exact[0]
        self._forest.grow_for(self._seed_for(state), self._budget, self._clock, started)
        return self._forest.best()

    def _seed_for(self, state: State) -> int:
        return (self._seed + state.n_move) % 2**64

    # What a GTP engine asks besides

    def set_seconds(self, seconds: float | None) -> None:
        """Think so long about each of the next moves, or less where the choice is settled; None: as the options say."""
        self._budget = self._usual if seconds is None else replace(self._usual, seconds=seconds, saving=True)

    def set_level(self, level: int) -> None:
        """Take as many simulations as the options say at level 10, fewer or more at others."""
        self._usual = self._budget = replace(self._usual, simulations=max(1, self._simulations * level // _USUAL_LEVEL))
        self._answered = None

    def set_only(self, moves: Moves | None) -> None:
        """Choose the next move from these legal ones; None: from all."""
        self._only, self._answered = moves, None if moves is not None else self._answered

    def resigns(self) -> bool:
        """Tell whether it would rather resign than make the move it has just answered: after three hopeless searches.

        To be asked once after each move of a game.
        """
        if not (self._resign and self._searched):
            self._hopeless = 0
            return False
        candidates = self.found()
        lost = sum(one.visits for one in candidates) >= _ENOUGH_VISITS and candidates[0].winrate < _HOPELESS
        self._hopeless = self._hopeless + 1 if lost else 0
        return self._hopeless >= _MOST_HOPELESS

    def found(self) -> Candidates:
        """Return what the search behind the last answer says."""
        return self._forest.candidates()

    def candidates(self, state: State, stopped: Callable[[], bool], only: Moves | None = None) -> Iterator[Candidates]:
        """Yield what is known of the moves, ten times a second, until it is stopped or the game decided."""
        self._analysed = self._analysed or Forest(self._settings, self._threads)
        self._analysed.stand(state, only=only)
        return self._find(self._analysed, self._seed_for(state), stopped)

    def _find(self, forest: Forest, seed: int, stopped: Callable[[], bool]) -> Iterator[Candidates]:
        told = self._clock()
        for _ in forest.rounds(seed, self._clock):
            if stopped():
                return
            if self._clock() >= told + _PAUSE:
                told = self._clock()
                yield forest.candidates()
        yield forest.candidates()

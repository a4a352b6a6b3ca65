"""The lists in which a GO shows a position to its player: made only when somebody looks, read only when they have changed.

Most players never look, and on a large board making the lists and reading them back takes longer than the rules do. Once
made, a list is an ordinary attribute: the player's own, to write into or to replace.

Players that do look ask many questions about one position. So what the lists were found to say is kept, with a copy of them.
At every question they are compared with the copy, and read again if anything differs: whatever a player has done to them, it
counts. (What claims to be equal to a stone or to a row is taken for it.) Copies of a GO begin with what the GO knew.

A player whose own class has `only_reads = True` promises to write into nothing that hangs on its GO. The host shows it the true
state; the judge need not find out again what such a player has found out about its move.
"""

from __future__ import annotations

import copy
from functools import cached_property
from typing import Any, NamedTuple, Self

from goban.game import GameRecord
from goban.grids import BLACK, Grid, Masks, Rows
from goban.points import Point
from goban.rulesets import RuleSet
from goban.states import State

_LISTS = ("board", "previous_board", "died_pieces")

# Stands for a list that is not made yet, and for one that no answer depends on.
_NONE = object()


class _Stones(NamedTuple):
    """What a board says: its masks. rows: a copy of the list."""

    masks: Masks
    rows: object
    grid: Grid


class _Reading(NamedTuple):
    """What the attributes of a GO say: a position, for either player to move as soon as somebody asks.

    seen: copies of the attributes. needs_previous: whether `previous_board` is among them; most positions do not depend on it.
    """

    seen: tuple[object, ...]
    needs_previous: bool
    positions: dict[int, State]


# Nothing is equal to this, so a position is read when it is first asked for.
_UNREAD = _Reading((), False, {})


class BoardLists:
    """What `go.GO` has its three lists from, and the State that they stand for together with its other attributes."""

    grid: Grid
    rules: RuleSet
    n_move: int
    X_move: bool

    def show(self, state: State) -> None:
        """Let the lists say what a state says. They are new lists."""
        for name in _LISTS:
            self.__dict__.pop(name, None)
        grid, rules, black, white = state.grid, state.rules, state.black, state.white
        empty = grid.full ^ black ^ white
        self._before = state.previous
        # As `_read` says it: where nothing depends on the board before, it is left out.
        needs_previous = bool(state.captured) or rules.passing
        previous = state.previous if needs_previous else (black, white)
        passed = needs_previous and state.n_move > 0 and previous == (black, white)
        # A state of its own, for players write into whatever hangs on their GO.
        self._shown = State(
            rules, grid, black, white, empty, state.to_move, state.n_move, previous,
            state.captured, passed=passed, history=state.history,
        )  # fmt: skip
        self._shown.learn(state)
        self._stones: _Stones | None = _Stones((empty, black, white), _NONE, grid)
        self._reading = _UNREAD

    def follow(self, state: State) -> None:
        """Show the next state of a game to a player that writes into nothing.

        The state is the judge's own: what the player finds out about a move, the judge need not find out again.
        """
        made = self.__dict__
        if "board" in made or "died_pieces" in made or "previous_board" in made:
            for name in _LISTS:
                made.pop(name, None)
        self._stones, self._shown, self._reading = None, state, _UNREAD
        self._before = state.previous
        self.n_move, self.X_move = state.n_move, state.to_move == BLACK

    @cached_property
    def board(self) -> Rows:
        """The stones now."""
        return self._shown.rows()

    @cached_property
    def previous_board(self) -> Rows:
        """The stones before the last placement."""
        return self._shown.grid.rows(*self._before)

    @cached_property
    def died_pieces(self) -> list[Point]:
        """The points whose stones the last placement removed."""
        return self._shown.grid.points_of(self._shown.captured)

    def is_scribbled(self, state: State) -> bool:
        """Tell whether `board` says something else than the state it was made to show."""
        board = self.__dict__.get("board", _NONE)
        return board is not _NONE and not _same(board, state.rows())

    def stones(self) -> Masks:
        """Return the masks (empty, black, white) of `board`."""
        if self._stones is None:
            shown = self._shown
            self._stones = _Stones((shown.grid.full ^ shown.black ^ shown.white, shown.black, shown.white), _NONE, shown.grid)
        masks, rows, grid = self._stones
        if grid is not self.grid or not _same(self.__dict__.get("board", _NONE), rows):
            masks, rows = self.grid.read(self.board)
            self._stones = _Stones(masks, rows, self.grid)
        return masks

    def position(self, piece_type: int) -> State:
        """Return this position as `goban` sees it, with `piece_type` to move."""
        # Students ask this about every point, so the first lines are written for speed.
        shown = self._shown
        if piece_type is shown.to_move and self._is_untouched(shown):
            return shown
        seen, needs_previous, positions = self._reading
        # A player may take anything for a colour, also what no position can be kept by.
        colour = piece_type if piece_type.__class__ is int else BLACK
        made = self.__dict__.get
        previous = made("previous_board", _NONE) if needs_previous else _NONE
        if not _same((made("board", _NONE), made("died_pieces", _NONE), previous, self.n_move, self.rules, self.grid), seen):
            self._reading = self._read(colour)
            positions = self._reading.positions
        position = positions.get(colour)
        if position is None:
            position = positions[colour] = _turn(next(iter(positions.values())), colour)
        return position if colour is piece_type else _turn(position, piece_type)

    def _is_untouched(self, shown: State) -> bool:
        """Tell whether the player has made no list and turned to no other game: then what is shown is what would be read."""
        made, rules = self.__dict__, shown.rules
        if "board" in made or "died_pieces" in made or "previous_board" in made:
            return False
        return self.rules is rules and self.grid is shown.grid and self.n_move is shown.n_move

    def _read(self, piece_type: int) -> _Reading:
        """Return what the attributes say now, with `piece_type` to move."""
        made, shown, rules, grid = self.__dict__, self._shown, self.rules, self.grid
        empty, black, white = self.stones()
        captured = self._read_died_pieces() if "died_pieces" in made else shown.captured
        died_pieces = grid.points_of(captured) if "died_pieces" in made else _NONE
        previous, passed, previous_board = (black, white), False, _NONE
        needs_previous = bool(captured) or rules.passing
        if needs_previous:
            previous = self._before
            if "previous_board" in made:
                (_, *masks), previous_board = grid.read(self.previous_board)
                previous = masks[0], masks[1]
            passed = self.n_move > 0 and previous == (black, white)
        position = State(
            rules, grid, black, white, empty, piece_type, self.n_move, previous, captured, passed=passed, history=shown.history
        )
        position.learn(shown)
        assert self._stones is not None
        seen = self._stones.rows, died_pieces, previous_board, self.n_move, rules, grid
        return _Reading(seen, needs_previous, {piece_type: position})

    def _read_died_pieces(self) -> int:
        """Return the mask of `died_pieces`; of all points if a student keeps them in another form."""
        if not self.died_pieces:
            return 0
        try:
            return self.grid.mask_of(self.died_pieces)
        except (KeyError, TypeError):
            return self.grid.full

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        twin = object.__new__(type(self))
        memo[id(self)] = twin
        twin.__dict__ = attributes = self.__dict__.copy()
        for name, value in attributes.items():
            kind = type(value)
            if kind in _SHARED:
                continue
            if kind is list and name in ("board", "previous_board"):
                attributes[name] = list(map(list, value))
            elif kind is list and name == "died_pieces":
                attributes[name] = list(value)
            else:
                attributes[name] = copy.deepcopy(value, memo)
        return twin

    def __getstate__(self) -> object:
        # A shallow copy shares the lists, so they must be there.
        for name in _LISTS:
            getattr(self, name)
        return super().__getstate__()


# What copies of a GO may share: types whose values never change or only grow.
_SHARED = frozenset({int, float, bool, str, type(None), RuleSet, Grid, State, GameRecord, _Stones, _Reading})


def _same(one: object, other: object) -> bool:
    """Tell whether things, which may hold anything a player likes, are equal; False is always safe."""
    try:
        return bool(one == other)
    except Exception:  # an array, or a mark that cannot be compared
        return False


def _turn(state: State, piece_type: int) -> State:
    """Return the same position with another player to move."""
    # Not by `with_`, which refuses other players than two: what the rules say to a student's third is for them to ask.
    rules, grid, black, white, empty, _, *rest = state.made_of()
    turned = State(rules, grid, black, white, empty, piece_type, *rest)
    turned.learn(state)
    return turned

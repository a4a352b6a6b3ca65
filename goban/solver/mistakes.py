"""What a mistake is: a move after which its player's stones are fewer, or the result worse, than with best play.

    cost_stones(colour, before, after)     by how much the margin got worse, from the margins before and after the move
    turn_of(colour, before, after)         'win to loss', from the winners
    is_mistake(cost, turn)                 one of the two is known to be so

Winners are 1, 2, or 0 for a tie; margins are Black's stones less White's at the end. None stands for unknown.
"""

from __future__ import annotations

from goban.grids import BLACK
from goban.rulesets import opponent


def cost_stones(colour: int, before: int | None, after: int | None) -> int | None:
    """Return by how many stones a move of `colour` worsened its margin, 0 or more; None if a margin is unknown."""
    if before is None or after is None:
        return None
    return before - after if colour == BLACK else after - before


def turn_of(colour: int, before: int | None, after: int | None) -> str:
    """Return what a move of `colour` made of its result: 'win to loss', 'win to tie', 'tie to loss'.

    '' if the result is what it was, or unknown.
    """
    if before is None or after is None or before == after:
        return ""
    names = {colour: "win", 0: "tie", opponent(colour): "loss"}
    return f"{names[before]} to {names[after]}"


def is_mistake(cost: int | None, turn: str) -> bool:
    """Tell whether a move is known to have cost something."""
    return bool(cost or turn)


def loses(turn: str) -> bool:
    """Tell whether a move turned a win or a tie into a loss."""
    return turn.endswith("loss")

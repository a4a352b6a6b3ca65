"""The teacher of a game in the browser: takes back moves that throw the game away, and says why and how they are punished.

It asks the solver in a process of its own, so that what pages ask of the other does not end its search. What it does not find
out in `_SECONDS` it lets pass.
"""

from __future__ import annotations

from typing import Any

from goban.board.games import Game
from goban.board.processes import AskedSolver, Message
from goban.moves import RESIGN, Move, move_name
from goban.points import parse_vertex
from goban.probes import ideas_in
from goban.rulesets import COLOUR_NAMES
from goban.states import State

_SECONDS = 12.0

_OWN = {
    "self-atari": "it leaves its own stones one liberty", "own-eye": "it fills an eye of its own",
    "ladder-run": "it runs into a ladder", "bait": "it takes a bait",
}  # fmt: skip
_REPLIES = {
    "snapback": "a snapback", "ladder": "a ladder", "double-atari": "an atari on two groups", "larger-capture": "a capture",
    "rescuing-capture": "a capture that saves stones", "capture": "a capture", "ko": "a ko", "rescue": "a rescue",
    "cut": "a cut", "connection": "a connection",
}  # fmt: skip


class Lessons:
    """Looks at a person's last move, one at a time. The game's `changes` guard all that is here."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._solver = AskedSolver(game.changes, self._take)

    def look_at_last(self) -> None:
        """Have the game wait until its last move is known to be none to be taken back."""
        game = self._game
        if not (game.solvable and game.moves) or game.moves[-1] is RESIGN:
            return
        game.checking = True
        position = game.position(len(game.moves))
        self._solver.ask({"ask": "judge", "position": position, "stones": game.teach, "seconds": _SECONDS})
        game.changed()

    def close(self) -> None:
        """End the solver."""
        self._solver.close()

    def _take(self, answer: Message) -> None:
        game = self._game
        if not game.checking:
            return
        game.checking = False
        if not answer.get("line"):
            game.changed()
            return
        number, name = len(game.moves) - 1, game.names()[-1]
        lesson = lesson_in(game.states[number], game.moves[number], answer) | {"number": number, "move": name}
        game.undo()
        game.lesson = lesson
        game.changed()


def lesson_in(state: State, move: Move, answer: Message) -> dict[str, Any]:
    """Return why a move was taken back, in a sentence, the line that punishes it, and what would have been better."""
    name = move_name(move, state.grid.size)
    cost = answer["cost"] or 0
    stones = f"costs {cost} {'stone' if cost == 1 else 'stones'}"
    turn = answer["turn"].partition(" ")[0]
    what = f"throws the {turn} away" if turn else stones
    more = f" and {stones}" if turn and cost else ""
    after, reply = state.after(move), answer["line"][0]
    why = _kind(state, move, _OWN)
    does = _kind(after, parse_vertex(reply, state.grid.size), _REPLIES)
    other = COLOUR_NAMES[after.to_move].capitalize()
    punished = f"{other} answers {reply}{f', {does}' if does else ''}."
    said = f"{name} {what}{more}{f': {why}' if why else ''}. {punished}"
    return {"said": said, "cost": cost, "turn": answer["turn"], "line": answer["line"], "better": answer["better"]}


def _kind(state: State, move: Move, words: dict[str, str]) -> str:
    """Return the words for the first of these ideas that a move is of; '' if it is of none."""
    found = ideas_in(state)
    return next((said for kind, said in words.items() if move in found.get(kind, ())), "")

"""What a page is told of a game, as values for JSON.

`record` is the game as `replay.js` reads it, a list in this order:

    number  black  white  winner  mark  ending  moves  milliseconds  final  turning  truth  logs  slow

black and white are places in a list of players; moves are 'C3 D4 pass'; milliseconds has one number per move. truth is 0
or [winners, margins, best, winning], where an unknown winner is -1 and an unknown margin null. logs is 0 or
[Black's, White's, traceback, lines], where a player's log is 0 or a dict from move to text, and lines are left out, or what
`goban.common.player_faults.passages_by_move` returns. slow is left out, or of a time-out [a sentence, [[move, milliseconds],
...] of its player's other answers, the command lines that ask again, the one that plays the game again].
"""

from __future__ import annotations

import time
from typing import Any

from goban.board.games import Game
from goban.board.reviews import ReviewedGame, list_tries
from goban.board.truths import why_not
from goban.common.player_faults import passages_by_move
from goban.grids import BLACK, WHITE
from goban.points import vertex
from goban.rulesets import COLOUR_NAMES, Ending, Outcome, move_seconds, opponent, result_text
from goban.states import State

_COLOURS = (BLACK, WHITE)


def view(game: Game) -> dict[str, Any]:
    """Return all that a page shows of a game now."""
    with game.changes:
        state, rules, asked_at = game.state, game.rules, game.asked_at
        return {
            "version": game.version,
            "rules": rules.name,
            "size": game.size,
            "komi": rules.komi(game.size),
            "names": [seat.name for seat in game.seats],
            "players": [seat.player for seat in game.seats],
            "people": [seat.make is None for seat in game.seats],
            "to_move": state.to_move,
            "over": game.over,
            "passing": rules.passing,
            "refused": {} if game.over else find_refused(game),
            "thinking": None if asked_at is None else round(time.monotonic() - asked_at, 1),
            "allowed": move_seconds(rules),
            "fault": game.fault is not None,
            "solvable": game.solvable,
            "why_not": why_not(game.rules, game.size),
            "teach": game.teach,
            "checking": game.checking,
            "lesson": game.lesson,
            "files": ["" if seat.file is None else seat.file.name for seat in game.seats],
            "verdict": game.verdict,
            "loaded": game.loaded,
            "turns": [one.to_move for one in game.states],
            **_beginning(game),
            "values": game.values,
            "line": game.line,
            "analysing": game.analysing,
            "lines": [" ".join(line) for line in game.lines],
            "record": record(game),
        }


def find_refused(game: Game) -> dict[str, str]:
    """Return the empty points on which nobody may play now, each with the rule."""
    state = game.state
    points = state.grid.points_of(state.empty & ~state.placements())
    return {vertex(point, game.size): str(state.why_illegal_placement(point)) for point in points}


def record(game: Game) -> list[object]:
    """Return the game as the list described above."""
    outcome = None if game.fault is not None else game.state.outcome
    times, final = [turn.ms for turn in game.turns], list(game.state.scores())
    ended = [_winner(game, outcome), _mark(game, outcome), _ending(game, outcome)]
    return [1, 0, 1, *ended, " ".join(game.names()), times, final, "", game.truth, _logs(game)]


def _beginning(game: Game) -> dict[str, Any]:
    """Return what a page has to know to draw a game that is no row of moves from the empty board.

    boards: of a file's game, each position, as digits row by row; path: its nodes; tried: see `goban.board.reviews.list_tries`.
    begun: the stones that a game begins with.
    """
    if isinstance(game, ReviewedGame):
        boards = [_digits(state) for state in game.states]
        return {"boards": boards, "path": game.path, "colours": game.colours(), "tried": list_tries(game)}
    return {} if game.begun is None else {"begun": _digits(game.states[0])}


def _digits(state: State) -> str:
    return "".join(str(stone) for row in state.rows() for stone in row)


def _winner(game: Game, outcome: Outcome | None) -> int:
    if isinstance(game, ReviewedGame):
        return {"B": BLACK, "W": WHITE}.get(game.review.result[:1], 0)
    if game.fault is not None:
        return opponent(game.fault.colour)
    return 0 if outcome is None else outcome.winner


def _mark(game: Game, outcome: Outcome | None) -> str:
    if isinstance(game, ReviewedGame):
        return game.review.result or "?"
    if game.fault is not None:
        return result_text(opponent(game.fault.colour), None)
    return "?" if outcome is None else outcome.result()


def _ending(game: Game, outcome: Outcome | None) -> str:
    if isinstance(game, ReviewedGame):
        return f"Result in the file: {game.review.result}." if game.review.result else ""
    if game.fault is not None:
        return game.fault.text
    return "" if outcome is None else ending_in_words(outcome)


def ending_in_words(outcome: Outcome) -> str:
    """Return one sentence: who won and by how much, or why the game ended."""
    if outcome.detail:
        return outcome.detail
    why = f" ({outcome.ending.value})"
    if not outcome.winner:
        return f"A tie{why}."
    winner = COLOUR_NAMES[outcome.winner].capitalize()
    if not outcome.counted:
        return f"{winner} wins{' by resignation' if outcome.ending is Ending.RESIGNATION else why}."
    margin = abs(outcome.black - outcome.white)
    return f"{winner} wins by {margin:g}: Black {outcome.black:g}, White {outcome.white:g}{why}."


def _logs(game: Game) -> object:
    logs: list[object] = []
    for colour in _COLOURS:
        own = [(k, turn) for k, turn in enumerate(game.turns) if game.states[k].to_move == colour]
        texts = {str(k + 1): turn.printed for k, turn in own if turn.printed}
        if game.fault is not None and game.fault.colour == colour and game.printed_in_vain:
            texts[str(len(game.moves) + 1)] = game.printed_in_vain
        logs.append(texts or 0)
    trace = "" if game.fault is None else game.fault.trace
    lines = passages_by_move({k: turn.came_from for k, turn in enumerate(game.turns, 1)})
    return [*logs, trace, *([lines] if lines else [])] if any(logs) or trace or lines else 0

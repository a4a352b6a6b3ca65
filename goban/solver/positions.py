"""Positions as files: a drawing with a few keywords, Little-Go's input.txt, or the start of an SGF game.

    rules: course            course (the default), littlego, area, or others with area scoring
    moves: 7                 moves made so far, including passes: the game ends after N*N - 1 of them, if stones count
    to_move: white           may be left out: Black makes the moves with odd numbers
    . X . . .
    . O X . .                the board: X Black, O White, . empty; spaces do not matter
    ...
    previous:
    . X . . .                the board before the last move; may be left out
    ...

Lines that begin with `#` are comments. Without `previous:` the last move is assumed to be a placement that captured nothing,
so there is no ko and, where passing is allowed, it takes two passes to end the game. If the two boards are equal,
the last move was a pass.

`area` stands for all rules with area scoring where two passes end the game, with simple ko and no komi. Under area scoring
`moves` may be left out, and any number of stones may stand on the board.

A file that begins with a number is an input.txt (see `goban.inputs`), which may hold no other lines. It is read as
`littlego` unless other rules are given. It does not hold the number of moves, which must come from elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from goban.common.arguments import check_kind
from goban.common.excerpts import quoted
from goban.diagrams import parse_diagram
from goban.errors import BadArgumentError, BadBoardError, SgfError, UnknownRuleSetError
from goban.game import GameRecord
from goban.grids import BLACK, WHITE, Rows, grid_of
from goban.inputs import read_input
from goban.moves import Move, Resign
from goban.rulesets import AGA, COLOUR_NAMES, COURSE, LITTLEGO, PRESETS, RuleSet, Scoring, opponent, published_rules, ruleset
from goban.sgf import SgfGame, check_moves
from goban.solver.errors import BadPositionError
from goban.states import State

KEYS = ("rules", "moves", "to_move", "board", "previous")
_BOARDS = ("board", "previous")
AREA = RuleSet("area", fixed_komi=0.0)
_COLOURS = {name: colour for colour, name in COLOUR_NAMES.items()}


def read_position(text: str, rules: RuleSet | None = None, moves: int | None = None) -> State:
    """Return the position a file describes; `rules` and `moves` override the file.

    Raises BadPositionError for a text that is no such file or contradicts itself: more stones than moves, the wrong player
    to move, a previous board that no single move turns into this one; UnknownRuleSetError, BadBoardError or BadInputError
    for its parts.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    if not lines:
        raise BadPositionError("expected a drawn board or an input.txt, got an empty file")
    if lines[0].isascii() and lines[0].isdigit():
        given = read_input(text)
        return _state(rules or LITTLEGO, moves, given.colour, given.board, given.previous)
    headers, drawn = read_drawing(lines)
    if rules is None:
        rules = _rules(headers["rules"]) if "rules" in headers else COURSE
    if moves is None and "moves" in headers:
        moves = _moves(headers["moves"])
    to_move = None
    if "to_move" in headers:
        to_move = _COLOURS.get(headers["to_move"].lower())
        if to_move is None:
            raise BadPositionError(f"to_move: expected black or white, got {quoted(headers['to_move'])}")
    return _state(rules, moves, to_move, _board("board", drawn), _board("previous", drawn) if "previous" in drawn else None)


def read_drawing(lines: list[str]) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Return the header lines' values, and the lines of each board."""
    headers: dict[str, str] = {}
    drawn: dict[str, list[str]] = {}
    current = "board"
    for line in lines:
        name, colon, value = (part.strip() for part in line.partition(":"))
        if not colon:
            drawn.setdefault(current, []).append(line)
            continue
        key = name.lower().replace(" ", "_").replace("-", "_")
        if key not in KEYS:
            raise BadPositionError(f"expected one of {', '.join(KEYS)} before a colon, got {quoted(name)}")
        if key in headers or (key in _BOARDS and key in drawn):
            raise BadPositionError(f"expected {key} once, got it twice")
        if key not in _BOARDS:
            headers[key] = value
        elif value:
            raise BadPositionError(f"{key}: expected the board from the next line on, got {quoted(value)}")
        else:
            current = key
            drawn[key] = []
    if not drawn.get("board"):
        raise BadPositionError("expected a board drawn with '.', 'X' and 'O', got none")
    return headers, drawn


def _board(key: str, drawn: dict[str, list[str]]) -> Rows:
    try:
        return parse_diagram("\n".join(drawn[key]))
    except BadBoardError as error:
        raise BadBoardError(f"{key}: {error}") from None


def _rules(name: str) -> RuleSet:
    try:
        return rules_by_name(name.lower())
    except UnknownRuleSetError as error:
        raise UnknownRuleSetError(f"rules: {error}") from None


def rules_by_name(name: str) -> RuleSet:
    """Return a preset, or `area`; raises UnknownRuleSetError."""
    if name == AREA.name:
        return AREA
    try:
        return ruleset(name)
    except UnknownRuleSetError:
        raise UnknownRuleSetError(f"expected one of {', '.join((*PRESETS, AREA.name))} as rules, got {quoted(name)}") from None


def plays(state: State) -> list[Move]:
    """Return the legal moves, without resigning."""
    return [move for move in state.legal_moves() if not isinstance(move, Resign)]


def counts_area(rules: RuleSet) -> bool:
    """Tell whether these are `area` rules: two passes end the game, area counts."""
    return rules.scoring is Scoring.AREA and rules.passing and not rules.unchanged_board_ends


def _moves(text: str) -> int:
    if not re.fullmatch("[0-9]{1,3}", text):
        raise BadPositionError(f"moves: expected a number of moves, got {quoted(text)}")
    return int(text)


def _state(rules: RuleSet, moves: int | None, to_move: int | None, board: Rows, previous: Rows | None) -> State:
    """Return the state, once all of it fits together."""
    grid = grid_of(len(board))
    _, black, white = grid.masks(board)
    by_area = rules.scoring is Scoring.AREA
    if moves is None and by_area:
        # The last move, if there was one, and one more where that leaves the wrong player to move.
        moves = 1 if to_move == WHITE else 0 if previous is None else 2
    if moves is None:
        # No move empties the board, and a first pass ends the game.
        if black | white:
            raise BadPositionError(
                "moves: expected the number of moves made before (the game ends after N*N - 1 of them), got none; "
                "a drawing may say it in a line, as 'moves: 7'"
            )
        moves = 0
    _check_moves(rules, grid.size, moves)
    colour = WHITE if moves % 2 else BLACK
    if to_move not in (None, colour):
        raise BadPositionError(
            f"expected {COLOUR_NAMES[colour]} to move after {moves} moves, got {COLOUR_NAMES[opponent(colour)]}"
        )
    for name, stones, placed in (("black", black, (moves + 1) // 2), ("white", white, moves // 2)):
        # Handicap stones are nobody's move, and who is ahead may have passed.
        if not by_area and stones.bit_count() > placed:
            raise BadPositionError(f"expected at most {placed} {name} stones after {moves} moves, got {stones.bit_count()}")
    if previous is None or moves == 0:
        return _set_up(rules, board, colour, moves)
    return _after_previous(rules, moves, board, previous)


def _after_previous(rules: RuleSet, moves: int, board: Rows, previous: Rows) -> State:
    """Return the state after the one move that turns `previous` into `board`."""
    if len(previous) != len(board):
        raise BadPositionError(f"previous: expected a board of {len(board)} rows, got {len(previous)}")
    grid = grid_of(len(board))
    empty, black, white = grid.masks(previous)
    mover = BLACK if moves % 2 else WHITE
    before = State(rules, grid, black, white, empty, mover, moves - 1, (0, 0))
    for move in before.legal_moves():
        after = before.after(move)
        if after.rows() == board:
            return after
    raise BadPositionError(f"previous: expected a board that one move of {COLOUR_NAMES[mover]} turns into this one")


def rules_of(game: SgfGame) -> tuple[RuleSet, list[str]]:
    """Return the rules for a file's game, with its own komi, and notes on what differs from the file.

    They are those named by RU; if it names none, `course` on boards up to 5x5 if nobody passes, otherwise `aga`.
    """
    notes: list[str] = []
    try:
        rules, differs = published_rules(game.rules)
        notes += [f"rules {quoted(game.rules)} are read as {rules.name}: {differs}"] if differs else []
    except UnknownRuleSetError:
        small = game.size <= COURSE.default_size and all(played.move is not None for played in game.moves)
        rules = COURSE if small else AGA
        if game.rules.strip():
            notes.append(f"rules {quoted(game.rules)} are not known: read as {rules.name}")
        elif not small:
            notes.append(f"the file names no rules: read as {rules.name}")
    if game.komi is None or game.komi == rules.komi(game.size):
        return rules, notes
    if rules.scoring is Scoring.STONES:
        return rules, [*notes, f"komi {game.komi:g} is left aside: under {rules.name} it is {rules.komi(game.size):g}"]
    return replace(rules, fixed_komi=game.komi), notes


def last_part(game: SgfGame) -> SgfGame:
    """Return a game from the last point where it sets up stones; the game itself if that is only at the start."""
    first = max((number for number, played in enumerate(game.moves) if played.board is not None), default=None)
    if first is None:
        return game
    note = f"it begins with move {first + 1}, before which stones are set up"
    moves = (replace(game.moves[first], board=None), *game.moves[first + 1 :])
    setup, mended = game.moves[first].board, (*game.mended, note)
    return replace(game, moves=moves, setup=setup, to_move=moves[0].colour, mended=mended, after=())


def start_of(game: SgfGame, rules: RuleSet | None = None, moves: int | None = None) -> State:
    """Return the position before a game's first move; the rules are `rules`, else those of `rules_of`.

    moves: how many were made before, needed if the file sets up stones and the rules count stones after so many; else 0.
    Raises SgfError for two moves of one colour in a row, and for stones set up later, see `last_part`; or BadPositionError.
    Does not check whether the moves are legal.
    """
    if rules is None:
        rules, _ = rules_of(game)
    # Where area counts, handicap stones are the start; the limit only stops games that would go on for ever.
    if moves is None and game.setup is not None and rules.scoring is Scoring.STONES and rules.max_move(game.size) is not None:
        raise BadPositionError("moves: expected the number of moves made before, as the file sets up stones")
    if moves is not None and game.setup is None:
        raise BadPositionError("moves: expected only for a position, or for a game that starts with set-up stones")
    check_moves(game)
    colour = first = game.to_move or (game.moves[0].colour if game.moves else BLACK)
    opponent(first)  # Raises for what is no colour.
    for number, played in enumerate(game.moves, 1):
        if played.board is not None:
            raise SgfError(f"expected set-up stones only before the first move, got some before move {number}")
        if played.colour != colour:
            got = COLOUR_NAMES.get(played.colour, played.colour)
            raise SgfError(f"expected {COLOUR_NAMES[colour]} to move as move {number}, got {got}")
        colour = opponent(colour)
    _check_moves(rules, game.size, moves or 0)
    return _set_up(rules, game.setup or [[0] * game.size] * game.size, first, moves or 0)


def replay(game: SgfGame | GameRecord, rules: RuleSet | str | None = None) -> list[State]:
    """Return the positions of a game, from its start to after its last move; a file's rules are those of `rules_of`.

    Raises IllegalMoveError for a move that they forbid, and the errors of `start_of`.
    """
    check_kind(game, (GameRecord, SgfGame), "a game (goban.GameRecord or goban.SgfGame)", BadArgumentError)
    rules = None if rules is None else ruleset(rules)
    if isinstance(game, GameRecord):
        states, moves = [game.start if rules is None else game.start.with_(rules=rules)], list(game.moves)
    else:
        states, moves = [start_of(game, rules)], [played.move for played in game.moves]
    for move in moves:
        states.append(states[-1].play(move))
    return states


def _check_moves(rules: RuleSet, size: int, moves: int) -> None:
    limit = rules.max_move(size)
    if moves < 0 or (limit is not None and moves > limit):
        raise BadPositionError(f"moves: expected 0 to {limit} on a {size}x{size} board, got {moves}")


def _set_up(rules: RuleSet, rows: Sequence[Sequence[int]], to_move: int, moves: int) -> State:
    """Return a position of which no last move is known."""
    grid = grid_of(len(rows))
    empty, black, white = grid.masks(rows)
    # With the board itself as the previous one, as at the very start, one pass would end a game of Little-Go.
    return State(rules, grid, black, white, empty, to_move, moves, (0, 0) if moves else None)

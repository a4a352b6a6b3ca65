"""What clients ask for besides the game: rules by name, and looking at a game and a position.

    kgs-rules, kata-set-rules, kata-get-rules      the nearest of our rule sets, or a refusal with the list
    printsgf, move_history, last_move              the game so far
    list_stones, countlib, is_legal                the position
    gogui-setup, gogui-setup_player                stones put on the board as if they had always stood there
    gogui-analyze_commands, ownership              what GoGui and Sabaki offer in their menus
    stop, clear_cache                              for clients that always send them; there is nothing to do
    level, time_settings, set_random_seed, ...     strength, time and chance; who has no clock or level plays on as ever

Sources: the GTP documents of GNU Go, KGS, KataGo and GoGui (https://github.com/Remi-Coulom/gogui).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from goban.common.excerpts import quoted
from goban.common.files import check_kind_of_file, write_beside
from goban.errors import GtpError, UnknownRuleSetError
from goban.grids import BLACK, WHITE
from goban.gtp import colour_of, real_number_of, vertex_of, whole_number_of
from goban.moves import Resign, move_name
from goban.open_games import OpenGame
from goban.points import Point, vertex
from goban.rulesets import COLOUR_NAMES, Repetition, Scoring, published_rules
from goban.sgf import SgfGame, SgfMove, write_sgf
from players.gtp_engine.seats import Seats, TimeSystem
from players.gtp_engine.streams import Handler, Words, check_count

_KATA_KO = {Repetition.SIMPLE_KO: "SIMPLE", Repetition.POSITIONAL: "POSITIONAL", Repetition.SITUATIONAL: "SITUATIONAL"}
_SETUP_COLOURS = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE, "e": 0, "empty": 0}
# Type, label and command, as GoGui reads them; %c is a colour.
_OFFERED = (
    "dboard/Ownership/ownership %c",
    "plist/Dead Stones/final_status_list dead",
    "plist/Legal Moves/all_legal %c",
    "plist/Black's Territory/final_status_list black_territory",
    "plist/White's Territory/final_status_list white_territory",
    "string/Moves/move_history",
    "string/Final Score/final_score",
)


class ClientCommands:
    """Commands on one game and its players."""

    def __init__(self, game: OpenGame, seats: Seats) -> None:
        self._game = game
        self._seats = seats

    def table(self) -> dict[str, Handler]:
        """Return the commands by name."""
        found: dict[str, Handler] = {
            "kgs-rules": self._set_rules, "kata-set-rules": self._set_rules, "kata-get-rules": self._get_rules,
            "printsgf": self._printsgf, "move_history": self._move_history, "last_move": self._last_move,
            "list_stones": self._list_stones, "countlib": self._countlib, "is_legal": self._is_legal,
            "gogui-setup": self._setup, "gogui-setup_player": self._setup_player, "gogui-analyze_commands": self._offer,
            "stop": lambda _: "", "clear_cache": lambda _: "",
        }  # fmt: skip
        return found | ({"ownership": self._ownership} if find_spec("numba") is not None else {})

    # Rules

    def _set_rules(self, words: Words) -> str:
        """The komi stays. So do the moves, whether these rules allow them or not."""
        check_count(words, "the name of rules", 1, 100)
        text = " ".join(words)
        try:
            rules, _ = published_rules(_long_form(text) if text.startswith("{") else text)
        except UnknownRuleSetError as error:
            raise GtpError(str(error)) from None
        self._game.set_rules(rules)
        self._seats.begin(self._game.rules, self._game.size)
        return ""

    def _get_rules(self, words: Words) -> str:
        check_count(words, "nothing after kata-get-rules", 0)
        rules = self._game.rules
        said = {
            "name": rules.name, "ko": _KATA_KO[rules.repetition], "scoring": rules.scoring.name, "tax": "NONE",
            "suicide": rules.suicide, "hasButton": False, "whiteHandicapBonus": "0",
        }  # fmt: skip
        return json.dumps(said)

    # The game

    def _printsgf(self, words: Words) -> str:
        """Without a file the game is the answer, as in GNU Go."""
        text = write_sgf(_sgf_of(self._game, self._seats.name)).strip()
        if not words:
            return text
        path = Path(" ".join(words))
        try:
            check_kind_of_file(path, ".sgf")
            write_beside(path, f"{text}\n".encode())
        except OSError as error:
            raise GtpError(f"cannot write file: {error.strerror or error}") from None
        return ""

    def _move_history(self, words: Words) -> str:
        check_count(words, "nothing after move_history", 0)
        return "\n".join(self._name_move(*played) for played in reversed(self._game.moves))

    def _last_move(self, words: Words) -> str:
        check_count(words, "nothing after last_move", 0)
        if not self._game.moves:
            raise GtpError("no previous move known")
        return self._name_move(*self._game.moves[-1])

    def _name_move(self, colour: int, move: Point | Resign | None) -> str:
        return f"{COLOUR_NAMES[colour]} {move_name(move, self._game.size)}"

    # The position

    def _list_stones(self, words: Words) -> str:
        check_count(words, "a colour", 1)
        state = self._game.state
        return " ".join(vertex(point, self._game.size) for point in state.grid.points_of(state.stones(colour_of(words[0]))))

    def _countlib(self, words: Words) -> str:
        check_count(words, "a vertex", 1)
        state, point = self._game.state, vertex_of(words[0], self._game.size)
        if point is None or not state.stone_at(point):
            raise GtpError(f"expected a vertex with a stone, got {quoted(words[0])}")
        return str(state.group_at(point)[1].bit_count())

    def _is_legal(self, words: Words) -> str:
        check_count(words, "a colour and a vertex", 2)
        move = vertex_of(words[1], self._game.size)
        return "0" if self._game.why_illegal(colour_of(words[0]), move) else "1"

    def _ownership(self, words: Words) -> str:
        """What a colour owns of each point at the end of playouts, -1 to 1, row by row."""
        check_count(words, "a colour", 1)
        rules = self._game.rules
        if rules.scoring is not Scoring.AREA or not rules.passing:
            raise GtpError(f"expected rules that count area, playing {rules.name}")
        from goban.montecarlo.dead_stones import owners_of

        owners, size = owners_of(self._game.position(colour_of(words[0]))), self._game.size
        return "\n".join(" ".join(f"{share:.2f}" for share in owners[k : k + size]) for k in range(0, size * size, size))

    # Stones without a past

    def _setup(self, words: Words) -> str:
        if not words or len(words) % 2:
            raise GtpError(f"syntax error: expected colours with a vertex each, got {quoted(' '.join(words))}")
        rows = self._game.state.rows()
        for name, place in zip(words[::2], words[1::2], strict=True):
            colour, point = _SETUP_COLOURS.get(name.lower()), vertex_of(place, self._game.size)
            if colour is None or point is None:
                raise GtpError(f"syntax error: expected b, w or e and a vertex, got {quoted(f'{name} {place}')}")
            rows[point[0]][point[1]] = colour
        self._start_from(rows, self._game.state.to_move)
        return ""

    def _setup_player(self, words: Words) -> str:
        check_count(words, "a colour", 1)
        self._start_from(self._game.state.rows(), colour_of(words[0]))
        return ""

    def _start_from(self, rows: list[list[int]], to_move: int) -> None:
        self._game.set_start(rows, to_move)
        self._seats.begin(self._game.rules, self._game.size)

    def _offer(self, words: Words) -> str:
        check_count(words, "nothing after gogui-analyze_commands", 0)
        return "\n".join(line for line in _OFFERED if "ownership" not in line or find_spec("numba") is not None)


def _long_form(text: str) -> str:
    """Return KataGo's long form of rules that are sent as JSON; raises GtpError."""
    try:
        said = json.loads(text)
        # KataGo's own parser takes both names.
        scoring = said["score"] if "score" in said else said["scoring"]
        return f"ko{said['ko']}score{scoring}{'sui1' if said.get('suicide') is True else ''}"
    except (ValueError, TypeError, KeyError, RecursionError):
        raise GtpError(f"syntax error: expected rules with ko and scoring, got {quoted(text)}") from None


def _sgf_of(game: OpenGame, name: str) -> SgfGame:
    start = game.start
    stones = bool(start.black | start.white)
    rows = tuple(tuple(row) for row in start.rows()) if stones else None
    moves = tuple(SgfMove(colour, move) for colour, move in game.moves if not isinstance(move, Resign))
    first = start.to_move if stones or start.to_move != BLACK else None
    return SgfGame(game.size, game.komi, game.rules.name, name, name, moves=moves, setup=rows, to_move=first)


_SYSTEMS: dict[str, tuple[int, Callable[..., TimeSystem | None]]] = {
    "none": (0, lambda: None),
    "absolute": (1, TimeSystem),
    "byoyomi": (3, lambda main, period, periods: TimeSystem(main, period, int(periods), japanese=True)),
    "canadian": (3, lambda main, period, stones: TimeSystem(main, period, int(stones))),
    "fischer": (2, lambda main, increment: TimeSystem(main, increment=increment)),
    "fischer-capped": (
        4, lambda main, increment, most_main, most_move: TimeSystem(
            main, increment=increment, most_main=_cap(most_main), most_move=_cap(most_move)
        ),
    ),
}  # fmt: skip
"""Name -> how many numbers follow, and what they stand for."""
_LARGEST_LEVEL = 1_000_000


class SettingCommands:
    """Commands on the players."""

    def __init__(self, seats: Seats) -> None:
        self._seats = seats

    def table(self) -> dict[str, Handler]:
        """Return the commands by name."""
        return {
            "time_settings": self._time_settings, "time_left": self._time_left, "kgs-time_settings": self._read_settings,
            "kata-time_settings": self._read_settings, "kata-list_time_settings": self._list_systems,
            "level": self._level, "set_random_seed": self._set_random_seed, "get_random_seed": self._get_random_seed,
        }  # fmt: skip

    def _time_settings(self, words: Words) -> str:
        check_count(words, "main time, byo-yomi time and stones", 3)
        main, period, stones = _times(words)
        self._seats.clocks.set(TimeSystem(main, period, int(stones)))
        return ""

    def _read_settings(self, words: Words) -> str:
        check_count(words, "a system of time and its numbers", 1, 5)
        numbers, system = _SYSTEMS.get(words[0].lower(), (0, None))
        if system is None:
            raise GtpError(f"syntax error: expected one of {', '.join(_SYSTEMS)}, got {quoted(words[0])}")
        check_count(words[1:], f"{numbers} numbers", numbers)
        # Two limits may follow, which are none below zero.
        times = _times(words[1:4]) if numbers < 4 else [*_times(words[1:3]), *map(real_number_of, words[3:])]
        self._seats.clocks.set(system(*times))
        return ""

    def _list_systems(self, words: Words) -> str:
        check_count(words, "nothing after kata-list_time_settings", 0)
        return " ".join(_SYSTEMS)

    def _time_left(self, words: Words) -> str:
        check_count(words, "a colour, a time and stones", 3)
        # Less than nothing is left when a controller is lenient.
        self._seats.clocks.set_left(colour_of(words[0]), real_number_of(words[1]), whole_number_of(words[2]))
        return ""

    def _level(self, words: Words) -> str:
        check_count(words, "a level", 1)
        level = whole_number_of(words[0])
        if not 1 <= level <= _LARGEST_LEVEL:
            raise GtpError(f"syntax error: expected a level from 1 to {_LARGEST_LEVEL}, got {quoted(words[0])}")
        self._seats.set_level(level)
        return ""

    def _set_random_seed(self, words: Words) -> str:
        """From now on the players draw as in an engine that was started with this seed."""
        check_count(words, "a seed", 1)
        self._seats.seat(whole_number_of(words[0], 2**64 - 1))
        return ""

    def _get_random_seed(self, words: Words) -> str:
        check_count(words, "nothing after get_random_seed", 0)
        return str(self._seats.seed)


def _times(words: Words) -> list[float]:
    found = [real_number_of(word) for word in words]
    for word, time in zip(words, found, strict=True):
        if time < 0:
            raise GtpError(f"syntax error: expected a time of 0 or more, got {quoted(word)}")
    return found


def _cap(seconds: float) -> float:
    """Return a limit of `fischer-capped`, where 0 and less stand for none."""
    return seconds if seconds > 0 else float("inf")

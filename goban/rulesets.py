"""Rule sets as data: how games of Go may differ, the presets this project plays, breaches of a rule, and the end.

    name                      repetition      a board again   passing  score   komi   end besides passes
    course                    simple ko       -               no       stones  N/2    N*N - 1 moves, no legal placement
    littlego                  simple ko       -               yes      stones  N/2    N*N - 1 moves
    tromp-taylor-strict       positional      -               yes      area    7.5    2*N*N moves
    tromp-taylor-pgx          simple ko       mover loses     yes      area    7.5    2*N*N moves
    tromp-taylor-openspiel    situational     tie             yes      area    7.5    2*N*N moves
    tromp-taylor-pettingzoo   situational     -               yes      area    7.5    2*N*N moves
    tromp-taylor-suicide      positional      -               yes      area    7.5    2*N*N moves
    aga                       situational     -               yes      area    7.5    resignation
    alphago7                  simple ko       -               yes      area    7.5    -

`tromp-taylor` alone means `tromp-taylor-strict`. Suicide is legal only in `tromp-taylor-suicide`, as in the rules of Tromp and
Taylor: a group that its own placement leaves without a liberty is removed. Black moves first. Sources: the course's assignments
(CSCI-561, 2019 and 2020), https://tromp.github.io/go.html with the compromises that the programs Pgx, OpenSpiel and PettingZoo
publish, and *Deep Learning and the Game of Go*, chapter 3.

A `Breach` says why a move that can be read may not be played. How a game ended (`Ending`) is
kept apart from who won (`Outcome`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import isfinite
from numbers import Real

from goban.common.arguments import is_whole
from goban.common.excerpts import quoted
from goban.errors import BadArgumentError, BadBoardError, UnknownRuleSetError
from goban.grids import BLACK, MAX_SIZE, MIN_SIZE, WHITE

_OPPONENTS = {BLACK: WHITE, WHITE: BLACK}
COLOUR_NAMES = {BLACK: "black", WHITE: "white"}


def _is_finite(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and isfinite(value)


class Repetition(StrEnum):
    """Which placements are illegal because they bring back a board."""

    SIMPLE_KO = "simple ko"
    """The board before the opponent's last move."""
    POSITIONAL = "positional superko"
    """Any earlier board of the game."""
    SITUATIONAL = "situational superko"
    """Any earlier board with the same player to move."""


class OnRepeat(StrEnum):
    """What happens when a legal placement recreates an earlier board."""

    NOTHING = "nothing"
    MOVER_LOSES = "mover loses"
    TIE = "tie"


class Scoring(StrEnum):
    """How points are counted."""

    STONES = "stones"
    """Own stones on the board."""
    AREA = "area"
    """Own stones, and empty regions that touch no other colour."""


@dataclass(frozen=True)
class RuleSet:
    """One way to play Go. All numbers that depend on the board size are methods."""

    name: str
    default_size: int = 9
    passing: bool = True
    resigning: bool = False
    unchanged_board_ends: bool = False
    """A pass ends the game when the board is what it was before the previous move, even if that was no pass:
    so it does on the very first move. (Otherwise a pass ends the game when the previous move was a pass.)"""
    repetition: Repetition = Repetition.SIMPLE_KO
    on_repeat: OnRepeat = OnRepeat.NOTHING
    suicide: bool = False
    """A placement may leave its own group without a liberty; the group is then removed. Requires a superko."""
    scoring: Scoring = Scoring.AREA
    fixed_komi: float | None = 7.5
    """Points added to White's score; None means half the board's size."""
    tie_winner: int = 0
    """Who wins if the points are equal: nobody, or White (2)."""
    limit_per_point: int = 0
    limit_offset: int = 0
    asked_again: int = 0
    """How many times in one turn a program may answer again after an invalid or illegal answer before it forfeits."""
    needs_history: bool = field(init=False, repr=False, compare=False)
    """True if the whole game so far matters, not just the last two boards."""
    is_endless: bool = field(init=False, repr=False, compare=False)
    """True if only what somebody plays ends the game: a pass may always be played, and nobody counts moves."""

    def __post_init__(self) -> None:
        """Raise GobanError for fields of wrong kinds, and for suicide under simple ko: a stone could kill itself for ever."""
        self._check_kinds()
        if self.suicide and self.repetition is Repetition.SIMPLE_KO:
            raise BadArgumentError(f"{self.name}: expected a superko where suicide is allowed, got {self.repetition.value}")
        # Plain attributes, since every new State asks for them.
        history = self.repetition is not Repetition.SIMPLE_KO or self.on_repeat is not OnRepeat.NOTHING
        object.__setattr__(self, "needs_history", history)
        object.__setattr__(self, "is_endless", self.passing and not self.limit_per_point)

    def _check_kinds(self) -> None:
        """Raise BadArgumentError: other text than that of an enumeration would count as none of it."""
        for name in ("passing", "resigning", "unchanged_board_ends", "suicide"):
            self._expect(name, isinstance(getattr(self, name), bool), "True or False")
        for name, kind in (("repetition", Repetition), ("on_repeat", OnRepeat), ("scoring", Scoring), ("name", str)):
            self._expect(name, isinstance(getattr(self, name), kind), f"a {kind.__name__}" if kind is not str else "a text")
        for name, low in (("limit_per_point", 0), ("limit_offset", -(10**9)), ("asked_again", 0)):
            self._expect(name, is_whole(getattr(self, name), low, 10**9), f"a whole number of {low} or more")
        self._expect("default_size", is_whole(self.default_size, MIN_SIZE, MAX_SIZE), f"{MIN_SIZE} to {MAX_SIZE}")
        self._expect("tie_winner", is_whole(self.tie_winner, 0, WHITE), "0, 1 or 2")
        self._expect("fixed_komi", self.fixed_komi is None or _is_finite(self.fixed_komi), "a number or None")

    def _expect(self, name: str, is_right: bool, what: str) -> None:
        if not is_right:
            raise BadArgumentError(f"RuleSet: expected {what} as `{name}`, got {quoted(getattr(self, name))}")

    def komi(self, size: int) -> float:
        """Return the points added to White's score on a board of this size."""
        return size / 2 if self.fixed_komi is None else self.fixed_komi

    def max_move(self, size: int) -> int | None:
        """Return the number of moves, passes included, after which the game ends; None if it may go on for ever."""
        return self.limit_per_point * size * size + self.limit_offset if self.limit_per_point else None


COURSE = RuleSet(
    "course",
    default_size=5,
    passing=False,
    scoring=Scoring.STONES,
    fixed_komi=None,
    limit_per_point=1,
    limit_offset=-1,
    asked_again=10,
)
LITTLEGO = RuleSet(
    "littlego",
    default_size=5,
    unchanged_board_ends=True,
    scoring=Scoring.STONES,
    fixed_komi=None,
    limit_per_point=1,
    limit_offset=-1,
)
TROMP_TAYLOR = RuleSet("tromp-taylor-strict", repetition=Repetition.POSITIONAL, limit_per_point=2)
TROMP_TAYLOR_PGX = RuleSet("tromp-taylor-pgx", on_repeat=OnRepeat.MOVER_LOSES, limit_per_point=2, tie_winner=2)
TROMP_TAYLOR_OPENSPIEL = RuleSet(
    "tromp-taylor-openspiel", repetition=Repetition.SITUATIONAL, on_repeat=OnRepeat.TIE, limit_per_point=2
)
TROMP_TAYLOR_PETTINGZOO = RuleSet("tromp-taylor-pettingzoo", repetition=Repetition.SITUATIONAL, limit_per_point=2)
TROMP_TAYLOR_SUICIDE = replace(TROMP_TAYLOR, name="tromp-taylor-suicide", suicide=True)
AGA = RuleSet("aga", resigning=True, repetition=Repetition.SITUATIONAL)
ALPHAGO7 = RuleSet("alphago7", default_size=7)

PRESETS: dict[str, RuleSet] = {
    rules.name: rules
    for rules in (
        COURSE,
        LITTLEGO,
        TROMP_TAYLOR,
        TROMP_TAYLOR_PGX,
        TROMP_TAYLOR_OPENSPIEL,
        TROMP_TAYLOR_PETTINGZOO,
        TROMP_TAYLOR_SUICIDE,
        AGA,
        ALPHAGO7,
    )
}


def full_name(name: str) -> str:
    """Return a preset's name in full, any other text as it is.

    >>> full_name("tromp-taylor"), full_name("aga")
    ('tromp-taylor-strict', 'aga')
    """
    return TROMP_TAYLOR.name if name == "tromp-taylor" else name


def ruleset(name: RuleSet | str) -> RuleSet:
    """Return a preset by name, rules of one's own as they are; `tromp-taylor` is short for `tromp-taylor-strict`.

    Raises UnknownRuleSetError, which lists the choices.
    """
    if isinstance(name, RuleSet):
        return name
    rules = PRESETS.get(full_name(name)) if isinstance(name, str) else None
    if rules is None:
        raise UnknownRuleSetError(f"expected one of {', '.join(PRESETS)} as rules, got {quoted(name)}")
    return rules


def with_komi(rules: RuleSet, size: int, komi: float | None) -> RuleSet:
    """Return the rules with another komi on boards of this size; the rules themselves if the komi is theirs or None.

    Raises BadBoardError for a komi that is no number.
    """
    if komi is None or komi == rules.komi(size):
        return rules
    if not _is_finite(komi):
        raise BadBoardError(f"expected a komi, such as 7.5, got {quoted(komi)}")
    return replace(rules, fixed_komi=float(komi))


_SUPERKO = "repetitions forbidden by situational superko"
# Names that other programs have, small letters only -> what they are played as here, and how that differs.
_ELSEWHERE: dict[str, tuple[RuleSet, str]] = {
    "tromptaylor": (TROMP_TAYLOR, ""),
    **dict.fromkeys(("aga", "bga", "french", "american"), (AGA, "")),
    **dict.fromkeys(("chinese", "oldchinese", "chineseogs", "chinesekgs", "cn", "中国", "中國"), (AGA, _SUPERKO)),
    **dict.fromkeys(
        ("japanese", "jp", "日本", "korean", "kr", "한국", "韩国", "韓国", "韓國"), (AGA, f"area counted, {_SUPERKO}")
    ),
    **dict.fromkeys(("nz", "newzealand"), (TROMP_TAYLOR_SUICIDE, "repetitions forbidden by positional superko")),
    **dict.fromkeys(("ing", "goe", "inggoe"), (AGA, _SUPERKO)),
}
# What some put after such a name.
_RULES = "(rules?|规则|規則|ルール|룰|규칙)$"
_KATAGO_KO = {"SIMPLE": ALPHAGO7, "POSITIONAL": TROMP_TAYLOR, "SITUATIONAL": AGA}


def published_rules(name: str) -> tuple[RuleSet, str]:
    """Return the preset for another program's name for rules, as in SGF's RU or `kgs-rules`, and how it differs; '' if not.

    Our own names are accepted too, in any spelling, and KataGo's long form (`koPOSITIONALscoreAREA...`).
    Raises UnknownRuleSetError.
    """
    letters = re.sub(_RULES, "", "".join(char for char in name.lower() if char.isalnum()))
    for preset in (*PRESETS, "tromp-taylor"):
        if letters == preset.replace("-", ""):
            return ruleset(preset), ""
    long = re.match("ko(SIMPLE|POSITIONAL|SITUATIONAL)score(AREA|TERRITORY)(.*sui1)?", name.strip(), re.IGNORECASE)
    if long is not None:
        rules, differs = _KATAGO_KO[long[1].upper()], [] if long[2].upper() == "AREA" else ["area counted"]
        if long[3] and rules is TROMP_TAYLOR:
            rules = TROMP_TAYLOR_SUICIDE
        elif long[3]:
            differs.append("suicide forbidden")
        return rules, ", ".join(differs)
    if letters not in _ELSEWHERE:
        choices = ", ".join((*PRESETS, "Chinese", "Japanese", "Korean", "AGA", "New Zealand", "Ing"))
        raise UnknownRuleSetError(f"expected one of {choices} as rules, got {quoted(name)}")
    return _ELSEWHERE[letters]


def move_seconds(rules: RuleSet) -> float:
    """Return the default time limit for an answer in seconds, as in the course's rules."""
    return 10.0 if rules.name == LITTLEGO.name else 5.0


@dataclass(frozen=True)
class Breach:
    """The rule a move breaks. `repeats` is the number of moves after which the repeated board first stood."""

    rule: str
    repeats: int | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.rule, str) or not (self.repeats is None or is_whole(self.repeats, 0, 10**9)):
            raise BadArgumentError(f"Breach: expected a rule and a number of moves, got {quoted((self.rule, self.repeats))}")

    def __str__(self) -> str:
        if self.repeats is None:
            return self.rule
        where = f"after move {self.repeats}" if self.repeats else "at the start"
        return f"{self.rule}, the board would be again what it was {where}"


OCCUPIED = Breach("the point is occupied")
SUICIDE = Breach("suicide, the stone would have no liberty")
NO_PASSING = Breach("these rules know no passing")
NO_RESIGNING = Breach("these rules know no resigning")
GAME_OVER = Breach("the game is over")


def opponent(colour: int) -> int:
    """Return 2 for 1 and 1 for 2; raises BadArgumentError for anything else."""
    try:
        return _OPPONENTS[colour]
    except (KeyError, TypeError):
        raise BadArgumentError(f"expected a colour, {BLACK} for Black or {WHITE} for White, got {quoted(colour)}") from None


def result_text(winner: int, margin: float | None, *, resigned: bool = False) -> str:
    """Return a result in the notation of SGF and GTP: 'B+2.5', 'W+R', 'W+F' (forfeit or repetition), '0' (tie).

    winner: 1, 2 or 0. margin: the difference of the points, of either sign; None if the board did not decide.
    """
    if not winner:
        return "0"
    letter = "B" if winner == BLACK else "W"
    if margin is None:
        return f"{letter}+{'R' if resigned else 'F'}"
    return f"{letter}+{abs(margin):g}"


class Ending(StrEnum):
    """Why a game is over. The endings in the last group are forfeits, through a fault of a player's program."""

    MOVE_LIMIT = "move limit"
    NO_PLACEMENT = "no legal placement"
    TWO_PASSES = "two passes"

    RESIGNATION = "resignation"
    REPETITION = "repetition"

    # Nobody won: a person left the game.
    LEFT = "left unfinished"

    ILLEGAL_MOVE = "illegal move"
    INVALID_ANSWER = "invalid answer"
    CRASH = "crash"

    @property
    def is_forfeit(self) -> bool:
        """True if a player lost through a fault, not by the rules."""
        return self in (Ending.ILLEGAL_MOVE, Ending.INVALID_ANSWER, Ending.CRASH)


@dataclass(frozen=True)
class Outcome:
    """The result of a finished game.

    winner: 1 Black, 2 White, 0 a tie. black, white: points on the final board, White's including komi; they decide the
    winner only if `ending` says that the board was counted. detail: for a forfeit, one line that says what happened.
    """

    winner: int
    black: float
    white: float
    ending: Ending
    detail: str = ""

    def __post_init__(self) -> None:
        numbers = isinstance(self.black, Real) and isinstance(self.white, Real)
        words = isinstance(self.ending, Ending) and isinstance(self.detail, str)
        if not (is_whole(self.winner, 0, WHITE) and numbers and words):
            fields = self.winner, self.black, self.white, self.ending, self.detail
            raise BadArgumentError(f"Outcome: expected 0, 1 or 2, points, an Ending and a text, got {quoted(fields)}")

    @property
    def counted(self) -> bool:
        """True if the points decided the game."""
        return self.ending in (Ending.MOVE_LIMIT, Ending.NO_PLACEMENT, Ending.TWO_PASSES)

    def result(self) -> str:
        """Return the result in the notation of SGF and GTP; see `result_text`. An abandoned game is 'Void', as in SGF."""
        if self.ending is Ending.LEFT:
            return "Void"
        margin = self.black - self.white if self.counted else None
        return result_text(self.winner, margin, resigned=self.ending is Ending.RESIGNATION)

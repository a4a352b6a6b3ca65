"""The records: what is to be played, by whom, and what came of it. Pure values, which everything else is made of.

    Tier      how strong a sandbox is
    Entrant   who plays: a submission taken in, a reference player, or an engine
    Engine    how an engine is started and what it may use
    GameSpec  one game, identified before it is played
    Turn      one move of it, with the time it took
    Spent     what an answer takes, and what of it is the player's own doing
    Termination  how it ended: by the rules, by a forfeit, or not at all
    GameResult   what came of it: what the store keeps
    GameRow   the part of a result from which standings, grades and ratings are computed, small enough for 200,000 of them

A player is charged for the time in which it ran or slept of its own will. Other programs on the machine may keep it from
running; the time in which it wanted a core and had none costs it nothing. So a verdict by the clock is the same on a busy
machine and on an idle one.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from pathlib import Path

from goban.common.arguments import check_fields, is_whole
from goban.common.excerpts import quoted
from gojudge.errors import JudgeError
from gojudge.game import Ending, result_text

_GRACE_SHARE, _GRACE_SECONDS = 0.2, 0.5


@dataclass(frozen=True)
class Spent:
    """The seconds that an answer took.

    wall: from the question to the answer, by our clock. cpu: in which the player's processes ran, added up over all of them.
    slept: in which none of them ran or wanted to. waited: in which they wanted a core and had none. What is then left of `wall`
    is our own side's: it was late to notice.
    """

    wall: float = 0.0
    cpu: float = 0.0
    slept: float = 0.0
    waited: float = 0.0

    @property
    def charge(self) -> float:
        """The seconds that count against a limit."""
        return self.cpu + self.slept

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            self.wall + other.wall, self.cpu + other.cpu, self.slept + other.slept, self.waited + other.waited
        )


NOTHING = Spent()


def charge_seconds(move_seconds: float) -> float:
    """Return how many seconds one start of a program may be charged, where its CPU time may be `move_seconds`."""
    return move_seconds * (1 + _GRACE_SHARE) + _GRACE_SECONDS


class Termination(StrEnum):
    """Why a game is over. The values are what stores, exports and reports show."""

    # By the rules: the board was counted, a player resigned, or a rule of this rule set decided.
    SCORE = "score"
    RESIGNATION = "resignation"
    REPETITION = "repetition"

    # A player forfeited.
    ILLEGAL_MOVE = "illegal move"
    INVALID_ANSWER = "invalid answer"
    TIME_OUT = "time-out"
    CRASH = "crash"
    OUT_OF_MEMORY = "out of memory"
    START_UP_FAILURE = "start-up failure"

    # Our fault: no player is charged, and the game is played again under the same id.
    VOID = "void"

    @property
    def is_forfeit(self) -> bool:
        """True if a player lost by a fault of its own."""
        return self in _FORFEITS

    @staticmethod
    def of(ending: Ending) -> Termination:
        """Return the termination for an ending of `goban.rulesets`."""
        return _OF_ENDING.get(ending, Termination.SCORE)


_FORFEITS = frozenset(
    {
        Termination.ILLEGAL_MOVE,
        Termination.INVALID_ANSWER,
        Termination.TIME_OUT,
        Termination.CRASH,
        Termination.OUT_OF_MEMORY,
        Termination.START_UP_FAILURE,
    }
)

_OF_ENDING = {
    Ending.RESIGNATION: Termination.RESIGNATION,
    Ending.REPETITION: Termination.REPETITION,
    Ending.ILLEGAL_MOVE: Termination.ILLEGAL_MOVE,
    Ending.INVALID_ANSWER: Termination.INVALID_ANSWER,
    Ending.CRASH: Termination.CRASH,
}


@dataclass(frozen=True)
class Fault:
    """What a player's program did wrong, as a seat reports it.

    termination: one of the forfeits. detail: one printable line, e.g. "no answer within 1 s" or
    "ZeroDivisionError: division by zero (my_player.py, line 12)". evidence: the last lines of the program's own
    traceback, printable, at most 4,000 characters, '' if there is none.
    """

    termination: Termination
    detail: str
    evidence: str = ""


class PlayerFaultError(Exception):
    """A seat's player forfeits. This is a verdict on its way to the referee, and never shown as an error.

    spent: what the answer had taken that never came, or that broke a limit.
    """

    def __init__(self, fault: Fault, spent: Spent = NOTHING) -> None:
        super().__init__(fault.detail)
        self.fault = fault
        self.spent = spent


CLASS = "class"
PROGRAM = "program"
"""The two kinds of submission: a class with `get_input`, and a program that reads input.txt and writes output.txt."""
ENGINE = "engine"
"""The kind of an entrant that speaks GTP, the Go Text Protocol."""


GAME, MATCH = "game", "match"
"""How long one process of an engine plays: one game, or those of a pairing one after the other."""

Fields = tuple[tuple[str, str], ...]
"""What a roster says of somebody besides names, as (column, text) in the roster's order: an id, an e-mail, a section."""


class Tier(StrEnum):
    """How strong a sandbox is, weakest first; see `gojudge.sandbox.tiers`.

    Tiers compare like their texts: `Tier.T1 < Tier.T2`, and the stored text 'T3' equals `Tier.T3`.
    """

    T0 = "T0"
    T1 = "T1"
    T2 = "T2"
    T3 = "T3"


def tier_of(name: str) -> Tier:
    """Return the tier of this name; raises JudgeError."""
    try:
        return Tier(name)
    except ValueError:
        raise JudgeError(f"expected one of {', '.join(Tier)} as `tier`, got {quoted(name)}") from None


@dataclass(frozen=True)
class Engine:
    """A program that speaks GTP, as the person who runs the event has named it.

    command: the words of its command line; in them {seed}, {size} and {komi} stand for those of a game. startup: GTP commands
    for the beginning of each game. restart: GAME or MATCH, how long one process of it plays. clock: whether it is told of
    its time for a move. folder: where it runs. limits: the names and values in which its limits differ from the event's.
    """

    command: tuple[str, ...]
    startup: tuple[str, ...] = ()
    restart: str = GAME
    clock: bool = True
    folder: Path = Path()
    limits: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class Entrant:
    """A participant of an event: a submission taken in, a reference player, or an engine.

    name: unique in the event, 1 to 60 letters, digits, '.', '_', '-'; part of game ids. students: the people, for
    reports. reference: the name of a player in `players.registry`, '' for others. folder: the submission's files as
    they were taken in (regular files only; never run from there). entry: the file in it to load. class_name: the class
    in that file. digest: hexadecimal digest of the submission's contents, or of how the engine is started; for a reference
    player, its name. kind: CLASS, PROGRAM or ENGINE. fields: other columns of the roster; they affect no game. engine: only
    for that kind; None where it is not to be shown.
    """

    name: str
    students: tuple[str, ...] = ()
    reference: str = ""
    folder: Path = Path()
    entry: str = "my_player.py"
    class_name: str = "MyPlayer"
    digest: str = ""
    kind: str = CLASS
    fields: Fields = ()
    engine: Engine | None = None

    def __post_init__(self) -> None:
        check_fields(self, JudgeError)
        if self.kind not in (CLASS, PROGRAM, ENGINE):
            raise JudgeError(f"Entrant: expected one of {CLASS}, {PROGRAM}, {ENGINE} as `kind`, got {quoted(self.kind)}")

    @property
    def is_submission(self) -> bool:
        """True if somebody handed it in."""
        return not self.reference and self.kind != ENGINE


_FIRST = ("command", "startup", "restart", "clock", "folder", "limits")
"""Of an engine's fields those that its digest has had from the beginning; later ones only count where they are set."""


def engine_entrant(name: str, engine: Engine) -> Entrant:
    """Return an engine as an entrant of this name.

    Its digest tells how it is started, so that games played otherwise are noticed. It does not depend on its folder, and not on
    what lies there.
    """
    return Entrant(name, digest=_digest(engine), kind=ENGINE, engine=engine)


def _digest(engine: Engine) -> str:
    usual = {one.name: one.default for one in fields(engine)}
    about = {key: value for key, value in asdict(engine).items() if key in _FIRST or value != usual[key]}
    del about["folder"]
    return hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class GameSpec:
    """A game to be played. id: like 'alice-bob-003', unique in the event. black, white: names of entrants.

    seeds: of Black's and White's random choices, each 0 .. 2**128 - 1; neither can be derived from the other. They are left
    out of the `repr`, so that no message shows them by accident.
    """

    id: str
    black: str
    white: str
    seeds: tuple[int, int] = field(repr=False)

    def __post_init__(self) -> None:
        check_fields(self, JudgeError)
        if len(self.seeds) != 2 or not all(is_whole(seed, 0, 2**128 - 1) for seed in self.seeds):
            raise JudgeError("GameSpec: expected two whole numbers from 0 to 2**128 - 1 as `seeds`")

    def opponent_of(self, name: str) -> str:
        """Return the opponent of one of the two."""
        return self.white if self.black == name else self.black


@dataclass(frozen=True)
class Turn:
    """A move as it was played: 'C3', 'pass' or 'resign'; and what all answers took that it needed."""

    move: str
    spent: Spent


@dataclass(frozen=True)
class GameResult:
    """The result of a game.

    winner: 1 Black, 2 White, 0 tie. None for a void game, which is not stored but replayed.
    black_score, white_score: stones (or area) on the final board, White's komi included.
    forfeited_by: 1 or 2 if the termination is a forfeit, else 0.
    detail: for a forfeit one printable line: who, at which move, what was answered, which rule or limit was broken.
    evidence: for a forfeit the last lines of the player's own traceback. black_log, white_log: beginning and end of what the
    players printed. tier: the weaker of the two seats' sandboxes, a Tier, or '' if both are reference players.
    replays: number of earlier attempts that did not count because they were void or the harness was late. notes: the reason for
    each. turns: the moves played, without the answer that forfeited. last: that answer ('' if none came) and its time, if any.
    worker: the address of the cluster worker that played it, '' for this machine; ignored in comparisons.
    """

    spec: GameSpec
    winner: int | None
    black_score: float
    white_score: float
    termination: Termination
    forfeited_by: int = 0
    detail: str = ""
    evidence: str = ""
    turns: tuple[Turn, ...] = ()
    last: Turn | None = None
    black_log: str = ""
    white_log: str = ""
    tier: str = ""
    replays: int = 0
    notes: tuple[str, ...] = ()
    worker: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        check_fields(self, JudgeError)
        if self.winner not in (None, 0, 1, 2) or self.forfeited_by not in (0, 1, 2):
            raise JudgeError(f"GameResult: expected 0, 1 or 2 as players, got {self.winner!r} and {self.forfeited_by!r}")

    @property
    def text(self) -> str:
        """The result as SGF writes it: 'B+2.5', 'W+R', 'W+F', '0'; 'Void' for a void game."""
        if self.winner is None:
            return "Void"
        margin = self.black_score - self.white_score if self.termination is Termination.SCORE else None
        return result_text(self.winner, margin, resigned=self.termination is Termination.RESIGNATION)

    @property
    def forfeiter(self) -> str:
        """The name of the player who forfeited, '' if nobody did."""
        return ("", self.spec.black, self.spec.white)[self.forfeited_by]

    def answers_of(self, colour: int) -> list[Turn]:
        """Return a player's answers with their times: its moves, and last the answer with which it forfeited, if any."""
        own = list(self.turns[colour - 1 :: 2])
        if self.last is not None and len(self.turns) % 2 == colour - 1:
            own.append(self.last)
        return own


@dataclass(frozen=True, slots=True)
class GameRow:
    """The few columns of a finished game that standings, grades and ratings need; never of a void or superseded one.

    black_moves, white_moves: how many answers that player gave. black_seconds, white_seconds: what it was charged for all of
    them (see `gojudge.records`). black_worst, white_worst: for the longest.
    """

    id: str
    black: str
    white: str
    winner: int
    termination: Termination
    forfeited_by: int = 0
    black_moves: int = 0
    white_moves: int = 0
    black_seconds: float = 0.0
    white_seconds: float = 0.0
    black_worst: float = 0.0
    white_worst: float = 0.0


def seed_of(*parts: object) -> int:
    """Return a number from 0 to 2**63 - 1 that depends on all parts: the first 63 bits of the SHA-256 of their text.

    It is as secret as the parts are.
    """
    text = "\x1f".join(str(part) for part in parts)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


LOADING_SEED = seed_of("import")
"""With which a submission is loaded: the same in every event, since what is loaded once plays many games."""


def open_seeds(*parts: object) -> tuple[int, int]:
    """Return seeds for Black and White in a game that need not be secret: a trial, a test, a measurement."""
    game = seed_of(*parts)
    return seed_of(game, 1), seed_of(game, 2)

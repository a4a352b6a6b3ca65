"""Games in few bytes, sorted into files that a page loads on demand.

A game is a list as `goban.board.views` explains it. The games of a pair stand together, pairs in the order of the players, and
a page is told with which pair each file begins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from goban.board.page import script_json
from goban.common.answer_lines import passages_by_move
from gojudge.records import GameResult
from gojudge.sandbox.transcripts import split
from tournament.pages.editions import game_number
from tournament.pages.losses import LosingMove
from tournament.pages.truths import Truth
from tournament.pages.words import TimeOut, ending, excerpt, turning_point

CHUNK_CHARACTERS = 200_000
"""Characters in a file of games: a small event has few files, and a big one has none that is slow to load."""
_LOG_CHARACTERS = 6_000
_EVIDENCE_CHARACTERS = 4_000
_UNKNOWN = -1


@dataclass
class Album:
    """Games as text, by pair. places: name -> place in the list of players."""

    places: Mapping[str, int]
    pairs: dict[tuple[int, int], list[tuple[int, str]]] = field(default_factory=dict)
    games: int = 0

    def add(
        self, result: GameResult, truth: Truth | None, timed_out: TimeOut | None = None, loss: LosingMove | None = None
    ) -> None:
        """Keep a game. timed_out: what is known of the answer that ended it; loss: of the move that lost it."""
        spec = result.spec
        one, other = sorted((self.places[spec.black], self.places[spec.white]))
        number = int(game_number(spec.id))
        text = script_json(record(result, number, self.places, truth, timed_out, loss))
        self.pairs.setdefault((one, other), []).append((number, text))
        self.games += 1

    def chunks(self) -> Iterator[tuple[tuple[int, int], str]]:
        """Yield each file's first pair, and its games as a JSON list. The games of one pair may fill several files."""
        first: tuple[int, int] | None = None
        texts: list[str] = []
        length = 0
        for pair in sorted(self.pairs):
            for _, text in sorted(self.pairs[pair]):
                if first is None:
                    first = pair
                texts.append(text)
                length += len(text)
                if length > CHUNK_CHARACTERS:
                    yield first, f"[{','.join(texts)}]"
                    first, texts, length = None, [], 0
        if first is not None:
            yield first, f"[{','.join(texts)}]"


def record(
    result: GameResult, number: int, places: Mapping[str, int], truth: Truth | None, timed_out: TimeOut | None = None,
    loss: LosingMove | None = None,
) -> list[object]:  # fmt: skip
    """Return a game as the list described above."""
    spec = result.spec
    return [
        number,
        places[spec.black],
        places[spec.white],
        result.winner,
        result.text,
        ending(result),
        " ".join(turn.move for turn in result.turns),
        [round(1000 * turn.spent.charge) for turn in result.turns],
        [result.black_score, result.white_score],
        turning_point(truth, result),
        _truth(truth),
        _logs(result, loss),
        *([_slow(timed_out)] if timed_out is not None else []),
    ]


def _slow(found: TimeOut) -> list[object]:
    """Return a time-out as `replay.js` shows it: a sentence, [[move, milliseconds], ...] of the others, command lines."""
    return [found.words, [[ply, round(1000 * seconds)] for ply, seconds in found.others], list(found.asks), found.replays]


def _truth(truth: Truth | None) -> object:
    if truth is None or all(winner is None for winner in truth.winners):
        return 0
    winners = [_UNKNOWN if winner is None else winner for winner in truth.winners]
    best, winning = ({str(ply): moves for ply, moves in known.items()} for known in (truth.best, truth.winning))
    return [winners, list(truth.margins), best, winning]


def _logs(result: GameResult, loss: LosingMove | None) -> Sequence[object] | int:
    logs = [_by_move(result.black_log), _by_move(result.white_log), excerpt(result.evidence, _EVIDENCE_CHARACTERS)]
    lines = [] if loss is None else passages_by_move({loss.move: loss.passages}, {loss.move: loss.why})
    return [*logs, *([lines] if lines else [])] if any(logs) or lines else 0


def _by_move(log: str) -> dict[str, str] | int:
    """Return move -> what was printed then. A long log keeps only the head and the tail of each text. 0 for no log."""
    texts = split(log)
    most = _fair_share([len(text) for text in texts.values()], _LOG_CHARACTERS)
    return {str(ply): excerpt(text, most) for ply, text in texts.items()} or 0


def _fair_share(lengths: Sequence[int], room: int) -> int:
    """Return the longest that each text may be so that all fit. Room that short texts do not need goes to the long ones."""
    for k, length in enumerate(sorted(lengths)):
        share = room // (len(lengths) - k)
        if length > share:
            return share
        room -= length
    return max(lengths, default=0)

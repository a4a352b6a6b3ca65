"""Rows of games for tests."""

from gojudge.records import GameRow, Termination


def row(black, white, winner, number=1, **fields):
    """A game; winner is 'B', 'W' or '='."""
    fields = {"termination": Termination.SCORE} | fields
    return GameRow(f"{black}-{white}-{number:03}", black, white, {"B": 1, "W": 2, "=": 0}[winner], **fields)


def match(one, other, results):
    """Games of a pair with alternating colours; `one` is Black first. Each result is '1' (`one` wins), '2' or '='."""
    rows = []
    for number, result in enumerate(results, 1):
        black, white = (one, other) if number % 2 else (other, one)
        winner = "=" if result == "=" else "B" if (result == "1") == (black == one) else "W"
        rows.append(row(black, white, winner, number))
    return rows


def wins(player, opponent, won, games):
    """`games` games of a player, of which they win `won`, half of those as Black."""
    return match(player, opponent, "1" * won + "2" * (games - won))

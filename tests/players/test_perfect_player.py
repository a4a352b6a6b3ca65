"""perfect: no won game is ever lost, whoever sits opposite."""

import random
from dataclasses import replace

import pytest

from go import GO
from goban.rulesets import ruleset
from players.registry import make_player

OPPONENTS = ["random", "greedy", "aggressive", "smart", "alphabeta", "my"]


class Mixed:
    """Plays perfect moves and random ones."""

    type = "mixed"

    def __init__(self, rng):
        self.rng = rng
        self.players = [make_player(name, rng) for name in ("perfect", "random")]

    def get_input(self, go, piece_type):
        return self.rng.choice(self.players).get_input(go, piece_type)


def opponents(rng):
    return [*(make_player(name, rng) for name in OPPONENTS), Mixed(rng)]


def games_won(rules, number, rng):
    """As Black, who wins the empty board, against everybody in turn."""
    others = opponents(rng)
    perfect = make_player("perfect", rng)
    for k in range(number):
        yield GO(5, ruleset(rules)).play(perfect, others[k % len(others)]) == 1


@pytest.mark.parametrize("rules", ["course", "littlego"])
def test_a_won_game_is_won(rules):
    assert all(games_won(rules, 21, random.Random(rules)))


def test_a_won_game_is_won_where_area_counts():
    """By half a point, which Black can have on 3x3 by the centre alone, and on 4x4 nobody surely from the start."""
    rules, rng = replace(ruleset("aga"), fixed_komi=8.5), random.Random(3)
    perfect, others = make_player("perfect", rng), opponents(rng)
    assert all(GO(3, rules).play(perfect, other) == 1 for other in others)


def test_what_it_cannot_find_out_in_time_is_left_to_playouts():
    """On 5x5 before the first move, which nobody here has solved."""
    perfect = make_player("perfect", random.Random(1))
    assert perfect.get_input(GO(5, ruleset("aga")), 1) == (2, 2)


def test_the_same_seed_plays_the_same_game():
    records = []
    for _ in range(2):
        rng = random.Random(5)
        perfect, other = make_player("perfect", rng), make_player("random", rng)
        go = GO(5)
        for _ in range(3):
            go.play(other, perfect)
        records.append(go.record.moves)
    assert records[0] == records[1]


def test_games_it_cannot_solve_are_refused():
    go = GO(7)
    go.play(make_player("perfect", random.Random(1)), make_player("random", random.Random(1)))
    assert go.record.outcome.ending.value == "crash"
    assert "board size from 2 to 5, got 7" in go.record.outcome.detail

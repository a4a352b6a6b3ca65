"""Positions are drawn by a seed: the same ones again, and each as its set wants it."""

import random
from collections import Counter

import pytest

from goban.ideas import SAMPLE
from goban.rulesets import COURSE, LITTLEGO
from goban.states import new_game
from tournament.probing import making
from tournament.probing.__main__ import main
from tournament.probing.making import ProbeDrawing, drawn_game
from tournament.probing.positions import SIZE, read_shipped


def drawn_again(group, games, most=10):
    """What the first games of the shipped file's seed give for one set."""
    told = []
    drawing = ProbeDrawing("course", told.append)
    drawing.left = Counter({group: most})
    for number in range(games):
        name = f"1 course {number}"
        drawing.look_through(drawn_game("course", name), random.Random(f"{name} order"))
    assert told == drawing.positions
    return drawing.positions


def test_the_same_games_give_what_is_shipped():
    again = drawn_again("count", games=8)
    assert len(again) > 1
    assert again == [position for position in read_shipped(COURSE, SIZE) if position.group == "count"][: len(again)]


def test_a_game_gives_a_set_one_position_at_most_and_no_more_than_it_takes():
    again = drawn_again("count", games=8, most=2)
    assert len(again) == 2
    assert again[0].moves[:6] != again[1].moves[:6]


def test_a_sample_takes_positions_as_they_come():
    """Of the last phase, which is every third game's turn, so that it is quick."""
    drawing = ProbeDrawing("course", lambda _: None)
    for number in (2, 5, 8):
        drawing.sample(drawn_game("course", f"1 course sample {number}"), number)
    known = [position for position in read_shipped(COURSE, SIZE) if position.group == SAMPLE]
    assert drawing.positions == [position for position in known if len(position.moves) >= 18][:3]


def test_games_are_drawn_until_the_sample_is_full(monkeypatch):
    """Here of games without any position, and of at most a hundred, each of which gives one."""
    asked = []

    def take(self, moves, number):
        self.left[SAMPLE] -= 1
        asked.append((moves, number))

    monkeypatch.setattr(making, "count", lambda: range(100))
    monkeypatch.setattr(making, "drawn_game", lambda rules, name: name)
    monkeypatch.setattr(ProbeDrawing, "sample", take)
    assert making.make_positions("course", 7, 0, lambda _: None) == []
    assert asked == [(f"7 course sample {number}", number) for number in range(72)]


def test_games_are_legal_and_over_and_each_seed_has_its_own():
    for rules in (COURSE, LITTLEGO):
        games = [drawn_game(rules.name, f"{seed}") for seed in range(5)]
        assert games == [drawn_game(rules.name, f"{seed}") for seed in range(5)]
        assert len(set(map(tuple, games))) == 5
        for moves in games:
            state = new_game(rules, SIZE)
            for move in moves:
                state = state.play(move)
            assert state.is_over


@pytest.mark.parametrize(("arguments", "line"), [
    (["aga"], "invalid choice: 'aga'"),
    (["course", "--games", "0"], "expected a number of games from 1 to 1000000, got '0'"),
    (["course", "--seed", "x"], "expected a seed from 0"),
])  # fmt: skip
def test_bad_arguments_are_one_line(capsys, arguments, line):
    with pytest.raises(SystemExit) as end:
        main(arguments)
    err = capsys.readouterr().err
    assert (end.value.code, err.count("\n")) == (2, 1)
    assert line in err

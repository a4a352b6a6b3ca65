"""Whole games of GO.play: the same as on a copying host, as the slow oracle replays them, and out of players' reach."""

import copy
import random
import sys

import pytest

from benchmarks.copying_go import CopyingGO
from go import GO
from goban.rulesets import COURSE, LITTLEGO, Ending
from players.random_player import RandomPlayer
from tests.support.oracle import NaiveGame
from tests.support.scripted import Chance, Scripted, attributes, legal_placements

# (size, seed): many short games, few long ones.
GAMES = [(size, seed) for size, count in [(2, 20), (3, 12), (4, 6), (5, 4), (6, 2)] for seed in range(count)]


def play(go, *players):
    """Play and return (winner, record)."""
    return go.play(*players), go.record


def shown_by(game, size):
    """What players have to be shown in this position of a NaiveGame."""
    return {
        "board": game.board,
        "previous_board": game.previous_board,
        "died_pieces": sorted(game.died_pieces),
        "n_move": game.n_move,
        "X_move": game.to_move == 1,
        "max_move": size * size - 1,
        "komi": size / 2,
        "size": size,
        "verbose": False,
    }


# The same games elsewhere


@pytest.mark.parametrize("errors", [0.0, 0.3], ids=["clean", "with errors"])
@pytest.mark.parametrize(("size", "seed"), GAMES)
def test_a_game_is_the_same_on_a_copying_host(size, seed, errors):
    hosts = GO(size), CopyingGO(size)
    results = []
    for host in hosts:
        players = [Chance(2 * seed + k, errors=errors) for k in (0, 1)]
        results.append((host.play(*players), [player.seen for player in players]))
    assert results[0] == results[1]
    assert attributes(hosts[0]) == attributes(hosts[1])
    assert len(hosts[0].record.moves) == hosts[1].n_move


@pytest.mark.parametrize(("rules", "passes"), [(COURSE, 0.0), (LITTLEGO, 0.0), (LITTLEGO, 0.15)])
@pytest.mark.parametrize(("size", "seed"), GAMES)
def test_players_are_shown_what_the_oracle_has(size, seed, rules, passes):
    go = GO(size, rules)
    players = [Chance(2 * seed + k, passes) for k in (0, 1)]
    winner, record = play(go, *players)
    game = NaiveGame(rules.name, size)
    for move in record.moves:
        assert players[game.n_move % 2].seen[game.n_move // 2] == shown_by(game, size)
        game.play(move)
    assert attributes(go) == shown_by(game, size)
    assert sum(len(player.seen) for player in players) == len(record.moves)
    assert record.outcome.ending.value == game.ending()
    assert winner == record.outcome.winner == game.winner()
    assert (record.outcome.black, record.outcome.white) == game.scores()


def test_every_size_can_be_played():
    for size in range(2, 20):
        go = GO(size)
        winner = go.play(RandomPlayer(random.Random(size)), RandomPlayer(random.Random(-size)))
        assert winner == go.judge_winner()
        assert go.game_end(1 if go.X_move else 2)
        assert len(go.record.moves) == go.n_move


def test_a_game_starts_from_the_empty_board_whatever_was_before():
    go = GO(3)
    first = play(go, Chance(1), Chance(2))
    go.board[0][0], go.n_move, go.X_move = 7, 5, False
    assert play(go, Chance(1), Chance(2))[1].moves == first[1].moves


# Passing in Little-Go


def test_a_pass_as_the_first_move_ends_the_game():
    winner, record = play(GO(5, LITTLEGO), Scripted("PASS"), Scripted())
    assert (winner, record.moves, record.outcome.ending) == (2, (None,), Ending.TWO_PASSES)


def test_two_passes_in_a_row_end_the_game():
    winner, record = play(GO(5, LITTLEGO), Scripted((2, 2), "PASS"), Scripted("PASS"))
    assert record.moves == ((2, 2), None, None)
    assert (winner, record.outcome.ending) == (2, Ending.TWO_PASSES)


def test_a_pass_counts_as_a_move_and_clears_what_died():
    views = []

    def look(go):
        views.append(attributes(go))
        return 2, 2

    # Black takes (0, 0), White passes.
    play(GO(3, LITTLEGO), Scripted((0, 1), (1, 0), look, None), Scripted((0, 0), "PASS", None))
    (view,) = views
    assert view["previous_board"] == view["board"] == [[0, 1, 0], [1, 0, 0], [0, 0, 0]]
    assert (view["died_pieces"], view["n_move"], view["X_move"]) == ([], 4, True)


# The host keeps the true board to itself


def _scribble(go):
    for row in [*go.board, *go.previous_board]:
        row[:] = [2] * len(row)


def _replace(go):
    go.board, go.previous_board, go.died_pieces = "garbage", None, 5


def _count(go):
    go.n_move, go.max_move, go.komi, go.X_move, go.size = 10**6, 0, -100, None, 2
    go.died_pieces.append((0, 0))


def _delete(go):
    for name in list(vars(go)):
        delattr(go, name)


def _patch(go):
    for name in dir(GO):
        if not name.startswith("__"):
            setattr(go, name, sys.exit)


def _spoil(go):
    for name, value in list(vars(go).items()):
        if name.startswith("_"):
            for slot in ("black", "white", "empty", "n_move", "to_move", "_ending"):
                if hasattr(value, slot):
                    setattr(value, slot, 1)
        setattr(go, name, None)


def _end(go):
    go.init_board(2)
    go.play(Scripted("PASS"), Scripted("PASS"))


VANDALISM = [_scribble, _replace, _count, _delete, _patch, _spoil, _end]


class Vandal(Chance):
    """Plays like Chance, and spoils what it was handed before it answers, also what it was handed earlier."""

    def __init__(self, seed, spoil, errors=0.0):
        super().__init__(seed, errors=errors)
        self.spoil = spoil
        self.lists = []

    def get_input(self, go, piece_type):
        answer = super().get_input(go, piece_type)
        self.lists += [go.board, go.previous_board, go.died_pieces]
        for each in self.lists:
            if isinstance(each, list) and each and isinstance(each[0], list):
                each[0][0] = 9
        self.spoil(go)
        return answer


@pytest.mark.parametrize(("rules", "errors"), [(COURSE, 0.0), (COURSE, 0.4), (LITTLEGO, 0.0)])
@pytest.mark.parametrize("spoil", VANDALISM)
def test_vandalism_changes_nothing(spoil, rules, errors):
    for vandal in (0, 1):
        quiet = [Chance(5, errors=errors), Chance(6, errors=errors)]
        expected = play(GO(4, rules), *quiet)
        loud = [Vandal(5 + k, spoil, errors) if k == vandal else Chance(5 + k, errors=errors) for k in (0, 1)]
        assert play(GO(4, rules), *loud)[1] == expected[1]
        assert [player.seen for player in loud] == [player.seen for player in quiet]


class Collector:
    """Keeps every object it is handed."""

    def __init__(self, errors=0):
        self.handed = []
        self.errors = errors

    def get_input(self, go, piece_type):
        self.handed.append(go)
        return None if len(self.handed) <= self.errors else legal_placements(go, piece_type)[0]


def test_a_player_is_handed_one_go_of_its_own_per_game():
    black, white = Collector(errors=3), Collector()
    host = GO(3)
    host.play(black, white)
    host.play(black, white)
    seen_by_black, seen_by_white = ({id(go) for go in player.handed} for player in (black, white))
    assert len(seen_by_black) == len(seen_by_white) == 2  # one for each game
    assert not seen_by_black & seen_by_white
    assert id(host) not in seen_by_black | seen_by_white


def test_one_object_may_play_both_sides():
    both = Collector()
    GO(3).play(both, both)
    assert len({id(go) for go in both.handed}) == 2


def test_the_lists_of_the_host_are_not_those_of_the_players():
    black, white = Collector(), Collector()
    host = GO(3)
    host.play(black, white)
    board = copy.deepcopy(host.board)
    for go in (black.handed[-1], white.handed[-1]):
        _scribble(go)
    assert host.board == board


def test_what_a_player_adds_to_its_go_is_still_there_at_its_next_move():
    class Notes(Chance):
        def get_input(self, go, piece_type):
            go.calls = getattr(go, "calls", 0) + 1
            assert go.calls == len(self.seen) + 1
            return super().get_input(go, piece_type)

    assert play(GO(4), Notes(1), Notes(2))[1].outcome.ending is Ending.MOVE_LIMIT


def test_a_player_may_play_whole_games_on_copies():
    class Rollouts(Chance):
        def get_input(self, go, piece_type):
            before = attributes(go)
            go.copy_board().play(Chance(1), Chance(2))
            assert attributes(go) == before
            return super().get_input(go, piece_type)

    assert play(GO(3), Rollouts(1), Chance(2))[1] == play(GO(3), Chance(1), Chance(2))[1]

"""The course's yardsticks against a second, literal writing of their definitions on copied boards."""

import random
from collections import Counter

import pytest

from go import GO
from goban.diagrams import parse_diagram
from goban.rulesets import ruleset
from players.aggressive_player import AggressivePlayer
from players.greedy_player import GreedyPlayer
from players.naive_player import NaivePlayer
from players.random_player import RandomPlayer
from players.smart_player import SmartPlayer
from tests.support.oracle import NaiveGame, board_after, has_liberty

PLAYERS = {"random": RandomPlayer, "greedy": GreedyPlayer, "aggressive": AggressivePlayer, "smart": SmartPlayer}


def captured(game, point):
    return len(board_after(tuple(map(tuple, game.board)), point, game.to_move)[1])


def captured_by_pairs(game, first):
    """What each second own placement after `first` (which captures nothing) takes; empty if there is none."""
    board, _ = board_after(tuple(map(tuple, game.board)), first, game.to_move)
    taken = []
    for i in range(game.size):
        for j in range(game.size):
            if board[i][j] == 0:
                after, dead = board_after(board, (i, j), game.to_move)
                if has_liberty(after, (i, j)):
                    taken.append(len(dead))
    return taken


def best(candidates, value):
    top = max((value(c) for c in candidates), default=None)
    return {c for c in candidates if value(c) == top}


def centre(game, candidates):
    middle = (game.size - 1) / 2
    return best(candidates, lambda p: -(abs(p[0] - middle) + abs(p[1] - middle)))


def aggressive_rule(game, candidates):
    """The candidates the aggressive criterion keeps, and whether by a capture at once."""
    if any(captured(game, p) for p in candidates):
        return best(candidates, lambda p: captured(game, p)), True
    return best(candidates, lambda p: max(captured_by_pairs(game, p), default=-1)), False


def stones_after_worst_reply(game, point):
    me = game.to_move
    after = game.copy()
    after._board, after.died_pieces = board_after(game._board, point, me)
    after._previous, after.to_move = game._board, 3 - me
    boards = [after._board]
    boards += [board_after(after._board, reply, 3 - me)[0] for reply in after.legal_placements()]
    return min(sum(row.count(me) for row in board) for board in boards)


def choices(name, game):
    """Return the points among which the player `name` draws, by the words of the course."""
    legal = game.legal_placements()
    if name == "random":
        return legal
    if name == "greedy":
        return best(legal, lambda p: captured(game, p))
    if name == "aggressive":
        kept, by_capture = aggressive_rule(game, legal)
        return kept if by_capture else centre(game, kept)
    return centre(game, aggressive_rule(game, best(legal, lambda p: stones_after_worst_reply(game, p)))[0])


def host_of(game):
    go = GO(game.size)
    go.update_board(game.board)
    go.previous_board, go.died_pieces, go.n_move = game.previous_board, game.died_pieces, game.n_move
    go.X_move = game.to_move == 1
    return go


def drawn_by(player, game, draws):
    return {tuple(player.get_input(host_of(game), game.to_move)) for _ in range(draws)}


@pytest.mark.parametrize("size", [2, 3, 4, 5])
@pytest.mark.parametrize("name", PLAYERS)
def test_players_draw_from_just_the_points_their_definition_names(name, size):
    rng = random.Random(f"{name} {size}")
    player = PLAYERS[name](rng)
    for _ in range(4 if size > 3 else 12):
        game = NaiveGame("course", size)
        while not game.over():
            wanted = choices(name, game)
            # With this many draws all of them turn up but for one chance in a million and more.
            draws = 1 if len(wanted) == 1 else 16 * len(wanted) if game.n_move % 5 == 0 else 3
            drawn = drawn_by(player, game, draws)
            assert drawn == wanted if draws >= 16 * len(wanted) else drawn <= wanted
            game.play(rng.choice(sorted(game.legal_placements())))


def drawn_position(drawing, to_move):
    return NaiveGame.from_board("course", parse_diagram(drawing), to_move)


def points_played(name, drawing, to_move=1, draws=200):
    return drawn_by(PLAYERS[name](random.Random(7)), drawn_position(drawing, to_move), draws)


def test_greedy_takes_two_rather_than_one():
    drawing = """
        X O O . .
        . X X . .
        . . . . .
        . . . X O
        . . . . X
    """
    assert points_played("greedy", drawing) == {(0, 3)}


def test_aggressive_prepares_a_capture_from_either_side():
    # Two more black stones, on (0, 1) and (1, 0), take the corner stone; both are equally far from the centre.
    drawing = """
        O . . . .
        . . . . .
        . . . . .
        . . . . .
        . . . . .
    """
    assert points_played("aggressive", drawing) == {(0, 1), (1, 0)}


def test_aggressive_opens_in_the_centre():
    assert points_played("aggressive", "\n".join(["....."] * 5)) == {(2, 2)}
    assert points_played("aggressive", "\n".join(["...."] * 4)) == {(1, 1), (1, 2), (2, 1), (2, 2)}


def test_smart_gives_up_a_capture_that_would_cost_as_much():
    # Taking the white stone at (0, 0) leaves two black stones in atari; saving them at (3, 4) loses nothing.
    drawing = """
        O X . . .
        . . . . .
        . . O O .
        . O X X .
        . . O O .
    """
    assert points_played("greedy", drawing) == {(1, 0)}
    assert points_played("smart", drawing) == {(3, 4)}


def test_random_is_uniform_over_legal_points():
    game = drawn_position(". X . .\nX O O .\n. O . O\n. . O .", to_move=1)
    legal = game.legal_placements()
    player = RandomPlayer(random.Random(3))
    counts = Counter(player.get_input(host_of(game), 1) for _ in range(6000))
    assert counts.keys() == legal
    expected = 6000 / len(legal)
    chi_square = sum((count - expected) ** 2 / expected for count in counts.values())
    assert chi_square < 40, "far beyond the 99.99th percentile for so few points"


@pytest.mark.parametrize("name", PLAYERS)
def test_same_seed_same_games(name):
    def moves(seed):
        go = GO(5)
        go.play(PLAYERS[name](random.Random(seed)), RandomPlayer(random.Random(1)))
        return go.record.moves

    assert moves(5) == moves(5)
    assert moves(5) != moves(6)


@pytest.mark.parametrize("name", PLAYERS)
def test_in_littlego_players_pass_only_when_nothing_is_legal(name):
    go = GO(2, ruleset("littlego"))
    go.update_board([[0, 1], [1, 0]])
    player = PLAYERS[name](random.Random(1))
    assert player.get_input(go, 2) == "PASS"
    assert player.get_input(go, 1) in {(0, 0), (1, 1)}


@pytest.mark.parametrize("size", [9, 19])
@pytest.mark.parametrize("preset", ["aga", "tromp-taylor-strict"])
def test_two_naive_players_finish_a_game(preset, size):
    go = GO(size, ruleset(preset))
    go.play(NaivePlayer(random.Random(1)), NaivePlayer(random.Random(2)))
    assert go.record.outcome.ending.value == "two passes"
    final = go.record.final
    left = [p for p in final.legal_moves() if isinstance(p, tuple) and not is_own_eye(final, p)]
    assert left == []


def is_own_eye(state, point):
    return state.grid.is_eye(state.grid.bit[point], state.stones(state.to_move))


def test_naive_fills_its_eyes_where_it_must_not_pass():
    go = GO(3)
    go.update_board(parse_diagram(". X .\nX X X\n. X ."))
    assert NaivePlayer(random.Random(1)).get_input(go, 1) in {(0, 0), (0, 2), (2, 0), (2, 2)}

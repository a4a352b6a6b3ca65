"""Trees: moves that may be played, tactics that must be seen, what is proven, and what a tree keeps and takes."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goban.diagrams import parse_diagram
from goban.grids import BLACK, WHITE
from goban.montecarlo.pattern_sets import set_named
from goban.montecarlo.spaces import BYTES, COUNT, PROVEN, STATUS, USED, VISITS
from goban.montecarlo.trees import Tree, TreeSettings, lead_to_end_at
from goban.moves import PASS
from goban.rulesets import PRESETS, ruleset
from goban.solver.errors import BadBudgetError
from goban.solver.solver import Solver
from goban.states import new_game, state_from_rows
from tests.support.missing import needs, no_package
from tests.support.states import play_some

pytestmark = needs(no_package("numba"))

TABLE, FLAT = set_named("montegnu_classic"), set_named("uniform")


def tree_at(state, simulations=0, seed=1, **options):
    tree = Tree(TreeSettings(**{"table": TABLE, "memory": 16, **options}))
    tree.stand(state)
    tree.grow(simulations, seed)
    return tree


def position(rules, drawing, to_move=BLACK, n_move=0):
    return state_from_rows(ruleset(rules), parse_diagram(drawing), to_move, n_move)


def best(state, simulations=3000, **options):
    return tree_at(state, simulations, **options).best()


def found(tree):
    return {one.move: (one.visits, one.winrate) for one in tree.candidates()}


# Rules

GAMES = st.tuples(st.sampled_from(list(PRESETS)), st.integers(2, 6), st.integers(0, 10**9), st.integers(0, 60))


@settings(max_examples=60, deadline=None)
@given(GAMES, st.sampled_from(["rave", "gnugo"]), st.sampled_from([TABLE, FLAT]))
def test_every_line_can_be_played_by_the_rules(game, uct, table):
    state = play_some(*game)[-1]
    if state.is_over:
        return
    tree = tree_at(state, 300, seed=game[2], uct=uct, table=table)
    assert tree.candidates()
    for one in tree.candidates():
        after = state.play(one.move)
        for move in one.line:
            after = after.play(move)


@settings(max_examples=30, deadline=None)
@given(GAMES)
def test_without_passing_every_legal_move_is_looked_at(game):
    state = play_some("course", *game[1:])[-1]
    if state.is_over:
        return
    tree = tree_at(state, 20_000)
    moves = {one.move for one in tree.candidates()}
    assert moves == {*state.legal_moves()} if not tree.is_decided else moves <= {*state.legal_moves()}


@pytest.mark.parametrize("table", [TABLE, FLAT])
def test_superko_holds_in_the_tree(table):
    state = position("aga", """
        . X O . .
        X . X O .
        . X O . .
        . . . . .
        . . . . .
    """, WHITE).play((1, 1))
    retake = (1, 2)
    assert state.captured
    assert retake not in found(tree_at(state, 2000, table=table))
    state = state.play((4, 4)).play((4, 0))
    assert retake in found(tree_at(state, 2000, table=table))


# Tactics


def with_komi(komi):
    return replace(ruleset("aga"), fixed_komi=komi)


CAPTURE = """
    X X X O O
    . X O O .
    X X X O O
    . X X X X
    X X . X .
"""
SEKI = """
    X . O O
    X X O O
    X X O O
    X . O O
"""


def test_a_capture_that_decides_is_made_and_no_pass():
    state = state_from_rows(with_komi(12.5), parse_diagram(CAPTURE), WHITE).play(PASS)
    assert best(state) == (1, 4)


@pytest.mark.parametrize("to_move", [BLACK, WHITE])
def test_a_seki_is_left_alone(to_move):
    komi = -3.5 if to_move == BLACK else -0.5
    state = state_from_rows(with_komi(komi), parse_diagram(SEKI), to_move)
    assert best(state) is PASS


HALVES = """
    . X O . .
    X X O O .
    . X O . .
    X X O O .
    . X O . O
"""


@pytest.mark.parametrize(("komi", "wins"), [(-5.5, True), (-2.5, False)])
def test_a_pass_is_answered_by_a_pass_exactly_if_that_wins(komi, wins):
    state = state_from_rows(with_komi(komi), parse_diagram(HALVES), WHITE).play(PASS)
    tree = tree_at(state, 500)
    if wins:
        assert tree.best() is PASS
        assert tree.candidates()[0].winrate == 1.0
    else:
        assert found(tree).get(PASS, (0, 0.0))[1] == 0.0
        assert tree.best() is not PASS


def ends(rules, count, left):
    """Positions so many moves and fewer before the end."""
    rng = random.Random(f"{rules} {left}")
    while count:
        game = play_some(rules, 5, rng.random(), 24)
        states = [state for state in game if 24 - left <= state.n_move < 24 and not state.is_over]
        if states:
            count -= 1
            yield rng.choice(states)


@pytest.mark.parametrize(("rules", "table"), [("course", TABLE), ("course", FLAT), ("littlego", TABLE)])
def test_what_is_proven_is_true_and_solved_positions_are_won(rules, table):
    proven = 0
    for state in ends(rules, 12, 6):
        solution = Solver(16).winning_moves(state)
        tree = tree_at(state, 30_000, table=table)
        first = tree.candidates()[0]
        if tree.is_decided:
            proven += 1
            assert first.winrate == (1.0 if solution.winner == state.to_move else 0.0)
        if solution.winner == state.to_move:
            assert first.move in solution.winning_moves
    assert proven >= 6


@pytest.mark.parametrize(
    ("to_move", "n_move", "passes"), [(WHITE, 0, True), (BLACK, 0, False), (BLACK, 7, False), (BLACK, 8, True)]
)
def test_by_simple_ko_alone_nobody_goes_round_where_nothing_is_left_to_play_for(to_move, n_move, passes):
    """On 2x2 White's komi of 7.5 decides: White passes at once, Black after some moves in which White might have gone wrong."""
    drawing = """
        X .
        . O
    """
    assert (best(position("alphago7", drawing, to_move, n_move), 100) is PASS) == passes


def test_who_has_won_takes_dead_stones_off_before_passing_where_they_would_count():
    """As the board stands White leads, 32.5 to 23, by stones that can be captured."""
    drawing = """
        . X O . O O .
        X X X O O X X
        O O X X X . X
        . O O O O X X
        . . . O X X .
        . . . O X . .
        . . . O X . .
    """
    state = position("alphago7", drawing)
    assert state.leader() == WHITE
    assert best(state, 1000) is not PASS


# Ties


def with_ties_for_white(komi):
    return replace(ruleset("tromp-taylor-pgx"), fixed_komi=komi)


@pytest.mark.parametrize("uct", ["rave", "gnugo"])
@pytest.mark.parametrize("table", [TABLE, FLAT])
def test_where_white_wins_ties_a_whole_komi_is_as_good_as_a_little_more(table, uct):
    """Points are whole numbers, so that the very same games are won and lost."""
    for seed in range(4):
        state = play_some("tromp-taylor-pgx", 4, seed, 12)[-1]
        if not state.is_over:
            whole, more = (
                state_from_rows(with_ties_for_white(komi), state.rows(), state.to_move, state.n_move) for komi in (3.0, 3.25)
            )
            assert found(tree_at(whole, 2000, table=table, uct=uct)) == found(tree_at(more, 2000, table=table, uct=uct))


@pytest.mark.parametrize(("rules", "winrate"), [("tromp-taylor-pgx", 1.0), ("aga", 0.5)])
def test_a_pass_that_ends_the_game_in_a_tie_is_a_win_for_white_or_for_nobody(rules, winrate):
    """Black has 10 points, White 15. A move that is proven lost is not looked at."""
    for mover, worth in ((WHITE, winrate), (BLACK, 1.0 - winrate)):
        state = state_from_rows(replace(ruleset(rules), fixed_komi=-5.0), parse_diagram(HALVES), 3 - mover).play(PASS)
        assert found(tree_at(state, 500)).get(PASS, (0, 0.0))[1] == worth


# Chance, memory, and going on


def test_the_same_seed_gives_the_same_games_however_they_are_divided():
    state = new_game(ruleset("aga"), 9)
    once, parts, other = tree_at(state, 600), tree_at(state, 100), tree_at(state, 600, seed=2)
    for _ in range(5):
        parts.grow(100, 1)
    assert once.candidates() == parts.candidates() != other.candidates()


@pytest.mark.parametrize("other", [{"uct": "gnugo"}, {"rave": 0}, {"priors": 0}, {"rave": 100}])
def test_every_setting_changes_the_games(other):
    state = new_game(ruleset("aga"), 9)
    assert found(tree_at(state, 2000)) != found(tree_at(state, 2000, **other))


@pytest.mark.parametrize(("uct", "games"), [("gnugo", 1), ("rave", 4)])
def test_a_position_has_so_many_games_before_its_moves_are_looked_at(uct, games):
    tree = tree_at(new_game(ruleset("aga"), 4), 250, uct=uct)
    nodes = tree._nodes[1 : tree._facts[USED]]
    looked_at, proven = nodes[:, COUNT] > 0, nodes[:, STATUS] & PROVEN != 0
    assert nodes[looked_at, VISITS].min() == games + 1
    assert nodes[~looked_at & ~proven, VISITS].max() == games


def test_a_full_tree_searches_on_and_takes_no_more():
    state = new_game(ruleset("aga"), 9)
    tree = tree_at(state, 30_000, memory=1)
    assert tree._facts[USED] * BYTES <= 1 << 19
    before = tree.visits
    tree.grow(1000, 2)
    assert tree.visits == before + 1000 == 31_000


def test_a_tree_follows_the_game_and_keeps_what_it_knows():
    state = new_game(ruleset("aga"), 9)
    tree = tree_at(state, 5000)
    top = tree.candidates()[0]
    after = state.play(top.move).play(top.line[0])
    tree.stand(after, top.move)
    kept = tree.visits
    assert 0 < kept < top.visits
    assert tree.best() == top.line[1]
    tree.stand(after)
    assert tree.visits == kept
    tree.stand(after.play(tree.best()))
    assert 0 < tree.visits < kept


def test_a_tree_begins_anew_where_another_move_was_played_or_it_is_told_to():
    state = new_game(ruleset("aga"), 9)
    for chosen, reuse in (((0, 0), True), ((4, 4), False)):
        tree = tree_at(state, 2000)
        tree.stand(state.play((4, 4)).play((4, 5)), chosen, reuse)
        assert tree.visits == 0


def test_nothing_is_kept_of_a_position_with_another_past():
    state = position("aga", SEKI)
    tree = tree_at(state, 500)
    twin = state_from_rows(ruleset("tromp-taylor"), parse_diagram(SEKI), BLACK)
    tree.stand(twin)
    assert tree.visits == 0


@pytest.mark.parametrize("options", [{"memory": 0}, {"uct": "best"}, {"rave": -1}, {"priors": -1}])
def test_settings_that_make_no_sense(options):
    with pytest.raises(BadBudgetError, match=r"^expected "):
        TreeSettings(TABLE, **options)


# Replies and mercy


def test_replies_change_games_at_random_and_nothing_of_gnu_go_s_way_nor_of_a_flat_table():
    state = new_game(ruleset("aga"), 5)
    for same, options in ((False, {}), (True, {"uct": "gnugo"}), (True, {"table": FLAT})):
        with_them, without = (found(tree_at(state, 500, replies=replies, **options)) for replies in (True, False))
        assert (with_them == without) is same


@pytest.mark.parametrize(("size", "lead"), [(5, 0), (8, 0), (9, 25), (13, 52), (19, 111)])
def test_the_lead_that_ends_a_game_at_random_grows_with_the_board(size, lead):
    assert lead_to_end_at(size) == lead


def test_mercy_changes_games_at_random_from_9x9_on_where_replies_are_given():
    for same, size, options in ((False, 9, {}), (True, 7, {}), (True, 9, {"uct": "gnugo"}), (True, 9, {"replies": False})):
        state = new_game(ruleset("aga"), size)
        with_it, without = (found(tree_at(state, 500, mercy=mercy, **options)) for mercy in (True, False))
        assert (with_it == without) is same


# Some moves alone


def test_of_some_moves_no_others_are_looked_at():
    state = new_game(ruleset("aga"), 5)
    only = frozenset({(0, 0), (2, 2), None})
    tree = tree_at(state, 100)
    tree.stand(state, only=only)
    tree.grow(300, 1)
    assert {one.move for one in tree.candidates()} == only
    assert sum(one.visits for one in tree.candidates()) == 300
    assert sum(tree.priors().values()) == pytest.approx(1)
    tree.stand(state, only=only)
    assert tree.visits == 300
    tree.stand(state)
    tree.grow(3000, 1)
    assert len(tree.candidates()) > 20


def test_of_one_move_it_is_known_what_it_is_worth():
    """Black lives by the middle of the side, and is dead without; a move into an own eye may be looked at, too."""
    state = position("aga", """
        . X . O .
        X X X O .
        O O O O .
        . . . . .
        . . . . .
    """)  # fmt: skip
    tree = tree_at(state)
    tree.stand(state, only=frozenset({(0, 0)}))
    tree.grow(200, 1)
    (only,) = tree.candidates()
    assert (only.move, only.visits) == ((0, 0), 200)
    assert tree.priors() == {(0, 0): 0.0}
    assert tree.best() == (0, 0)

"""Plans: presets, files, and what is said of those that cannot be followed."""

from dataclasses import asdict, replace

import pytest

from golearn.alphazero.games import find_game
from golearn.alphazero.plans import PRESETS, Plan, change_of, difference, plan_text, read_plan
from golearn.alphazero.runs import begin, resume_run
from golearn.errors import BadPlanError, UnknownGameError
from tests.support.plain_learner import PlainLearner, tiny_plan

WRONG = [
    ('game = "chess"\ngames = 5',
     "game: expected one of tictactoe, connectfour, othello6, othello, go, go-komi9.5, go5, go5-littlego, go9, or "
     "MODULE:CLASS, got 'chess'"),
    ("games = 5", "game: expected one of tictactoe, "),
    ('game = "no_such:Game"\ngames = 5', "game: no_such:Game cannot be had: ModuleNotFoundError: No module named 'no_such'"),
    ('game = "go5"', "games: expected a whole number from 1 to 1000000000, got nothing"),
    ('game = "go5"\ngames = 0', "games: expected a whole number from 1 to 1000000000, got 0"),
    ('game = "go5"\ngames = 5\nrate = "fast"', "rate: expected a number from 1e-09 to 1, got 'fast'"),
    ('game = "go5"\ngames = 5\nfull_share = 0', "full_share: expected a number from 0.01 to 1, got 0"),
    ('game = "go5"\ngames = 5\nrates = 1', "expected one of game, games, seed, "),
    ('game = "go5"\ngames = 5\nturned = 1', "turned: expected true or false, got 1"),
    ('game = "go5"\ngames = 5\nrivals = ["my"]', "rivals: expected players' names, such as 'my perfect', got ['my']"),
    ('game = "go5"\ngames = 5\nrivals = "smart nobody"', "expected a player (random, "),
    ('game = "tictactoe"\ngames = 5\nrivals = "my"', "rivals: expected a game of Go, got 'tictactoe'"),
    ("game =", "expected a TOML file: "),
]  # fmt: skip


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_plans(name):
    assert read_plan(name).games > 0


def test_what_a_plan_leaves_out_is_as_usual(tmp_path):
    (tmp_path / "short.toml").write_text('game = "go5"\ngames = 5\nrate = 1\n')
    assert read_plan(str(tmp_path / "short.toml")) == Plan("go5", 5, rate=1.0)
    assert read_plan(str(tmp_path / "short.toml"), games=7, seed=None) == Plan("go5", 7, rate=1.0)


@pytest.mark.parametrize("name", PRESETS)
def test_a_plan_is_read_as_it_was_written(name, tmp_path):
    plan = read_plan(name, seed=2**62 + 1)
    (tmp_path / "plan.toml").write_text(plan_text(plan))
    assert read_plan(str(tmp_path / "plan.toml")) == plan


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_a_wrong_plan_is_refused_in_one_line(text, message, tmp_path):
    path = tmp_path / "wrong.toml"
    path.write_text(text)
    with pytest.raises(BadPlanError) as caught:
        read_plan(str(path))
    assert str(caught.value).startswith(f"{path}: {message}")
    assert "\n" not in str(caught.value)


def test_a_plan_that_is_not_there_is_named_beside_those_that_are():
    presets = r"connectfour, go5, go5-rivals, go7, go7-deep, go7-komi9\.5, go9, tictactoe"
    with pytest.raises(BadPlanError, match=rf"^go6: expected one of {presets}, or a file$"):
        read_plan("go6")
    with pytest.raises(BadPlanError, match=r"^go6\.toml: No such file or directory$"):
        read_plan("go6.toml")


def test_plans_differ_in_their_first_field_that_does():
    plan = Plan("go5", 100)
    assert difference(plan, plan) == ""
    for name, value in asdict(plan).items():
        if isinstance(value, bool | str):
            other = f"{value}:x" if isinstance(value, str) else not value
        else:
            other = value + 1 if isinstance(value, int) else value / 2 + 0.001
        assert difference(plan, replace(plan, **{name: other})).startswith(f"{name} ({value} there, ")


def test_a_difference_is_one_printable_line_whatever_a_checkpoint_says_its_game_is():
    damaged = replace(Plan("go5", 100), game="tictac\x7f\n:" + "o" * 1000)
    line = difference(damaged, Plan("go5", 100))
    assert line.isprintable()
    assert line.startswith("game (tictac\\x7f\\n:ooo")
    assert len(line) < 150


def test_a_game_of_ones_own_is_named_by_module_and_class(tmp_path):
    (tmp_path / "own.toml").write_text('game = "tests.support.take_away:TakeAway"\ngames = 5\n')
    assert read_plan(str(tmp_path / "own.toml")).make_game().board_shape == (1, 7)


@pytest.mark.parametrize(("text", "field", "value"), [
    ("simulations=64", "simulations", 64), ("search.simulations=64", "simulations", 64), ("learning.rate=1e-2", "rate", 0.01),
    ("network.channels = 8", "channels", 8), ("game=connectfour", "game", "connectfour"), ('game="go5"', "game", "go5"),
    ("game=tests.support.take_away:TakeAway", "game", "tests.support.take_away:TakeAway"),
])  # fmt: skip
def test_every_field_can_be_changed_by_its_name_or_within_its_group(text, field, value):
    assert change_of(text) == (field, value)
    assert getattr(read_plan("tictactoe", **{field: value}), field) == value


def test_every_field_is_in_one_group():
    from golearn.alphazero.plans import _GROUPS

    named = [field for fields in _GROUPS.values() for field in fields]
    assert sorted([*named, "game"]) == sorted(asdict(Plan("go5", 1)))
    for group, fields in _GROUPS.items():
        for field in fields:
            assert change_of(f"{group}.{field}=1") == (field, 1)


MOST = {
    "games": 10**9, "seed": 2**63 - 1, "round_games": 10**6, "lockstep": 10**5, "simulations": 10**4,
    "quick_simulations": 10**4, "full_share": 1, "random_plies": 10**4, "rival_share": 1, "max_plies": 10**5, "root_share": 1,
    "window": 10**9, "uses": 100, "batch": 10**5, "channels": 1024, "blocks": 64, "rate": 1, "weight_decay": 1, "clip": 10**6,
    "auxiliary": 10, "threads": 256,
}  # fmt: skip


@pytest.mark.parametrize("field", MOST)
def test_a_number_has_a_most_and_no_more_is_taken(field):
    assert getattr(read_plan("tictactoe", **{field: MOST[field]}), field) == MOST[field]
    with pytest.raises(BadPlanError, match=rf" {field}: expected a .* to .*, got {MOST[field] + 1}$"):
        read_plan("tictactoe", **{field: MOST[field] + 1})


# Of all others it is 1.
LEAST = {
    "seed": 0, "full_share": 0.01, "random_plies": 0, "rival_share": 0, "max_plies": 0, "root_share": 0, "uses": 0.01,
    "rate": 1e-9, "weight_decay": 0, "clip": 1e-6, "auxiliary": 0,
}  # fmt: skip


@pytest.mark.parametrize("field", MOST)
def test_a_number_has_a_least_and_no_less_is_taken(field):
    least = LEAST.get(field, 1)
    assert getattr(read_plan("tictactoe", **{field: least}), field) == least
    less = least - 1 if isinstance(least, int) else 0.99 * least
    with pytest.raises(BadPlanError, match=rf" {field}: expected a .* from {least:g} to .*, got {less}$"):
        read_plan("tictactoe", **{field: less})


@pytest.mark.parametrize("text", ["simulations", "rates=1", "network.simulations=1", "nets.channels=1", "=3", ".seed=1", ""])
def test_a_change_that_is_none_is_refused(text):
    with pytest.raises(BadPlanError, match=r"expected FIELD=VALUE with one of game, games, .* as FIELD, got") as caught:
        change_of(text)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize(("field", "most"), [("simulations", 10000), ("channels", 1024), ("blocks", 64)])
def test_a_changed_field_is_checked_as_in_a_file(field, most):
    with pytest.raises(BadPlanError, match=f"{field}: expected a whole number from 1 to {most}, got 0"):
        read_plan("go5", **{field: 0})


@pytest.mark.parametrize(("arguments", "shape"), [("", (8, 8)), ("()", (8, 8)), ("(6)", (6, 6)), ("(size=6)", (6, 6))])
def test_a_class_is_made_with_arguments(arguments, shape, tmp_path):
    name = f"golearn.alphazero.small_games:Othello{arguments}"
    assert find_game(name).board_shape == shape
    plan = read_plan("tictactoe", game=name)
    (tmp_path / "own.toml").write_text(plan_text(plan))
    assert read_plan(str(tmp_path / "own.toml")).make_game().board_shape == shape


def test_a_game_is_found_where_plans_of_before_name_it():
    assert find_game("learning.alphazero.othello:Othello(size=6)").board_shape == (6, 6)
    assert find_game("learning.alphazero.connect_four:ConnectFour").board_shape == (6, 7)
    assert find_game("learning.alphazero.go_games:go_game('course', 5)").board_shape == (5, 5)


@pytest.mark.parametrize(("arguments", "why"), [
    ("(size=open('x'))", "expected CLASS(name=value, ...) with plain values, got"), ("(**{'size': 6})", "expected CLASS("),
    ("(size=6)(7)", "expected CLASS("), (".mro()", "expected CLASS("), ("(size)", "expected CLASS("), ("(", "has no attribute"),
    ("(height=6)", "unexpected keyword argument 'height'"),
])  # fmt: skip
def test_other_arguments_are_refused(arguments, why):
    with pytest.raises(UnknownGameError) as caught:
        find_game(f"golearn.alphazero.small_games:Othello{arguments}")
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)


def test_rounds_are_counted_to_the_last_one_which_may_be_short():
    plan = Plan("go5", 1000, round_games=300)
    assert plan.rounds == 4
    assert [plan.count_played(rounds) for rounds in range(5)] == [0, 300, 600, 900, 1000]


def test_two_runs_that_differ_in_nothing_but_their_plans_are_told_apart(tmp_path):
    digests = []
    for games in (24, 25, 24):
        (tmp_path / "plan.toml").write_text(tiny_plan(games))
        folder = tmp_path / f"run{len(digests)}"
        begin(folder, read_plan(str(tmp_path / "plan.toml")))
        digests.append(resume_run(folder, PlainLearner).digest())
    assert digests[0] == digests[2] != digests[1]

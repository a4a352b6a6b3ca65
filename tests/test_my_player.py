"""The model submission: it plays legally everywhere, sees what is near, and does without its table if it must."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

import my_player
import my_player_search
from go import GO
from goban.moves import Resign
from goban.rulesets import COURSE, LITTLEGO, PRESETS, ruleset
from goban.states import new_game
from my_player import MyPlayer, QTable, choices, learn_a_game, targets
from my_player_table import PackedTable, in_atari, weights_of, write_weights
from players.registry import make_player

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def player():
    return MyPlayer()


def set_up(drawing, piece_type, n_move, rules="course"):
    """Return a GO with a drawn board (rows between blanks), after `n_move` moves, `piece_type` to move."""
    rows = drawing.split()
    go = GO(len(rows), ruleset(rules))
    board = [[".XO".index(stone) for stone in row] for row in rows]
    go.set_board(piece_type, [list(row) for row in board], board)
    go.n_move, go.X_move = n_move, piece_type == 1
    if rules == "littlego":
        go.previous_board = [[0] * len(rows) for _ in rows]
    return go


def test_the_shipped_table_is_read_and_small(player, capsys):
    assert player.search.learned is not None
    assert capsys.readouterr().err == ""
    assert my_player.TABLE.stat().st_size <= 5_000_000


@pytest.mark.parametrize("colour", [1, 2])
@pytest.mark.parametrize("name", ["random", "greedy", "aggressive", "smart"])
def test_it_wins_against_every_reference_player(player, name, colour):
    for seed in range(3):
        other = make_player(name, random.Random(seed))
        players = (player, other) if colour == 1 else (other, player)
        assert GO(5).play(*players) == colour


@pytest.mark.parametrize("colour", [1, 2])
def test_it_wins_on_7x7_too(player, colour):
    other = make_player("smart", random.Random(1))
    assert GO(7).play(*((player, other) if colour == 1 else (other, player))) == colour


@pytest.mark.parametrize("rules", [COURSE, LITTLEGO], ids=lambda rules: rules.name)
@pytest.mark.parametrize("size", [2, 3, 4, 6])
def test_it_plays_whole_games_on_other_boards_without_a_fault(player, rules, size):
    for colour in (1, 2):
        other = make_player("random", random.Random(colour))
        go = GO(size, rules)
        go.play(*((player, other) if colour == 1 else (other, player)))
        assert go.record.outcome.counted, go.record.outcome


@pytest.mark.parametrize("rules", list(PRESETS))
def test_its_moves_are_legal_under_all_rules(player, rules):
    lots, state = random.Random(5), new_game(ruleset(rules), 4)
    go = GO(4, ruleset(rules))
    for _ in range(40):
        if state.is_over:
            break
        go.adopt_state(state)
        answer = player.get_input(go, state.to_move)
        state = state.play(None if answer == "PASS" else answer)
        if not state.is_over:
            state = state.play(lots.choice([move for move in state.legal_moves() if not isinstance(move, Resign)]))


def test_it_plays_both_sides_of_a_game_the_same_every_time(player):
    games = []
    for _ in range(2):
        go = GO(5)
        go.play(player, MyPlayer())
        games.append(go.record.moves)
    assert games[0] == games[1]
    assert len(games[0]) > 20


def test_a_move_does_not_change_the_go_it_is_given(player):
    go = set_up("XO... .X... ..O.. ..... .....", 1, 4)
    before = repr((go.board, go.previous_board, go.died_pieces, go.n_move))
    player.get_input(go, 1)
    assert repr((go.board, go.previous_board, go.died_pieces, go.n_move)) == before


@pytest.mark.parametrize("table", [my_player.TABLE, Path("missing.bin")], ids=["shipped", "none"])
def test_it_takes_five_stones_when_only_that_wins(table):
    go = set_up("OOOOO XXXX. XXXXX OO.OO .O.O.", 1, 22)
    assert MyPlayer(table).get_input(go, 1) == (1, 4)


def best_result(state):
    """Return 1 if the player to move can win, -1 if he must lose, 0 otherwise, by looking at everything."""
    if state.is_over:
        leader = state.leader()
        return 0 if not leader else 1 if leader == state.to_move else -1
    return max(-best_result(state.after(move)) for move in state.legal_moves())


@pytest.mark.parametrize("rules", [COURSE, LITTLEGO], ids=lambda rules: rules.name)
def test_it_never_gives_away_a_won_endgame(player, rules):
    won = 0
    for seed in range(60):
        lots, go = random.Random(seed), GO(5, rules)
        state = new_game(rules, 5)
        while state.n_move < 20 and not state.is_over:
            state = state.play(lots.choice([move for move in state.legal_moves() if move is not None]))
        if rules.passing and seed % 2 and not state.is_over:
            state = state.play(None)
        if state.is_over or best_result(state) < 1:
            continue
        won += 1
        go.adopt_state(state)
        answer = player.get_input(go, state.to_move)
        after = state.play(None if answer == "PASS" else answer)
        assert best_result(after) == -1, state.rows()
    assert won > 10


def test_the_ko_is_not_retaken(player):
    go = GO(5)
    before = ".XO.. X.XO. .XO.. ..... ....."
    after = ".XO.. XO.O. .XO.. ..... ....."
    boards = [[[".XO".index(stone) for stone in row] for row in drawing.split()] for drawing in (before, after)]
    go.set_board(1, *boards)
    go.n_move = 12
    assert go.died_pieces == [(1, 2)]
    assert player.get_input(go, 1) != (1, 2)


TWO_EYES = "XXXXX X.XXX XXXXX XX.XX XXXXX"


def test_in_littlego_it_passes_rather_than_fill_its_own_eye(player):
    go = set_up(TWO_EYES, 1, 22, "littlego")
    assert player.get_input(go, 1) == "PASS"


def test_without_passing_even_an_eye_is_filled(player):
    assert player.get_input(set_up(TWO_EYES, 1, 22), 1) in [(1, 1), (3, 2)]


@pytest.mark.parametrize("content", [None, b"", b"no table", b"x\x9c\x03\x00\x00\x00\x00\x01"])
def test_a_missing_or_damaged_table_is_one_line_and_the_game_goes_on(content, tmp_path, capsys):
    path = tmp_path / "table.bin"
    if content is not None:
        path.write_bytes(content)
    player = MyPlayer(path)
    error = capsys.readouterr().err
    assert error.startswith("table.bin: cannot be read, playing without learned values: ")
    assert error.count("\n") == 1
    assert GO(5).play(player, make_player("random", random.Random(1))) == 1


def test_half_a_table_is_one_line(tmp_path, capsys):
    (tmp_path / "half.bin").write_bytes(my_player.TABLE.read_bytes()[:100_000])
    assert MyPlayer(tmp_path / "half.bin").search.learned is None
    assert capsys.readouterr().err.count("\n") == 1


def test_numbers_of_a_table_are_turned_on_a_machine_that_begins_with_the_largest_byte(monkeypatch):
    table = PackedTable.read(my_player.TABLE)
    monkeypatch.setattr("sys.byteorder", "big")
    turned = PackedTable.read(my_player.TABLE)
    assert (turned.keys[0], turned.states[0]) != (table.keys[0], table.states[0])
    turned.keys.byteswap()
    turned.states.byteswap()
    assert (turned.keys, turned.states, turned.kinds) == (table.keys, table.states, table.kinds)


def test_it_decides_within_its_budget_of_afterstates(player, monkeypatch):
    seen = []
    values = player.search.learned

    def counted(own, other, stage, moves, enough):
        seen.extend(moves)
        return values(own, other, stage, moves, enough)

    monkeypatch.setattr(player.search, "learned", counted)
    player.get_input(GO(5), 1)
    assert my_player_search.BUDGET / 2 < len(seen) <= my_player_search.BUDGET + 25


def test_importing_it_opens_no_file_and_needs_only_the_standard_library():
    code = (
        "import builtins, io, sys; read = []; builtins.open = io.open = lambda *path, **how: read.append(path)\n"
        "import my_player; print(read, {'numpy', 'numba'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout == "[] set()\n"


def test_what_a_stone_changes_is_added_to_what_was_there():
    """The values of all moves are those of the boards after them, one by one; the list ends with one that is enough."""
    lots, table = random.Random(3), PackedTable.read(my_player.TABLE)
    for _ in range(200):
        state = new_game(COURSE, 5)
        for _ in range(lots.randrange(22)):
            state = state.play(lots.choice(list(state.legal_moves())))
            if state.is_over:
                break
        if state.is_over:
            continue
        own, other = state.stones(state.to_move), state.stones(3 - state.to_move)
        afters = [state.after(point) for point in state.grid.points_of(state.placements())]
        stage = state.n_move + 1
        moves = [(after.stones(state.to_move) ^ own, other ^ after.stones(3 - state.to_move)) for after in afters]
        one_by_one = [table.value(after.stones(state.to_move), after.stones(3 - state.to_move), stage) for after in afters]
        assert table.values(own, other, stage, moves, my_player_search.NEVER) == one_by_one
        most = max(one_by_one)
        assert table.values(own, other, stage, moves, most) == one_by_one[: one_by_one.index(most) + 1]


# Tabular Q-learning, as the file explains it


@pytest.fixture
def alone(monkeypatch):
    """MyPlayer without the file that looks ahead."""
    monkeypatch.setattr(my_player, "my_player_search", None)
    return MyPlayer()


@pytest.mark.parametrize("colour", [1, 2])
@pytest.mark.parametrize("name", ["random", "greedy", "aggressive", "smart"])
def test_by_its_table_alone_it_wins_too(alone, name, colour):
    for seed in range(5):
        other = make_player(name, random.Random(seed))
        assert GO(5).play(*((alone, other) if colour == 1 else (other, alone))) == colour


@pytest.mark.parametrize(("rules", "size"), [(COURSE, 3), (COURSE, 7), (LITTLEGO, 5)])
def test_alone_it_plays_whole_games_on_other_boards_without_a_fault(alone, rules, size):
    go = GO(size, rules)
    go.play(alone, make_player("random", random.Random(1)))
    assert go.record.outcome.counted


def some_states(number, seed=0):
    lots = random.Random(seed)
    for _ in range(number):
        state = new_game(COURSE, 5)
        for _ in range(lots.randrange(22)):
            state = state.play(lots.choice(list(state.legal_moves())))
            if state.is_over:
                break
        if not state.is_over:
            yield state


def test_a_board_is_worth_the_sum_of_its_pieces_squashed():
    """As the packed table adds them up, in 1/64, for a board of which it has no value of its own."""
    packed = PackedTable.read(my_player.TABLE)
    table = QTable(weights_of(packed))
    packed.last_stage = 0
    for state in some_states(20):
        for choice in choices(state, table):
            own, other = (choice.after.stones(colour) for colour in (state.to_move, 3 - state.to_move))
            total = packed.value(own, other, choice.after.n_move) / 64
            assert choice.after.n_move == 24 or choice.value == pytest.approx(total / (1 + total**2) ** 0.5, abs=1e-12)


def test_a_board_and_its_eight_images_learn_together():
    table = QTable(weights_of(None))
    board = [1, 2, 0, 0, 0, 0, 1, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]
    table.learn(board, 6, 1.0, 0.1)
    rows = [board[k : k + 5] for k in range(0, 25, 5)]
    values = set()
    for _ in range(4):
        rows = [list(row) for row in zip(*rows[::-1], strict=True)]
        values |= {table.value([stone for row in image for stone in row], 6) for image in (rows, [row[::-1] for row in rows])}
    assert [round(value, 12) for value in values] == [round(table.value(board, 6), 12)] * len(values)
    assert table.value(board, 6) > 0.5
    assert table.value(board, 7) == 0
    assert table.value(board, 24) == 1.0  # White has 4 stones to 3, and komi


def test_the_target_of_a_board_is_what_the_opponent_could_make_of_it():
    table = QTable(weights_of(None))
    state, played, best_values = new_game(COURSE, 5), [], [0.5, 0.25, -0.5]
    for value in best_values:
        found = choices(state, table)
        chosen, most = found[3], found[3]._replace(value=value)
        played.append((chosen, most if value != 0.25 else found[0]._replace(value=value)))
        state = chosen.after
    # The last board won; the second player did not play their best, so how it went on says nothing about the first board.
    assert targets(played, won=True) == [-0.25, -(-0.5 + 0.8 * (1 - -0.5)), 1.0]


def test_it_learns_from_nothing_and_keeps_what_it_has_learned(tmp_path):
    """After a few games the end of a game is known: who places last and leads has won."""
    table, rng = QTable(weights_of(None)), random.Random(1)
    for game in range(30):
        learn_a_game(table, rng, 0.1, 0.2, make_player("greedy", rng), 1 + game % 2)
    write_weights(table.weights, tmp_path / "mine.bin")
    kept = QTable(weights_of(PackedTable.read(tmp_path / "mine.bin")))
    changed = 0
    for stage, kinds in enumerate(table.weights):
        for kind, looks in enumerate(kinds):
            for look, weight in looks.items():
                changed += 1
                assert abs(kept.weights[stage][kind][look] - weight) <= 1 / 128 + 1e-9
    assert changed > 5000


def test_the_target_against_a_rival_is_the_best_of_ones_next_turn():
    table = QTable(weights_of(None))
    state, played = new_game(COURSE, 5), []
    for value in [0.5, 0.25, -0.5]:
        found = choices(state, table)
        chosen, most = found[3], found[3]._replace(value=value)
        played.append((chosen, most if value != 0.25 else found[0]._replace(value=value)))
        state = chosen.after.play(chosen.after.grid.points_of(chosen.after.placements())[0])
    assert targets(played, won=False, rival=True) == pytest.approx([0.25, -0.5 + 0.8 * (-1 - -0.5), -1.0])


def test_against_a_rival_it_learns_from_its_own_boards_alone(monkeypatch):
    learned = []
    monkeypatch.setattr(QTable, "learn", lambda self, board, stage, target, rate: learned.append((stage, target)))
    learn_a_game(QTable(weights_of(None)), random.Random(1), 0.1, 0.2, make_player("greedy", random.Random(1)), 1)
    stages, targeted = zip(*learned, strict=True)
    assert list(stages) == list(range(2, 2 + 2 * len(stages), 2))
    assert len(targeted) > 5
    learned.clear()
    learn_a_game(QTable(weights_of(None)), random.Random(1), 0.1, 0.2, None, 1)
    assert [stage for stage, _ in learned] == list(range(1, len(learned) + 1))


def test_the_search_adds_what_is_in_atari_as_the_table_does(tmp_path):
    table, rng = QTable(weights_of(None)), random.Random(1)
    for game in range(20):
        learn_a_game(table, rng, 0.1, 0.2, make_player("greedy", rng), 1 + game % 2)
    write_weights(table.weights, tmp_path / "mine.bin")
    packed = PackedTable.read(tmp_path / "mine.bin")
    kept, counted = QTable(weights_of(packed)), 0
    for state in some_states(30):
        for choice in choices(state, kept):
            own, other = (choice.after.stones(colour) for colour in (state.to_move, 3 - state.to_move))
            total = packed.value(own, other, choice.after.n_move) / 64
            if choice.after.n_move < 24:
                assert choice.value == pytest.approx(total / (1 + total**2) ** 0.5, abs=1e-12)
                counted += any(in_atari(choice.board)[:2])
    assert counted > 20


@pytest.mark.parametrize(("drawing", "expected"), [
    ("..... ..... ..... ..... .....", (0, 0, 0)),
    (".XX.. XOO.. .XX.. ..... .....", (0, 2, 3)),
    ("X.... O.... ..... ..... .....", (1, 0, 0)),
    ("OOX.. X.... ..... ..... XXO..", (0, 2, 1)),
])  # fmt: skip
def test_stones_in_atari_are_counted(drawing, expected):
    board = [".XO".index(stone) for row in drawing.split() for stone in row]
    assert in_atari(board) == expected

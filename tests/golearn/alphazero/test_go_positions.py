"""Positions whose exact values are known: the files that come with the project, and how they are made."""

import io
import itertools

import numpy as np
import pytest

from golearn.alphazero import go_positions
from golearn.alphazero.go_positions import BUCKETS, ILLEGAL, UNKNOWN, read_positions, set_bytes, shipped_path
from golearn.errors import BadPositionSetError

RULES = ["course", "littlego"]


@pytest.fixture(params=RULES, scope="module")
def shipped(request):
    return read_positions(shipped_path(request.param))


def plain_margin(state):
    """Black's stones less White's with perfect play, by looking at everything."""
    if state.is_over:
        black, white = state.points()
        return black - white
    found = [plain_margin(state.after(move)) for move in state.legal_moves()]
    return max(found) if state.to_move == 1 else min(found)


def test_files_are_small():
    assert sum(shipped_path(rules).stat().st_size for rules in RULES) < 300_000


def test_each_part_has_as_many_positions_and_half_of_them_from_players(shipped):
    n_moves = shipped.n_moves()
    for bucket in BUCKETS:
        inside = (n_moves >= bucket.start) & (n_moves < bucket.stop)
        assert inside.sum() == 500
        assert shipped.from_players[inside].sum() == 250
    assert set(n_moves.tolist()) == set(range(24))


def test_no_position_is_there_twice_and_each_is_a_choice(shipped):
    states = shipped.states()
    assert len(set(states)) == len(states) == 2000
    assert all(len(state.legal_moves()) > 1 for state in states)


def test_what_is_legal_is_what_the_rules_say(shipped):
    game, states = shipped.game, shipped.states()
    for legal, state in zip(shipped.legal(), states, strict=True):
        assert np.flatnonzero(legal).tolist() == game.legal_moves(state)


def test_margins_and_winners_agree_and_margins_are_known_of_all_but_early_positions(shipped):
    for n_moves, winners, margins in zip(shipped.n_moves(), shipped.winners, shipped.margins, strict=True):
        legal = winners != ILLEGAL
        assert (margins[~legal] == UNKNOWN).all()
        if n_moves < go_positions.FIRST_MARGIN[shipped.rules]:
            assert (margins == UNKNOWN).all()
        else:
            assert ((margins[legal] > 2.5) == (winners[legal] == 1)).all()
            assert (abs(margins[legal].astype(int)) <= 24).all()


def test_late_positions_have_the_values_of_a_plain_search(shipped):
    late = shipped.part(np.flatnonzero(shipped.n_moves() >= 20)[:60])
    for state, margins in zip(late.states(), late.margins, strict=True):
        for action in late.game.legal_moves(state):
            assert plain_margin(late.game.apply_move(state, action)) == margins[action]


def test_values_of_a_position_are_those_of_its_best_action_one_move_earlier(shipped):
    """A position and one that follows from it, of the same set: its value is what was said of the action."""
    numbers = {state: number for number, state in enumerate(shipped.states())}
    wins, found = shipped.wins().any(axis=1), 0
    for state, number in numbers.items():
        for action in shipped.game.legal_moves(state):
            after = numbers.get(state.after(shipped.game.move_of(action)))
            if after is not None:
                found += 1
                mover = after if wins[after] else number
                assert shipped.winners[number, action] == (1 if shipped.movers()[mover] == 1 else 2)
    assert found > 20


@pytest.fixture
def quick(monkeypatch):
    """Without the dear margins of the early middle game."""
    monkeypatch.setattr(go_positions, "FIRST_MARGIN", dict.fromkeys(RULES, 12))


def made_by(rules, count, seed, notes, done=lambda there: None):
    return go_positions.make_positions(rules, count, seed, notes, done)


@pytest.mark.parametrize("rules", RULES)
def test_the_shipped_positions_are_the_first_of_their_seed(rules, quick, tmp_path):
    """Drawn anew; values are looked at above."""
    found, shipped = made_by(rules, 5, 1, tmp_path / "notes"), read_positions(shipped_path(rules))
    assert np.array_equal(found.moves, shipped.moves[:5])
    assert np.array_equal(found.winners, shipped.winners[:5])


def test_positions_do_not_depend_on_how_many_there_are(quick, tmp_path):
    few, more = made_by("course", 4, 7, tmp_path / "few"), made_by("course", 9, 7, tmp_path / "more")
    assert set_bytes(few) == set_bytes(more.part(np.arange(4)))


@pytest.mark.parametrize("cut", [0, 3])
def test_what_was_stopped_goes_on_and_ends_the_same(cut, quick, tmp_path):
    """Also where a line was cut off; what was there is told at once."""
    whole = set_bytes(made_by("course", 6, 7, tmp_path / "whole"))
    notes = tmp_path / "notes"
    lines = (tmp_path / "whole").read_text().splitlines(keepends=True)
    notes.write_text("".join(lines[:3]) + lines[3][:cut])
    told = []
    assert set_bytes(made_by("course", 6, 7, notes, told.append)) == whole
    assert told == [3, 4, 5, 6]
    assert notes.read_text() == "".join(lines)


def test_notes_of_another_seed_are_refused(quick, tmp_path):
    made_by("course", 2, 7, tmp_path / "notes")
    with pytest.raises(BadPositionSetError, match="line 1 has another"):
        made_by("course", 4, 8, tmp_path / "notes")


def test_a_set_is_read_as_it_was_written(shipped, tmp_path):
    (tmp_path / "set.npz").write_bytes(set_bytes(shipped))
    assert set_bytes(read_positions(tmp_path / "set.npz")) == set_bytes(shipped)


def without(key, **others):
    arrays = dict(np.load(shipped_path("course"))) | others
    arrays.pop(key, None)
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


BAD = {
    "empty": b"",
    "no zip": b"PK not at all",
    "an array left out": lambda: without("winners"),
    "objects": lambda: without("", margins=np.array([{}, None])),
    "another shape": lambda: without("", margins=np.zeros((2000, 25), np.int8)),
    "another kind": lambda: without("", moves=np.zeros((2000, 24))),
    "unknown rules": lambda: without("", rules="chess"),
}


@pytest.mark.parametrize("data", BAD.values(), ids=BAD)
def test_a_bad_file_is_refused_by_name(data, tmp_path):
    path = tmp_path / "bad.npz"
    path.write_bytes(data() if callable(data) else data)
    with pytest.raises(BadPositionSetError, match=r"bad\.npz"):
        read_positions(path)


def test_a_missing_file_is_refused_by_name(tmp_path):
    with pytest.raises(BadPositionSetError, match=r"none\.npz' cannot be read: No such file"):
        read_positions(tmp_path / "none.npz")


def test_a_position_that_no_game_leads_to_is_refused():
    known = read_positions(shipped_path("course")).part(np.arange(3))
    known.moves[2, :2] = 12, 12
    with pytest.raises(BadPositionSetError, match="position 2 of a set for course: action 12"):
        known.states()


def test_players_and_chance_take_turns_and_parts_do():
    kinds = [(number % 4, go_positions.from_players(number)) for number in range(8)]
    assert sorted(kinds) == sorted(itertools.product(range(4), [False, True]))

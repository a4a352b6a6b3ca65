"""The built-in sets: their names, and that their tables are those of GNU Go's sets of these names."""

import json

import numpy as np
import pytest

from goban.kernels.patterns.neighbourhoods import CLASSES, COMBINATIONS
from goban.montecarlo.pattern_sets import (
    GNUGO_NAMES,
    NAMES,
    LearnedFactors,
    is_name,
    load_table,
    read_factors,
    set_named,
    table_of,
)
from goban.montecarlo.pattern_tables import explanation, summary
from goban.solver.errors import BadPatternError
from tests.support.plain_patterns import bits_that_matter

# Of the tables that GNU Go 3.8 has compiled in.
DIGESTS = {
    "uniform": "c30c4412285076076f619b3bcb71537cb5de50dd1ec7118597c38555813c1ed6",
    "mogo_classic": "76cb42dc14a8b2b97df741e1a4188e3dce4cb527ad6b2c5c4d065afb3ccdbb77",
    "montegnu_classic": "285570998ec2883e3fef4a19ad65566f36c109819d8c7ae4f0164966c31f1688",
}


@pytest.mark.parametrize("name", DIGESTS)
def test_a_set_has_the_table_of_gnu_go(name):
    assert set_named(name).digest == DIGESTS[name]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_may_be_spelled_both_ways(name):
    assert set_named(f"mc_{name}") is set_named(name)
    assert is_name(name)
    assert is_name(f"mc_{name}")


@pytest.mark.parametrize("name", NAMES)
def test_nothing_in_a_set_is_hardly_meant(name):
    assert set_named(name).warnings == ()


def test_only_uniform_asks_for_no_properties():
    assert [bits_that_matter(set_named(name)) for name in GNUGO_NAMES] == [0, 0b1011111, 0b1011111]


@pytest.mark.parametrize("name", ["", "mc_", "mogo", "Uniform", "mc_mc_uniform", "uniform.db"])
def test_other_names_are_refused_with_a_list(name):
    assert not is_name(name)
    with pytest.raises(BadPatternError, match="expected one of uniform, mogo_classic, montegnu_classic, learned, got "):
        set_named(name)


def test_a_users_file_is_loaded(tmp_path):
    path = tmp_path / "mine.db"
    path.write_text("%%%\n%*%\n%%%\n:7\n")
    table = load_table(path)
    assert (table.value(0, 0), table.name) == (7, str(path))


BASE = set_named("montegnu_classic")


def factors(classes=None, combinations=None, base="montegnu_classic"):
    """Logarithms that are 0 but for those given as {index: logarithm}."""
    rows, columns = np.zeros(CLASSES), np.zeros(COMBINATIONS)
    for logarithms, given in ((rows, classes), (columns, combinations)):
        for index, value in (given or {}).items():
            logarithms[index] = value
    return LearnedFactors(base, rows, columns)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "mine.json"


def test_without_factors_weights_are_the_base_s_in_hundredths(path):
    path.write_text(factors().text())
    assert (load_table(path).values == 100 * BASE.values).all()


def test_factors_multiply():
    table = factors({7: 1.0, 8: -2.0}, {3: 0.5}).apply(BASE, "mine")
    for row, column, logarithm in ((7, 3, 1.5), (7, 4, 1.0), (8, 3, -1.5), (9, 3, 0.5), (9, 4, 0.0)):
        worth = 100 * BASE.values[row, column] * np.exp(logarithm)
        assert table.values[row, column] == (max(1, round(worth)) if worth else 0)


def test_what_is_worth_nothing_stays_so_and_nothing_else_becomes_so():
    least = factors(dict.fromkeys(range(CLASSES), -4.0), dict.fromkeys(range(COMBINATIONS), -4.0)).apply(BASE, "least")
    assert ((least.values == 0) == (BASE.values == 0)).all()


def test_a_file_gives_back_what_was_written(path):
    path.write_text(factors({0: -4.0, 1106: 3.99}, {255: 0.01}).text())
    found = read_factors(path)
    assert (found.classes[0], found.classes[1106], found.combinations[255]) == (-4.0, 3.99, 0.01)
    assert found.base == "montegnu_classic"
    assert found.text() == path.read_text()


GOOD = json.loads(factors().text())
BAD = {
    "nothing": "", "no JSON": "{", "a list": "[]", "a number": "1", "deep": "[" * 100_000, "no base": {"base": None},
    "no classes": {"classes": None}, "a text": {"classes": "0" * CLASSES}, "too short": {"combinations": [0] * 255},
    "too large": {"classes": [401] + [0] * 1106}, "a fraction": {"classes": [0.5] + [0] * 1106},
    "no number": {"classes": [True] + [0] * 1106},
}  # fmt: skip


@pytest.mark.parametrize("content", BAD.values(), ids=BAD)
def test_a_file_that_is_none_is_refused_in_one_line(path, content):
    path.write_text(content if isinstance(content, str) else json.dumps(GOOD | content))
    with pytest.raises(BadPatternError, match=r"mine.json.: expected a learned set of patterns, as golearn.patterns"):
        load_table(path)


def test_a_base_is_one_of_gnu_go_s_sets(path):
    path.write_text(factors(base="learned").text())
    with pytest.raises(BadPatternError, match="expected a base of uniform, mogo_classic, montegnu_classic, got 'learned'"):
        table_of(str(path))


def test_reports_tell_of_the_base_and_of_what_factors_make_of_it():
    table = factors({0: 1.0}, {1: 1.0}).apply(BASE, "mine")
    assert "times learned factors, in hundredths of the weights of montegnu_classic" in summary(table).splitlines()
    assert summary(BASE).count("learned") == 0
    far, near = (explanation(table, 0, (word,)).splitlines()[2].split() for word in ("far", "near"))
    assert far[0] == str(round(100 * np.e * int(BASE.values[0, 0])))
    assert near[1] == "to"


def test_the_shipped_set_is_learned_from_montegnu_classic():
    table = set_named("learned")
    assert table.base is BASE
    assert ((table.values == 0) == (BASE.values == 0)).all()
    assert not (table.values == 100 * BASE.values).all()

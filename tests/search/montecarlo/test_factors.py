"""Learned sets: what a file of factors comes to, and files that are none."""

import json

import numpy as np
import pytest

from kernels.patterns.neighbourhoods import CLASSES
from kernels.patterns.properties import COMBINATIONS
from search.errors import BadPatternError
from search.montecarlo.pattern_sets import LearnedFactors, load_table, read_factors, set_named, table_of
from search.montecarlo.table_reports import explanation, summary

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
    with pytest.raises(BadPatternError, match=r"mine.json.: expected a learned set of patterns, as learning.patterns"):
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

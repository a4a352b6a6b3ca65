"""The built-in sets: their names, and that their tables are those of GNU Go's sets of these names."""

import pytest

from search.errors import BadPatternError
from search.montecarlo.pattern_sets import GNUGO_NAMES, NAMES, is_name, load_table, set_named

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
    assert [set_named(name).bits_that_matter for name in GNUGO_NAMES] == [0, 0b1011111, 0b1011111]


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

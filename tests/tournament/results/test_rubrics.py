"""Points are exact, and a rubric file that says something else than it seems to is refused by key."""

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.errors import BadRubricError
from tournament.results.rubric_files import SHIPPED, names, parse_rubric, read_rubric
from tournament.results.rubrics import Band, OpponentRubric, show_chance, show_points

OWN = """
title = "Mine"
rules = "course"
size = 5
games = 10
[[opponent]]
name = "random"
bands = [{ from = 0.7, points = 3 }, { from = 0, times_rate = 2.5 }]
"""
RANKED = """
title = "Cup"
rules = "course"
size = 7
games = 11
[[rank]]
to = 2
points = 20
[[rank]]
points = 5
"""


def parsed(text):
    return parse_rubric(text.encode(), Path("/some/where/mine.toml"))


def points(rubric, **wins):
    """Points for so many wins in 100 games, by opponent."""
    by_name = {opponent.name: opponent for opponent in rubric.opponents}
    return [by_name[name].points(Fraction(number, 100)) for name, number in wins.items()]


def test_a_title_is_what_its_author_writes(tmp_path):
    text = (SHIPPED / "2019.toml").read_text().partition('title = "CSCI-561 competition 2019, first stage"\n')[2]
    for title in ("Übung 3", "第一　课", "تمرین\u200cها"):
        assert parse_rubric(f'title = "{title}"\n{text}'.encode(), tmp_path / "r.toml").title == title
    for title in ("a\u202eb", "a\u2028b", "a\\nb", " "):
        with pytest.raises(BadRubricError, match="title: expected a line of text"):
            parse_rubric(f'title = "{title}"\n{text}'.encode(), tmp_path / "r.toml")


def test_the_example_of_the_first_stage():
    parts = points(read_rubric("2019"), random=95, greedy=85, aggressive=80, smart=65)
    assert parts == [30, 17, 12, Fraction("6.5")]
    assert show_points(sum(parts)) == "65.5"


FIRST_STAGE = [
    ("random", {100: 30, 90: 30, 89: 17.8, 70: 14, 69: 0, 0: 0}),
    ("greedy", {100: 30, 90: 30, 89: 17.8, 70: 14, 69: 0, 0: 0}),
    ("aggressive", {100: 20, 90: 20, 89: 13.35, 70: 10.5, 69: 6.9, 0: 0}),
    ("smart", {100: 20, 90: 20, 89: 13.35, 70: 10.5, 69: 6.9, 0: 0}),
]
LITTLE_GO = [
    ("random", {90: 25, 89: 13.35, 70: 10.5, 69: 0}),
    ("greedy", {90: 25, 89: 13.35, 70: 10.5, 69: 0}),
    ("aggressive", {90: 25, 89: 17.8, 70: 14, 69: 6.9}),
    ("alphabeta", {90: 15, 89: 8.9, 70: 7, 69: 3.45}),
]
LITTLE_GO_2 = [("qlearner", {90: 5, 89: 4.45, 70: 3.5, 69: 0}), ("championship", {90: 5, 89: 4.45, 70: 3.5, 69: 1.38})]


@pytest.mark.parametrize(
    ("name", "opponent", "table"),
    [
        (name, *row)
        for name, rows in [("2019", FIRST_STAGE), ("littlego-2023", LITTLE_GO + LITTLE_GO_2)]
        for row in rows
    ],
)
def test_the_shipped_bands(name, opponent, table):
    for wins, worth in table.items():
        assert points(read_rubric(name), **{opponent: wins}) == [Fraction(str(worth))]


def test_the_second_stage_goes_by_rank():
    rubric = read_rubric("2019-second")
    assert [rubric.rank_points(rank) for rank in (1, 2, 3, 5, 6, 10, 11, 400)] == [20, 20, 15, 15, 10, 10, 5, 5]
    assert (rubric.games, rubric.size, rubric.entry, rubric.full) == (11, 7, 80, 20)


def test_shipped_rubrics_are_listed_and_can_be_read():
    assert names() == ["2019", "2019-second", "littlego-2023"]
    assert [read_rubric(name).games for name in names()] == [100, 11, 20]
    assert [read_rubric(name).full for name in names()] == [100, 20, 100]


def test_little_go_has_two_stages():
    assert read_rubric("littlego-2023").stages == {1: 90, 2: 10}
    assert read_rubric("2019").stages == {1: 100}


def test_what_plays_may_differ_from_what_it_is_called(tmp_path):
    champion = 'name = "random"\nplayer = "champion.py"\nstage = 2\n'
    (tmp_path / "mine.toml").write_text(OWN.replace('name = "random"\n', champion))
    rubric = read_rubric(str(tmp_path / "mine.toml"))
    with pytest.raises(BadRubricError, match=r"opponent random: expected a file with its player, found none: '.*n.py'"):
        rubric.references()
    (tmp_path / "champion.py").touch()
    assert [(player.name, player.reference) for player in rubric.references()] == [("random", str(tmp_path / "champion.py"))]


def test_an_instructors_own_file(tmp_path):
    (tmp_path / "mine.toml").write_text(OWN)
    rubric = read_rubric(str(tmp_path / "mine.toml"))
    assert rubric == parsed(OWN)
    assert rubric.opponents[0].points(Fraction(1, 3)) == Fraction(5, 6)


@given(st.integers(0, 100), st.integers(1, 100))
def test_points_lie_between_nothing_and_the_highest_band(wins, games):
    rate = Fraction(min(wins, games), games)
    for opponent in read_rubric("2019").opponents:
        assert 0 <= opponent.points(rate) <= opponent.full
        band = opponent.bands[opponent.band(rate)]
        assert band.start <= rate


ROUNDED = [("0.005", "0.01"), ("0.0049", "0"), ("2.675", "2.68"), ("-0.005", "-0.01"), ("30", "30"), ("100", "100"),
           ("65.5", "65.5"), ("99.995", "100"), ("0.1", "0.1")]  # fmt: skip


@pytest.mark.parametrize(("points", "text"), ROUNDED)
def test_points_are_shown_rounded_half_up(points, text):
    assert show_points(Fraction(points)) == text


def test_points_can_be_shown_without_decimals():
    assert [show_points(Fraction(points), 0) for points in ("99.5", "100", "0.4")] == ["100", "100", "0"]


BROKEN = [
    (OWN.replace("games = 10", "games = 0"), "games: expected a whole number from 1 to 100000, got 0"),
    (OWN.replace("games = 10", "games = true"), "games: expected a whole number from 1 to 100000, got True"),
    (OWN.replace("games = 10", "games = 2.5"), "games: expected a whole number from 1 to 100000, got 2.5"),
    (OWN.replace("games = 10", ""), "games: expected a whole number from 1 to 100000, got nothing"),
    (OWN.replace("size = 5", "size = 20"), "size: expected a whole number from 2 to 19, got 20"),
    (OWN.replace('"course"', '"chess"'), "rules: expected one of course, "),
    (OWN.replace('"Mine"', '"a\\u001bb"'), "title: expected a line of text, got"),
    (OWN.replace('"Mine"', "3"), "title: expected a line of text, got 3"),
    (OWN.replace('"random"', '"a-b"'), "opponent 1: name: expected letters, digits and _, 60 at most, got 'a-b'"),
    (OWN.replace('"random"', '"random"\nstage = 0'), "opponent 1: stage: expected a whole number from 1 to 9, got 0"),
    (OWN.replace("points = 3", "point = 3"),
     "opponent 1: band 1: expected keys from, points, times_rate, got 'point'; did you mean points?"),
    (OWN.replace("points = 3", 'points = "3"'), "opponent 1: band 1: points: expected a number from 0 to 1000000, got '3'"),
    (OWN.replace("points = 3", "points = -3"), "opponent 1: band 1: points: expected a number from 0 to 1000000, got -3"),
    (OWN.replace("points = 3", "points = nan"), "opponent 1: band 1: points: expected a number from 0 to 1000000, got NaN"),
    (OWN.replace("points = 3", "points = 1e999999999"), "points: expected a number from 0 to 1000000, got 1E+999999999"),
    (OWN.replace("points = 3", "points = 1e-999999999"), "band 1: points: expected a number from 0 to 1000000"),
    (OWN.replace("points = 3", f"points = 3.{'5' * 50}"), "points: expected a number of at most 50 digits, got 3.555"),
    (OWN.replace("points = 3", "points = 3, times_rate = 2"), "band 1: points: expected either points or times_rate, got both"),
    (OWN.replace("points = 3", ""), "not TOML: "),
    (OWN.replace(", points = 3", ""), "band 1: points: expected either points or times_rate, got neither"),
    (OWN.replace("from = 0.7", "from = 7"), "opponent 1: band 1: from: expected a win rate from 0 to 1, got 7"),
    (OWN.replace("from = 0.7", "from = 0"), "opponent 1: band 2: from: expected less than in the band before, got 0"),
    (OWN.replace("from = 0, ", "from = 0.1, "), "opponent 1: bands: expected a last band from 0, got 0.1"),
    (OWN.replace("bands = [", "bands = [] #"), "opponent 1: bands: expected a last band from 0, got no band"),
    (OWN.replace("bands = [", "bands = 3 #"), "opponent 1: bands: expected a list of tables, got 3"),
    (OWN + OWN[OWN.index("[[") :], "opponent 2: name: expected a name of its own for each opponent, got 'random'"),
    (OWN[: OWN.index("[[")], "opponent: expected either [[opponent]] or [[rank]], got neither"),
    (OWN + RANKED[RANKED.index("[[") :], "opponent: expected either [[opponent]] or [[rank]], got both"),
    ("colour = 3\n" + OWN, "expected keys title, rules, size, games, seconds, entry, opponent, rank, deadline, got 'colour'"),
    (RANKED.replace("to = 2", "to = 0"), "rank 1: to: expected a whole number from 1 to 1000000, got 0"),
    (RANKED + "to = 3", "rank 2: to: expected no such key in the last rank, which is for all others, got 3"),
    ("title = ", "not TOML: "),
    ("a = " + "[" * 10_000, "not TOML: "),
]


@pytest.mark.parametrize(("text", "complaint"), BROKEN)
def test_a_broken_rubric_is_refused_with_file_key_and_value(text, complaint):
    with pytest.raises(BadRubricError) as caught:
        parsed(text)
    assert str(caught.value).startswith("/some/where/mine.toml: ")
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_zero_with_a_huge_exponent_is_zero():
    assert parsed(OWN.replace("points = 3", "points = 0e999999999")).opponents[0].points(Fraction(1)) == 0


def test_a_rubric_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadRubricError, match=r"expected a rubric \(2019, .*\) or a file.toml, got '2020'"):
        read_rubric("2020")
    with pytest.raises(BadRubricError, match=r"cannot be read: No such file"):
        read_rubric(str(tmp_path / "none.toml"))
    (tmp_path / "long.toml").write_bytes(b"#" * 200_000)
    with pytest.raises(BadRubricError, match="expected at most 100000 bytes"):
        read_rubric(str(tmp_path / "long.toml"))
    (tmp_path / "latin.toml").write_bytes("title = 'é'".encode("latin-1"))
    with pytest.raises(BadRubricError, match="not TOML"):
        read_rubric(str(tmp_path / "latin.toml"))


# The second one is worth most just below its threshold.
BANDS = [
    read_rubric("2019").opponents[3].bands,
    (Band(Fraction(1, 2), Fraction(10), times_rate=True), Band(Fraction(), Fraction(40), times_rate=True)),
    (Band(Fraction(), Fraction(7)),),
]


@pytest.mark.parametrize("bands", BANDS)
@given(st.fractions(0, 1, max_denominator=50), st.fractions(0, 1, max_denominator=50))
def test_points_within_an_interval_are_between_the_least_and_the_most(bands, one, other):
    opponent, (low, high) = OpponentRubric("some", "random", bands), sorted((one, other))
    least, most = opponent.points_between(low, high)
    found = [opponent.points(low + (high - low) * k / 200) for k in range(201)]
    assert least <= min(found) <= max(found) <= most
    nearly = Fraction(40, 200) * (high - low) + Fraction(1, 10**9)
    assert max(found) >= most - nearly
    assert min(found) <= least + nearly


PERCENT = [(0, "0 %"), (1e-9, "<1 %"), (0.006, "1 %"), (0.12, "12 %"), (0.994, "99 %"), (0.999, ">99 %"), (1, "100 %")]


@pytest.mark.parametrize(("probability", "text"), PERCENT)
def test_only_what_is_certain_is_called_0_or_100_percent(probability, text):
    assert show_chance(probability) == text

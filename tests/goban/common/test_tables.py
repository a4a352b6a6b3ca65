from decimal import Decimal

import pytest

from goban.common.tables import Table, number, one_of, parse_toml, whole


class BadFileError(Exception):
    pass


def table(text, **options):
    return Table(parse_toml(text.encode(), **options), lambda key: f"cup.toml: {key}", BadFileError)


def test_a_value_is_returned_as_its_check_has_it():
    found = table("size = 5\nrate = 1\nword = 'b'")
    assert (found.take("size", whole(2, 19)), found.take("rate", number(0.5, 2)), found.take("word", one_of(["a", "b"]))) == (
        5, 1.0, "b",
    )  # fmt: skip


WRONG = [
    ("size = 20", whole(2, 19), "a whole number from 2 to 19, got 20"),
    ("size = 5.0", whole(2, 19), "a whole number from 2 to 19, got 5.0"),
    ("size = true", whole(2, 19), "a whole number from 2 to 19, got True"),
    ("", whole(1, 10**6), "a whole number from 1 to 1000000, got nothing"),
    ("size = 0", number(0.001, 100_000), "a number from 0.001 to 100000, got 0"),
    ("size = nan", number(0.001, 100_000), "a number from 0.001 to 100000, got nan"),
    ("size = false", number(0, 1), "a number from 0 to 1, got False"),
    ("size = ['a']", one_of(["a", "b"]), "one of a, b, got ['a']"),
    ("size = \"\\u001b[2J\"", one_of(["a"]), r"one of a, got '\x1b[2J'"),
]


@pytest.mark.parametrize(("text", "check", "said"), WRONG, ids=[said for _, _, said in WRONG])
def test_a_wrong_value_is_named_with_its_place_and_what_was_expected(text, check, said):
    with pytest.raises(BadFileError) as caught:
        table(text).take("size", check)
    assert str(caught.value) == f"cup.toml: size: expected {said}"


def test_a_number_that_was_kept_exact_is_shown_as_it_was_written():
    with pytest.raises(BadFileError, match=r"got 0\.10$"):
        table("size = 0.10", parse_float=Decimal).take("size", whole(1, 2))


def test_tables_in_a_list_know_where_they_stand():
    one, other = table("[[bands]]\nfrom = 1\n[[bands]]\n").tables("bands")
    assert one.take("from", whole(0, 1)) == 1
    with pytest.raises(BadFileError, match=r"^cup\.toml: band 2: from: expected a whole number from 0 to 1, got nothing$"):
        other.take("from", whole(0, 1))
    assert table("").tables("bands") == []
    with pytest.raises(BadFileError, match=r"^cup\.toml: bands: expected a list of tables, got 3$"):
        table("bands = 3").tables("bands")


@pytest.mark.parametrize("data", [b"a = ", b"\xff\xfe\x00", b"a = " + b"[" * 10_000])
def test_what_is_no_toml_is_one_line(data):
    with pytest.raises(ValueError, match=r"^[ -~]+$"):
        parse_toml(data)


def test_a_number_that_no_decimal_holds_is_one_line():
    with pytest.raises(ValueError, match=r"^a number out of range$"):
        parse_toml(b"a = 1e9999999999999999999", parse_float=Decimal)


@pytest.mark.parametrize("line", [b"a%s = 1", b"a%s.'b' = 1", b"[a%s]"])
def test_keys_of_many_parts_are_refused(line):
    assert "a" in parse_toml(line % (b".a" * 40))
    with pytest.raises(ValueError, match=r"^tables within tables, more than 50 deep$"):
        parse_toml(line % (b".a" * 900))
    with pytest.raises(ValueError, match=r"^a line with more than 1,000 dots$"):
        parse_toml(b"b = 0.5\n" + line % (b".a" * 10**6))


@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b"{a = ", b"}"), (b"[{a = ", b"}]")])
def test_lists_and_tables_within_each_other_are_refused(opening, closing):
    assert "a" in parse_toml(b"a = " + opening * 20 + b"1" + closing * 20)
    with pytest.raises(ValueError, match=r"^tables within tables, more than 50 deep$"):
        parse_toml(b"a = " + opening * 50 + b"1" + closing * 50)


def test_a_mark_of_windows_at_the_beginning_is_passed_over():
    assert parse_toml(b"\xef\xbb\xbfa = 1") == {"a": 1}

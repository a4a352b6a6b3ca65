"""An engine's output, cut into answers: whole, in pieces, and with what does not belong there."""

import pytest

from goban.errors import GtpError
from goban.gtp_answers import LONGEST_ANSWER, MOST_JUNK_BYTES, MOST_JUNK_LINES, Answer, Answers


def taken(*pieces):
    """Feed pieces; return all answers."""
    answers, found = Answers(), []
    for piece in pieces:
        answers.feed(piece)
        while (answer := answers.take()) is not None:
            found.append(answer)
    return found


GOOD = [
    (b"=12 C3\n\n", Answer("12", True, "C3")),
    (b"= C3\n\n", Answer("", True, "C3")),
    (b"=7\n\n", Answer("7", True, "")),
    (b"?7 illegal move\n\n", Answer("7", False, "illegal move")),
    (b"=1 name\nversion\nquit\n\n", Answer("1", True, "name\nversion\nquit")),
    (b"=1\nname\n\n", Answer("1", True, "name")),
    (b"=1\t C3\r\n\r\n", Answer("1", True, "C3")),
    (b"\0=1 C\x003\n \n", Answer("1", True, "C3")),
    (b"=23  0.0\n\n", Answer("23", True, "0.0")),
    (b"=1 caf\xe9\n\n", Answer("1", True, "caf\\xe9")),
    (b"Welcome\n\nto it\n=1 C3\n\n", Answer("1", True, "C3")),
]


@pytest.mark.parametrize(("data", "answer"), GOOD)
def test_an_answer_is_read_however_it_comes_in_pieces(data, answer):
    assert taken(data) == [answer]
    assert taken(*(data[k : k + 1] for k in range(len(data)))) == [answer]


def test_several_answers_come_one_after_the_other():
    assert [answer.id for answer in taken(b"=1 a\n\n\n?2 b\n\nnews\n=3\n\n=4")] == ["1", "2", "3"]


def test_what_is_not_ended_by_an_empty_line_is_known():
    answers = Answers()
    answers.feed(b"=1 C3\n")
    assert answers.take() is None
    assert answers.unfinished == "=1 C3"


TOO_MUCH = [b"news\n" * (MOST_JUNK_LINES + 1), b"x" * (MOST_JUNK_BYTES + 1), b"y\n" + b"x" * MOST_JUNK_BYTES]


@pytest.mark.parametrize("data", TOO_MUCH)
def test_too_much_before_an_answer_is_an_error_that_quotes_its_beginning(data):
    with pytest.raises(GtpError, match=r"and no answer, which begins with = or \?; it began with '(news|xxx|y)"):
        taken(data)


def test_as_much_as_is_allowed_is_skipped_before_every_answer():
    assert len(taken(*[b"news\n" * MOST_JUNK_LINES + b"=1\n\n"] * 3)) == 3


@pytest.mark.parametrize("more", [b"A" * 10_000_000, b"A\n" * 1_000_000])
def test_of_an_endless_answer_the_beginning_is_kept(more):
    pieces = [b"=1 ", *(more[k : k + 65536] for k in range(0, len(more), 65536)), b"\n\n=2 C3\n\n"]
    long, short = taken(*pieces)
    assert long.id == "1"
    assert len(long.text) <= 2 * LONGEST_ANSWER
    assert short == Answer("2", True, "C3")

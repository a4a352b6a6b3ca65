"""Which move lost a game, on which line it was returned, what players cannot make of that, and who sees it."""

import re
import stat
from contextlib import closing
from dataclasses import replace

import pytest

from goban.rulesets import COURSE
from goban.states import new_game
from gojudge.records import NOTHING, Entrant, GameResult, Spent, Termination, Turn
from gojudge.refereeing.open_seats import ReferenceSeat
from gojudge.refereeing.referee import play
from lab.browsing import why_not
from tests.support.browsing import opened, visit
from tests.support.missing import needs
from tests.support.page_events import NICKNAMES, made_up_losses, small_store, write_pages
from tests.support.submissions import best_tier, get_input, seat_for, spec, submission, tiers
from tournament.__main__ import main
from tournament.application.reports import ask_losses_again
from tournament.pages.contents import gather
from tournament.pages.editions import edition
from tournament.pages.losses import (
    MOST_OF_ONE,
    MOST_OF_PAIR,
    MOST_SECONDS,
    LosingMove,
    LossQuestion,
    append_loss,
    ask_again,
    known_loss,
    losing_move,
    losses_path,
    questions,
    read_losses,
)
from tournament.pages.truths import Truth
from tournament.store.store import read_store

MOVES = "B2 B3 C3 A3 C2 A2 A1 C1"
UNKNOWN = "Where this move was returned is not known."
RANDOM = Entrant("bob", reference="random", digest="random")

# Which move it was

WINNERS = {
    "the loser's last that gave the game away": (2, (1, 2, 1, 2, 2), (None,) * 5, 3),
    "that of the loser, not the winner's own": (1, (1, 2, 2, 2, 1), (None,) * 5, 4),
    "lost from the start, the one that cost most": (2, (2,) * 5, (-1, -3, -3, -9, -9), 3),
    "lost from the start, at no cost": (2, (2,) * 5, (-1,) * 5, None),
    "of a tie there is none": (0, (1, 0, 0, 0, 0), (None,) * 5, None),
}


def lost(winner, moves, **fields):
    turns = tuple(Turn(move, NOTHING) for move in moves.split())
    return GameResult(spec(), winner, 1, 2, Termination.SCORE, turns=turns, **fields)


@pytest.mark.parametrize("name", WINNERS)
def test_the_losing_move(name):
    winner, winners, margins, move = WINNERS[name]
    assert losing_move(lost(winner, "B2 B3 C3 A3"), Truth(winners, margins, {}, 1.0), "course", 5) == move


@pytest.mark.parametrize("truth", [None, Truth((None,) * 8, (None,) * 8, {}, 1.0)])
def test_where_no_values_are_known_it_is_the_move_before_the_largest_capture(truth):
    # White takes A1 at move 4, then B1 and C1 at move 8; it is Black's move 7 that lost them.
    game = lost(2, "A1 A2 E5 B1 C1 B2 B1 D1")
    assert losing_move(game, truth, "course", 5) == 3
    assert losing_move(lost(2, "A1 A2 E5 B1 C1 B2 D5 C2 E4 D1"), None, "course", 5) == 9
    assert losing_move(replace(game, winner=1), None, "course", 5) is None


def test_a_forfeit_has_no_losing_move():
    assert losing_move(lost(2, MOVES, forfeited_by=1), Truth((1, 2) * 4 + (2,), (None,) * 9, {}, 1.0), "course", 3) is None


def test_a_few_losses_of_each_class_and_of_several_opponents_are_asked_again():
    ann, program = Entrant("ann", digest="1"), Entrant("prog", kind="program", digest="2")

    def games(loser, opponents, games):
        for opponent in opponents:
            for number in range(games):
                named = replace(spec(), id=f"{loser}-{opponent}-{number:03}", black=loser, white=opponent)
                yield replace(lost(2, "A1 A2 E5 B1"), spec=named)

    people = [ann, program, *(Entrant(f"p{k}", reference="random") for k in range(9))]
    opponents = [one.name for one in people[2:]]
    found = list(questions([*games("ann", opponents, 4), *games("prog", opponents, 4)], people, {}, "course", 5))
    assert {one.loser.name for one in found} == {"ann"}
    assert len(found) == MOST_OF_ONE
    assert [one.result.spec.white for one in found][: MOST_OF_PAIR + 1] == ["p0"] * MOST_OF_PAIR + ["p1"]


# Asked again

BODY = """
free = [(k // go.size, k % go.size) for k in range(go.size ** 2)]
free = [point for point in free if go.valid_place_check(*point, colour, test_check=True)]
if go.n_move == 2:
    print("third <b>move</b>")
    return free[-1]
return free[0]
"""


@pytest.fixture
def asked(tmp_path, tier):
    """Play a game of a class against random on 3x3, and ask for its move 3 again."""

    def ask(source, change=lambda result: result):
        entrant = submission(tmp_path / "handed_in", source)
        with closing(seat_for(entrant, tier, size=3)) as seat:
            other = ReferenceSeat(RANDOM, COURSE, 3)
            result = play(spec(), new_game(COURSE, 3), seat, other).result
            assert (len(result.turns) >= 3, result.forfeited_by) == (True, 0), result
            question = LossQuestion(change(replace(result, winner=2)), entrant, 3)
            return ask_again(question, seat, new_game(COURSE, 3))

    return ask


@tiers(best_tier())
def test_the_line_that_returned_it_is_found_with_what_stands_around(asked):
    loss = asked(get_input(BODY))
    ((file, line, function, first, lines),) = loss.passages
    assert (loss.move, loss.why) == (3, "")
    assert (file, function, lines[line - first].strip()) == ("my_player.py", "get_input", "return free[-1]")


FORGED = """
import sys
lines = sys._getframe(1).f_locals.get("lines")
if lines is not None:
    lines.places = lambda: {forged}
"""
FORGERIES = [
    '[["../../../etc/passwd", 1, "root"]]', '[["/etc/passwd", 1, "x"]]', '"x" * 5', "[[1, 2]] * 99", '{"a": 1}', "[None]",
]  # fmt: skip


@tiers(best_tier())
def test_what_is_printed_meanwhile_is_no_matter(asked):
    ((_, line, _, first, lines),) = asked(get_input("print('x' * 1_000_000)\n" + BODY)).passages
    assert lines[line - first].strip() == "return free[-1]"


@tiers(best_tier())
def test_of_a_player_that_traces_itself_nothing_is_known(asked):
    loss = asked(get_input("import sys\nsys.settrace(lambda *a: None)\n" + BODY))
    assert (loss.passages, loss.why) == ((), UNKNOWN)


@tiers(best_tier())
@pytest.mark.parametrize("forged", FORGERIES)
def test_what_a_submission_forges_leads_to_no_other_file(asked, forged):
    loss = asked(get_input(FORGED.format(forged=forged) + BODY))
    assert (loss.passages, loss.why) == ((), UNKNOWN)


@tiers(best_tier())
def test_of_a_player_that_answers_otherwise_the_page_says_so(asked):
    def change(result):
        turns = list(result.turns)
        taken = {turn.move for turn in turns[:3]}
        free = next(point for point in ("A1", "B1", "C1", "A2", "B2") if point not in taken)
        return replace(result, turns=(*turns[:2], replace(turns[2], move=free), *turns[3:]))

    loss = asked(get_input(BODY), change)
    assert loss.passages == ()
    assert re.fullmatch(r"Where this move was returned is not known: asked again for move 3, it answered \w\d\.", loss.why)


@tiers(best_tier())
def test_of_slow_answers_none_is_asked_for_again(asked):
    def change(result):
        slow = Spent(MOST_SECONDS, MOST_SECONDS)
        return replace(result, turns=tuple(replace(turn, spent=slow) for turn in result.turns))

    assert "was not asked for again" in asked(get_input(BODY), change).why


# Kept, and shown


def test_the_file_is_the_owners_alone_and_half_a_line_is_skipped(tmp_path):
    path = losses_path(tmp_path / "cup.db")
    loss = LosingMove("key", 3, (("my_player.py", 7, "get_input", 4, ["a", "b"]),))
    append_loss(path, "one", loss)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.write_bytes(path.read_bytes() + b'{"game": "two", "ke')
    append_loss(path, "three", replace(loss, why="unknown", passages=()))
    assert read_losses(path) == {"one": loss, "three": replace(loss, why="unknown", passages=())}


def test_of_who_has_handed_in_anew_nothing_is_known():
    (question,) = questions([lost(2, "A1 A2 E5 B1")], [Entrant("alice", digest="1")], {}, "course", 5)
    known = {question.result.spec.id: LosingMove(question.key, question.move)}
    assert known_loss(question.result, question.loser, known) == LosingMove(question.key, 3)
    assert known_loss(question.result, replace(question.loser, digest="2"), known) is None


SEEN = {
    ("instructor", ""): {"ann", "bob", "cyra"}, ("class", ""): set(), ("named", ""): set(), ("agreed", ""): set(),
    ("student", "ann"): {"ann"}, ("student", "cyra"): {"cyra"},
}  # fmt: skip


@pytest.mark.parametrize("whose", SEEN)
def test_a_source_is_seen_by_its_own_student_and_the_instructor_alone(tmp_path, whose):
    kind, student = whose
    with read_store(small_store(tmp_path / "cup.db", games=8)) as store:
        shown = edition(kind, store.entrants(), NICKNAMES, student)
        contents = gather(store, shown, None, {}, losses=made_up_losses(store))
        text = "".join(text for _, text in contents.album.chunks())
    assert set(re.findall(r"source_of_(\w+)\(\)", text)) == SEEN[whose]


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A grade of one submission that loses, and what was found out of its losses."""
    folder = tmp_path_factory.mktemp("graded")
    (folder / "hw").mkdir()
    submission(folder / "hw" / "ann", get_input(BODY))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        main(["grade", "hw", "--games", "4", "--seed", "1", "--jobs", "1"])
    path = folder / "grade.db"
    with read_store(path) as store:
        counts = ask_losses_again(store), ask_losses_again(store)
    return path, counts, read_losses(losses_path(path))


@pytest.mark.slow
def test_each_loss_is_asked_again_once_for_all_pages(graded):
    _, (first, again), losses = graded
    assert (first > 0, again) == (True, 0)
    assert {one.passages[0][0] for one in losses.values()} == {"my_player.py"}
    assert {one.why for one in losses.values()} == {""}


@pytest.mark.slow
@needs(why_not())
def test_a_page_opens_at_the_move_that_was_asked_for_again(browser, graded, tmp_path):
    path, _, losses = graded
    write_pages(path, tmp_path, losses=losses)
    with opened(browser, tmp_path) as page:
        for game, loss in sorted(losses.items())[:3]:
            one, other, number = game.rsplit("-", 2)
            visit(page, tmp_path, f"games.html#{one}/{other}/{int(number)}")
            page.reload()
            page.wait_for_selector("#game:not([hidden])")
            assert page.locator("#step").inner_text().startswith(f"{loss.move} / ")
            assert page.locator("#printed h3").first.inner_text().startswith("Returned by my_player.py, line ")

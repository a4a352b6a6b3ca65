"""What is due follows from what there is, and once it is done nothing is."""

from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from tournament.courses.course_files import Stage
from tournament.courses.due import StageContents, StepKind, due
from tournament.events.event_files import EventFile

NOW = datetime(2026, 10, 1, 12, tzinfo=UTC)
EDITIONS = ("instructor", "class", "student")
STAGES = [
    Stage(name, kind, "course.toml: x", EventFile({}), begins)
    for name, kind, begins in [("first", "grade", None), ("cup", "round-robin", datetime(2026, 10, 1, 13, tzinfo=UTC))]
]
NAMES = st.lists(st.sampled_from(["ann", "bob", "cy"]), unique=True).map(tuple)
FOUND = st.builds(
    StageContents, st.sampled_from(STAGES), st.booleans(), NAMES, NAMES, NAMES, st.integers(0, 3), st.booleans(), st.booleans(),
    st.lists(st.sampled_from(EDITIONS), unique=True).map(tuple),
)  # fmt: skip


def done(found, step):
    """What there is once a step was done, if all that it counts on was done before."""
    if step.kind is StepKind.CHECK:
        return replace(found, unchecked=())
    if step.kind is StepKind.PLAY:
        # New games make other marks.
        return replace(found, new=(), changed=(), games=0, recorded=True, published=False)
    if step.kind is StepKind.PUBLISH:
        assert not found.games
        assert not found.changed
        return replace(found, published=True, stale=EDITIONS)
    assert found.published
    return replace(found, stale=tuple(edition for edition in found.stale if edition != step.edition))


@given(st.lists(FOUND, max_size=3), st.integers(0, 9), st.sampled_from([NOW, NOW.replace(hour=13)]))
def test_once_all_is_done_nothing_is_due_wherever_it_was_stopped(found, stop, now):
    for _ in range(2):
        for number, one in enumerate(found):
            for step in due([one], EDITIONS, now)[:stop]:
                found[number] = done(found[number], step)
        stop = None
    assert due(found, EDITIONS, now) == []


@given(FOUND)
def test_nothing_is_due_before_a_stage_begins(found):
    now = NOW if found.stage.begins is None else found.stage.begins
    assert due([replace(found, stage=replace(found.stage, begins=now.replace(day=2)))], EDITIONS, now) == []


def test_steps_in_words():
    found = StageContents(STAGES[0], True, ("ann", "bob"), tuple("abcdefgh"), ("bob",), 7)
    assert [step.words for step in due([found], EDITIONS[:1], NOW)] == [
        "check ann, bob",
        "play 7 games (new: a, b, c, d, e, f and 2 more; handed in anew: bob)",
        "publish marks",
        "write the pages of the instructor edition",
    ]
    found = StageContents(STAGES[1], True, recorded=True, published=True, stale=("class",))
    later = NOW.replace(hour=13)
    assert [step.words for step in due([found], EDITIONS, later)] == ["write the pages of the class edition"]
    assert [step.words for step in due([replace(found, published=False)], (), later)] == ["publish the ranking"]
    assert [step.words for step in due([replace(found, recorded=False)], (), later)] == [
        "take in what the roster says", "publish the ranking"
    ]  # fmt: skip

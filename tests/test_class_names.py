"""One word, one thing: the name of a class stands once in the product."""

from collections import defaultdict

from tests.test_layers import ATTACKS, COURSE, ROOMS, ROOT, read, sources

# my_player.py stands alone, and people write their own over it.
LEFT_OUT = {"my_player", "my_player_search", "my_player_table", "my_player3", "benchmarks", "lab"}

# Names that stand more than once, and why. Who gives one of them a name of its own takes it from here.
AGAIN = {
    "AggressivePlayer GreedyPlayer RandomPlayer SmartPlayer GO": "the course's, in files that it puts beside players",
    "MyPlayer": "what a player that is handed in has to be called, that of self-play too",
    "Engine": "of GTP from Python, of an event, and the front end of GTP; the solver's, which only its own room sees",
    "Batch Learner Plan Rating Run States Tables Training": "trainers are packages with words of their own",
    "ClosedError Conversation Game Plan": "a sandbox may import nothing of ours: both sides of its door have one",
    "Fault Game Seat Turn": "of a game in the browser, which knows nothing of the judge's",
    "Answers Command Finding Match Player Position Positions Row Tally": "of rooms that never meet",
}  # fmt: skip


def classes():
    """Every class outside functions of the product: name -> the files that it stands in. Private ones are their file's own."""
    found = defaultdict(set)
    for room in ROOMS.keys() - LEFT_OUT:
        for path in sources(room):
            if path.is_relative_to(ROOT / "players/shipped"):
                continue
            for name in read(path).classes:
                if not name.startswith("_"):
                    found[name].add(str(path.relative_to(ROOT)))
    return found


def test_the_name_of_a_class_stands_once():
    again = {name for name, files in classes().items() if len(files) > 1}
    assert sorted(again - {name for names in AGAIN for name in names.split()}) == [], "another class has this name"


def test_all_rooms_are_looked_at():
    assert len(classes()) > 400
    assert not any(file.startswith(str(ATTACKS.relative_to(ROOT))) for files in classes().values() for file in files)
    assert "gojudge/inside/course_modules/host.py" in classes()["GO"]
    assert COURSE.is_dir()

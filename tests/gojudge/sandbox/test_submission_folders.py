"""A submission's folder, at every tier: its tables and modules are found, and what a game leaves is gone in the next."""

import ast
import os
from dataclasses import replace

import pytest

from goban.moves import Unreadable
from tests.support.submissions import answers, get_input, seat_for, submission, tiers


def told(seat, number=1):
    """What a player says by answers that are no points of the board."""
    return [ast.literal_eval(answer.text) if isinstance(answer, Unreadable) else answer for answer in answers(seat, number)]


@tiers()
def test_tables_are_found_by_relative_name_at_import_and_later(open_seat):
    seat = open_seat(
        """
        import os
        at_import = int(open("table.txt").read())
        here = os.path.dirname(os.path.abspath(__file__))

        class MyPlayer:
            def __init__(self):
                self.table = int(open("table.txt").read())

            def get_input(self, go, piece_type):
                with open(os.path.join(here, "table.txt")) as table:
                    return at_import + self.table, int(table.read())
        """,
        files={"table__txt": "21"},
    )
    assert told(seat) == [(42, 21)]


@tiers()
def test_what_a_game_writes_is_gone_in_the_next_and_never_in_the_original(open_seat, tmp_path):
    seat = open_seat(
        get_input("""
            import os, tempfile
            places = ["counter.txt", __file__ + ".txt", os.path.join(tempfile.gettempdir(), "counter.txt")]
            for place in places:
                with open(place, "a") as file:
                    file.write("x")
            return [len(open(places[0]).read()) + len(open(places[1]).read()), len(open(places[2]).read())]
        """)
    )
    for _ in range(3):
        assert answers(seat, 2) == [(2, 1), (4, 2)]
    assert os.listdir(tmp_path / "submission0") == ["my_player.py"]


@tiers()
def test_nothing_of_a_game_is_left_in_memory(open_seat):
    seat = open_seat(
        get_input("""
            COUNT.append(1)
            MyPlayer.games = getattr(MyPlayer, "games", 0) + 1
            return len(COUNT), MyPlayer.games
        """, "COUNT = []"))  # fmt: skip
    for _ in range(3):
        assert answers(seat, 2) == [(1, 1), (2, 2)]


@tiers()
def test_an_import_that_leaves_a_thread_is_repeated_for_every_game(open_seat):
    seat = open_seat(
        get_input("return threading.active_count(), len(COUNT)", """
            import threading
            COUNT = []
            threading.Thread(target=threading.Event().wait, daemon=True).start()
        """))  # fmt: skip
    assert answers(seat) == answers(seat) == [(2, 0)]


NAMED_LIKE_OURS = [
    {"common.py": "OWN = 7"},
    {"common/__init__.py": "from common.deep import OWN", "common/deep.py": "OWN = 7"},
    {"gojudge.py": "OWN = 7"},
    {"gojudge/parts.py": "OWN = 7"},
    {"tournament/parts.py": "OWN = 7"},
]


@tiers()
@pytest.mark.parametrize("files", NAMED_LIKE_OURS, ids=lambda files: next(iter(files)))
def test_a_module_named_like_one_of_ours_is_the_submission_s_own(open_seat, tmp_path, files):
    (path, _), *_ = files.items()
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    seat = open_seat(get_input("import goban.inputs\nreturn OWN, go.size", f"import go\nfrom {module} import OWN"))
    for name, text in files.items():
        (tmp_path / "submission0" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "submission0" / name).write_text(text)
    assert told(seat, 2) == [(7, 5), (7, 5)]
    seat.close()


@tiers()
def test_the_one_file_may_itself_be_named_like_ours(open_seat, tmp_path, tier):
    entrant = submission(tmp_path / "alice", "")
    (entrant.folder / "common.py").write_text(get_input("return len(__name__), go.size"))
    seat = seat_for(replace(entrant, entry="common.py"), tier)
    try:
        assert told(seat) == [(len("common"), 5)]
    finally:
        seat.close()

"""round-robin without submissions: reference players alone, to rate them."""

from collections import Counter

import pytest

from tests.support.submissions import get_input, submission
from tournament.__main__ import main
from tournament.results.ratings import count, ratings
from tournament.store.store import read_store


def test_reference_players_may_meet_alone(tmp_path, monkeypatch, played_here, capsys):
    monkeypatch.chdir(tmp_path)
    options = ["random", "greedy", "naive", "--size=3", "--games=2", "--seed=1", "--jobs=1", "--name=cup"]
    assert main(["round-robin", *options]) == 0
    with read_store(tmp_path / "cup.db") as store:
        assert sorted({row.black for row in store.rows()}) == ["greedy", "naive", "random"]
    assert "6 of 6 games are saved in cup.db" in capsys.readouterr().err


def test_more_games_are_played_where_they_decide_most(tmp_path, monkeypatch, played_here, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cup.toml").write_text('name = "cup"\nreferences = ["random", "greedy", "smart"]\ndeciding = 200\n')
    options = ["--event=cup.toml", "--size=4", "--games=3", "--seed=1", "--jobs=1"]
    assert main(["round-robin", *options]) == 0
    with read_store(tmp_path / "cup.db") as store:
        more = [row.id for row in store.rows() if int(row.id[-3:]) > 3]
        first = ratings(count(row for row in store.rows() if row.id not in more)).players
    assert 0 < len(more) == first[0].needed + first[1].needed <= 200
    assert f"{9 + len(more)} of {9 + len(more)} games are saved in cup.db" in capsys.readouterr().err
    assert main(["round-robin", *options]) == 0
    assert "0 played now" in capsys.readouterr().err
    assert main(["report", "cup.db", "--out", "site"]) == 0
    assert "After 3 games a pair up to 200 more are played between neighbours" in (tmp_path / "site/index.html").read_text()
    assert main(["standings", "cup.db", "--follow"]) == 0
    assert f": {9 + len(more)} games" in capsys.readouterr().out


@pytest.mark.slow
def test_in_rounds_everybody_meets_some_and_ranks_are_by_rating(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = ["random", "greedy", "aggressive", "smart", "naive", "alphabeta"]
    (tmp_path / "cup.toml").write_text(f"references = {names}\nsize = 3\ngames = 2\nrounds = 2\nseed = 1\n")
    found = {}
    for jobs in (1, 3):
        assert main(["round-robin", "--event=cup.toml", f"--jobs={jobs}", f"--name=cup{jobs}"]) == 0
        with read_store(tmp_path / f"cup{jobs}.db") as store:
            found[jobs] = [(game.spec, game.turns and [turn.move for turn in game.turns]) for game in store.results()]
            rows = store.rows()
    assert found[1] == found[3]
    assert f"{len(rows)} of {len(rows)} games are saved in cup3.db" in capsys.readouterr().err
    met = Counter(name for row in rows if row.id.endswith("001") for name in (row.black, row.white))
    assert sorted(met) == sorted(names)
    assert 2 <= min(met.values()) <= max(met.values()) <= 3
    assert [row.id[-4:] for row in rows].count("1001") == 3
    assert main(["standings", "cup3.db", "--out=ranking.csv"]) == 0
    ranking = (tmp_path / "ranking.csv").read_text().splitlines()[1:]
    assert [line.split(",")[1] for line in ranking] == [one.name for one in ratings(count(rows)).players]
    assert main(["report", "cup3.db", "--out", "site"]) == 0
    assert "the ranking is by rating" in (tmp_path / "site/index.html").read_text()
    assert main(["verify", "cup3.db"]) == 0
    assert main(["standings", "cup3.db", "--follow"]) == 0


@pytest.mark.parametrize(("key", "loads"), [("", 1), ("load_each_game = true", 4)])
def test_an_event_may_have_each_game_load_anew(key, loads, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    source = "import time\nLOADED = time.monotonic_ns()\n\n" + get_input("print(LOADED)\nreturn go.size, go.size")
    submission(tmp_path / "ann", source)
    (tmp_path / "cup.toml").write_text(f"submissions = 'ann'\nreferences = ['random']\ngames = 4\nsize = 3\n{key}\n")
    assert main(["round-robin", "--event=cup.toml", "--name=cup", "--jobs=1"]) == 0
    with read_store(tmp_path / "cup.db") as store:
        logs = [game.black_log if game.spec.black == "ann" else game.white_log for game in store.results()]
        assert store.machine.load_each_game is bool(key)
    assert len({log.split()[-1] for log in logs}) == loads


OTHER_BOARD = "player 'zero': expected a board of 5x5, as the network is for, got 7x7"
BAD = [
    (["round-robin", "--event=less.toml"], "round-robin: less.toml: deciding: expected a whole number from 0 to 100000, got"),
    (["round-robin", "random", "zero", "--size=7"], f"round-robin: {OTHER_BOARD}"),
    (["gauntlet", "random", "zero", "--size=7"], f"gauntlet: {OTHER_BOARD}"),
    (["gauntlet", "random", "greedy", "--event=cup.toml"], "gauntlet: cup.toml: deciding: expected a round-robin, got a gaunt"),
    (["gauntlet", "random", "greedy", "--event=near.toml"], "gauntlet: near.toml: rounds: expected a round-robin, without "
     "deciding, got a gauntlet"),
    (["round-robin", "random", "greedy", "--event=both.toml"], "round-robin: both.toml: rounds: expected a round-robin, "
     "without deciding, got one with deciding"),
]


@pytest.mark.parametrize(("command", "line"), BAD)
def test_bad_input_is_one_line(command, line, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cup.toml").write_text("deciding = 10\n")
    (tmp_path / "less.toml").write_text("deciding = -1\n")
    (tmp_path / "near.toml").write_text("rounds = 4\n")
    (tmp_path / "both.toml").write_text("rounds = 4\ndeciding = 4\n")
    assert main(command) == 2
    assert list(tmp_path.glob("*.db")) == []
    said = capsys.readouterr().err
    assert said.startswith(line)
    assert said.count("\n") == 1


def test_one_reference_player_alone_meets_nobody(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["round-robin", "random"]) == 2
    assert capsys.readouterr().err == "round-robin: expected a folder of submissions, got none\n"


def test_the_folder_that_gets_copies_is_not_the_one_with_submissions(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cup.submissions").mkdir()
    submission(tmp_path / "cup.submissions/ann", get_input("return go.size, go.size"))
    assert main(["round-robin", "cup.submissions", "random", "--name=cup"]) == 2
    assert "'cup.submissions': expected another folder of submissions: copies for cup.db go there" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "cup.submissions").iterdir()] == ["ann"]
    assert not list(tmp_path.glob("*.db"))

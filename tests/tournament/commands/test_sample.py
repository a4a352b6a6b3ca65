"""The class of twenty, as the command makes it, and the pages of its small event."""

import re
import shutil
from pathlib import Path

import pytest

from gojudge.intake.submissions import take_in
from gojudge.shelf import classroom
from tournament.__main__ import main
from tournament.commands import events

# name: the beginning of its digest; those made of files of the project, which may change, are left out.
DIGESTS = {
    "ivo": "22719124e06f",
    "jo": "ca49b3b7fbd5",
    "kim": "cd8330d10dfd",
    "lea": "d42b2a6f76eb",
    "max": "5fe541f6107d",
    "nia": "2ce6364e8844",
    "oli": "7afcb82d0ba1",
    "pia": "d61f9f544fdc",
}


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_a_class_of_twenty_lies_in_the_folder_and_its_roster_beside_it(capsys):
    for _ in range(2):
        assert main(["sample", "hw2"]) == 0
        assert capsys.readouterr().out == "20 submissions in hw2, roster in hw2.csv\n"
        assert len(Path("hw2.csv").read_text().splitlines()) == 21
        taken = take_in([Path("hw2")], Path("copies"), Path("hw2.csv"), kinds=("class",))
        assert (len(taken.entrants), len(taken.refused), taken.aside) == (16, 4, ())
        assert {entrant.name: entrant.digest[:12] for entrant in taken.entrants if entrant.name in DIGESTS} == DIGESTS
        assert next(entrant for entrant in taken.entrants if entrant.name == "hana").students == ("Hana Sato", "Ilya Orlov")


def test_a_larger_class_is_the_same_again_under_other_names(capsys):
    assert main(["sample", "hw2", "43"]) == 0
    assert capsys.readouterr().out == "43 submissions in hw2, roster in hw2.csv\n"
    names = [line.split(",")[1] for line in Path("hw2.csv").read_text().splitlines()[1:]]
    assert (names[0], names[19:22], names[-1]) == ("ann", ["tom", "ann2", "bob2"], "cai3")
    assert {path.name for path in Path("hw2").iterdir()} >= {"ann3", "bob3.py", "eli2.tar.gz"}
    with pytest.raises(SystemExit):
        main(["sample", "hw2", "0"])
    assert "expected a number of submissions from 1 to 1000, got '0'" in capsys.readouterr().err


def test_what_is_no_sample_is_not_written_over(capsys):
    Path("hw2").mkdir()
    Path("hw2/erin.py").touch()
    Path("file").touch()
    for name, said in [
        ("hw2", "sample: expected a new folder, or one with sample submissions only, got 'erin.py' in 'hw2'\n"),
        ("none/../hw2", "sample: expected a new folder, or one with sample submissions only, got 'erin.py' in 'none/../hw2'\n"),
        ("file", "sample: expected a folder, or the name for a new one, got the file 'file'\n"),
        ("/", "sample: FOLDER: expected the name of a folder, got '/'\n"),
    ]:
        assert main(["sample", name]) == 2
        assert capsys.readouterr().err == said
    assert [path.name for path in Path("hw2").iterdir()] == ["erin.py"]
    Path("hw3.csv").write_text("submission,name\nmine,me\n")
    assert main(["sample", "hw3"]) == 2
    assert capsys.readouterr().err == "sample: expected no roster of another class, found 'hw3.csv'\n"
    assert not Path("hw3").exists()


@pytest.mark.slow
def test_a_small_event_is_played_and_its_pages_are_written(monkeypatch, capsys):
    monkeypatch.setattr(classroom, "SMALL_CLASS", ("hana", "ivo", "kim"))
    monkeypatch.setattr(events, "_TRUTH_SECONDS", 0.0)
    monkeypatch.setattr(events, "_GAMES", 2)
    assert main(["sample", "build/hw2", "--site"]) == 0
    assert re.search(r"^6 of 6 games are saved in build/hw2-small\.db, 6 played now$", capsys.readouterr().err, re.M)
    assert "<title>" in Path("build/hw2-small.site/index.html").read_text()
    assert "<h1>Marks</h1>" in Path("build/hw2-grade.site/index.html").read_text()
    logs = "".join(path.read_text() for path in Path("build/hw2-small.site/data").iterdir())
    assert "captured last: " in logs
    # What was played is kept.
    shutil.rmtree("build/hw2-small.site")
    assert main(["sample", "build/hw2", "--site"]) == 0
    assert "6 of 6 games are saved in build/hw2-small.db, 0 played now" in capsys.readouterr().err
    assert Path("build/hw2-small.site/index.html").exists()

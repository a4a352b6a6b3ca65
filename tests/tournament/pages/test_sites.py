"""A site as files: what is there, what is in it, and that nothing in it is taken for markup."""

import json
import re
from html.parser import HTMLParser

import pytest
from markupsafe import escape

from benchmarks.made_up_events import game, make_store, pair_specs
from tests.support.page_events import hostile_store, small_store
from tournament.__main__ import main
from tournament.pages.contents import Album, gather
from tournament.pages.editions import edition
from tournament.pages.rendering import slugs
from tournament.pages.sites import write_folder, write_single
from tournament.pages.truths import Truth, game_key, truth_path
from tournament.store.store import read_store


def contents_of(path, kind="instructor", truths=None):
    with read_store(path) as store:
        nicknames = {entrant.name: f"nick{k}" for k, entrant in enumerate(store.entrants())}
        return gather(store, edition(kind, store.entrants(), nicknames), None, truths or {})


def report(capsys, *arguments):
    status = main(["report", *map(str, arguments)])
    return status, capsys.readouterr().err


class Checker(HTMLParser):
    """Collects elements, links, ids, and text."""

    def __init__(self):
        super().__init__()
        self.elements, self.links, self.ids, self.attributes = [], [], [], set()

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.elements.append(tag)
        self.attributes |= found.keys()
        self.links += [found[key] for key in ("href", "src") if key in found]
        self.ids += [found["id"]] if "id" in found else []


def checked(path):
    checker = Checker()
    checker.feed(path.read_text())
    return checker


def test_a_site_is_a_folder_of_files(tmp_path, capsys):
    status, said = report(capsys, small_store(tmp_path / "cup.db"))
    site = tmp_path / "cup.site"
    assert (status, said) == (0, f"24 games, 12 files, written to {site}: open {site / 'index.html'}\n")
    found = sorted(str(path.relative_to(site)) for path in site.rglob("*") if path.is_file())
    assert found == [
        "assets/site.js", "assets/style.css", "crosstable.html", "data/games-0.js", "data/head.js", "games.html", "index.html",
        "player-ann.html", "player-bob.html", "player-cyra.html", "player-random.html", "standings.csv",
    ]  # fmt: skip


def test_every_link_leads_to_a_file_of_the_site(tmp_path):
    write_folder(contents_of(small_store(tmp_path / "cup.db")), tmp_path)
    for page in tmp_path.glob("*.html"):
        checker = checked(page)
        assert len(set(checker.ids)) == len(checker.ids)
        for link in checker.links:
            name = link.partition("#")[0]
            assert name == "" or (tmp_path / name).is_file(), f"{page}: {link}"


def test_the_standings_say_how_many_games_would_decide_between_neighbours(tmp_path):
    contents = contents_of(small_store(tmp_path / "cup.db"), "class")
    write_folder(contents, tmp_path)
    text, rated = (tmp_path / "index.html").read_text(), contents.count.rated
    undecided = [one for one in rated.players if one.undecided]
    assert undecided
    for one in undecided:
        assert f'title="{escape(one.needed_text)} more games against the next in rating would decide' in text
    assert text.count("against the next in rating") == len(undecided)
    assert all(str(escape(warning)) in text for warning in rated.warnings)
    assert {one.name for one in rated.players} <= {"random", *(f"nick{k}" for k in range(4))}


def test_the_same_store_gives_the_same_bytes(tmp_path):
    path = small_store(tmp_path / "cup.db")
    for name in ("one", "two"):
        write_folder(contents_of(path), tmp_path / name)
    files = [path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*") if path.is_file()]
    assert all((tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes() for name in files)


def test_pages_that_are_not_made_any_more_are_removed_and_nothing_else(tmp_path):
    site = tmp_path / "site"
    write_folder(contents_of(small_store(tmp_path / "cup.db")), site)
    (site / "notes.html").write_text("mine")
    nicknamed = contents_of(tmp_path / "cup.db", "class")
    write_folder(nicknamed, site)
    assert not (site / "player-ann.html").exists()
    assert (site / "player-nick0.html").exists()
    assert (site / "notes.html").exists()


def test_every_page_says_what_it_may_do(tmp_path):
    contents = contents_of(small_store(tmp_path / "cup.db"))
    write_folder(contents, tmp_path)
    write_single(contents, tmp_path / "all.html")
    for page in tmp_path.glob("*.html"):
        text = page.read_text()
        policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text).group(1)
        assert policy.startswith("default-src &#39;none&#39;;")
        assert "unsafe" not in policy
        assert not checked(page).attributes & {"style", "onclick", "onload", "onerror"}
        assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
        assert "https://" not in text


def test_hostile_names_and_printouts_are_only_text(tmp_path):
    contents = contents_of(hostile_store(tmp_path / "cup.db"))
    write_folder(contents, tmp_path / "site")
    write_single(contents, tmp_path / "site" / "all.html")
    for path in (tmp_path / "site").rglob("*.*"):
        text = path.read_text()
        assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e\u2066-\u2069\u0335]{3}|[\x1b\u202e]", text), path
        if path.suffix == ".html":
            assert not {"img", "iframe", "b"} & set(checked(path).elements)
            scripts = re.findall(r"<script[^>]*>", text)
            known = ('<script src="assets/site.js">', "<script>")
            assert all(tag in known or tag.startswith('<script type="application/json" id="data-') for tag in scripts), scripts
    # Ten million signs on a line are not carried along.
    assert sum(path.stat().st_size for path in (tmp_path / "site" / "data").iterdir()) < 500_000
    csv = (tmp_path / "site" / "standings.csv").read_text()
    assert "'=HYPERLINK" in csv


def test_names_of_files_are_made_of_harmless_names_only():
    assert slugs(["ann", "Ann", "../x", "", "con/aux", "b" * 60]) == {
        "ann": "ann", "Ann": "player-2", "../x": "player-3", "": "player-4", "con/aux": "player-5", "b" * 60: "b" * 60,
    }  # fmt: skip


@pytest.mark.parametrize("name", ["CON", "aux", "Nul.1", "com9", "lpt1.html"])
def test_no_page_is_called_as_a_device_of_windows(name):
    made = slugs(["ann", name, f"{name}a"])
    # By the name alone, whoever else there is.
    assert made[name] == slugs([name])[name] != name
    assert made[name].startswith("player-")
    assert made["ann"] == "ann"


def test_games_lie_in_files_that_begin_with_the_pairs_they_say(tmp_path, monkeypatch):
    monkeypatch.setattr("tournament.pages.contents.CHUNK_CHARACTERS", 500)
    names = ["ann", "bob", "cyra"]
    album = Album({name: k for k, name in enumerate(names)})
    for spec in pair_specs(names, 5):
        album.add(game(spec), None)
    files = [(first, json.loads(text)) for first, text in album.chunks()]
    assert len(files) > 3
    for first, games in files:
        assert tuple(sorted(games[0][1:3])) == first
    everything = [one for _, games in files for one in games]
    pairs = [tuple(sorted(one[1:3])) for one in everything]
    assert pairs == sorted(pairs)
    assert [one[0] for one in everything] == [1, 2, 3, 4, 5] * 3


def test_what_moves_were_worth_is_shown_where_it_is_known(tmp_path):
    path = small_store(tmp_path / "cup.db")
    with read_store(path) as store:
        turns = store.result("ann-bob-001").turns
    truth = Truth((1,) * 11 + (2,) * (len(turns) - 10), (3,) * 11 + (0,) * (len(turns) - 10), {11: "A1"}, 1.0)
    without = contents_of(path)
    assert not any(line.phases for line in without.lines)
    shown = contents_of(path, truths={game_key("course", 5, turns): truth})
    line = next(line for line in shown.lines if line.name == "ann")
    assert [phase.known for phase in line.phases] == [4, 4, len(turns) // 2 - 8]
    write_folder(shown, tmp_path / "site")
    assert "Opening" in (tmp_path / "site/index.html").read_text()
    assert "First losing move: Black" in (tmp_path / "site/data/games-0.js").read_text()


def test_truth_is_computed_once_and_resumed(tmp_path, capsys, monkeypatch):
    looked = []

    def analyser(rules, size, seconds):
        def look(turns):
            if len(looked) == 3:
                raise KeyboardInterrupt
            looked.append(turns)
            n = len(turns) + 1
            return Truth((1,) * n, (3,) * n, {}, seconds)

        return look

    monkeypatch.setattr("tournament.pages.truths.analyser", analyser)
    path = small_store(tmp_path / "cup.db")
    assert report(capsys, path, "--truth", "1")[0] == 130
    assert truth_path(path).read_text().count("\n") == 3
    before = list(looked)
    looked.clear()
    looked += [None] * 10
    assert report(capsys, path, "--truth", "1")[0] == 0
    assert not set(before) & set(looked)
    count = len(looked)
    assert report(capsys, path, "--truth", "1")[0] == 0
    assert len(looked) == count


def test_without_a_solver_one_line_says_so(tmp_path, capsys, monkeypatch):
    def analyser(rules, size, seconds):
        raise ModuleNotFoundError("No module named 'numba'", name="numba")

    monkeypatch.setattr("tournament.pages.truths.analyser", analyser)
    path = small_store(tmp_path / "cup.db")
    assert report(capsys, path, "--truth", "1")[0] == 0
    assert "What moves were worth is not shown: that needs numba." in (tmp_path / "cup.site/index.html").read_text()


def test_other_rules_have_pages_too(tmp_path, capsys):
    names = ["ann", "bob"]
    results = [game(spec, "tromp-taylor-openspiel", 5) for spec in pair_specs(names, 3)]
    path = make_store(tmp_path / "tt.db", names, results, rules="tromp-taylor-openspiel")
    assert report(capsys, path, "--truth", "1")[0] == 0
    assert "not known for tromp-taylor-openspiel" in (tmp_path / "tt.site/index.html").read_text()


def test_an_event_without_games_has_pages(tmp_path, capsys):
    assert report(capsys, make_store(tmp_path / "new.db", ["ann", "bob"], []))[0] == 0
    assert report(capsys, tmp_path / "new.db", "--out", tmp_path / "new.html")[0] == 0
    assert report(capsys, tmp_path / "new.db", "--student", "ann")[0] == 0


BAD = [
    (("none.db",), "report: none.db: expected a results file, found nothing"),
    (("cup.db", "--edition", "class", "--student", "ann"), "report: --student: expected without --edition; --edition students"),
    (("cup.db", "--edition", "students", "--out", "a.html"), "report: --out: expected a folder, got 'a.html'"),
    (("cup.db", "--student", "eve"), "report: --student: expected the name of a submission of this"),
    (("cup.db", "--truth", "-1"), "report: --truth: expected a number of seconds, 0 or more, got -1"),
    (("cup.db", "--truth", "nan"), "report: --truth: expected a number of seconds, 0 or more, got nan"),
    (("cup.db", "--cluster", "local:2"), "report: --cluster: expected together with --truth, which is what it computes"),
    (("cup.db", "--truth", "1", "--cluster", "far"), "report: --cluster: expected tls://HOST:PORT or tcp://HOST:PORT of"),
    (("bad.db", "--edition", "class"), "report: bad.db.names.csv: expected columns name,nickname, got"),
    (("cup.db", "--out", "notes.txt"), "report: notes.txt: expected a folder, or none yet"),
]


@pytest.mark.parametrize(("arguments", "line"), BAD)
def test_bad_input_is_one_line(tmp_path, capsys, monkeypatch, arguments, line):
    monkeypatch.chdir(tmp_path)
    small_store(tmp_path / "cup.db")
    (tmp_path / "notes.txt").write_text("notes\n")
    small_store(tmp_path / "bad.db")
    (tmp_path / "bad.db.names.csv").write_text("notes\n")
    status, said = report(capsys, *arguments)
    assert status == 2
    assert said.startswith(line)
    assert said.count("\n") == 1


def test_the_record_of_a_game_is_what_was_stored(tmp_path):
    path = small_store(tmp_path / "cup.db")
    write_folder(contents_of(path), tmp_path)
    text = (tmp_path / "data/games-0.js").read_text()
    games = json.loads(text.removeprefix('site.take("games-0",').removesuffix(");\n"))
    with read_store(path) as store:
        stored = {tuple(turn.move for turn in result.turns): result for result in store.results()}
    for one in games:
        result = stored[tuple(one[6].split())]
        assert (one[3], one[8]) == (result.winner, [result.black_score, result.white_score])
        assert one[7] == [round(1000 * turn.spent.charge) for turn in result.turns]

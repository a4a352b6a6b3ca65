"""Events to make pages of: real games of random players, and names and printed texts that attack the page."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.made_up_events import forfeit, game, grade_specs, make_store, pair_specs
from gojudge.intake.submissions import Refused
from gojudge.records import Spent, Termination, Turn
from gojudge.sandbox.transcripts import compose
from tournament.pages.contents import gather, past_of
from tournament.pages.editions import edition
from tournament.pages.losses import LosingMove, questions
from tournament.pages.profiles import probed_path, read_probed
from tournament.pages.sites import (
    Front,
    FrontCell,
    FrontPerson,
    FrontSection,
    FrontStage,
    write_folder,
    write_front,
    write_single,
)
from tournament.pages.truths import Truth, append_truth, game_key, read_truths, truth_path
from tournament.results.grade_report import everybody, read_refusals, write_refusals
from tournament.results.ratings import Place, Ranking
from tournament.results.rubric_files import read_rubric, rubric_of
from tournament.results.rubrics import rubric_toml
from tournament.store.store import read_store

NICKNAMES = {"ann": "Quiet-Heron", "bob": "Keen-Otter", "cyra": "Amber-Fox"}

HOSTILE_NAMES = (
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(2)>",
    '"><svg onload=alert(3)>',
    "=HYPERLINK(\"http://evil.example\")",
    "\x1b[31mred\x1b[0m",
    "\u202egnp.exe",
    "Z" + "\u0335" * 300,
    "../../etc/passwd",
)
HOSTILE_LOG = (
    "</script><script>document.title='owned'</script>\n"
    "<img src='http://evil.example/x.png' onerror=\"document.title='owned'\">\n"
    "\x1b]0;owned\x07\x1b[2J \u202eright to left\u202c {{ 7 * 7 }} ${7*7} --> <!-- ]]>\n" + "x" * 10_000_000
)


def small_store(path, names=("ann", "bob", "cyra", "random"), games=4, **fields):
    """Four players, one of them a reference player. In the last two games of every pair, Black forfeits."""
    last = (f"{games:03}", f"{games - 1:03}")
    results = [forfeit(s) if s.id.endswith(last) else game(s, **fields) for s in pair_specs(names, games)]
    return make_store(path, names, results, games=games, references=("random",))


BOTS = ("random", "greedy", "aggressive", "smart")
REFUSED = (
    Refused(
        "quinn", ("Person of quinn",), Path(), "quinn.py, line 8: SyntaxError: Missing parentheses in call to 'print'",
        (("email", "quinn@uni.example"),),
    ),
    Refused("rosa", ("Person of rosa",), Path(), "the archive cannot be unpacked: BadZipFile: File is not a zip file"),
)  # fmt: skip


def grade_store(path, names=("ann", "bob", "cyra"), games=4, rubric="2019"):
    """A grade by the rubric of 2019, in which everything is lost by a crash in the last two games against every bot; and two
    submissions that were refused."""
    last = (f"{games:03}", f"{games - 1:03}")
    results = [forfeit(s) if s.id.endswith(last) else game(s) for s in grade_specs(names, BOTS, games)]
    make_store(path, [*names, *BOTS], results, games=games, references=BOTS, name="hw2", rubric=rubric)
    write_refusals(path, REFUSED)
    return path


def hostile_store(path):
    """A small event with everything that could be dangerous on a page."""
    results = []
    for spec in pair_specs(HOSTILE_NAMES, 2):
        result = forfeit(spec, evidence=HOSTILE_LOG[:5000]) if spec.id.endswith("001") else game(spec)
        results.append(result)
    first = results[0]
    at_moves = compose([(0, HOSTILE_LOG), (1, HOSTILE_LOG)])
    results[0] = game(first.spec, black_log=HOSTILE_LOG, white_log=at_moves)
    return make_store(path, HOSTILE_NAMES, results, name="<b>cup</b>")


def write_pages(store_path, folder, kind="instructor", student="", truths=None, losses=None):
    """Write an edition of a store into a folder, as a site and as a single file; return the folder."""
    with read_store(store_path) as store:
        rubric, refused = rubric_of(store.event, store_path), read_refusals(store_path)
        shown = edition(kind, everybody(store.entrants(), refused), NICKNAMES, student)
        contents = gather(store, shown, rubric, truths or {}, refused=refused, losses=losses)
    write_folder(contents, folder)
    write_single(contents, folder / "single.html")
    return folder


def made_up_losses(store):
    """On which lines submissions have lost their games, made up: game id -> what pages show."""
    event, found = store.event, {}
    for question in questions(store.results(), store.entrants(), {}, event.rules, event.size):
        lines = [f"source_of_{question.loser.name}()", "return free[0]", "<b>" + "x" * 150]
        passage = "my_player.py", 8, "get_input", 7, lines
        found[question.result.spec.id] = LosingMove(question.key, question.move, (passage,))
    return found


def timed_out(spec, moves=6, limit=5):
    """A game that the player to move after so many moves lost by a time-out."""
    lost = forfeit(spec, moves)
    detail = lost.detail.partition(": ")[0] + f": no answer within {limit} s"
    late = Turn("?", Spent(wall=limit + 0.05, cpu=limit + 0.01))
    return replace(lost, termination=Termination.TIME_OUT, detail=detail, evidence="", last=late)


LONG = tuple(f"{first}-{last}-{k}" for k, (first, last) in enumerate(
    (first, last) for first in ("maximiliana", "christopher", "bartholomew") for last in ("featherst", "wolkenste")
))  # fmt: skip


def known_values(result, mistakes=(3, 6)):
    """What moves of a game were worth, made up: a mistake lost the better result at each of these moves."""
    winners, margins = [1], [3]
    for ply in range(1, len(result.turns) + 1):
        winners.append(3 - winners[-1] if ply in mistakes else winners[-1])
        margins.append(4 if winners[-1] == 1 else 1)
    return Truth(tuple(winners), tuple(margins), dict.fromkeys(mistakes, "A1 B1"), 1.0)


def wide_store(path, students=LONG, games=4):
    """Players of long names, whose games are crashes and time-outs too; what their moves were worth stands beside it, and what
    they can do."""
    names = [*students, "random"]
    results = []
    for spec in pair_specs(names, games):
        made = {1: game, 2: game, 3: forfeit}.get(int(spec.id[-3:]), timed_out)(spec)
        results.append(made)
        append_truth(truth_path(path), game_key("course", 5, made.turns), known_values(made))
    make_store(path, names, results, games=games, references=("random",), name="A ladder of people with long names")
    with read_store(path) as store:
        digests = {one.name: one.digest for one in store.entrants()}
    missed = {"moves": "C3 D4 B4 E5 D2 E1", "played": "A5", "wins": "A1 B1", "cost": 2}
    probe = {"name": "snapback", "says": "sees a snapback", "passed": 3, "of": 4, "missed": [missed]}
    profiles = [
        {
            "name": name, "digest": digests[name], "tier": "T2", "passed": 3, "of": 4, "probes": [probe],
            "phases": [{"name": "the last 6 moves", "stones_a_game": 1.8}],
            "symmetric": {"alike": 61, "images": 70, "by_chance": 2, "positions": 10},
        }
        for name in students
    ]  # fmt: skip
    probed_path(path).write_text(json.dumps({"rules": "course", "size": 5, "seed": 1, "profiles": profiles}))
    return path


def rankings_of(store):
    """Two rankings of a store's players: all have moved, and have another version."""
    start = datetime(2026, 10, 1, tzinfo=UTC)
    names = [one.name for one in store.entrants()]
    return [
        Ranking(start + timedelta(days=days), tuple(
            Place(name, f"v{days}", rank, 1500.0 - rank, 1400.0 - rank, 1600.0 - rank) for rank, name in enumerate(order, 1)
        ))
        for days, order in ((0, names), (9, names[::-1]))
    ]  # fmt: skip


def every_kind(folder):
    """Write pages of every kind there is; return their addresses in the folder, games and lists of games among them."""
    addresses = []
    wide, marks = wide_store(folder / "ladder.db"), grade_store(folder / "grade.db", rubric=str(_rubric(folder)))
    names = dict(zip([*LONG, *NICKNAMES, "quinn", "rosa"], FREE_NICKNAMES, strict=False))
    for path in (wide, marks):
        for kind in ("instructor", "class", "student"):
            out = folder / f"{path.stem}-{kind}"
            with read_store(path) as store:
                rubric, refused = rubric_of(store.event, path), read_refusals(path)
                everyone = everybody(store.entrants(), refused)
                shown = edition(kind, everyone, names, "ann" if path == marks else LONG[0])
                truths, probed = read_truths(truth_path(path)), read_probed(probed_path(path), everyone)
                contents = gather(store, shown, rubric, truths, "A note.", refused, probed, made_up_losses(store))
                if path == wide:
                    contents = replace(contents, past=past_of(rankings_of(store), shown), course="The course")
                elif kind == "instructor":
                    contents = replace(contents, sections=dict.fromkeys(contents.slugs, "morning"))
                write_folder(contents, out)
                write_single(contents, out / "single.html")
            first = contents.slugs[shown.own] if shown.own else next(iter(contents.slugs.values()))
            pages = ["index.html", f"games.html#{first}/random/4"]
            if kind == "student":
                pages.append(f"single.html#games/{first}/random/4")
            else:
                pages.append(f"player-{first}.html")
            if kind == "instructor":
                pages += ["player-quinn.html", "leaderboard.html"] if path == marks else ["crosstable.html"]
                pages += ["player-random.html", "single.html"]
                pages += ["games.html", f"games.html#{first}/random", f"games.html#{first}/random/1"]
            addresses += [f"{out.name}/{page}" for page in pages]
    for kind in ("instructor", "class"):
        write_front(made_up_front(kind), folder / f"{kind}.html")
        addresses.append(f"{kind}.html")
    return addresses


def made_up_front(kind, students=24):
    """The first page of a course of three homeworks and a ladder, half-way through the term."""
    people = []
    for k in range(students if kind == "instructor" else 0):
        name, section = f"{LONG[k % len(LONG)][:14]}{k}", ("morning", "evening")[k % 2]
        cells = [
            FrontCell("refused", "0", "ladder-instructor/index.html", bad=True) if k % 7 == 1 else
            FrontCell(f"{k + 70} of 100", str(k + 70), "ladder-instructor/index.html"),
            FrontCell("missing", "", bad=True) if k % 5 == 2 else FrontCell("handed in", ""),
            FrontCell("–", ""), FrontCell(f"rank {k + 1}", str(k + 1), "ladder-instructor/index.html"),
        ]  # fmt: skip
        said = {"id": f"{1000 + k}", "email": f"{name}@uni.example", "section": section}
        people.append(FrontPerson(name, (f"Person of {name}",), said, section, cells))
    missing = [one.name for one in people if one.cells[1].shown == "missing"]
    changes = tuple(f"{one.name}: 50 of 100 → {one.cells[0].shown}" for one in people[:14]) or ("2 new, 14 changed",)
    due = "Thu 2026-10-01 23:59:59 -0700"
    stages = [
        FrontStage("first", True, "closed", "closed", due, "2026-10-01T23:59:59-07:00", due, (), "24 of 24", (),
                   "ladder-instructor/index.html", "", "marks of 24 submissions", due, False, due, changes),
        FrontStage("second", True, "late", "late, until the cut-off", due, "2026-10-01T23:59:59-07:00", due,
                   ("Ada: Sun 2026-10-04 23:59:59 -0700",), "19 of 24", missing),
        FrontStage("third", True, "waiting", "begins Thu 2026-10-08 08:00:00 -0700", due, "2026-10-01T23:59:59-07:00"),
        FrontStage("ladder", False, "open", "open", address="ladder-instructor/index.html", what="ranking of 24 players",
                   time=due, open=True, since=due, changes=("2 changed",)),
    ]  # fmt: skip
    sections = [FrontSection(name, 12, ("83.5", "–, 2 missing", "–")) for name in ("evening", "morning")]
    columns = ("id", "email", "section")
    named = (columns, people, sections) if people else ()
    return Front("CSCI-561, autumn of 2026", kind, "America/Los_Angeles", stages, *named)


FREE_NICKNAMES = (
    "Amber-Badger", "Brave-Crane", "Calm-Dolphin", "Clever-Falcon", "Copper-Finch", "Coral-Fox", "Eager-Gecko", "Fleet-Hare",
    "Gentle-Heron", "Golden-Ibex", "Hazel-Jackdaw", "Ivory-Kestrel",
)  # fmt: skip


def _rubric(folder):
    """A rubric with a deadline, as a file."""
    text = rubric_toml(read_rubric("2019"))
    path = folder / "dated.toml"
    path.write_text(text + '\n[deadline]\ndue = 2026-10-01T23:59:59\nzone = "America/Los_Angeles"\npoints_per_day = 10\n')
    return path

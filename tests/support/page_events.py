"""Events to make pages of: real games of random players, and names and printed texts that attack the page."""

from pathlib import Path

from benchmarks.made_up_events import forfeit, game, grade_specs, make_store, pair_specs
from tournament.intake.submissions import Refused
from tournament.pages.contents import gather
from tournament.pages.editions import edition
from tournament.pages.sites import write_folder, write_single
from tournament.results.refusals import everybody, read_refusals, write_refusals
from tournament.results.rubric_files import rubric_of
from tournament.sandbox.transcripts import compose
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


def write_pages(store_path, folder, kind="instructor", student="", truths=None):
    """Write an edition of a store into a folder, as a site and as a single file; return the folder."""
    with read_store(store_path) as store:
        rubric, refused = rubric_of(store.event, store_path), read_refusals(store_path)
        shown = edition(kind, everybody(store.entrants(), refused), NICKNAMES, student)
        contents = gather(store, shown, rubric, truths or {}, refused=refused)
    write_folder(contents, folder)
    write_single(contents, folder / "single.html")
    return folder

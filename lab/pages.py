"""What the web pages of an event cost: time, files, memory, and the time a browser takes to show them.

    python3 -m lab.pages                    1,000 games, and 199,000 games of 200 submissions; some minutes
    python3 -m lab.pages --submissions 40   a smaller event in place of the big one

Games are made up: each is one of 300 random games, course rules on 5x5, with the time of every answer and what its moves
were worth. A tenth of the submissions print a line at every move, and one game in twenty is a forfeit with a traceback. The
site is the instructor's edition, which shows all of it, written by a process of its own. The last row is a grade of the
submissions, 400 games each, and the pages of all students (`report --edition students`). Pages are opened from disk, each
in a new window, and count as shown when they have been painted. Each figure is the median of five.
"""

from __future__ import annotations

import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

from tabulate import tabulate

from benchmarks.made_up_events import forfeit, game, grade_specs, log, make_store, pair_specs
from benchmarks.pools import parser_of, processes
from goban.common.command_lines import DONE, run
from gojudge.errors import JudgeError
from gojudge.records import GameResult, GameSpec
from lab.browsing import DESKTOP, PATIENCE, chromium, why_not
from tournament.pages.contents import gather, gather_students
from tournament.pages.editions import edition
from tournament.pages.sites import write_folder, write_students
from tournament.pages.truths import Truth, append_truth, game_key, read_truths, truth_path
from tournament.results.rubric_files import read_rubric, rubric_of
from tournament.store.store import read_store

SMALL = 1_000
DIFFERENT = 300
REPEATS = 5
PAINTED = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def name_of(number: int) -> str:
    """Return the name of a submission, which says whether it prints; every tenth does."""
    return f"student{number:03}" if number % 10 else f"printer{number:03}"


def results(specs: Iterable[GameSpec], played: list[GameResult], broken: list[GameResult]) -> Iterator[GameResult]:
    """Yield a game for each spec; together they look like those of a class."""
    for k, spec in enumerate(specs):
        model = broken[k % len(broken)] if k % 20 == 0 else played[k % len(played)]
        logs = [
            log(name, colour, len(model.turns)) if name.startswith("printer") else ""
            for colour, name in enumerate((spec.black, spec.white), 1)
        ]
        yield replace(model, spec=spec, black_log=logs[0], white_log=logs[1])


def make_up_truth(result: GameResult, rng: random.Random) -> Truth:
    """Return values such as a solver might find: unknown in the opening, with a mistake now and then."""
    unknown, margins, best = 8, [3], {}
    for ply in range(1, len(result.turns) + 1):
        cost = rng.choice([0, 0, 0, 0, 0, 0, 1, 2, 4])
        margins.append(margins[-1] - cost if ply % 2 else margins[-1] + cost)
        if cost and ply > unknown:
            best[ply] = "A1 B1"
    known = [margin if ply >= unknown else None for ply, margin in enumerate(margins)]
    return Truth(tuple(None if m is None else 1 if m > 2.5 else 2 for m in known), tuple(known), best, 2.0)


def make_event(path: Path, submissions: int, games: int, most: int) -> int:
    """Write a store of at most `most` games, and the truth about them beside it; return the number of games."""
    names = [name_of(number) for number in range(submissions)]
    models = list(islice(pair_specs(["black", "white"], DIFFERENT), DIFFERENT))
    played, broken = [game(spec) for spec in models], [forfeit(spec) for spec in models]
    rng = random.Random(1)
    for result in (*played, *broken[:20]):
        append_truth(truth_path(path), game_key("course", 5, result.turns), make_up_truth(result, rng))
    specs = list(islice(pair_specs(names, games), most))
    make_store(path, names, results(specs, played, broken), games=games)
    return len(specs)


def make_grade(path: Path, submissions: int) -> int:
    """Write a store in which so many submissions were graded by the rubric of 2019; return the number of games."""
    rubric = read_rubric("2019")
    names, references = [name_of(number) for number in range(submissions)], [one.name for one in rubric.opponents]
    models = list(islice(pair_specs(["black", "white"], DIFFERENT), DIFFERENT))
    played, broken = [game(spec) for spec in models], [forfeit(spec) for spec in models]
    rng = random.Random(1)
    for result in (*played, *broken[:20]):
        append_truth(truth_path(path), game_key("course", 5, result.turns), make_up_truth(result, rng))
    specs = list(grade_specs(names, references, rubric.games))
    make_store(
        path, [*names, *references], results(specs, played, broken), games=rubric.games, references=references, rubric="2019"
    )
    return len(specs)


def write_everybody(store_path: Path, out: Path) -> tuple[float, int, float]:
    """Write every student's page; return (seconds, pages, peak memory in MiB). Run this in a process of its own."""
    started = time.perf_counter()
    with read_store(store_path) as store:
        entrants = store.entrants()
        names = [one.name for one in entrants if not one.reference]
        editions = [edition("student", entrants, {name: f"nick-{name}" for name in names}, name) for name in names]
        truths = read_truths(truth_path(store_path))
        pages = write_students(gather_students(store, editions, rubric_of(store.event, store_path), truths), entrants, out)
    return time.perf_counter() - started, pages, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def everybody(folder: Path, submissions: int) -> list[str]:
    """Grade a class in a folder, and write everybody's page; return a row of the table."""
    count = make_grade(folder / "grade.db", submissions)
    with processes(get_context("spawn")) as own_process:
        seconds, files, peak = own_process.submit(write_everybody, folder / "grade.db", folder / "students").result()
    size = megabytes(folder / "students")
    return [f"{count:,}", f"{submissions}, each a page", f"{seconds:.1f}", f"{files + 1}", f"{size:.1f}", f"{peak:.0f}"]


def write_site(store_path: Path, out: Path) -> tuple[float, int, float]:
    """Write the pages; return (seconds, files, peak memory in MiB). Run this in a process of its own."""
    started = time.perf_counter()
    with read_store(store_path) as store:
        contents = gather(store, edition("instructor", store.entrants(), {}), None, read_truths(truth_path(store_path)))
    files = write_folder(contents, out)
    return time.perf_counter() - started, files, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def megabytes(folder: Path) -> float:
    """Return the size of all files in a folder, in MB."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def measure_site(folder: Path, submissions: int, games: int, most: int) -> list[str]:
    """Make an event and its site in a folder; return a row of the table."""
    count = make_event(folder / "cup.db", submissions, games, most)
    with processes(get_context("spawn")) as own_process:
        seconds, files, peak = own_process.submit(write_site, folder / "cup.db", folder / "site").result()
    size = megabytes(folder / "site")
    return [f"{count:,}", str(submissions), f"{seconds:.1f}", f"{files}", f"{size:.1f}", f"{peak:.0f}"]


def time_pages(site: Path) -> list[list[str]]:
    """Return a row for each kind of page: its name, and the milliseconds until a browser has painted it."""
    pages = {
        "standings": ("index.html", "tbody tr"),
        "crosstable": ("crosstable.html", ".crosstable td"),
        "games of a pair": (f"games.html#{name_of(1)}/{name_of(2)}", "#pair-games tr"),
        "a game": (f"games.html#{name_of(0)}/{name_of(2)}/1", "#game:not([hidden]) .stone"),
        "games worth looking at": ("games.html", "#found tr"),
        "a submission": (f"player-{name_of(1)}.html", ".losses li"),
    }
    lines = []
    with chromium() as browser:
        for name, (address, sign) in pages.items():
            times = []
            for _ in range(REPEATS):
                page = browser.new_page(viewport=DESKTOP)
                started = time.perf_counter()
                page.goto(f"{site.resolve().as_uri()}/{address}", timeout=PATIENCE)
                page.wait_for_selector(sign, timeout=PATIENCE)
                page.evaluate(PAINTED)
                times.append(1000 * (time.perf_counter() - started))
                page.close()
            lines.append([name, *(f"{figure:.0f}" for figure in (statistics.median(times), min(times), max(times)))])
    return lines


def main() -> int:
    """Measure and print."""
    parser = parser_of("pages", "What the web pages of an event cost.")
    parser.add_argument("--submissions", type=int, default=200, help="in the big event (default: %(default)s)")
    parser.add_argument("--games", type=int, default=10, help="of each pair there (default: %(default)s)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = []
        for name, event in (("small", (20, 6, SMALL)), ("big", (options.submissions, options.games, 10**9))):
            (Path(folder) / name).mkdir()
            rows.append(measure_site(Path(folder) / name, *event))
        rows.append(everybody(Path(folder), options.submissions))
        titles = ["games", "submissions", "seconds", "files", "MB", "memory, MiB"]
        print(tabulate(rows, titles, disable_numparse=True, colalign=["right"] * len(titles)))
        print()
        if said := why_not():
            print(f"The time to show pages was not measured: {said}.")
        else:
            print(tabulate(time_pages(Path(folder) / "big" / "site"), ["page of the big event", "ms", "lowest", "highest"],
                           disable_numparse=True, colalign=["left", "right", "right", "right"]))  # fmt: skip
    return DONE


if __name__ == "__main__":
    sys.exit(run("pages", main, JudgeError))

"""Events to make pages of: real games of random players, and names and printouts nobody would want on his page."""

import random

from goban.moves import move_name
from goban.rulesets import ruleset
from goban.states import new_game
from tournament.events.events import Event
from tournament.pages.editions import edition
from tournament.pages.sites import gather, write_folder, write_single
from tournament.records import Entrant, GameResult, GameSpec, Turn
from tournament.sandbox.transcripts import compose
from tournament.store.store import Run, open_store, read_store
from tournament.verdicts import Termination

NICKNAMES = {"ann": "Quiet-Heron", "bob": "Keen-Otter", "cyra": "Amber-Fox"}

RUN = Run("2026-01-01T00:00:00+00:00", "secret-host", "Python 3")

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


def played(rules, size, rng):
    """Random legal moves to the end, as turns, and the last state."""
    state, turns = new_game(ruleset(rules), size), []
    while not state.is_over:
        move = rng.choice(state.legal_moves())
        turns.append(Turn(move_name(move, size), rng.choice([0.0005, 0.02, 0.4]), 0.0))
        state = state.play(move)
    return tuple(turns), state


def game(spec, rules="course", size=5, **fields):
    """A game of random moves between two names."""
    turns, state = played(rules, size, random.Random(spec.seed))
    end = state.outcome
    termination = Termination.of(end.ending)
    return GameResult(spec, end.winner, end.black, end.white, termination, **({"turns": turns, "tier": "T3"} | fields))


def forfeit(spec, moves=6, evidence="Traceback (most recent call last):\nZeroDivisionError"):
    """A game its White player, to move, lost by a crash."""
    turns, _ = played("course", 5, random.Random(spec.seed))
    name = "black" if moves % 2 == 0 else "white"
    loser = spec.black if moves % 2 == 0 else spec.white
    detail = f"{name} ({loser}) forfeits at move {moves + 1}: ZeroDivisionError: division by zero ({loser}.py, line 12)"
    return GameResult(
        spec, 2 if name == "black" else 1, 0, 0, Termination.CRASH, forfeited_by=1 if name == "black" else 2, detail=detail,
        evidence=evidence, turns=turns[:moves], last=Turn("?", 0.1, 0.1), black_log=log(spec.black, 1, moves),
        white_log=log(spec.white, 2, moves), tier="T3", notes=("late",),
    )  # fmt: skip


def log(name, colour, moves):
    """What a player printed that says at its every move, but for move 5, what it thinks."""
    plies = [ply for ply in range(colour, moves + 2, 2) if ply != 5]
    return compose([(0, f"{name} is here\n"), *((ply, f"{name} thinks of {ply}\n") for ply in plies)])


def pair_specs(names, games, seed=1):
    """Specs of a round robin."""
    rng = random.Random(seed)
    for k, one in enumerate(names):
        for other in names[k + 1 :]:
            for number in range(1, games + 1):
                black, white = (one, other) if number % 2 else (other, one)
                yield GameSpec(f"{one}-{other}-{number:03}", black, white, rng.getrandbits(62))


def make_store(path, names, results, *, rules="course", size=5, games=2, references=(), name="cup"):
    """Write a store."""
    event = Event(name, "round-robin", rules=rules, size=size, games=games, seed=7)
    entrants = [
        Entrant(one, () if one in references else (f"Person of {one}",), one if one in references else "", digest=f"d{k}")
        for k, one in enumerate(names)
    ]
    with open_store(path, event) as store:
        store.begin_run(entrants, RUN)
        for result in results:
            store.add(result)
    return path


def small_store(path, names=("ann", "bob", "cyra", "random"), games=4, **fields):
    """Four players, one of them a reference player; the last two games of every pair are forfeits of Black."""
    last = (f"{games:03}", f"{games - 1:03}")
    results = [forfeit(s) if s.id.endswith(last) else game(s, **fields) for s in pair_specs(names, games)]
    return make_store(path, names, results, games=games, references=("random",))


def hostile_store(path):
    """Everything that could be dangerous on a page, in a small event."""
    results = []
    for spec in pair_specs(HOSTILE_NAMES, 2):
        result = forfeit(spec, evidence=HOSTILE_LOG[:5000]) if spec.id.endswith("001") else game(spec)
        results.append(result)
    first = results[0]
    at_moves = compose([(0, HOSTILE_LOG), (1, HOSTILE_LOG)])
    results[0] = game(first.spec, black_log=HOSTILE_LOG, white_log=at_moves)
    return make_store(path, HOSTILE_NAMES, results, name="<b>cup</b>")


def write_pages(store_path, folder, kind="instructor", student="", truths=None):
    """Write an edition of a store as a folder and, in it, as one file; return the folder."""
    with read_store(store_path) as store:
        contents = gather(store, edition(kind, store.entrants(), NICKNAMES, student), None, truths or {})
    write_folder(contents, folder)
    write_single(contents, folder / "single.html")
    return folder

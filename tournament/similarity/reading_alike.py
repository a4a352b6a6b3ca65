"""Which pairs of submissions have fingerprints in common, and in which passages; see `tournament.similarity.fingerprints`.

What is nobody's in particular counts for nothing: `set_aside` takes out what the course has handed out, as far as that can be
told, and says so; what most of a class have is left out of each comparison.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from tournament.similarity.fingerprints import SURE, Fingerprint, K, SourceFile, Sources, hash_own_files

SHARE = 0.3
"""A pair is marked if so much of one's fingerprints is the other's, too."""
FEWEST = 10
"""With fewer fingerprints of its own a submission is too short to be compared: some twelve lines."""
COMMON, MOST_SHARE = 4, 0.5
"""What more than half of the submissions have, and at least 4, belongs to nobody."""
HANDED = 3
"""A file that is the same in so many submissions has been handed out to them. A copy is one student's, and another's."""
BASE, SAME, UNUSED, SHAPED = _WHYS = (
    "handed out, by the course or by this project", f"the same in {HANDED} submissions or more", "never imported by the player",
    "called and shaped as the course's own",
)  # fmt: skip
_Lines = tuple[str, int, int]
_MOST_PLACES = 8
"""A line that is repeated all over a file is looked at in so many places."""


@dataclass(frozen=True)
class Passage:
    """Lines that read alike. one, other: (path, first line, last line). tokens: how many in a row."""

    one: tuple[str, int, int]
    other: tuple[str, int, int]
    tokens: int


@dataclass(frozen=True)
class TextPair:
    """How two submissions read. common: fingerprints of both; of_one, of_other: the share of each one's own.

    passages: longest first.
    """

    one: str
    other: str
    common: int
    of_one: float
    of_other: float
    passages: tuple[Passage, ...]

    @property
    def share(self) -> float:
        """The larger one of the two shares."""
        return max(self.of_one, self.of_other)

    @property
    def marked(self) -> bool:
        """True if they are so alike that a person should look at them."""
        return self.share >= SHARE


@dataclass(frozen=True)
class Aside:
    """A file that counts for nothing, and why. names: of those who have it. same: whether it is the same in all of them."""

    path: str
    names: tuple[str, ...]
    why: str
    same: bool


def set_aside(sources: Mapping[str, Sources], base: Collection[int] = ()) -> tuple[dict[str, Sources], list[Aside]]:
    """Return the sources without what the course has handed out, and the files that count for nothing as a whole.

    base: hashes of what it is known to have handed out, see `tournament.similarity.fingerprints.hash_handouts`.
    """
    base = frozenset(base)
    # What plays first is its author's own, however many have handed it in.
    beside = [(name, file) for name, one in sorted(sources.items()) for file in one.files if file.path != one.entry]
    holders = defaultdict[str, set[str]](set)
    for name, file in beside:
        holders[file.digest].add(name)
    handed = {digest for digest, names in holders.items() if len(names) >= HANDED}
    # What one student alone has shaped so may be their own, and lie elsewhere in their program, too.
    shaped = Counter(hash_ for one in sources.values() for hash_ in one.shaped)
    given = base.union(hash_ for hash_, number in shaped.items() if number > 1)
    given = given.union(*(file.prints for _, file in beside if file.digest in handed))
    known = base | hash_own_files()
    asides = defaultdict[tuple[str, str, str], list[str]](list)
    for name, file in beside:
        if why := _why(file, known, handed):
            asides[why, file.path, file.digest if len(holders[file.digest]) > 1 else ""].append(name)
    kept = {
        name: replace(one, prints=tuple(each for each in one.prints if each.hash not in given)) for name, one in sources.items()
    }
    found = [Aside(path, tuple(names), why, bool(digest) and len(names) > 1) for (why, path, digest), names in asides.items()]
    return kept, sorted(found, key=lambda one: (_WHYS.index(one.why), not one.same, -len(one.names), one.path))


def _why(file: SourceFile, known: frozenset[int], handed: Collection[str]) -> str:
    """Return why a file counts for nothing; '' if it counts."""
    if file.prints and 2 * len(file.prints & known) >= len(file.prints):
        return BASE
    if file.digest in handed:
        return SAME
    if not file.plays:
        return UNUSED
    return SHAPED if 2 * file.shaped >= 1 else ""


def reading_alike(sources: Mapping[str, Sources]) -> tuple[list[TextPair], list[str]]:
    """Return the pairs that have anything in common, most alike first, and the names of those too short to be compared."""
    holders = Counter(hash_ for one in sources.values() for hash_ in {each.hash for each in one.prints})
    most = max(COMMON - 1, MOST_SHARE * len(sources))
    own = {name: [each for each in sources[name].prints if holders[each.hash] <= most] for name in sorted(sources)}
    hashes = {name: {each.hash for each in prints} for name, prints in own.items()}
    long = [name for name in own if len(hashes[name]) >= FEWEST]
    found = []
    for place, one in enumerate(long):
        for other in long[place + 1 :]:
            if common := len(hashes[one] & hashes[other]):
                shares = common / len(hashes[one]), common / len(hashes[other])
                found.append(TextPair(one, other, common, *shares, _passages(own[one], own[other])))
    found.sort(key=lambda pair: (-pair.share, -pair.common, pair.one, pair.other))
    return found, [name for name in own if name not in long]


def _passages(one: Sequence[Fingerprint], other: Sequence[Fingerprint]) -> tuple[Passage, ...]:
    """Return the longest passages of two submissions, none of which overlaps a longer one."""
    places = defaultdict(list)
    for each in other:
        places[each.hash].append(each)
    # Fingerprints that are equally far apart in both belong together.
    aligned = defaultdict(list)
    for mine in one:
        for theirs in places[mine.hash][:_MOST_PLACES]:
            aligned[mine.path, theirs.path, theirs.start - mine.start].append((mine, theirs))
    runs: list[list[tuple[Fingerprint, Fingerprint]]] = []
    for pairs in aligned.values():
        runs.append(pairs[:1])
        for before, pair in pairwise(pairs):
            if pair[0].start - before[0].start <= SURE:
                runs[-1].append(pair)
            else:
                runs.append([pair])
    kept: list[Passage] = []
    of_one, of_other = list[_Lines](), list[_Lines]()
    for passage in sorted(map(_passage, runs), key=lambda found: (-found.tokens, found.one, found.other)):
        if not (_overlaps(of_one, passage.one) or _overlaps(of_other, passage.other)):
            kept.append(passage)
            insort(of_one, passage.one)
            insort(of_other, passage.other)
    return tuple(kept)


def _passage(run: Sequence[tuple[Fingerprint, Fingerprint]]) -> Passage:
    (mine, theirs), (my_last, their_last) = run[0], run[-1]
    one, other = (mine.path, mine.first, my_last.last), (theirs.path, theirs.first, their_last.last)
    return Passage(one, other, my_last.start - mine.start + K)


def _overlaps(taken: Sequence[_Lines], lines: _Lines) -> bool:
    """Tell whether lines overlap with some of these, which rise and do not overlap with each other."""
    path, first, last = lines
    before = bisect_left(taken, (path, last + 1, 0)) - 1
    return before >= 0 and taken[before][0] == path and taken[before][2] >= first

"""The doctor: every attack of the shelf on this machine."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from threading import Thread

from gojudge.records import Tier
from gojudge.sandbox.sweeping import sweep
from gojudge.sandbox.tiers import best_tier
from gojudge.shelf.catalogue import SHELF, Attack, read_shelf
from gojudge.shelf.doctor import Examination, Finding, secret_in_environment


def doctor(
    names: Collection[str] = (), tier: Tier | None = None, *,
    python: str = "", jobs: int = 1, shelf: Path = SHELF, told: Callable[[Finding], None] = lambda finding: None,
) -> list[Finding]:  # fmt: skip
    """Try the attacks that can be tried here, and return what came of each: whether the sandbox held, and what was expected.

    names: of attacks, all if there are none. tier: of the sandbox, the strongest that works here if None. python: the
    interpreter submissions run under, ours if ''. jobs: how many at the same time. told: called with each as it ends. Raises
    SandboxError if there is no sandbox here.
    """
    sweep()
    tier = tier or best_tier()
    chosen = [attack for attack in read_shelf(shelf) if not names or attack.name in names]
    here = [attack for attack in chosen if tier in attack.tiers and not attack.why_not_here]
    return examine_all(here, tier, python, jobs, told)


def examine_all(
    attacks: Sequence[Attack], tier: Tier, python: str, number: int, told: Callable[[Finding], None]
) -> list[Finding]:
    """Try attacks, so many at the same time; return what came of them, in their order. told: called with each as it ends."""
    waiting, findings = iter(attacks), list[Finding]()

    def lane() -> None:
        with Examination(tier, python) as examination:
            for attack in waiting:
                findings.append(examination.examine(attack))
                told(findings[-1])

    def watched() -> None:
        try:
            lane()
        except BaseException as error:
            failures.append(error)

    # Threads will do: a lane waits for its sandboxes most of the time. On Ctrl-C nobody waits for them, and the sandboxes end
    # with this process.
    failures: list[BaseException] = []
    lanes = [Thread(target=watched, daemon=True) for _ in range(number)]
    with secret_in_environment():
        for each in lanes:
            each.start()
        for each in lanes:
            each.join()
    if failures:
        raise failures[0]
    return sorted(findings, key=lambda finding: attacks.index(finding.attack))

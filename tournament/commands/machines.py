"""doctor: may marks be given on this machine? cluster: what other machines need to play the games of a run."""

from __future__ import annotations

import argparse
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path

from goban.common.command_lines import DONE, LEFT, Subcommand, need_packages
from goban.common.excerpts import is_terminal
from gojudge.cluster.kits import make_kit, python_needed
from gojudge.records import CLASS, ENGINE, PROGRAM, Tier
from gojudge.sandbox import tiers
from gojudge.sandbox.sweeping import leftovers, sweep
from gojudge.sandbox.tiers import MARKS_FROM, describe_equipment, look
from gojudge.shelf.doctor import ENGINES, PROGRAMS, SHELF, Attack, Finding, choose_attacks, examine_all
from tournament.application.runs import jobs


def _add_doctor(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "attacks", nargs="*", metavar="ATTACK",
        help=f"names of attacks; of programs {PROGRAMS}/NAME, of engines {ENGINES}/NAME (default: all)",
    )  # fmt: skip
    strongest_first = [tier.value for tier in reversed(Tier)]
    parser.add_argument("--tier", choices=strongest_first, help="the sandbox to try (default: the strongest that works)")
    parser.add_argument(
        "--shelf", type=Path, default=SHELF, metavar="FOLDER",
        help=f"bad players, with subfolders {PROGRAMS} and {ENGINES} (default: the project's own)",
    )  # fmt: skip
    parser.add_argument("--python", default="", metavar="PROGRAM", help="interpreter submissions run under (default: this one)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help=(
        "attacks tried at the same time (default: %(default)s)"
    ))  # fmt: skip


def _examine_machine(options: argparse.Namespace) -> int:
    """Run the attacks; return 0 if all came to their expected end and nothing forbids to give marks here, else 1."""
    need_packages("tabulate")
    sweep()
    reports = tiers.probe()
    print(describe_equipment(look(), reports))
    for report in reports:
        # Minutes before the table: a file or a pipe would show nothing until the end.
        print(f"{report.tier}: {'works' if report.works else report.why_not}", flush=True)
    tier = Tier(options.tier) if options.tier else tiers.best_tier()
    wanted = choose_attacks(options.attacks, options.shelf)
    at_tier = [attack for attack in wanted if tier in attack.tiers]
    chosen = [attack for attack in at_tier if not attack.why_not_here]
    findings = _try_attacks(chosen, tier, options.python, jobs(options.jobs))
    print(_table(findings))
    print(f"\n{_count(findings)} hold at {tier}", end="")
    print(f"; {len(wanted) - len(at_tier)} are not run at this tier" if len(at_tier) < len(wanted) else "")
    if len(chosen) < len(at_tier):
        reasons = sorted({attack.why_not_here for attack in at_tier} - {""})
        print(f"not run here: {len(at_tier) - len(chosen)} programs ({'; '.join(reasons)})")
    failed = [finding for finding in findings if not finding.holds]
    for finding in failed:
        # Once more and in full, for those who see only the end of a long table.
        print(f"not held: {finding.attack.name}: {finding.actual}{'' if finding.untouched else '; the next game was touched'}")
    left = leftovers()
    if left:
        print(f"left behind: {', '.join(left)}")
    held = not (left or failed)
    if options.shelf.resolve() != SHELF.resolve():
        print("another shelf says nothing about this machine: leave out --shelf to know whether marks may be given here")
    elif not held or tier < MARKS_FROM:
        print(f"marks must not be given here at {tier}")
        return LEFT
    elif options.attacks:
        print("some attacks do not make a verdict: name none to know whether marks may be given here")
    else:
        print(f"marks may be given here at {tier}")
    return DONE if held else LEFT


def _try_attacks(attacks: list[Attack], tier: Tier, python: str, number: int) -> list[Finding]:
    """Try attacks, so many at the same time, with a progress bar; return what came of them, in their order."""
    ended = 0

    def show(finding: Finding) -> None:
        nonlocal ended
        ended += 1
        if is_terminal(sys.stderr):
            print(f"\r{ended}/{len(attacks)} {finding.attack.name:40}", end="", file=sys.stderr, flush=True)

    findings = examine_all(attacks, tier, python, number, show)
    if is_terminal(sys.stderr):
        print("\r" + " " * 60 + "\r", end="", file=sys.stderr)
    return findings


def _count(findings: list[Finding]) -> str:
    """Return how many came to their expected end, by kind: '135 of 135 attacks, 58 of 58 programs and 39 of 39 engines'."""
    parts = []
    for kind, word in ((CLASS, "attacks"), (PROGRAM, "programs"), (ENGINE, "engines")):
        held = [finding.holds for finding in findings if finding.attack.kind == kind]
        if held:
            parts.append(f"{sum(held)} of {len(held)} {word}")
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:]))) or "0 of 0 attacks"


def _table(findings: list[Finding]) -> str:
    from tabulate import tabulate

    rows = [
        [
            finding.attack.name,
            " or ".join(finding.attack.expected),
            finding.actual if len(finding.actual) <= 90 else finding.actual[:87] + "...",
            "untouched" if finding.untouched else "TOUCHED",
            "yes" if finding.holds else "NO",
        ]
        for finding in findings
    ]
    return tabulate(rows, ["attack", "expected", "actual", "next game", "holds"], disable_numparse=True)


def _add_cluster(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where to write it all; it must not exist yet")
    usual = f"tls://{platform.node()}:8786"
    parser.add_argument("address", nargs="?", metavar="ADDRESS", default=usual, help=(
        f"the address at which workers reach this machine (default: {usual})"
    ))  # fmt: skip


def _make_kit(options: argparse.Namespace) -> int:
    """Make it, and print the lines."""
    kit = make_kit(options.folder, options.address, datetime.now(UTC))
    print(f"On this machine, and leave it running:\n\n  {kit.scheduler}\n")
    print(f"On each other machine, which must have {python_needed()}, in a copy of {kit.folder}/worker:\n")
    print(f"  {kit.install}\n  {kit.worker}\n")
    print(f"Then a run here: --cluster {kit.address} --verify 2%\n")
    print(f"Whoever has a file of {kit.folder} may join, until {kit.until}: copy it over ssh, and to nobody else.")
    return DONE


DOCTOR = Subcommand(
    "run every attack of the shelf, and say whether marks may be given on this machine",
    _add_doctor, _examine_machine, "--jobs 4",
)  # fmt: skip
CLUSTER = Subcommand(
    "prepare a cluster: certificates, a wheel, and the commands to type",
    _add_cluster, _make_kit, "kit tls://head:8786",
)  # fmt: skip

"""`doctor`: may marks be given on this machine?"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tournament import sandbox
from tournament.commands.statuses import DONE, LEFT
from tournament.doctor import MARKS_FROM, SHELF, Examination, Finding, read_shelf
from tournament.errors import TournamentError

SUMMARY = "play every attack of the shelf on this machine, and say whether marks may be given here"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help="names of attacks (default: all)")
    parser.add_argument("--tier", choices=sandbox.TIERS, help="the sandbox to try (default: the strongest that works)")
    parser.add_argument("--shelf", type=Path, default=SHELF, help="folder of bad submissions (default: the project's own)")
    parser.add_argument("--python", default="", help="interpreter submissions run under (default: this one)")
    parser.add_argument("--quiet", action="store_true", help="show only the attacks that did not come to their expected end")


def run(options: argparse.Namespace) -> int:
    """Examine; return 0 if marks may be given here, 1 if not."""
    for report in sandbox.probe():
        print(f"{report.tier}: {'works' if report.works else report.why_not}")
    tier = options.tier or sandbox.best_tier()
    attacks = read_shelf(options.shelf)
    unknown = set(options.attacks) - {attack.name for attack in attacks}
    if unknown:
        raise TournamentError(f"expected names of attacks of {options.shelf}, got {', '.join(sorted(unknown))}")
    wanted = [attack for attack in attacks if not options.attacks or attack.name in options.attacks]
    chosen = [attack for attack in wanted if tier in attack.tiers]
    findings = []
    with Examination(tier, options.python, options.shelf) as examination:
        for attack in chosen:
            findings.append(examination.examine(attack))
            if sys.stderr.isatty():
                print(f"\r{len(findings)}/{len(chosen)} {attack.name:40}", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print("\r" + " " * 60 + "\r", end="", file=sys.stderr)
    print(_table([finding for finding in findings if not (options.quiet and finding.holds)]))
    failed = [finding for finding in findings if not finding.holds]
    left = sandbox.leftovers()
    print(f"\n{len(findings) - len(failed)} of {len(findings)} attacks hold at {tier}", end="")
    print(f"; {len(wanted) - len(chosen)} are not run at this tier" if len(chosen) < len(wanted) else "")
    if left:
        print(f"left behind: {', '.join(left)}")
    if failed or left or tier < MARKS_FROM:
        print(f"marks must not be given here at {tier}")
        return LEFT
    print(f"marks may be given here at {tier}")
    return DONE


def _table(findings: list[Finding]) -> str:
    from tabulate import tabulate

    rows = [
        [
            finding.attack.name,
            " or ".join(finding.attack.expected),
            finding.actual if len(finding.actual) <= 90 else finding.actual[:87] + "...",
            "untouched" if finding.untouched else "TOUCHED",
            "" if finding.holds else "FAILS",
        ]
        for finding in findings
    ]
    return tabulate(rows, ["attack", "expected", "actual", "next game", ""], disable_numparse=True)

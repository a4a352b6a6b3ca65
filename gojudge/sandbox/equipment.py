"""What a machine has for sandboxes, what that means for marks, and what would help: one line, for reports and for `doctor`."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gojudge.records import Tier
from gojudge.sandbox import cgroups, compilers, launching
from gojudge.sandbox.tiers import TierReport

MARKS_FROM = Tier.T2
"""The weakest tier at which no submission can change another's result."""

# Whoever is not root makes a namespace of users first, and must be allowed to name the one user in it.
_TRY_NAMESPACES = """
import ctypes, os
user = os.geteuid()
failed = ctypes.CDLL(None).unshare(0x10000000 if user else 0x20000)
if user and not failed:
    with open("/proc/self/uid_map", "w") as names:
        names.write(f"0 {user} 1")
raise SystemExit(failed != 0)
"""
# Setting of the kernel -> the value that forbids namespaces, and the command that allows them.
_FORBIDDING = {
    "kernel/apparmor_restrict_unprivileged_userns": ("1", "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"),
    "kernel/unprivileged_userns_clone": ("0", "sysctl -w kernel.unprivileged_userns_clone=1"),
    "user/max_user_namespaces": ("0", "sysctl -w user.max_user_namespaces=15000"),
}
_NO_ADVICE = "namespaces, which containers forbid as a rule (docs/platforms.md says what allows them)"
# systemd gives users who are not root groups of their own, but only of version 2.
_GROUPS_ADVICE = "for T3 to run as root, or with systemd-run --user --scope -p Delegate=yes"
_GROUPS_ADVICE_V1 = "for T3 to run as root"


@dataclass(frozen=True)
class Equipment:
    """What was found. groups: of which kind the control groups are, with a word on who may make them; namespaces: whether this
    user may make them, and allow: what would let them; languages: those of programs that can be compiled -> what is missing."""

    system: str
    root: bool
    groups: str
    groups_usable: bool
    bubblewrap: bool
    namespaces: bool
    allow: str
    languages: dict[str, str]


def look(root: Path = cgroups.ROOT, settings: Path = Path("/proc/sys")) -> Equipment:
    """Look at this machine. root: where control groups are mounted; settings: where the kernel's settings can be read."""
    layout = cgroups.find_layout(root)
    return Equipment(
        f"{platform.system()} {platform.release()} on {platform.machine()}, Python {platform.python_version()}",
        hasattr(os, "geteuid") and os.geteuid() == 0,
        _groups(root, layout),
        layout is not None,
        launching.bubblewrap_program() is not None,
        subprocess.run([sys.executable, "-I", "-S", "-c", _TRY_NAMESPACES], capture_output=True).returncode == 0,
        _what_allows_namespaces(settings),
        {"C++": compilers.why_not_here("my_player.cpp"), "Java": compilers.why_not_here("my_player.java")},
    )


def describe_equipment(found: Equipment, reports: Sequence[TierReport]) -> str:
    """Return the line. reports: on all tiers, strongest first."""
    has = [
        found.system,
        "root" if found.root else "not root",
        found.groups,
        "bubblewrap" if found.bubblewrap else "no bubblewrap",
        f"{'' if found.namespaces else 'no '}{'' if found.root else 'user '}namespaces",
        *(f"{'no ' if why_not else ''}compiler for {language}" for language, why_not in found.languages.items()),
    ]
    best = next((report.tier for report in reports if report.works), None)
    if best is None:
        means = "no submission can be run here"
    else:
        means = f"{best} is the strongest sandbox here, {'strong enough' if best >= MARKS_FROM else 'too weak'} for marks"
    advice = _advice(found, best, {report.tier: report.why_not for report in reports})
    return f"this machine: {', '.join(has)}: {means}{'; what would help: ' if advice else ''}{'; '.join(advice)}"


def _advice(found: Equipment, best: Tier | None, failures: dict[Tier, str]) -> list[str]:
    advice = []
    if best is None or best < Tier.T2:
        if not found.bubblewrap:
            advice.append("apt-get install bubblewrap")
        if not found.namespaces:
            advice.append(found.allow)
        if not advice:
            advice.append(f"to mend what keeps T2 from working: {failures[Tier.T2]}")
    if best != Tier.T3 and not found.groups_usable:
        advice.append(_GROUPS_ADVICE_V1 if "version 1" in found.groups else _GROUPS_ADVICE)
    # These end with the command that installs what is missing, in brackets.
    return [*advice, *(why_not[:-1].rpartition("(")[2] for why_not in found.languages.values() if why_not)]


def _groups(root: Path, layout: cgroups.Layout | None) -> str:
    """Return which control groups there are, and whether this process may make some."""
    if layout is not None:
        return f"control groups of version {layout.version}"
    if (root / "cgroup.controllers").exists():
        return "control groups of version 2, none delegated to this user"
    return "control groups of version 1, closed to this user" if (root / "memory").is_dir() else "no control groups"


def _what_allows_namespaces(settings: Path) -> str:
    for name, (forbids, command) in _FORBIDDING.items():
        try:
            if (settings / name).read_text().strip() == forbids:
                return command
        except OSError:
            continue
    return _NO_ADVICE

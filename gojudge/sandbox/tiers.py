"""The only place that starts a process for a submission. There are four strengths of sandbox; the strongest that works is used:

    T3   bubblewrap, system calls filtered, control groups: nothing of the host is seen, everything is counted and limited
    T2   bubblewrap, system calls filtered, limits per process; the keeper counts the tree's memory and CPU
    T1   Landlock, system calls filtered, limits per process: other people's files are closed, processes can be seen
    T0   a plain process with a clock: for code one trusts

If we are root, the processes of each sandbox have a user id of their own, at T1 and T0 only where that user can get at the
interpreter and at temporary files. Then what only root may read, write or signal is closed to them even at T0.

Tiers are tried out, not guessed: a sandbox is opened and one process started in it. If that fails, it is tried again, since
the machine may just be busy. A run tries once, when it begins; its seats are then opened at the tier that it
has found, or not at all.

No marks are given at T1, since players could still disturb each other. It is for people who try out other people's programs
where namespaces are forbidden, as in most containers and on hardened machines. Only T0 would be left there: a program could
read everybody's files, use the network and take all the memory. T1 contains those attacks of the shelf.

`equipment` says in one line, for reports and for `doctor`, what a machine has, what that means for marks, and what would help.
"""

from __future__ import annotations

import contextlib
import os
import platform
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gojudge.errors import HarnessFaultError, SandboxError
from gojudge.game import RuleSet
from gojudge.inside import confinement, seccomp
from gojudge.inside.workdirs import remove_tree
from gojudge.records import CLASS, PROGRAM, Entrant, Tier
from gojudge.sandbox import cgroups, compilers, launching
from gojudge.sandbox.class_seat import ClassSeat
from gojudge.sandbox.engine_seat import EngineSeat
from gojudge.sandbox.handles import Sandbox
from gojudge.sandbox.launching import Interpreter, Plan, interpreter, plan_for
from gojudge.sandbox.leftovers import owned_folder, temporary_folder, user_id
from gojudge.sandbox.program_seat import ProgramSeat
from gojudge.sandbox.sweeping import end_strays
from gojudge.seats import Limits, Seat, limits_of

# How many seconds to wait before a tier that has failed is tried again.
_PAUSES = (0.2, 1.0)


@dataclass(frozen=True)
class TierReport:
    """Whether a tier works here. why_not: one line, '' if it does."""

    tier: Tier
    works: bool
    why_not: str = ""


@cache
def probe() -> tuple[TierReport, ...]:
    """Try every tier, strongest first."""
    return tuple(_try(tier) for tier in reversed(Tier))


@cache
def best_tier() -> Tier:
    """Return the strongest tier that works here; raises SandboxError if none does."""
    reports = []
    for tier in reversed(Tier):
        reports.append(_try(tier))
        if reports[-1].works:
            return tier
    raise SandboxError("no submission can be run here: " + "; ".join(f"{r.tier}: {r.why_not}" for r in reports))


def require(tier: str) -> Tier:
    """Return the best tier that works here. Raises SandboxError, which says what `tier` needs, if it is weaker than that."""
    weakest = _tier(tier)
    best = best_tier()
    if best < weakest:
        raise SandboxError(
            f"submissions must be run at tier {weakest}, but {best} is all there is here: {_try(weakest).why_not}; "
            f"to try it, without marks: --require-tier {best}"
        )
    return best


def open_seat(
    entrant: Entrant,
    rules: RuleSet,
    size: int,
    limits: Limits,
    tier: str,
    python: str = "",
    real_starts: bool = False,
    load_each_game: bool = False,
    tells_where: bool = False,
) -> Seat:
    """Return a seat for a submission or an engine; it starts when its first game begins.

    rules: one of the presets. tier: that of the sandbox, no weaker one is taken. python: the interpreter, '' for ours;
    submissions see its site packages. real_starts: see `gojudge.sandbox.program_seat`; load_each_game and tells_where: see
    `gojudge.sandbox.class_seat`. The sandbox ends with the thread that begins the first game, so that thread must live as long
    as the seat. Raises SandboxError.
    """
    strength = _tier(tier)
    program = interpreter(python)
    limits = limits_of(entrant, limits)

    def launch(folder: Path) -> Sandbox:
        return _launch(folder, limits, strength, program, entrant.kind)

    if entrant.engine is not None:
        engine = entrant.engine
        return EngineSeat(engine, rules, size, limits, strength, lambda: launch(engine.folder))
    if entrant.kind == PROGRAM:
        return ProgramSeat(entrant, rules, size, limits, strength, launch, real_starts, tells_where)
    return ClassSeat(entrant, rules, size, limits, strength, lambda: launch(entrant.folder), load_each_game, tells_where)


def _tier(text: str) -> Tier:
    """Return the tier of this name; raises SandboxError."""
    try:
        return Tier(text)
    except ValueError:
        raise SandboxError(f"expected one of {', '.join(reversed(Tier))} as a tier, got {text!r}") from None


@cache
def _try(tier: Tier) -> TierReport:
    if why_not := _what_is_missing(tier):
        return TierReport(tier, False, why_not)
    report = _try_once(tier)
    for pause in _PAUSES:
        if not report.works:
            time.sleep(pause)
            report = _try_once(tier)
    return report


def _try_once(tier: Tier) -> TierReport:
    with owned_folder() as empty:
        try:
            sandbox = _launch(empty, Limits(), tier, interpreter())
        except (HarnessFaultError, SandboxError) as error:
            return TierReport(tier, False, str(error))
        try:
            sandbox.start().close()
            sandbox.stop()
            sandbox.kill()
        except HarnessFaultError as error:
            return TierReport(tier, False, str(error))
        finally:
            sandbox.close()
    return TierReport(tier, True)


def _what_is_missing(tier: Tier) -> str:
    """Return why a tier cannot work, if that is known without trying it; '' if it might."""
    if not hasattr(os, "fork"):
        return "this system cannot fork processes"
    if tier is Tier.T0:
        return ""
    try:
        seccomp.filter_program(platform.machine())
    except KeyError:
        return f"no filter of system calls for {platform.machine()}"
    if platform.system() != "Linux":
        return "only Linux can do it"
    if tier is Tier.T1:
        return "" if confinement.landlock_version() else "this kernel has no Landlock"
    if launching.bubblewrap_program() is None:
        return "bubblewrap is not installed (apt-get install bubblewrap)"
    if tier is Tier.T3 and _layout() is None:
        return (
            "no control groups that this user may make (run as root or, where they are of version 2, with systemd-run --user "
            "--scope -p Delegate=yes)"
        )
    return ""


@cache
def _layout() -> cgroups.Layout | None:
    return cgroups.find_layout()


def _launch(submission: Path, limits: Limits, tier: Tier, python: Interpreter, kind: str = CLASS) -> Sandbox:
    """Start a keeper for the folder of a submission of this kind; raises HarnessFaultError."""
    plan = plan_for(submission, limits, tier, python, kind)
    group, held = None, contextlib.ExitStack()
    with contextlib.ExitStack() as undone:
        undone.callback(held.close)
        user = held.enter_context(user_id()) if plan.own_user else -1
        undone.callback(_tidy, plan, killed=True)
        try:
            ours, theirs = socket.socketpair()
            undone.callback(ours.close)
            with theirs:
                if tier is Tier.T3:
                    layout = _layout()
                    if layout is None:
                        raise HarnessFaultError("no control groups")
                    group = cgroups.new_group(layout, limits.memory_mib, limits.processes + 1)
                    undone.callback(group.close)
                process = _start(plan, theirs)
            undone.callback(_end, process)
            sandbox = Sandbox(process, ours, group, held.close)
        except OSError as error:
            raise HarnessFaultError(f"a sandbox could not be started: {error}") from error
        undone.pop_all()
    held.callback(lambda: _tidy(plan, process.returncode != 0))
    try:
        if plan.own_user:
            _hand_over(plan, user)
        sandbox.begin(plan.settings)
    except BaseException:
        sandbox.close()
        raise
    return sandbox


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    # Not read to its end: what it has started may live until our end of its socket is closed.
    if process.stderr is not None:
        process.stderr.close()


def _hand_over(plan: Plan, user: int) -> None:
    """Give a sandbox's processes a user id, and that user the sandbox's folder. Raises HarnessFaultError."""
    plan.settings["confinement"]["user"] = user
    if plan.folder is not None:
        try:
            for path in (plan.folder, *plan.folder.rglob("*")):
                os.chown(path, user, user, follow_symlinks=False)
        except OSError as error:
            raise HarnessFaultError(f"a folder for a submission could not be handed over: {error}") from error


def _start(plan: Plan, control: socket.socket) -> subprocess.Popen[bytes]:
    """Start the keeper's process, in a session of its own: Ctrl-C is for the harness."""
    command, descriptors = plan.command, [control.fileno()]
    with tempfile.TemporaryFile(dir=temporary_folder()) as hidden:
        if plan.arguments:
            # Not on the command line: every user can read that.
            hidden.write(b"".join(argument.encode() + b"\0" for argument in plan.arguments))
            hidden.seek(0)
            descriptors.append(hidden.fileno())
            command = [command[0], "--args", str(hidden.fileno()), *command[1:]]
        return subprocess.Popen(
            [*command, str(control.fileno())],
            env=plan.environment,
            pass_fds=descriptors,
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )


def _tidy(plan: Plan, killed: bool) -> None:
    """Remove what a sandbox leaves. killed: the process was that we had started, which otherwise ends all the others."""
    if killed:
        end_strays(lambda name: name == plan.name)
    if plan.folder is not None:
        with contextlib.suppress(OSError):
            remove_tree(plan.folder)


MARKS_FROM = Tier.T2
"""The weakest tier at which no submission can change another's result."""

# Without root, a user namespace is made first, and it must be allowed to name the one user in it.
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
        system=f"{platform.system()} {platform.release()} on {platform.machine()}, Python {platform.python_version()}",
        root=hasattr(os, "geteuid") and os.geteuid() == 0,
        groups=_groups(root, layout),
        groups_usable=layout is not None,
        bubblewrap=launching.bubblewrap_program() is not None,
        namespaces=subprocess.run([sys.executable, "-I", "-S", "-c", _TRY_NAMESPACES], capture_output=True).returncode == 0,
        allow=_what_allows_namespaces(settings),
        languages={"C++": compilers.why_not_here("my_player.cpp"), "Java": compilers.why_not_here("my_player.java")},
    )


def describe_equipment(equipment: Equipment, reports: Sequence[TierReport]) -> str:
    """Return the line. reports: on all tiers, strongest first."""
    has = [
        equipment.system,
        "root" if equipment.root else "not root",
        equipment.groups,
        "bubblewrap" if equipment.bubblewrap else "no bubblewrap",
        f"{'' if equipment.namespaces else 'no '}{'' if equipment.root else 'user '}namespaces",
        *(f"{'no ' if why_not else ''}compiler for {language}" for language, why_not in equipment.languages.items()),
    ]
    best = next((report.tier for report in reports if report.works), None)
    if best is None:
        means = "no submission can be run here"
    else:
        means = f"{best} is the strongest sandbox here, {'strong enough' if best >= MARKS_FROM else 'too weak'} for marks"
    advice = _advice(equipment, best, {report.tier: report.why_not for report in reports})
    return f"this machine: {', '.join(has)}: {means}{'; what would help: ' if advice else ''}{'; '.join(advice)}"


def _advice(equipment: Equipment, best: Tier | None, failures: dict[Tier, str]) -> list[str]:
    advice = []
    if best is None or best < Tier.T2:
        if not equipment.bubblewrap:
            advice.append("apt-get install bubblewrap")
        if not equipment.namespaces:
            advice.append(equipment.allow)
        if not advice:
            advice.append(f"to mend what keeps T2 from working: {failures[Tier.T2]}")
    if best != Tier.T3 and not equipment.groups_usable:
        advice.append(_GROUPS_ADVICE_V1 if "version 1" in equipment.groups else _GROUPS_ADVICE)
    # These end with the command that installs what is missing, in brackets.
    return [*advice, *(why_not[:-1].rpartition("(")[2] for why_not in equipment.languages.values() if why_not)]


def _groups(root: Path, layout: cgroups.Layout | None) -> str:
    """Say which control groups there are, and whether this process may make some."""
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

"""What a machine has for sandboxes, what that means for marks, and what would help: in one line."""

import platform
from dataclasses import replace

import pytest

from gojudge.records import Tier
from gojudge.sandbox import tiers
from gojudge.sandbox.tiers import Equipment, TierReport, describe_equipment, look

COMPILERS = {"C++": "", "Java": ""}
ALL = Equipment("Linux 6.1 on x86_64, Python 3.11.2", True, "control groups of version 1", True, True, True, "x", COMPILERS)
USER = replace(ALL, root=False, groups="control groups of version 2, none delegated to this user", groups_usable=False)
GROUPS = "for T3 to run as root, or with systemd-run --user --scope -p Delegate=yes"


def reports(best, why_not="it failed"):
    return [TierReport(tier, tier <= best, "" if tier <= best else why_not) for tier in reversed(Tier)]


def test_a_machine_that_has_everything_needs_nothing():
    assert describe_equipment(ALL, reports(Tier.T3)) == (
        "this machine: Linux 6.1 on x86_64, Python 3.11.2, root, control groups of version 1, bubblewrap, namespaces, "
        "compiler for C++, compiler for Java: T3 is the strongest sandbox here, strong enough for marks"
    )


def test_without_control_groups_marks_can_be_given_and_more_is_told():
    assert describe_equipment(USER, reports(Tier.T2)).endswith(
        ", not root, control groups of version 2, none delegated to this user, bubblewrap, user namespaces, compiler for C++, "
        f"compiler for Java: T2 is the strongest sandbox here, strong enough for marks; what would help: {GROUPS}"
    )


def test_control_groups_of_version_1_are_roots_alone_and_nothing_else_is_advised():
    closed = replace(USER, groups="control groups of version 1, closed to this user")
    assert describe_equipment(closed, reports(Tier.T2)).endswith("; what would help: for T3 to run as root")


@pytest.mark.parametrize(
    ("lacks", "said", "helps"),
    [
        ({"bubblewrap": False}, "no bubblewrap", "apt-get install bubblewrap"),
        ({"namespaces": False, "allow": "sysctl -w a=1"}, "no user namespaces", "sysctl -w a=1"),
        ({}, "bubblewrap", "to mend what keeps T2 from working: it failed"),
    ],
)
def test_where_marks_cannot_be_given_what_is_missing_for_them_comes_first(lacks, said, helps):
    line = describe_equipment(replace(USER, **lacks), reports(Tier.T1))
    assert f", {said}, " in line
    assert line.endswith(f": T1 is the strongest sandbox here, too weak for marks; what would help: {helps}; {GROUPS}")


def test_a_language_that_cannot_be_compiled_is_told_with_the_package_that_has_its_compiler():
    without = replace(ALL, languages={"C++": "no g++ is installed here (apt-get install g++)", "Java": ""})
    line = describe_equipment(without, reports(Tier.T3))
    assert ", no compiler for C++, compiler for Java: " in line
    assert line.endswith("; what would help: apt-get install g++")


def test_where_nothing_can_be_run_the_line_says_so():
    nothing = [TierReport(tier, False, "x") for tier in reversed(Tier)]
    assert ": no submission can be run here; what would help: " in describe_equipment(USER, nothing)


@pytest.mark.parametrize(
    ("setting", "value", "command"),
    [
        ("kernel/apparmor_restrict_unprivileged_userns", "1", "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"),
        ("kernel/unprivileged_userns_clone", "0", "sysctl -w kernel.unprivileged_userns_clone=1"),
        ("user/max_user_namespaces", "0", "sysctl -w user.max_user_namespaces=15000"),
    ],
)
def test_the_setting_that_forbids_namespaces_is_told(tmp_path, setting, value, command):
    assert "containers forbid" in look(settings=tmp_path).allow
    (tmp_path / setting).parent.mkdir()
    (tmp_path / setting).write_text(f"{value}\n")
    assert look(settings=tmp_path).allow == command


def test_control_groups_are_told_by_version_and_by_who_may_make_them(tmp_path, monkeypatch):
    assert look(tmp_path).groups == "no control groups"
    (tmp_path / "memory").mkdir()
    (tmp_path / "cgroup.controllers").write_text("cpu memory pids\n")
    monkeypatch.setattr(tiers.cgroups, "find_layout", lambda _: None)
    assert look(tmp_path).groups == "control groups of version 2, none delegated to this user"
    (tmp_path / "cgroup.controllers").unlink()
    assert look(tmp_path).groups == "control groups of version 1, closed to this user"


def test_this_machine_is_described():
    line = describe_equipment(look(), tiers.probe())
    assert line.startswith(f"this machine: {platform.system()} {platform.release()} on {platform.machine()}, Python 3.")
    assert f": {tiers.best_tier()} is the strongest sandbox here, " in line
    assert "\n" not in line

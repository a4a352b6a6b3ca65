"""The container file installs what the project asks for, and the documents build and start just that. No container is made."""

import re
import subprocess
import tomllib

from tests.support.documents import ROOT, commands

CONTAINERFILE = (ROOT / "Containerfile").read_text()
LINES = re.sub(r"^#.*\n", "", CONTAINERFILE, flags=re.M).replace("\\\n", "").splitlines()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def lines(word):
    """What stands behind this word at the beginning of a line."""
    return [line.partition(" ")[2].strip() for line in LINES if line.split(" ")[0] == word]


def packages():
    installs = [step for run in lines("RUN") for step in run.split("&&") if "apt-get install" in step]
    return {word for step in installs for word in step.split()[2:] if not word.startswith("-")}


def test_it_is_the_system_that_the_tests_run_on():
    (base,) = lines("FROM")
    version = PROJECT["requires-python"].removeprefix(">=")
    assert base == f"docker.io/library/python:{version}-slim-bookworm"
    assert f"Debian 12 with Python {version}" in (ROOT / "docs/platforms.md").read_text()


def test_it_has_what_the_tests_ask_for():
    script = (ROOT / ".ci/run").read_text()
    asked = {*re.findall(r"missing\+=\(([\w+-]+)\)", script), *re.findall(r"apt-get install [-\w ]*-qq ([a-z]\S+)", script)}
    # The image's own Python can make environments.
    assert asked - {"python3-venv"} <= packages()
    assert {"make", "bubblewrap", "chromium", "gnugo"} <= asked


def test_it_has_every_package_that_a_message_names():
    sources = [path.read_text() for path in (ROOT / "gojudge").rglob("*.py") if "shelf" not in path.parts]
    named = {name for text in sources for name in re.findall(r"apt-get install ([a-z][\w+-]*)", text)}
    assert "default-jdk-headless" in named
    assert named <= packages()


def test_nobody_is_root_once_the_system_is_set_up():
    words = [line.split()[0] for line in LINES if line.strip()]
    user, last_install = words.index("USER"), max(k for k, line in enumerate(filter(str.strip, LINES)) if "apt-get" in line)
    assert lines("USER") == ["player"]
    assert last_install < user < words.index("COPY")


def test_what_it_makes_and_starts_is_there():
    for run in lines("RUN"):
        if run.startswith("make "):
            subprocess.run(["make", "-n", *run.split()[1:]], cwd=ROOT, capture_output=True, check=True)
    assert "make .venv/installed" in lines("RUN")
    (start,) = lines("CMD")
    assert start.split('"')[1] in PROJECT["scripts"]


def test_the_documents_build_it_and_start_what_was_built():
    typed = [command.line.split() for command in commands() if command.line.split()[0] in ("docker", "podman")]
    builds = [words for words in typed if words[1] == "build"]
    runs = [words for words in typed if words[1] == "run"]
    assert {words[0] for words in builds} == {words[0] for words in runs} == {"docker", "podman"}
    (tag,) = {words[words.index("-t") + 1] for words in builds}
    assert all(words[-1] == "." and ("Containerfile" in words or words[0] == "podman") for words in builds)
    for words in runs:
        assert words[words.index(tag) + 1] in PROJECT["scripts"]

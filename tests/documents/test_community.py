"""What a clone brings for those who take part: workflows, templates, settings of editors name what is there."""

import json
import re
import subprocess
import tomllib
from importlib import import_module

import pytest

from tests.support.documents import ROOT

WORKFLOW = (ROOT / ".github/workflows/tests.yml").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
TEXTS = [ROOT / "SECURITY.md", *sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.md"))]


def test_the_workflow_runs_what_the_readme_and_ci_run():
    runs = re.findall(r"^ +- run: (.*)$", WORKFLOW, re.M)
    assert {"python3 go_play.py -p1=my -p2=greedy -t=50", "make test", ".ci/run"} <= set(runs)
    assert "python3 go_play.py -p1=my -p2=greedy -t=50" in (ROOT / "README.md").read_text()


def test_the_workflow_begins_with_the_oldest_python_that_is_taken():
    (pythons,) = re.findall(r"python: \[(.*)\]", WORKFLOW)
    assert pythons.split(", ")[0] == f'"{PROJECT["requires-python"].removeprefix(">=")}"'


def test_the_version_to_cite_is_the_version():
    assert re.search(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(), re.M)[1] == PROJECT["version"]


@pytest.mark.parametrize("package", ["goban", "gojudge", "golearn", "tournament"])
def test_packages_know_their_version(package):
    assert import_module(package).__version__ == PROJECT["version"]


def test_the_newest_release_in_the_changelog_is_the_version():
    releases = re.findall(r"^## \[(\d[\d.]*)\] - \d{4}-\d\d-\d\d$", (ROOT / "CHANGELOG.md").read_text(), re.M)
    assert releases[0] == PROJECT["version"]


def test_the_development_container_is_built_from_the_container_file():
    settings = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text())
    assert (ROOT / ".devcontainer" / settings["build"]["dockerfile"]).resolve() == ROOT / "Containerfile"
    assert f"USER {settings['remoteUser']}" in (ROOT / "Containerfile").read_text()


def test_hooks_before_a_commit_are_those_of_make_lint():
    entries = re.findall(r"entry: (.*)$", (ROOT / ".pre-commit-config.yaml").read_text(), re.M)
    recipe = subprocess.run(["make", "-n", "lint"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert entries
    assert all(entry == "make lint" or entry in recipe for entry in entries)


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path):
    for target in re.findall(r"\]\(([^)#\s]+)", path.read_text()):
        assert (path.parent / target).resolve().exists(), target

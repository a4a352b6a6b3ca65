"""Pages that hold all they need: markup, style, scripts and data in one file, and a policy that lets nothing else in.

The board that replays a game is made of these parts, in `assets/`:

    base.css    colours, type and tables          board.js    positions, and the drawing of one
    board.css   the board and all around it       strip.js    what every position was worth
    replay.html the markup the scripts fill       printed.js  what players printed
    game.html   the same with a heading           sgf.js      a game as a file
                                                  replay.js   plays a game forward and back
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from goban.board.processes import no_grades
from goban.board.truths import why_not
from goban.grids import MAX_SIZE, MIN_SIZE
from goban.rulesets import COURSE, PRESETS

_ASSETS = Path(__file__).parent / "assets"
STYLES = ("base.css", "board.css")
SCRIPTS = ("board.js", "sgf.js", "strip.js", "printed.js", "replay.js")
# An element of the markup that only pages with printed texts have.
_OF_LOGS = re.compile(r'<div id="(printed|logs)".*?</div>\n')


@cache
def asset(name: str) -> str:
    """Return the text of a style sheet, script or piece of markup."""
    return (_ASSETS / name).read_text("utf-8")


def replay_markup(with_logs: bool) -> str:
    """Return the elements in which `replay.js` shows a game. with_logs: also what the players printed."""
    text = asset("replay.html")
    return text if with_logs else _OF_LOGS.sub("", text)


def game_markup(with_logs: bool) -> str:
    """Return the same with what stands above it: which of several games is shown, and how it ended."""
    return Template(asset("game.html")).substitute(replay=replay_markup(with_logs))


def policy(scripts: str, styles: str, more: str = "") -> str:
    """Return the security policy of a page that may load nothing but these scripts and styles, and what `more` allows."""
    return f"default-src 'none'; script-src {scripts}; style-src {styles}; {more}base-uri 'none'; form-action 'none'"


def digest(text: str) -> str:
    """Return how a policy names a script or style that stands in the page itself: by its SHA-256."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def script_json(value: object) -> str:
    """Return a value as JSON in plain ASCII that cannot end a script element or open a comment."""
    text = json.dumps(value, separators=(",", ":"), sort_keys=True)
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def whole_page(
    title: str, markup: str, own: Sequence[str], data: dict[str, Any], asks: bool = False, drawing: Sequence[str] = SCRIPTS
) -> bytes:
    """Return a page on which games are replayed.

    markup: the name of the piece of markup that stands in it; $replay in it becomes the board, $game the board with a heading.
    own: the names of its own styles and scripts. data: what the scripts find in the element `data`. asks: whether they may ask
    the server it came from. drawing: the scripts that it takes from those of every page.
    """
    styles = [*STYLES, *(name for name in own if name.endswith(".css"))]
    scripts = [*drawing, *(name for name in own if name.endswith(".js"))]
    style, code = ("\n" + "\n".join(map(asset, names)) for names in (styles, scripts))
    allowed = "img-src data:; " + "connect-src 'self'; " * asks
    values = {
        "title": escape(title),
        "policy": policy(digest(code), digest(style), allowed),
        "style": style,
        "main": Template(asset(markup)).substitute(
            replay=replay_markup(with_logs=True), game=game_markup(with_logs=True), title=escape(title)
        ),
        "data": script_json(data),
        "code": code,
    }
    return Template(asset("page.html")).substitute(values).encode()


@dataclass(frozen=True)
class Offer:
    """A program that may be chosen. missing: the packages that it needs and that are not there; rules: those that it plays by,
    () for all; least, most: its smallest board and its largest."""

    name: str
    missing: str = ""
    rules: tuple[str, ...] = ()
    least: int = MIN_SIZE
    most: int = MAX_SIZE


def play_page(players: Sequence[Offer], chosen: dict[str, Any]) -> bytes:
    """Return the page of the board in a browser.

    chosen: rules, size and the two players of the game that it begins with, '' for a person, and where that has begun its name.
    """
    rules = [{"name": rules.name, "size": rules.default_size} for rules in PRESETS.values()]
    missing = why_not(COURSE, 5)
    offers = [vars(one) for one in players]
    data = {"rules": rules, "players": offers, "chosen": chosen, "truth": not missing, "why_not": missing}
    data["no_grades"] = no_grades()
    own = ("play.css", "server.js", "setup.js", "points.js", "truths.js", "lessons.js", "verdicts.js", "tree.js", "play.js")
    return whole_page("Go board", "play.html", own, data, asks=True)


def learning_page(cells: Sequence[str], games: int, why_not: str) -> bytes:
    """Return the page that shows how a table learns. cells: against whom it is tried, and with which colour, as 'smart X'.

    games: how many it is to learn from; why_not: why it is not measured by the exact truth, '' if it is.
    """
    data = {"cells": list(cells), "games": games, "why_not": why_not}
    own = ("learn.css", "server.js", "learn.js")
    return whole_page("Watch it learn", "learn.html", own, data, asks=True, drawing=("board.js",))

"""The board that replays a game, as parts of a page: styles, scripts, markup; and the policy of a page.

    base.css    colours, type and tables          board.js    positions, and the drawing of one
    board.css   the board and all around it       strip.js    what every position was worth
    replay.html the markup the scripts fill       printed.js  what players printed
    game.html   the same with a heading           sgf.js      a game as a file
                                                  replay.js   plays a game forward and back

`goban.board.page` makes whole pages of them.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache
from pathlib import Path
from string import Template

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

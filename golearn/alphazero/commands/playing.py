"""games, check, match, play, submission: the games there are, and who plays them."""

from __future__ import annotations

import argparse
import json
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goban.common.command_lines import DONE, LEFT, CommandError, Subcommand, whole_number
from goban.common.files import check_writable, is_new_or_empty, make_folder, write_beside
from goban.common.terminals import Progress, fit_tables
from golearn.alphazero.commands.measuring import LINES_OF_JSON, PLAYERS_HELP, add_game, add_seed, show_progress, tell_if_stopped
from golearn.alphazero.games import GAME_CHOICES, find_game, game_from_name
from players.registry import tell_compilation

if TYPE_CHECKING:
    from golearn.alphazero.games import CompleteGame
    from golearn.evaluation import Match

Matches = dict[tuple[str, str], "Match"]


def _add_nothing(parser: argparse.ArgumentParser) -> None:
    """Leave the parser as it is."""


def _list_games(options: argparse.Namespace) -> int:
    """Print a table of games."""
    from golearn.alphazero.plans import PRESETS, read_plan

    plans = {name: read_plan(name) for name in PRESETS}
    print(f"{'game':<14}{'board':>7}{'actions':>9}{'planes':>8}  plans, with their games")
    for name in GAME_CHOICES:
        game = game_from_name(name)
        height, width = game.board_shape
        fitting = ", ".join(f"{plan} ({plans[plan].games:,})" for plan in plans if plans[plan].game == name)
        print(f"{name:<14}{f'{height}x{width}':>7}{game.action_size:>9}{game.num_planes:>8}  {fitting}".rstrip())
    return DONE


def _add_check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="MODULE:CLASS, MODULE:CLASS(size=5), or a game's name")
    parser.add_argument("--games", type=whole_number(1, 10**6, "a number of games"), default=20, help="default: %(default)s")
    parser.add_argument("--seed", type=whole_number(0, 2**63 - 1, "a seed"), default=0, help="seed of the games (default: 0)")


def _check(options: argparse.Namespace) -> int:
    """Play at random, and print a line for each fault; the exit status is 1 if there is one."""
    from golearn.alphazero.game_checks import check_game

    game, progress = find_game(options.game).game, Progress(options.games, quiet=False)
    try:
        with tell_compilation("check"):
            findings = check_game(game, options.games, options.seed, progress.update)
    finally:
        progress.clear()
    for finding in findings:
        print(finding)
    if not findings:
        print(f"{options.game}: nothing found in {options.games} random games")
    return LEFT if findings else DONE


def _add_match(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("players", nargs="+", metavar="PLAYER", help=f"two or more: {PLAYERS_HELP}")
    add_game(parser, GAME_CHOICES)
    parser.add_argument("--games", type=whole_number(1, 1_000_000, "a number of games"), default=100, metavar="N", help=(
        "games for each pair of players (default: %(default)s)"
    ))  # fmt: skip
    parser.add_argument("--opening", type=whole_number(0, 1000, "a number of moves"), default=2, metavar="N", help=(
        "random opening moves, the same for two games with sides swapped (default: %(default)s)"
    ))  # fmt: skip
    add_seed(parser)
    parser.add_argument("--out", type=Path, metavar="FILE", help="also write the results, as lines of JSON")


def _match(options: argparse.Namespace) -> int:
    """Print the score of each two players and, where there are more, ratings."""
    if len(set(options.players)) != len(options.players) or len(options.players) < 2:
        raise CommandError(f"expected two players or more, no two alike, got {', '.join(options.players)}")
    if options.out is not None:
        check_writable(options.out, *LINES_OF_JSON)
    matches: Matches = {}
    pairs = list(combinations(options.players, 2))
    for pair in pairs:
        so_far = f"{options.out} has {len(matches)} of {len(pairs)} matches" if options.out else ""
        with tell_if_stopped("match", so_far), tell_compilation("match"):
            matches[pair] = _play_pair(options, pair)
        if options.out is not None:
            write_beside(options.out, _match_lines(options.game, matches))
    print(fit_tables(_scores(matches)))
    if len(options.players) > 2:
        print(f"\n{_ratings(matches)}")
    return DONE


def _play_pair(options: argparse.Namespace, pair: tuple[str, str]) -> Match:
    from golearn.contenders import find_player
    from golearn.evaluation import play_match

    game = find_game(options.game)
    one, other = (find_player(name, game, f"{options.seed} {name}") for name in pair)
    with show_progress() as show:
        tell = lambda ended: show("games", ended, options.games)  # noqa: E731
        return play_match(game, (one, other), options.games, options.seed, options.opening, tell)


def _scores(matches: Matches) -> str:
    from tabulate import tabulate

    rows = []
    for (one, other), match in matches.items():
        low, high = match.interval
        rows.append([one, other, match.wins, match.draws, match.losses, f"{match.score:.1%}", f"{low:.1%} to {high:.1%}"])
    return tabulate(rows, ["player", "opponent", "wins", "draws", "losses", "score", "95 %"], disable_numparse=True)


def _ratings(matches: Matches) -> str:
    from tabulate import tabulate

    from golearn.evaluation import rate_players

    rows = [[one.name, f"{one.rating:+.0f}", f"{one.low:+.0f} to {one.high:+.0f}"] for one in rate_players(matches)]
    return tabulate(rows, ["player", "rating", "95 %"], disable_numparse=True)


def _match_lines(game: str, matches: Matches) -> bytes:
    found = []
    for (one, other), match in matches.items():
        low, high = match.interval
        about = {"game": game, "player": one, "opponent": other, **vars(match), "score": match.score, "low": low, "high": high}
        found.append(json.dumps(about))
    return "".join(f"{line}\n" for line in found).encode()


def _add_play(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("player", metavar="PLAYER", help=PLAYERS_HELP)
    add_game(parser, GAME_CHOICES)
    parser.add_argument("--second", action="store_true", help="let the other side move first")
    add_seed(parser)


def _play(options: argparse.Namespace) -> int:
    """Play until the game is over, or until somebody types exit or ends the input."""
    from golearn.contenders import find_player

    game = find_game(options.game)
    ask = find_player(options.player, game, f"{options.seed} {options.player}")
    state, own = game.initial_state(), -1 if options.second else 1
    while not game.is_terminal(state):
        if game.current_player(state) == own:
            print(f"\n{game.text(state)}")
            action = _read_action(game, state)
            if action is None:
                return DONE
        else:
            with tell_compilation("play"):
                action = int(ask([state]).actions[0])
            print(f"{options.player}: {game.action_name(action)}")
        state = game.apply_move(state, action)
    result = (game.winner(state) or 0) * own
    print(f"\n{game.text(state)}\n{('A draw', 'You win', f'{options.player} wins')[result]}.")
    return DONE


def _read_action(game: CompleteGame[Any], state: Any) -> int | None:  # noqa: ANN401
    """Return an action that may be played, asked for until it is one; None for exit and at the end of the input."""
    while True:
        try:
            text = input("your move, or exit: ").strip()
        except EOFError:
            print()
            return None
        if text.lower() == "exit":
            return None
        try:
            action = game.parse_action(text)
            game.apply_move(state, action)
        except ValueError as error:
            # The text is no action, or the rules forbid it; the message says which.
            print(error)
        else:
            return action


def _add_submission(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="a new or empty folder for the two files")


def _write_submission(options: argparse.Namespace) -> int:
    from golearn.alphazero.go_zero import SUBMISSION as FILES

    folder: Path = options.folder
    if not is_new_or_empty(folder):
        raise CommandError(f"{folder}: expected a new or an empty folder, found something else")
    make_folder(folder)
    for name, source in FILES.items():
        write_beside(folder / name, source.read_bytes())
    print(f"{folder}: {', '.join(FILES)}")
    return DONE


GAMES = Subcommand("list the available games, and the plans for them", _add_nothing, _list_games)
CHECK = Subcommand("test your own game by random play, and report contradictions", _add_check, _check)
MATCH = Subcommand("play games between networks, searches and players, with both colours, and rate them", _add_match, _match)
PLAY = Subcommand("play against a network, a search or a player", _add_play, _play)
SUBMISSION = Subcommand(
    "write the player zero as a submission: one file of plain Python, and its network", _add_submission, _write_submission
)

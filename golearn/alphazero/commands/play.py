"""play: a game at the terminal against a network, a search or a player."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from goban.common.command_lines import DONE, whole_number
from players.registry import compilation_told

if TYPE_CHECKING:
    from golearn.alphazero.games import CompleteGame

SUMMARY = "a game of yours against a network, a search or a player"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    from golearn.alphazero.commands.contenders import PLAYERS_HELP, add_game_argument

    parser.add_argument("player", metavar="PLAYER", help=PLAYERS_HELP)
    add_game_argument(parser)
    parser.add_argument("--second", action="store_true", help="let the other side begin")
    parser.add_argument("--seed", type=whole_number(0, 2**63 - 1, "a seed"), default=1, help="of all chance (default: 1)")


def run(options: argparse.Namespace) -> int:
    """Play until the game is over, or until somebody types exit or ends the input."""
    from golearn.alphazero.commands.contenders import contender
    from golearn.alphazero.games import game_named

    game = game_named(options.game)
    ask = contender(options.player, game, f"{options.seed} {options.player}")
    state, own = game.initial_state(), -1 if options.second else 1
    while not game.is_terminal(state):
        if game.current_player(state) == own:
            print(f"\n{game.text(state)}")
            action = _typed(game, state)
            if action is None:
                return DONE
        else:
            with compilation_told("play"):
                action = int(ask([state]).actions[0])
            print(f"{options.player}: {game.action_name(action)}")
        state = game.apply_move(state, action)
    result = (game.winner(state) or 0) * own
    print(f"\n{game.text(state)}\n{('A draw', 'You win', f'{options.player} wins')[result]}.")
    return DONE


def _typed(game: CompleteGame[Any], state: Any) -> int | None:  # noqa: ANN401
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

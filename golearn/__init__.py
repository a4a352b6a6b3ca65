"""Learning to play: AlphaZero for any game of two players, tables, patterns, and Go as an environment. `import golearn`.

    import golearn

    run = golearn.train(golearn.read_plan("tictactoe"), "ttt.run", tell=lambda run: print(run.played, run.curve[-1]["value"]))
    golearn.write_weights("ttt.npz", run.network())
    golearn.evaluate("ttt.npz:simulations=32", "tictactoe").results["all"]["kept values"]

    game = golearn.find_game("tictactoe")
    ask = golearn.find_player("ttt.npz:simulations=32", game)
    golearn.play_match(game, (ask, golearn.find_player("minimax", game)), games=20, seed=1, opening=0).score

Programs may rely on the names in `__all__`; `docs/alphazero.md` shows them. Everything else is private, whatever its name.
Nothing is printed. Names are imported on first use; only `train` and `resume` need torch. Errors are defined in
`golearn.errors`, with LearningError as their base; a missing package is an ImportError that says how to install it.

A game is a `Game`: an object with eleven members, which anybody can write. Everything here takes a `CompleteGame(game)`, which
has defaults for all that a game may offer beyond those. Many states of a game at once are rows of `States`.

Map:

    alphazero/    AlphaZero for any game of two players
    lockstep      many tree searches at once, of any game
    environments/ many games of Go at once, with the interfaces of Pgx, PettingZoo and Gymnasium
    qlearning/    the trainer of my_player's table: `python3 -m golearn.qlearning`
    patterns/     learning weights of patterns from games: `python3 -m golearn.patterns`
    contenders    resolving names: networks, searches, players of the registry
    evaluation    answers compared with known values of a game; games between players, and ratings
    watching      `python3 my_player.py learn`: its command line, its view of a table while it learns, and its page
    errors        everything that is raised on purpose, and the messages for missing extras
"""

from goban.common.facades import lazy_names

# As in `typing`, which takes longer to import than all the rest.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from goban.common.facades import __version__
    from golearn.alphazero.answers import Answers, Ask
    from golearn.alphazero.game_checks import check_game
    from golearn.alphazero.games import GAMES, CompleteGame, Game, States, find_game
    from golearn.alphazero.plans import PRESETS as PLANS
    from golearn.alphazero.plans import Plan, read_plan
    from golearn.alphazero.rounds import Run
    from golearn.alphazero.runs import kept_networks, newest_network, resume, train, write_onnx
    from golearn.alphazero.truth import Estimate
    from golearn.alphazero.weights import Weights, read_weights, write_weights
    from golearn.contenders import find_player
    from golearn.environments.batches import GoBatch
    from golearn.errors import AlphaZeroError, BadPlanError, EnvironmentsError, LearningError
    from golearn.evaluation import Evaluation, Match, Rating, evaluate, play_match, rate_players

__all__ = [
    "GAMES", "PLANS", "AlphaZeroError", "Answers", "Ask", "BadPlanError", "CompleteGame", "EnvironmentsError", "Estimate",
    "Evaluation", "Game", "GoBatch", "LearningError", "Match", "Plan", "Rating", "Run", "States", "Weights", "__version__",
    "check_game", "evaluate", "find_game", "find_player", "kept_networks", "newest_network", "play_match", "rate_players",
    "read_plan", "read_weights", "resume", "train", "write_onnx", "write_weights",
]  # fmt: skip

_HOMES = {
    "goban.common.facades": "__version__",
    "golearn.alphazero.answers": "Answers Ask",
    "golearn.contenders": "find_player",
    "golearn.evaluation": "Evaluation Match Rating evaluate play_match rate_players",
    "golearn.alphazero.game_checks": "check_game",
    "golearn.alphazero.games": "GAMES CompleteGame Game States find_game",
    "golearn.alphazero.plans": "PRESETS=PLANS Plan read_plan",
    "golearn.alphazero.rounds": "Run",
    "golearn.alphazero.runs": "kept_networks newest_network resume train write_onnx",
    "golearn.alphazero.truth": "Estimate",
    "golearn.alphazero.weights": "Weights read_weights write_weights",
    "golearn.environments.batches": "GoBatch",
    "golearn.errors": "AlphaZeroError BadPlanError EnvironmentsError LearningError",
}

__getattr__, __dir__ = lazy_names(__name__, _HOMES)

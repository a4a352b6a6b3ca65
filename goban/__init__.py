"""Go as a library: rule sets, immutable positions, games as files, engines, analysis. Start with `import goban`.

    import goban

    state = goban.new_game("course", 5).play("C3").play((3, 1))
    state.legal_moves(), state.why_illegal("C3"), state.outcome
    print(state)

Programs may rely on the names in `__all__`; `docs/goban.md` shows them task by task. Everything else is private, whatever its
name. Names are imported on first use: `import goban` itself loads nothing. The modules at the top of this package and
`common` need only the standard library. Errors are defined in `goban.errors`, with GobanError as their base.

Map:

    points       names for points: (row, col) and 'B4'
    rulesets     the choices that make a rule set; the presets; the rules a move may break; who won, and why the game ended
    grids        which points touch, groups, hashes          moves      placement, pass, resign; reading an answer
    states       a position: legal moves, reasons for illegal ones, playing, repetitions, the end, the score
    game         the game loop: two seats, one game; a running game described in words
    diagrams     boards as text and as SVG
    ideas        what moves do: capture, snapback, ladder, ko; which idea decides a game, and what positions teach
    inputs       Little-Go's input.txt and output.txt, and notes
    sgf          writing games as files; SGF as text: trees, escapes and line breaks
    gtp          GTP as text: commands and answers, an engine's output, a controller's side of a game
    engines      engines as processes
    board_lists  the lists in which a GO shows a position
    open_games   a game led by a controller or a file: either colour may move, even after the end
    reviews      viewing a file's game: its tree and its comments, all of which survive saving
    errors       everything that is raised on purpose

    common/      what every package needs and is not Go: files, texts, command lines
    kernels/     the rules, compiled; random games; many games at once
    solver/      exact values of boards up to 5x5, the book, proofs      montecarlo/  patterns, playouts and a tree search
    board/       the board in a browser, and how pages draw games
"""

import sys

from goban.common.facades import lazy_names

if sys.version_info < (3, 11):  # noqa: UP036 - from a clone nobody checks it
    # Whatever is imported next says so, not what an old Python does not have.
    from goban.common.starting import refuse_imports

    refuse_imports()

# As in `typing`, which takes longer to import than all the rest.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from goban.board.game_files import replay_page
    from goban.common.facades import __version__
    from goban.diagrams import diagram
    from goban.engines import Engine
    from goban.errors import (
        BadBoardError,
        BadPointError,
        EngineError,
        GobanError,
        GtpError,
        IllegalMoveError,
        SgfError,
        UnknownRuleSetError,
    )
    from goban.errors import IllegalMoveError as IllegalMove
    from goban.game import GameRecord, play_game, record_of
    from goban.grids import BLACK, WHITE
    from goban.montecarlo.trees import MonteCarlo
    from goban.moves import PASS, RESIGN, move_name, parse_move
    from goban.points import Point, parse_vertex, vertex
    from goban.rulesets import PRESETS as RULES
    from goban.rulesets import Breach, Ending, Outcome, RuleSet, opponent, ruleset
    from goban.sgf import SgfGame, SgfMove, sgf_of, write_sgf
    from goban.solver.analysis import analyse
    from goban.solver.candidates import Candidate
    from goban.solver.positions import replay
    from goban.solver.sgf_files import read_games, read_sgf, read_variations
    from goban.solver.solver import Solution, Solver
    from goban.states import State, new_game, state_from_diagram, state_from_rows
    from golearn.environments.batches import GoBatch

__all__ = [
    "BLACK", "PASS", "RESIGN", "RULES", "WHITE", "BadBoardError", "BadPointError", "Breach", "Candidate", "Ending", "Engine",
    "EngineError", "GameRecord", "GoBatch", "GobanError", "GtpError", "IllegalMove", "IllegalMoveError", "MonteCarlo",
    "Outcome", "Point", "RuleSet", "SgfError", "SgfGame", "SgfMove", "Solution", "Solver", "State", "UnknownRuleSetError",
    "__version__", "analyse", "diagram", "move_name", "new_game", "opponent", "parse_move", "parse_vertex", "play_game",
    "read_games", "read_sgf", "read_variations", "record_of", "replay", "replay_page", "ruleset", "sgf_of",
    "state_from_diagram", "state_from_rows", "vertex", "write_sgf",
]  # fmt: skip

# Module -> what the facade has of it. The last lines are all that ties the modules at
# the top to what stands above them, as text: nothing of them is loaded before it is asked for.
_HOMES = {
    "goban.common.facades": "__version__",
    "goban.diagrams": "diagram",
    "goban.engines": "Engine",
    "goban.errors": (
        "BadBoardError BadPointError EngineError GobanError GtpError IllegalMoveError IllegalMoveError=IllegalMove SgfError "
        "UnknownRuleSetError"
    ),
    "goban.game": "GameRecord play_game record_of",
    "goban.grids": "BLACK WHITE",
    "goban.moves": "PASS RESIGN move_name parse_move",
    "goban.points": "Point parse_vertex vertex",
    "goban.rulesets": "PRESETS=RULES Breach Ending Outcome RuleSet opponent ruleset",
    "goban.sgf": "SgfGame SgfMove sgf_of write_sgf",
    "goban.states": "State new_game state_from_diagram state_from_rows",
    "goban.board.game_files": "replay_page",
    "golearn.environments.batches": "GoBatch",
    "goban.solver.analysis": "analyse",
    "goban.solver.candidates": "Candidate",
    "goban.montecarlo.trees": "MonteCarlo",
    "goban.solver.positions": "replay",
    "goban.solver.sgf_files": "read_games read_sgf read_variations",
    "goban.solver.solver": "Solution Solver",
}

__getattr__, __dir__ = lazy_names(__name__, _HOMES)

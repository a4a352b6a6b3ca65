"""AlphaZero for any game of two players. Where to look for what:

    games          what a game is, its rows of states and symmetries, and the games there are
    small_games    tic-tac-toe, Connect Four, Othello          go_games        Go under any rule set
    game_checks    what contradicts itself in a game           errors          everything that is raised on purpose

    go_states      rows of Go, compiled                        planners        which action to play, by search
    weights         a network's architecture and arrays
    weight_files   networks as files                           numpy_network   what a network says, in numpy
    networks       the same in torch, also on a graphics card
    go_zero        the player `zero`                           go_submission  the shipped network without a library
    onnx_files     networks for other programs

    plans          everything a run depends on                 selfplay        games of a network against itself
    replay         the newest positions, packed                learners        what learns in a run
    training       the one with torch                          rounds          a run: play, learn, and again
    runs           the folder of a run                         curve_pictures  its curve as SVG

    answers        what networks, searches and players say     arena           games between them, and ratings
    truth          answers against exact values                minimax         exact values of small games
    go_positions   5x5 positions whose values are known        go_position_making  how they are drawn and solved
    go_trials      won positions to be won, and the opening    go_players      the players of the registry
    commands/      `python3 -m learning.alphazero`
"""

"""AlphaZero for any game of two players. Where to look for what:

    games          what a game is, its rows of states and symmetries, and the games there are
    small_games    tic-tac-toe, Connect Four, Othello          go_games        Go under any rule set
    game_checks    what contradicts itself in a game

    go_states      rows of Go, compiled                        planners       searches, and what tells them of states
    weights        a network's arrays, its file, and what it says, in numpy
    networks       the same in torch, also on a graphics card  onnx_files     networks for other programs
    go_zero        the player `zero`                           go_submission  the shipped network without a library

    plans          everything a run depends on
    selfplay       games of a network against itself; the newest positions, packed
    rounds         a run: play, learn, and again               training       what learns, with torch
    runs           the folder of a run, and its curve

    answers        what networks, searches and players say
    truth          answers against exact values                go_positions   5x5 positions whose values are known
    commands/      `python3 -m golearn.alphazero`
"""

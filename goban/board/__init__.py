"""The board in a browser: one way to draw and replay games, for pages and to play on. Where to look for what:

    page          whole pages, and styles, scripts and markup of a board that replays a game
    play_server   the server of the board to play on, and who may ask it       views         what a page is told of a game
    desk          the games of a server, and what pages may ask for; the teacher, who takes moves back
    processes     programs that are asked
    games         one game: its moves, the lines that were left, and the players that are asked
    reviews       games of files, to be looked at
    truths        what moves are worth, and what positions teach               game_files    files that games are kept in

`assets/` has the files of pages; each begins with what it is for. Needs the standard library only; players and the solver are
programs that it starts by name: `players.player_process`, `goban.solver.questions`.
"""

"""What every room needs and is not Go, with the standard library only, but for `estimates` and `files`, which ask for scipy
and numpy when they are called.

Where to look for what:

    excerpts        makes hostile texts fit to be shown; colours of a terminal; what a mistyped name may have meant
    files           reads files within bounds, files of arrays too; writes files whole or not at all; finds and ends programs
    tables          reads TOML that people write, and checks every value; reads tables that people save from spreadsheets
    moments         reads times as people and course systems write them
    arguments       checks what a caller gives a public function
    facades         names that a package shows, imported when they are asked for
    command_lines   exit statuses, errors in one line, numbers that are checked; programs of several commands, a module each
    estimates       how far a measured share or mean may be from the true one; strengths of players from their games
    player_sources  what the source of a player says: whether it can play, and what is wrong with it
    player_faults   what a player's code does wrong when it runs, in words; which line of it returned an answer
    local_server    web servers for browsers and programs on this machine only
    turns           one thread at a time
    starting        how this process was started; Ctrl-C until it is ready
    terminals       standard output and Ctrl-C where strangers' code runs
"""

"""What every room needs and is not Go, with the standard library only, but for `bradley_terry` and `array_files`.

Where to look for what:

    excerpts        makes hostile texts fit to be shown; colours of a terminal; what a mistyped name may have meant
    files           writes files whole or not at all
    tables          reads TOML that people write, and checks every value
    array_files     reads files of arrays, whoever has made or damaged them
    sheets          reads tables that people save from spreadsheets
    moments         reads times as people and course systems write them
    programs        where programs are looked for
    command_lines   exit statuses, errors in one line, numbers that are checked; programs of several commands, a module each
    intervals       how far a measured share or mean may be from the true one
    bradley_terry   strengths of players from the games between them
    player_sources  what the source of a player says: whether it can play, and what is wrong with it
    player_faults   what a player's code does wrong when it runs, in words
    answer_lines    which line of a player's own code returned its answer
    terminals       standard output and Ctrl-C where strangers' code runs
"""

"""Competitions between people's programs, from a folder of submissions to marks and pages. Where to look for what:

    commands    `python3 -m tournament`: check, grade, round-robin, report, ...
    events      what is to be played: event files, and the games they stand for
    intake      who plays: inspects, names and copies folders and archives
    inside      everything that runs inside a sandbox, and nothing else: strangers' code can see it
    sandbox     the only room that starts a process for a submission: tiers, limits, seats of submissions
    refereeing  one game between two seats, and many games at a time
    store       what came of them: the results file; the only room that knows SQL
    results     from rows to marks: standings, ratings, grades, exports
    pages       results as web pages
    similarity  submissions that play or read alike, for a person to look at
    shelf       attacks and other odd submissions, the doctor that plays them, a class to try all this with

At the top stay the modules that all rooms use:

    records     entrants, games, results: pure values             errors      everything that is raised on purpose
    verdicts    how a game between two programs ended             seats       what the referee talks to, and its limits

Who imports whom: inside <- sandbox <- intake, events <- refereeing <- store <- results <- pages, similarity, shelf <- commands.
A room may import the rooms to its left and the modules at the top; `inside` imports neither.
"""

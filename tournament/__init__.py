"""Competitions between people's programs, from a folder of submissions to marks and pages. Where to look for what:

    commands    `python3 -m tournament`: check, grade, round-robin, report, ...
    events      what is to be played: event files, and the games they come to
    intake      who plays: folders and archives looked at, named and copied
    inside      everything that runs inside a sandbox, and nothing else: strangers' code can see it
    sandbox     the only room that starts a process for a submission: tiers, limits, seats of submissions
    refereeing  one game between two seats, and many of them at a time
    store       what came of them: the results file, and the only room that knows SQL
    results     from rows to marks: standings, ratings, grades, exports
    pages       results as web pages
    shelf       attacks and other odd submissions, the doctor that plays them, a class to try all this with

At the top stays what all of them speak of:

    records     entrants, games, results: pure values             errors      everything that is raised on purpose
    verdicts    how a game between two programs ended             seats       what the referee talks to, and its limits

Who imports whom: inside <- sandbox <- intake, events <- refereeing <- store <- results <- pages, shelf <- commands. A room may
import those to its left, and what stays at the top; `inside` imports none of either.
"""

"""From rows to marks: pure functions of finished games, and the reports made of them. The modules:

    tallies       games counted, by player and opponent: what everything below starts from
    standings     WINs and ranks, also as text and CSV
    ratings       strength on one scale, with intervals; a ladder's past rankings
    grading       points against reference players            grade_report      as text, CSV and JSON
    decisions     when games decide a band, and how likely    due_games         which games are due where that hangs on them
    autograders   the zip that grades at Gradescope
    deadlines     how late a submission was, and what that costs
    first_stage   points of an earlier stage
    rubrics       what a rubric is, also as exact text        rubric_files      rubrics from TOML; the shipped ones in rubrics/
    refusals      who could not be taken in, beside the results
    terminal_tables  columns below each other, whatever the script of the names
    exports       games as csv, json and SGF
    course_systems  grades for Gradescope, Canvas, Moodle and Vocareum
    verification  whether replayed games match the stored ones
"""

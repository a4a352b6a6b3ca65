"""From rows to marks: pure functions of finished games, and the reports made of them. The modules:

    standings     WINs and ranks, also as text and CSV; tables for a terminal
    ratings       games counted, where everything starts; strength on one scale, with intervals; a ladder's past rankings
    grading       points against reference players            grade_report      as text, CSV and JSON; who was refused
    decisions     when games decide a band, and how likely    due_games         which games are due where that hangs on them
    autograders   the zip that grades at Gradescope
    deadlines     how late a submission was, and what that costs
    rubrics       what a rubric is, also as exact text        rubric_files      rubrics from TOML; the shipped ones in rubrics/
    exports       games as csv, json and SGF
    course_systems  grades for Gradescope, Canvas, Moodle and Vocareum
"""

"""From rows to marks: pure functions of finished games, and the reports made of them. The modules:

    tallies       games counted, by player and opponent: what everything below starts from
    standings     WINs and ranks                              standings_report  as text and CSV
    ratings       strength on one scale, with intervals       intervals         how far a share may be from the true one
    grading       points against reference players            grade_report      as text, CSV and JSON
    gradescope    a grade as Gradescope reads it              first_stage       points of an earlier stage
    rubrics       what a rubric is                            rubric_files      rubrics from TOML; the shipped ones in rubrics/
    exports       games as csv, json and SGF                  verification      whether replayed games match the stored ones
"""

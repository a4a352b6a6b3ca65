"""From rows to marks: pure functions of finished games, and what is written of them. Where to look for what:

    tallies       games counted, by player and opponent: what everything below starts from
    standings     WINs and ranks                              standings_report  as text and CSV
    ratings       strength on one scale, with intervals       intervals         how far a share may be from the true one
    grading       points against reference players            grade_report      as text, CSV and JSON
    gradescope    a grade as Gradescope reads it              first_stage       points of an earlier stage
    rubrics       what a rubric is                            rubric_files      rubrics from TOML; the shipped ones in rubrics/
    exports       games as csv, json and SGF                  verification      whether games come out again as they are stored
"""

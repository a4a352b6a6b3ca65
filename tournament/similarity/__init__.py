"""Submissions that play alike or read alike more than those of people who worked alone: a reason to look at them, no more.

    choices        who chose what in which position, gathered from stored games; where two made the same rare move, and who
                   plays as everybody was taught
    playing_alike  pairs that agree more often than their strength explains
    handouts       sources as tokens, and their functions; which files play, and what in them is shaped as the course's own
    fingerprints   what a source says, whatever its names and layout
    reading_alike  what counts for nothing, and pairs whose sources have passages in common
    report         tables, boards, and passages side by side
"""

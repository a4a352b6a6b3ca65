"""From folders, files and archives to entrants. Nothing that was handed in is imported or run here. Where to look for what:

    submissions    the way in: what is a submission, what it is called, its copy      -> Entrant, or refused with a reason
    archives       the files of a submission, from wherever, within bounds of number and size
    rosters        names for submissions, from a CSV file
    player_files   which file plays, and which class in it; found by parsing
    dependencies   what one file handed in alone needs of the folder it lies in
"""

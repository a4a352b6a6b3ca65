"""From folders, files and archives to entrants. Nothing that was handed in is imported or run here. The modules:

    submissions    the way in: what counts as a submission, and its name              -> entrants, and refused with a reason
    copies         takes one submission in, in a process of its own                   -> Entrant, with a copy of its files
    archives       the files of a submission, whatever they come in, within bounds on number and size
    exports        what course systems hand out of a class  -> submissions, with names, identifiers and times
    gradescope_metadata   what Gradescope's export says of submissions
    repositories   when a cloned repository's last commit was made
    rosters        names for submissions, from a CSV file; which of a student's attempts plays
    system_rosters course systems' own lists of a class, as rosters
    owners         whose submission in an export a line of a roster is
    player_files   which file plays, and which class in it; the course's own files, which never do
    dependencies   the other files of its folder that a single submitted file needs
"""

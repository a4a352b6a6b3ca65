"""What a player can do: it is asked in fixed positions whose exact answers are known. Where to look for what:

    ideas       what a move does on the board: captures, self-atari, snapback, ladder, ko
    ladders     who wins a ladder
    probes      the probes: each an idea, and which positions show it
    positions   the positions that come with the project, read from `positions/`
    making      draws positions, and solves them; `python3 -m tournament.probing` makes the files anew
    symmetries  a position turned and reflected
    asking      puts a player before the positions, in its sandbox, and notes what it does
    findings    what came of it: passed, stones lost, symmetric positions, time
    reports     the same as text, and as JSON
"""

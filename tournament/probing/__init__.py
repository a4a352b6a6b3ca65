"""What a player can do: it is asked in fixed positions whose exact answers are known. The probes are those of
`goban.ideas`, each an idea of `goban.ideas`. Where to look for what:

    positions   the positions that come with the project, read from `positions/`, turned and reflected
    making      draws positions, and solves them; `python3 -m tournament.probing` makes the files anew
    asking      puts a player before the positions, in its sandbox, and notes what it does
    findings    what came of it: passed, stones lost, symmetric positions, time; as text, and as JSON
"""

"""Submissions to try the tournament with. Where to look for what:

    attacks/     bad and odd submissions, each with the end it must come to; programs of Little-Go in attacks/littlego,
                 engines in attacks/engines
    doctor       plays the attacks on this machine: may marks be given here?
    classroom    a class of twenty, good, bad and broken, for `python3 -m tournament sample`
"""

"""Results as web pages: static files that need no server, no network and no trust in what players print or are called.

    sanitising  what strangers wrote, fit to be shown
    editions    who may see what: applied to rows and games before anything else looks at them
    nicknames   what students are called in public
    truths      what moves were worth, computed once and kept beside the results
    game_data   games in few bytes, in files that are loaded when they are looked at
    words       how a game ended, in words
    profiles    what a player's games say about it
    tables      standings and crosstable, ready to be drawn
    svg         bars and histograms as SVG
    rendering   templates and the pages' security policy
    sites       all of it together, as files or as a single one
"""

"""Results as web pages: static files that need no server and no network, and trust neither names nor what players print.

    sanitising  untrusted texts, made fit to be shown
    editions    who may see what: applied to rows and games before anything else reads them
    nicknames   what students are called in public
    truths      what moves were worth, computed once and stored beside the results
    game_data   games in few bytes, in files that a page loads on demand
    words       how a game ended, in words
    profiles    what a player's games say about them
    tables      standings and crosstable, ready to be drawn
    svg         bars and histograms as SVG
    rendering   templates and the pages' security policy
    sites       the whole site, as many files or as one
"""

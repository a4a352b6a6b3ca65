"""Results as web pages: static files that need no server and no network, and trust neither names nor what players print.

    editions    who may see what: applied to rows and games before anything else reads them; nicknames
    truths      what moves were worth, computed once, here or by a cluster, and stored beside the results
    losses      which move lost a game, and where in its player's own code it was returned
    words       how a game ended, in words; untrusted texts, made fit to be shown
    profiles    what a player's games say about them: forfeits by cause, moves missed, losses; what they can do, as
                `probe` has found it; games worth looking at
    tables      standings, crosstable and the points of a grade, ready to be drawn
    rendering   templates and the pages' security policy; bars, histograms and charts as SVG
    contents    all that a site shows, gathered from a store in one pass; a ladder's past; games in few bytes, in
                files that a page loads on demand
    sites       the whole site, as many files or as one; every student's page; the first page of a course
"""

"""Starts and confines a submission's processes; no other room starts one. Where to look for what:

    tiers          which strength of sandbox works here; `open_seat`, the way in
    launching      the command, environment and settings of a sandbox      bubblewrap    its arguments: what is shown
    interpreters   which folders a Python needs                            compilers     C++ and Java: how, and kept where
    handles        a sandbox as the harness holds it: orders, usage        cgroups       the kernel's account and limits
    leftovers      whose folders and groups may be removed                 capture       what is printed, head and tail
    caches         folders kept for the next time: compiled programs, the modules that sandboxes see
    supervisor     waits with a deadline, watches what is used             transcripts   printed text with marks of moves
    overruns       which limit is overrun, by what was used                reports       what a loading process reports
    accounts       CPU and memory of a control group                       stopwatch     how an answer's time was spent
    reading        reads what was handed in, in a process of its own, with limits
    class_seat     a class: one process a game                             faults        what went wrong, in words
    program_seat   a program: one start a move                             conversations what one asks through, and when
    engine_seat    an engine: one process, asked by GTP                    gtp_channel   its commands and answers
    unprotected_seats   both without any sandbox, for `check --no-sandbox` alone
    sweeping       removes what earlier runs left behind                   equipment     what this machine has, in one line

What runs on the other side is `gojudge.inside`. A newcomer reads `gojudge.seats`, `class_seat`, `supervisor`, `handles`.
"""

"""Starts and confines a submission's processes; no other room starts one. Where to look for what:

    tiers          which strength of sandbox works here; `open_seat`, the way in
    launching      the command, environment and settings of a sandbox      bubblewrap    its arguments: what is shown
    interpreters   which folders a Python needs                            compilers     C++ and Java: how, and kept where
    handles        a sandbox as the harness holds it: orders, usage        cgroups       the kernel's account and limits
    leftovers      whose folders and groups may be removed                 capture       what is printed, head and tail
    supervisor     waits with a deadline, watches what is used             transcripts   printed text with marks of moves
    reading        reads what was handed in, in a process of its own, with limits
    class_seat     a class: one process a game                             faults        what went wrong, in words
    program_seat   a program: one start a move

What runs on the other side is `tournament.inside`. A newcomer reads `tournament.seats`, `class_seat`, `supervisor`, `handles`.
"""

"""Starts and confines a submission's processes; no other room starts one. Where to look for what:

    tiers          which strength of sandbox works here; `open_seat`, the way in; what this machine has, in one line
    sweeping       removes what earlier runs left behind
    launching      the command, environment and settings of a sandbox: what bubblewrap shows, which folders a Python needs
    compilers      C++ and Java: how they are called, and what is kept
    handles        a sandbox as the harness holds it: orders, usage        cgroups       the kernel's account and limits
    leftovers      whose folders and groups may be removed, and folders kept for the next time: compiled programs, modules
    supervisor     waits with a deadline, watches how time and memory are used, and which limit is overrun
    transcripts    what is printed, head and tail, with marks of moves
    reading        reads what was handed in, in a process of its own, with limits
    class_seat     a class: one process a game                             faults        what went wrong, in words
    program_seat   a program: one start a move                             engine_seat   an engine: one process, asked by GTP
    unprotected_seats   both without any sandbox, for `check --no-sandbox` alone

What runs on the other side is `gojudge.inside`. A newcomer reads `gojudge.seats`, `class_seat`, `supervisor`, `handles`.
"""

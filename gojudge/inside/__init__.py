"""Everything that runs inside a sandbox, and nothing else: strangers' code can see this folder, `go`, the top of `goban` and
`goban.common`.

The launcher puts them into the sandbox unchanged. Nothing here imports another room of `gojudge`. Where to look
for what:

    worker          the program that is started there          keeper          the first process: starts and ends the others
    zygote          loads a class; its forks play games        program_zygote  starts a program once for each move
                    and seeds numpy when it is imported                        from what it has imported early
    protocol        messages of harness and sandbox            answer_files    input.txt, output.txt, and what a compiler wrote
    workdirs        a submission's own folder, game by game, and what is mounted for it
    images          games as copies of a loaded process
    processes       stops and kills all processes of a submission, and counts what they use
    process_table   what the kernel says of them, and how long they waited for a core
    confinement     what a process gives up before it loads a submission: limits, privileges, files (Landlock)
    seccomp         the filter of system calls
    engine_starter  starts an engine, and says how it ends
    system_calls    which system calls are left, and why       refusals        notes which others were tried
    unprotected     a class's process without any sandbox
    judge_modules   which modules are ours, and how they give way to a submission's own of the same name
    course_modules/ host, read and write, as the course puts them beside programs

`tournament/__init__.py` is left out of the sandbox. A newcomer reads `protocol`, `worker`, `keeper`, `zygote`.
"""

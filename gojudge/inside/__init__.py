"""Everything that runs inside a sandbox, and nothing else: strangers' code can see this folder, `go`, the top of `goban` and
`goban.common`.

The launcher puts them into the sandbox unchanged. Nothing here imports another room of `gojudge`. Where to look
for what:

    worker          the program that is started there          keeper          the first process: starts and ends the others
    zygote          loads a class; its forks play games        program_zygote  starts a program once for each move
                    and seeds numpy when it is imported;                       from what it has imported early; starts
                    which modules are ours, and give way                       an engine, and says how it ends
    protocol        messages of harness and sandbox            answer_files    input.txt, output.txt, and what a compiler wrote
    workdirs        a submission's own folder, game by game, and what is mounted for it
    images          games as copies of a loaded process
    processes       stops and kills all processes of a submission, and counts what they use
    process_table   what the kernel says of them, and how long they waited for a core
    confinement     what a process gives up before it loads a submission: limits, privileges, files (Landlock)
    seccomp         the filter of system calls, and notes which refused ones were tried
    system_calls    which system calls are left, and why       c_library       what Python does not call itself
    unprotected     a class's process without any sandbox
    course_modules/ host, read and write, as the course puts them beside programs

`tournament/__init__.py` is left out of the sandbox. A newcomer reads `protocol`, `worker`, `keeper`, `zygote`.
"""

"""Everything that runs inside a sandbox, and nothing else: strangers' code can see this folder, `common`, `goban` and `go`.

The launcher shows the folder as it is. Nothing here imports another room of `tournament`. Where to look for what:

    worker          the program that is started there          keeper          the first process: starts and ends the others
    zygote          loads a class, a fork of it plays a game   program_zygote  starts a program once for each move
    protocol        what harness and sandbox say               answer_files    input.txt and output.txt
    workdirs        a submission's own folder, game by game    built_files     what a compiler wrote
    processes       all processes of a submission, stopped, counted, ended
    confinement     what a process gives up before it loads a submission: limits, rights, and by
                    landlock its view of files, by seccomp system calls
    preloading      what a program will import, loaded early   numpy_seed      numpy's chance, seeded when numpy comes
    judge_modules   our modules make room for a submission's own of the same name
    course_modules/ host, read and write, as the course puts them beside programs

The folder goes into the sandbox without `tournament/__init__.py`. A newcomer reads `protocol`, `worker`, `keeper`, `zygote`.
"""

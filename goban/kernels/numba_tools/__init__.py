"""What kernels of every kind are made with; nothing here knows Go. Where to look for what:

    compile       the one switch between compiled and plain kernels    entry_points    doors from Python into kernels
    bits          counting and picking bits                            vectors         eight numbers at once
    indices       indices that count from an array's start             prefetching     asking memory early
    random_numbers    one seeded stream for each game          spreading       bits as bytes, 64 at once
    python_random     what Python's own generator draws
"""

"""What kernels of every kind are made with; nothing here knows Go. Where to look for what:

    compile          the one switch between compiled and plain kernels, and entry points from Python into kernels
    bits             counting and picking bits; bits as bytes, 64 at once; indices without a sign; asking memory early
    vectors          eight numbers at once
    random_numbers   one seeded stream for each game; what Python's own generator draws
"""

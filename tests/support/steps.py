"""How much work something is, without a clock: how many functions it calls."""

import sys


def steps(work):
    """Return how many functions `work` calls, those of C included, and how often generators go on."""
    count = 0

    def see(frame, event, argument):
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(see)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def grows_alone(work_of, size):
    """Tell whether twice as much of something takes no more than twice the steps, and a tenth. work_of: given a size, returns
    what is to be done."""
    return steps(work_of(2 * size)) <= 2.2 * steps(work_of(size))

"""What tests ask of a solver and nobody else does."""

from search.engine import OutOfBudgetError


def black_reaches(solver, state, margin, nodes=None):
    """Whether Black ends at least `margin` stones ahead of White; None if a limit came first."""
    solver.engine.start(state, nodes, None)
    try:
        return solver.engine.reaches(state, margin)
    except OutOfBudgetError:
        return None

"""Search: the exact solver for small boards under the course's rules, and what is built on it."""

from common.requirements import leave_if_missing

leave_if_missing("numpy", "tabulate", "tqdm")

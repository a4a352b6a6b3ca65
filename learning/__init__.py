"""The Q-table trainer."""

from kernels.requirements import leave_if_missing

leave_if_missing("numpy", "tqdm")

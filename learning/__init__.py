"""The Q-table trainer."""

from common.requirements import leave_if_missing

leave_if_missing("numpy", "tqdm")

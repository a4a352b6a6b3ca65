"""Competitions between people's programs: seats, sandbox, referee, schedule, store, grading, reports."""

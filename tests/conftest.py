"""Settings every test shares."""

from hypothesis import HealthCheck, settings

# The same examples on every machine and in every run; a slow machine is no failure.
settings.register_profile("same-everywhere", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("same-everywhere")

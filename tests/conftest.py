"""Profiles of hypothesis: `--hypothesis-profile=nightly` takes minutes, the default a few seconds."""

from hypothesis import HealthCheck, settings

# a deadline would be a timed assertion, and machines are slow at times
settings.register_profile("default", deadline=None)
settings.load_profile("default")
settings.register_profile(
    "nightly",
    deadline=None,
    max_examples=4000,
    stateful_step_count=50,
    suppress_health_check=list(HealthCheck),  # many steps are slow, and that is what it is for
)

"""Profiles of hypothesis: `--hypothesis-profile=nightly` takes minutes, the default a few seconds."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "nightly",
    max_examples=4000,
    stateful_step_count=50,
    suppress_health_check=list(HealthCheck),  # many steps are slow, and that is what it is for
)

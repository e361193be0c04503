"""Profiles of hypothesis: `--hypothesis-profile=nightly` takes minutes, the default a few seconds."""

from hypothesis import HealthCheck, settings

# A busy machine is no fault of what is tested: without a deadline nothing depends on speed.
settings.register_profile("normal", deadline=None)
settings.load_profile("normal")
settings.register_profile(
    "nightly",
    deadline=None,
    max_examples=5000,
    stateful_step_count=50,
    suppress_health_check=list(HealthCheck),  # many steps are slow, and that is what it is for
)

"""Fixtures for every test; property tests draw the same examples in every run."""

from hypothesis import HealthCheck, settings

pytest_plugins = ["pytester"]

settings.register_profile(
    "tests",
    derandomize=True,
    deadline=None,  # the machine that runs the tests may be busy
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("tests")

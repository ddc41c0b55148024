"""Fixtures for every test; property tests draw the same examples in every run."""

import os

import pytest
from hypothesis import HealthCheck, settings

# Before numpy is loaded: threads of linear algebra in every process of the tests would wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

pytest_plugins = ["pytester"]

STARTING = {"refute", "pytester"}  # fixtures that start processes


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What starts a process of its own is slow, without saying so."""
    for item in items:
        if STARTING & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)


settings.register_profile(
    "tests",
    derandomize=True,
    deadline=None,  # the machine that runs the tests may be busy
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("tests")

"""What holds for all tests: nothing is judged by how long it took, and an emulated machine gets more patience."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

from tests.support.machine import is_emulated

# A test that hangs is stopped in the end; an emulated processor is ten times slower, and more.
PATIENCE = 30

settings.register_profile("cowboard", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("cowboard")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """The limit of every test that sets none of its own."""
    if is_emulated() and config.option.timeout:
        config.option.timeout *= PATIENCE


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The limit of the tests that do."""
    if not is_emulated():
        return
    for item in items:
        marker = item.get_closest_marker("timeout")
        if marker is not None:
            item.add_marker(pytest.mark.timeout(marker.args[0] * PATIENCE), append=False)

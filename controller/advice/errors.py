"""What can go wrong in the advice."""

from __future__ import annotations

from controller.errors import CowboardError


class WeightsError(CowboardError):
    """A file of weights that can't be used; says what was expected and what was seen."""

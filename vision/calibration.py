"""What is known about a table's camera beforehand: how large its dice are in the picture."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Calibration:
    """`edge_px` is a die's edge in a picture `width_px` wide; pictures of other widths are scaled."""

    edge_px: float
    width_px: int

    def edge_in(self, width_px: int) -> float:
        """The die's edge in a picture of this width."""
        return self.edge_px * width_px / self.width_px

"""What is known about a table's camera beforehand: how large its dice are in the picture."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from vision.errors import CalibrationError


@dataclass(frozen=True, slots=True)
class Calibration:
    """`edge_px` is a die's edge in a picture `width_px` wide; pictures of other widths are scaled."""

    edge_px: float
    width_px: int

    def edge_in(self, width_px: int) -> float:
        """The die's edge in a picture of this width."""
        return self.edge_px * width_px / self.width_px


def load_calibration(path: Path) -> Calibration:
    """Read a calibration from a TOML file with `edge_px` and `width_px`.

    Raises:
        CalibrationError: the file is missing, no TOML, or a value isn't a positive number.
    """
    accepted = "a TOML file with edge_px and width_px, both positive numbers"
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CalibrationError(str(path), str(error), accepted) from error
    edge, width = table.get("edge_px"), table.get("width_px")
    if not isinstance(edge, (int, float)) or not isinstance(width, int) or edge <= 0 or width <= 0:
        raise CalibrationError(str(path), f"edge_px = {edge!r}, width_px = {width!r}", accepted)
    return Calibration(float(edge), width)

"""Draws a reading over its picture: boxes, faces and the names of refusals."""

from __future__ import annotations

from vision import cv
from vision.cv import Image
from vision.readings import Reading

_SURE = (90, 220, 90)
_REFUSED = (40, 150, 255)


def draw_reading(image: Image, reading: Reading) -> Image:
    """A copy of the picture with each die's box and value; a refused one says why. Never by colour alone."""
    shown = image.copy()
    for die in reading.dice:
        colour = _SURE if die.is_sure else _REFUSED
        cv.draw_box(shown, die.box, colour)
        text = str(die.value) if die.is_sure else f"? {die.refusal}"
        cv.draw_text(shown, text, die.box[0], max(14, die.box[1] - 5), colour)
    if reading.refusals:
        words = "refused: " + ", ".join(reading.refusals)
        cv.draw_text(shown, words, 8, shown.shape[0] - 10, _REFUSED)
    return shown

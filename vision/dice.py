"""Which of the faces that spots propose are dice: seen with their edges, alone on their square, like each other.

Rules of this file
  * The fewer pips vouch for a face, the more of its die's sides must be seen.
  * A pip close by that the face doesn't explain makes it a part of another face.
  * What is too large, too small or too narrow among its neighbours is never sure.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.cv import Grey, Image
from vision.faces import Face, find_faces
from vision.locate import Outline, find_ones, outline
from vision.pips import Spots
from vision.readings import Refusal

_STRANGER_REACH = 3.3
"""Steps round a face in which no other pip may lie: half a five or six looks like a two, most of a six like a four."""
_TILT = 0.06
"""How much narrower a cocked die's top must be than the others': the cosine of 20 degrees; the fit is good to 0.02."""
_TILT_BY_SIDES = 0.19
_FEW_PIPS_DOUBT = 0.6
_LITTERED = 5
"""With so many unread things in it, a picture's ground is itself full of what looks like pips."""
_FLAT_PIPS = 0.91
"""Pips of a die tilted by 24 degrees, against round ones; measured to 0.03."""
_ONE_TOO_CLOSE = 1.2
_TOO_CLOSE = 0.94
"""Middles of two flat dice are at least an edge apart; sizes are measured to a twentieth."""


@dataclass(frozen=True, slots=True, eq=False)
class Die:
    """A face and the die round it; `refusal` where it was found but can't be trusted."""

    face: Face
    rim: Outline
    refusal: Refusal | None = None

    @property
    def edge(self) -> float:
        """The die's edge in px."""
        return self.face.step * 2 * self.rim.half


def find_dice(image: Image, grey: Grey, spots: Spots) -> tuple[list[Die], list[Die]]:
    """The dice, and the faces that were turned down."""
    faces = [Die(face, outline(image, face)) for face in find_faces(grey, spots)]
    squares = [die for die in faces if _is_die(die)]
    dice = _best([die for die in squares if not _has_strangers(die, spots, squares)])
    alike = [die for die in faces if _is_like(die, dice)]
    squares += alike
    dice = _best(dice + [die for die in alike if not _has_strangers(die, spots, squares)])
    taken = np.zeros(spots.count, bool)
    for die in dice:
        taken |= np.hypot(spots.x - die.face.middle[0], spots.y - die.face.middle[1]) < 0.75 * die.edge
    edge = float(np.median([die.edge for die in dice])) if len(dice) >= 2 else None
    ones = [Die(face, rim) for face, rim in find_ones(image, spots, taken, edge)]
    squares += [die for die in ones if _is_die(die)]
    lone = [die for die in squares if die.face.value == 1 and not _has_strangers(die, spots, squares)]
    return _of_one_kind(_best(dice + lone)), faces


def _is_die(die: Die) -> bool:
    """Whether the rim is a die's: the fewer pips vouch for the square, the more of its sides must be seen."""
    return die.rim.seen_count >= {1: 4, 2: 4, 3: 3}.get(die.face.value, 2)


def _is_like(die: Die, dice: list[Die]) -> bool:
    """Whether a two or three with one side too few is like most dice already found, of the same set."""
    needed = {2: 3, 3: 2}.get(die.face.value)
    if needed is None or die.rim.seen_count < needed or _is_die(die):
        return False
    same = [
        other
        for other in dice
        if 0.88 < die.face.radius / other.face.radius < 1.14 and 0.9 < die.face.step / other.face.step < 1.11
    ]
    return len(same) >= 2 and 2 * len(same) > len(dice)


def _has_strangers(die: Die, spots: Spots, squares: list[Die]) -> bool:
    """Whether pips that the face doesn't explain lie on the die or close by: then it's a part of another face.

    A neighbour's pip belongs to a square of its own beside this one. Pips on a die's sides look flat from above.
    """
    face = die.face
    frame = np.linalg.inv(np.stack([face.across, face.down], axis=1))
    steps = np.stack([spots.x - face.middle[0], spots.y - face.middle[1]], axis=1) @ frame.T
    near = np.hypot(steps[:, 0], steps[:, 1]) < _STRANGER_REACH
    like = (spots.contrast * face.contrast > 0) & (spots.flatness > 0.7)
    like &= (np.abs(spots.contrast) > 0.5 * abs(face.contrast)) & (spots.plain > 0.7)
    like &= (spots.radius > 0.65 * face.radius) & (spots.radius < 1.5 * face.radius)
    explained = np.zeros(spots.count, bool)
    explained[list(face.spots)] = True
    for other in squares:
        apart = float(np.hypot(*(other.face.middle - face.middle)))
        if apart > 0.93 * max(die.edge, other.edge) and other.rim.seen_count >= 3:
            explained[list(other.face.spots)] = True
    return bool((near & like & ~explained).any())


def _best(candidates: list[Die]) -> list[Die]:
    """Of faces that overlap the one with most pips, then the clearest."""
    ranked = sorted(candidates, key=lambda die: (-die.face.value, die.face.doubt))
    kept: list[Die] = []
    for die in ranked:
        if all(np.hypot(*(die.face.middle - other.face.middle)) > 0.75 * other.edge for other in kept):
            kept.append(die)
    return kept


def _of_one_kind(dice: list[Die]) -> list[Die]:
    """Dice of one picture are of about one size, and so are their pips; what isn't is no die that can be trusted."""
    sure = [die for die in dice if die.face.value >= 4] or dice
    if not sure:
        return dice
    edge = float(np.median([die.edge for die in sure]))
    radius = float(np.median([die.face.radius for die in sure]))
    kept = []
    for die in dice:
        is_usual = 0.78 < die.edge / edge < 1.28 and (die.face.value == 1 or 0.7 < die.face.radius / radius < 1.4)
        if is_usual:
            kept.append(die)
        elif die.face.value >= 4:
            kept.append(replace(die, refusal=Refusal.UNKNOWN_DIE))
    return kept


def without_tilted(dice: list[Die], spots: Spots) -> list[Die]:
    """Dice refused as cocked whose top, or the pips on it, are narrower one way than the others' are.

    A camera that looks at the tray aslant narrows all tops alike, a cocked die only its own.
    """
    if not dice:
        return dice
    round_pips = [float(np.median(spots.flatness[list(die.face.spots)])) for die in dice]
    usual_pips = float(np.median(round_pips))
    shapes = [_narrowness(die) for die in dice]
    usual = np.median(np.stack([shape for shape, _ in shapes]), axis=0)
    return [
        replace(die, refusal=Refusal.COCKED)
        if float(np.hypot(*(shape - usual))) > bar or pips < _FLAT_PIPS * usual_pips
        else die
        for die, (shape, bar), pips in zip(dice, shapes, round_pips, strict=True)
    ]


def _narrowness(die: Die) -> tuple[NDArray[np.float64], float]:
    """How a top departs from a square, as a vector in the picture, and how much of it is beyond doubt.

    The length is the share by which the one way is shorter, the angle twice its direction: two tops narrowed the same
    way by the camera have the same vector however they are turned. The pips of a four or five tell it best; a six may
    be made a tenth longer than wide, and so it is told from the sides, as on the other faces.
    """
    across, down = die.face.across, die.face.down
    bar = _TILT
    if die.face.value not in (4, 5):
        bar = _TILT_BY_SIDES
        right, lower, left, upper = (min(side, 2 * die.rim.half) for side in die.rim.sides)
        across, down = across * (right + left), down * (lower + upper)
        if die.rim.seen_count < 4:
            return np.zeros(2), 1.0
    metric = np.outer(across, across) + np.outer(down, down)
    size = float(metric[0, 0] + metric[1, 1])
    return np.array([metric[0, 0] - metric[1, 1], 2 * metric[0, 1]], np.float64) / size, bar


def without_overlapping(dice: list[Die]) -> list[Die]:
    """Dice refused as touching that lie closer than two flat dice can: one leans on the other.

    A one is refused already where it touches: a two or three of which another die hides a part looks just like it.
    """
    if not dice:
        return dice
    edge = float(np.median([die.edge for die in dice]))
    return [
        replace(die, refusal=Refusal.TOUCHING)
        if _nearest(die, dice) < (_ONE_TOO_CLOSE if die.face.value == 1 else _TOO_CLOSE) * edge
        else die
        for die in dice
    ]


def _nearest(die: Die, dice: list[Die]) -> float:
    """Distance in px to the middle of the nearest other die; infinite where there is none."""
    return min(
        (float(np.hypot(*(die.face.middle - other.face.middle))) for other in dice if other is not die),
        default=float("inf"),
    )


def without_unvouched(dice: list[Die], unread_count: int) -> list[Die]:
    """Dice refused whose three or fewer pips are too little to go by in this picture.

    Two or three spots are soon found on a patterned ground or across a die's side: they count only when they are clear,
    and, where other things in the picture couldn't be read, when another die of the same pips was.
    """
    return [
        replace(die, refusal=Refusal.UNKNOWN_DIE) if _is_unvouched(die, dice, unread_count) else die for die in dice
    ]


def _is_unvouched(die: Die, dice: list[Die], unread_count: int) -> bool:
    if die.face.value > 3 or die.refusal is not None:
        return False
    if die.face.doubt > _FEW_PIPS_DOUBT or unread_count >= _LITTERED:
        return True
    others = [other for other in dice if other is not die]
    return unread_count > 0 and not any(0.8 < die.face.radius / other.face.radius < 1.25 for other in others)

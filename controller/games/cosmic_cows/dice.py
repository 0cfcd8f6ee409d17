"""Five dice as a multiset, all 252 of them with their weights, and the throw to start."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from math import factorial, prod

from controller.errors import InputError
from controller.games.cosmic_cows.beams import Side
from controller.games.cosmic_cows.rules import DEFAULT_RULES, Opening, Rules

FACES = (1, 2, 3, 4, 5, 6)
DICE_COUNT = 5
THROW_COUNT = len(FACES) ** DICE_COUNT  # 7,776 equally likely throws of five distinguishable dice


@dataclass(frozen=True, slots=True)
class Dice:
    """Five faces, held in ascending order whatever order they were given in.

    `counts[n]` says how many dice show n, for n from 1 to 6; `counts[0]` is always 0.

    Raises:
        InputError: not five faces from 1 to 6.
    """

    faces: tuple[int, ...]
    total: int = field(init=False, repr=False, compare=False)
    counts: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        faces = tuple(self.faces)
        if len(faces) != DICE_COUNT or any(type(face) is not int or face not in FACES for face in faces):
            raise InputError("dice", faces, "five faces from 1 to 6")
        shown = Counter(faces)
        object.__setattr__(self, "faces", tuple(sorted(faces)))
        object.__setattr__(self, "total", sum(faces))
        object.__setattr__(self, "counts", tuple(shown[face] for face in range(7)))

    @property
    def weight(self) -> int:
        """How many of the 7,776 throws are these dice."""
        return factorial(DICE_COUNT) // prod(factorial(count) for count in self.counts)


ALL_DICE: tuple[Dice, ...] = tuple(Dice(faces) for faces in combinations_with_replacement(FACES, DICE_COUNT))


def starter(white: Sequence[int], black: Sequence[int], rules: Rules = DEFAULT_RULES) -> Side | None:
    """Who starts after these opening throws: the higher total; None for a tie, which is thrown again (ruling 7).

    Raises:
        InputError: not one face each, or five each where `opening` says so.
    """
    wanted = DICE_COUNT if rules.opening is Opening.ALL_FIVE else 1
    for faces in (white, black):
        if len(faces) != wanted or any(type(face) is not int or face not in FACES for face in faces):
            raise InputError("opening throw", tuple(faces), f"{wanted} of the faces 1 to 6")
    lead = sum(white) - sum(black)
    if lead == 0:
        return None
    return Side.WHITE if lead > 0 else Side.BLACK

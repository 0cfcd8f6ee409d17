"""What five dice contain: every combination, from a pair to five alike.

Rules of this file: dice alone, no cows, no house rules. Four alike aren't two pairs, five alike are neither
full house nor two pairs; a straight is any four (five) consecutive faces, duplicates ignored (ruling 9).
Five alike are listed as `five N` and as `super`; which of them may be used, the super cow's place says.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from controller.games.cosmic_cows.dice import ALL_DICE, FACES, Dice


class Kind(StrEnum):
    """The combinations, in the order in which pulls are listed."""

    PAIR = "pair"
    TRIPLE = "triple"
    FOUR = "four"
    FIVE = "five"
    TWO_PAIR = "two pair"
    FULL_HOUSE = "full house"
    SMALL_STRAIGHT = "small straight"
    LARGE_STRAIGHT = "large straight"
    CHANCE = "chance"
    SUPER = "super"


@dataclass(frozen=True, slots=True)
class Pattern:
    """One combination; `faces` are the N, or the N and M, of its name and empty where the name has none."""

    kind: Kind
    faces: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """The name of the pull it may be used for, such as `full house 2 5`."""
        return " ".join((self.kind.value, *map(str, self.faces)))


_ALIKE = ((Kind.PAIR, 2), (Kind.TRIPLE, 3), (Kind.FOUR, 4), (Kind.FIVE, 5))


@lru_cache(maxsize=len(ALL_DICE))
def patterns(dice: Dice) -> tuple[Pattern, ...]:
    """Everything these dice contain, by kind in the order of Kind, then by face."""
    counts = dice.counts
    found = [Pattern(kind, (face,)) for kind, wanted in _ALIKE for face in FACES if counts[face] >= wanted]
    twos = [face for face in FACES if counts[face] >= 2]
    if len(twos) == 2:
        found.append(Pattern(Kind.TWO_PAIR, (twos[0], twos[1])))
        first, second = sorted(twos, key=lambda face: -counts[face])
        if counts[first] == 3:
            found.append(Pattern(Kind.FULL_HOUSE, (first, second)))
    run = _longest_run(dice)
    if run >= 4:
        found.append(Pattern(Kind.SMALL_STRAIGHT))
    if run == 5:
        found.append(Pattern(Kind.LARGE_STRAIGHT))
    found.append(Pattern(Kind.CHANCE))
    if max(counts) == 5:
        found.append(Pattern(Kind.SUPER))
    return tuple(found)


@lru_cache(maxsize=len(ALL_DICE))
def whole_patterns(dice: Dice) -> tuple[Pattern, ...]:
    """Only what isn't part of a larger combination of the same dice (house rule `subset_pulls` off).

    Chance counts all five dice, so it always stays; a pair beside a small straight is no part of it and
    stays too.
    """
    found = patterns(dice)
    used = {pattern: _dice_used(pattern, dice) for pattern in found}
    return tuple(
        pattern
        for pattern in found
        if pattern.kind is Kind.CHANCE
        or not any(_is_part(used[pattern], used[other]) for other in found if other.kind is not Kind.CHANCE)
    )


def _longest_run(dice: Dice) -> int:
    longest = run = 0
    for face in FACES:
        run = run + 1 if dice.counts[face] else 0
        longest = max(longest, run)
    return longest


def _dice_used(pattern: Pattern, dice: Dice) -> tuple[int, ...]:
    """How many dice of each face, 0 to 6, the combination takes."""
    taken = [0] * 7
    match pattern.kind:
        case Kind.PAIR | Kind.TRIPLE | Kind.FOUR | Kind.FIVE:
            taken[pattern.faces[0]] = dict(_ALIKE)[pattern.kind]
        case Kind.TWO_PAIR:
            for face in pattern.faces:
                taken[face] = 2
        case Kind.SMALL_STRAIGHT:
            low = next(face for face in FACES if all(dice.counts[face : face + 4]))
            taken[low : low + 4] = [1, 1, 1, 1]
        case Kind.FULL_HOUSE | Kind.LARGE_STRAIGHT | Kind.CHANCE | Kind.SUPER:
            taken = list(dice.counts)
    return tuple(taken)


def _is_part(smaller: tuple[int, ...], larger: tuple[int, ...]) -> bool:
    return smaller != larger and all(few <= many for few, many in zip(smaller, larger, strict=True))

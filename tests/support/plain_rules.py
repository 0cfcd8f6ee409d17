"""Cosmic Cows a second time, straight from the text of the rules: slow, plain, sharing nothing with the product.

How it works: all 31 ways to pick some of the five dice up are tried, each is asked what it forms, and cows walk cell
by cell until their steps or their beam end. Where the product counts faces and subtracts numbers, this looks and
walks, so that a mistake in one is unlikely to be made in the other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations

NAMES = ["chance", "1", "2", "3", "super", "4", "5", "6", "straights"]
KINDS = ["pair", "triple", "four", "five", "two pair", "full house", "small straight", "large straight", "chance"]
KINDS += ["super"]


@dataclass
class PlainRules:
    cows_to_win: int = 3
    last: int = 8
    win_zone: int = 3
    super_forced: bool = True
    subset_pulls: bool = True
    chance_three: set[int] = field(default_factory=lambda: {10, 11, 12, 23, 24, 25})
    chance_four: set[int] = field(default_factory=lambda: {5, 6, 7, 8, 9, 26, 27, 28, 29, 30})
    small: int = 3
    large: int = 4
    lock_in: bool = False


@dataclass
class PlainPull:
    """What a pull does: steps by beam name, the places afterwards, and the beams locked afterwards."""

    steps: dict[str, int]
    places: list[int]
    locked: set[str]


def home_count(places: list[int], player: str, rules: PlainRules) -> int:
    count = 0
    for name, place in zip(NAMES, places, strict=True):
        zone = [1] if name == "super" else list(range(rules.last, rules.last - rules.win_zone, -1))
        if player == "b":
            zone = [-cell for cell in zone]
        if place in zone:
            count += 1
    return count


def is_over(places: list[int], rules: PlainRules) -> bool:
    return max(home_count(places, "w", rules), home_count(places, "b", rules)) >= rules.cows_to_win


def what_they_form(picked: list[int]) -> str | None:
    """The combination that exactly these dice form; five alike are called five."""
    picked = sorted(picked)
    groups = sorted(([face] * picked.count(face) for face in set(picked)), key=lambda group: (-len(group), group))
    sizes = [len(group) for group in groups]
    if len(groups) == 1 and sizes[0] >= 2:
        return f"{['pair', 'triple', 'four', 'five'][sizes[0] - 2]} {groups[0][0]}"
    if sizes == [2, 2]:
        return f"two pair {groups[0][0]} {groups[1][0]}"
    if sizes == [3, 2]:
        return f"full house {groups[0][0]} {groups[1][0]}"
    if picked in ([1, 2, 3, 4], [2, 3, 4, 5], [3, 4, 5, 6]):
        return "small straight"
    if picked in ([1, 2, 3, 4, 5], [2, 3, 4, 5, 6]):
        return "large straight"
    return None


def formed(dice: list[int], rules: PlainRules) -> set[str]:
    """Names of everything the dice contain, chance aside."""
    found: dict[frozenset[int], str] = {}
    for size in (2, 3, 4, 5):
        for picked in combinations(range(5), size):
            name = what_they_form([dice[which] for which in picked])
            if name:
                found[frozenset(picked)] = name
    if not rules.subset_pulls:
        found = {picked: name for picked, name in found.items() if not any(picked < other for other in found)}
    return set(found.values())


def wishes(name: str, dice: list[int], rules: PlainRules) -> list[tuple[str, int]]:
    """Which beams a combination pulls and how many cells."""
    words = name.split()
    if name == "small straight":
        return [("straights", rules.small)]
    if name == "large straight":
        return [("straights", rules.large)]
    if name == "chance":
        if sum(dice) in rules.chance_three:
            return [("chance", 3)]
        return [("chance", 4)] if sum(dice) in rules.chance_four else []
    if name == "super":
        return [("super", 1)]
    if words[0] == "two":
        return [(words[2], 2), (words[3], 2)]
    if words[0] == "full":
        return [(words[2], 3), (words[3], 2)]
    return [(words[1], {"pair": 2, "triple": 3, "four": 4, "five": 5}[words[0]])]


def walk(
    name: str, dice: list[int], places: list[int], mover: str, locked: set[str], rules: PlainRules
) -> PlainPull | None:
    after, now_locked, steps = list(places), set(locked), {}
    direction = 1 if mover == "w" else -1
    for beam, wanted in wishes(name, dice, rules):
        if beam in locked:
            continue
        which = NAMES.index(beam)
        end = direction * (1 if beam == "super" else rules.last)
        walked = 0
        while walked < wanted and after[which] != end:
            after[which] += direction
            walked += 1
        has_overshot = walked < wanted
        if rules.lock_in and has_overshot and beam != "super":
            now_locked.add(beam)
            steps[beam] = walked
        elif walked:
            steps[beam] = walked
    return PlainPull(steps, after, now_locked) if steps else None


def plain_pulls(
    places: list[int], mover: str, dice: list[int], rules: PlainRules, locked: set[str] | None = None
) -> dict[str, PlainPull]:
    """Every pull by name, in no order; empty when the game is over."""
    if is_over(places, rules):
        return {}
    super_is_home = places[4] == (1 if mover == "w" else -1)
    names = formed(dice, rules) | {"chance"}
    if len(set(dice)) == 1 and not super_is_home:
        names = {name for name in names if not name.startswith("five")} | {"super"}
        if rules.super_forced:
            names = {"super"}
    walked = {name: walk(name, dice, places, mover, locked or set(), rules) for name in names}
    return {name: pull for name, pull in walked.items() if pull is not None}


def listed_order(name: str) -> tuple[int, str]:
    """Sort key of the documented order: by kind, then by face."""
    kind = name.rstrip(" 123456")
    return KINDS.index(kind), name

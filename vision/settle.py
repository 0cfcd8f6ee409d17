"""Readings over time: when dice roll, when they have settled, and which of them were kept. Pure; time is an argument.

Rules of this file
  * A reading counts only when its picture was taken after the last motion.
  * Three pictures must give the same dice at the same places with the same faces before anything is said.
  * A picture is read only when `wants_reading` says so: while nothing moves and nothing new was reported, it says no.

How it works
```
            motion                        calm for CALM_S            three alike
 SETTLED ───────────> ROLLING ──────────> ROLLING, reading ─────────────────────> SETTLED
    ^      TrayRolling   ^  motion starts the calm anew  │                 TraySettled │
    └────────────────────┴──────────────────────────────-┘<────────────────────────────┘
```
The start is like ROLLING but untold. Works from 5 to 60 pictures a second: calm and the distance between two readings
are times, the three alike are pictures. A late picture is just a later one; one out of order is passed over.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum

from vision.events import TrayEvent, TrayRolling, TraySettled
from vision.readings import DieSeen, Reading, Refusal

CALM_S = 0.12
"""No motion for this long before the first reading: a die that teeters on its edge turns over within a tenth."""
APART_S = 0.05
"""Between two readings, so that a fast camera's three alike aren't one moment."""
ALIKE_COUNT = 3
MOST_TRIES = 9
"""After so many readings without three alike, what differs is refused."""
_SAME_PLACE = 0.15
"""Share of a die's edge that the middle of a still die may wander by noise."""
_KEPT_PLACE = 0.35
"""Share of a die's edge that a kept die may have been pushed."""


class Phase(StrEnum):
    """What the tray is doing."""

    START = "start"
    ROLLING = "rolling"
    SETTLED = "settled"


@dataclass(frozen=True, slots=True)
class Observation:
    """One picture's news: whether it moved since the one before, and its reading where one was wanted."""

    motion: bool
    reading: Reading | None = None


@dataclass(frozen=True, slots=True)
class Settle:
    """Where the tray is between rolling and settled. Start with `Settle()`."""

    phase: Phase = Phase.START
    moved_at_s: float = -math.inf
    seen_at_s: float = -math.inf
    read_at_s: float = -math.inf
    alike_count: int = 0
    tries: int = 0
    last: Reading | None = None


def wants_reading(state: Settle, motion: bool, at_s: float) -> bool:
    """Whether a picture taken at `at_s` should be read."""
    if motion or state.phase is Phase.SETTLED or at_s <= state.seen_at_s:
        return False
    return at_s - state.moved_at_s >= CALM_S and at_s - state.read_at_s >= APART_S


def settle(state: Settle, observation: Observation, at_s: float) -> tuple[Settle, tuple[TrayEvent, ...]]:
    """The next state and what is to be told, for a picture taken at `at_s`."""
    if at_s <= state.seen_at_s:
        return state, ()
    state = replace(state, seen_at_s=at_s)
    if observation.motion:
        return _moved(state, at_s)
    if observation.reading is None or state.phase is Phase.SETTLED:
        return state, ()
    return _read(state, observation.reading, at_s)


def _moved(state: Settle, at_s: float) -> tuple[Settle, tuple[TrayEvent, ...]]:
    told: tuple[TrayEvent, ...] = (TrayRolling(at_s),) if state.phase is Phase.SETTLED else ()
    phase = Phase.START if state.phase is Phase.START else Phase.ROLLING
    return Settle(phase=phase, moved_at_s=at_s, seen_at_s=at_s), told


def _read(state: Settle, reading: Reading, at_s: float) -> tuple[Settle, tuple[TrayEvent, ...]]:
    alike = state.alike_count + 1 if state.last is not None and are_alike(state.last, reading) else 1
    tries = state.tries + 1
    if alike >= ALIKE_COUNT:
        done = replace(state, phase=Phase.SETTLED, alike_count=alike, last=reading, read_at_s=at_s)
        return done, (TraySettled(reading, at_s),)
    if tries >= MOST_TRIES and state.last is not None:
        doubtful = without_unsteady(state.last, reading)
        done = replace(state, phase=Phase.SETTLED, last=doubtful, read_at_s=at_s)
        return done, (TraySettled(doubtful, at_s),)
    return replace(state, alike_count=alike, tries=tries, last=reading, read_at_s=at_s), ()


def are_alike(before: Reading, after: Reading) -> bool:
    """Whether two readings of a still tray say the same.

    What can't be read for sure needs only to be refused both times: a glint that comes and goes isn't two trays.
    """
    if before.refusals and after.refusals:
        return before.is_sure == after.is_sure and _sure_agree(before, after)
    if before.refusals != after.refusals or len(before.dice) != len(after.dice):
        return False
    pairs = _pair(before.dice, after.dice, _SAME_PLACE)
    return len(pairs) == len(after.dice) and all(_same_face(old, new) for old, new in pairs)


def _sure_agree(before: Reading, after: Reading) -> bool:
    pairs = _pair(before.dice, after.dice, _SAME_PLACE)
    return all(old.value == new.value for old, new in pairs if old.is_sure and new.is_sure)


def _same_face(old: DieSeen, new: DieSeen) -> bool:
    return old.value == new.value and old.is_sure == new.is_sure


def without_unsteady(before: Reading, after: Reading) -> Reading:
    """The newer reading with every die refused that the older one doesn't confirm."""
    confirmed = {id(new) for old, new in _pair(before.dice, after.dice, _SAME_PLACE) if _same_face(old, new)}
    dice = tuple(
        die if id(die) in confirmed else replace(die, refusal=die.refusal or Refusal.UNKNOWN_DIE) for die in after.dice
    )
    is_steady = dice == after.dice and len(before.dice) == len(after.dice)
    doubts = () if is_steady else (Refusal.UNKNOWN_DIE,)
    refusals = tuple(dict.fromkeys((*after.refusals, *doubts)))
    return replace(after, dice=dice, refusals=refusals)


@dataclass(frozen=True, slots=True)
class DiceMatch:
    """Which dice of two readings are the same die: `kept` lie where they lay with the face they had.

    `turned` lie there with another face (or one of the two readings isn't sure), as (before, after) pairs; `gone` were
    there only before, `new` only after.
    """

    kept: tuple[tuple[DieSeen, DieSeen], ...]
    turned: tuple[tuple[DieSeen, DieSeen], ...]
    gone: tuple[DieSeen, ...]
    new: tuple[DieSeen, ...]


def match_dice(before: Reading, after: Reading) -> DiceMatch:
    """Tell kept dice from thrown ones by place and face."""
    pairs = _pair(before.dice, after.dice, _KEPT_PLACE)
    old_paired = {id(old) for old, _ in pairs}
    new_paired = {id(new) for _, new in pairs}
    kept = tuple((old, new) for old, new in pairs if old.is_sure and new.is_sure and old.value == new.value)
    same = {id(new) for _, new in kept}
    return DiceMatch(
        kept=kept,
        turned=tuple((old, new) for old, new in pairs if id(new) not in same),
        gone=tuple(die for die in before.dice if id(die) not in old_paired),
        new=tuple(die for die in after.dice if id(die) not in new_paired),
    )


def _pair(before: tuple[DieSeen, ...], after: tuple[DieSeen, ...], reach: float) -> tuple[tuple[DieSeen, DieSeen], ...]:
    """Nearest pairs first, each die once, no farther apart than `reach` of the larger edge."""
    near = sorted(
        (
            (math.dist(old.centre, new.centre), first, second)
            for first, old in enumerate(before)
            for second, new in enumerate(after)
            if math.dist(old.centre, new.centre) <= reach * max(old.edge_px, new.edge_px, 1.0)
        ),
    )
    used_old: set[int] = set()
    used_new: set[int] = set()
    pairs = []
    for _, first, second in near:
        if first not in used_old and second not in used_new:
            used_old.add(first)
            used_new.add(second)
            pairs.append((before[first], after[second]))
    return tuple(pairs)

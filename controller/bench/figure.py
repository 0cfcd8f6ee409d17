"""A figure as measured: value, target, and the baseline that tells a slow program from a slow machine."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Verdict(StrEnum):
    """How a figure stands to its target."""

    PASS = "pass"
    MISS = "miss"
    NO_TARGET = "no target"


@dataclass(frozen=True, slots=True)
class Target:
    """The bound a value has to keep: at most `limit`, or at least that where `is_least`."""

    limit: float
    is_least: bool = False

    def __str__(self) -> str:
        return f"{'≥' if self.is_least else '≤'} {plain(self.limit)}"

    def judge(self, value: float) -> Verdict:
        """Whether the value keeps the bound; the bound itself does."""
        keeps = value >= self.limit if self.is_least else value <= self.limit
        return Verdict.PASS if keeps else Verdict.MISS


@dataclass(frozen=True, slots=True)
class Baseline:
    """What the value is compared with, measured in the same run on the same machine, in the same unit."""

    name: str
    value: float


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure; the first word of `name` is the bench that measures it."""

    name: str
    what: str
    unit: str
    value: float
    baseline: Baseline
    target: Target | None = None
    notes: tuple[str, ...] = ()

    @property
    def ratio(self) -> float | None:
        """Value by baseline; None where the baseline is nothing."""
        return self.value / self.baseline.value if self.baseline.value else None

    @property
    def verdict(self) -> Verdict:
        """Whether the target is kept."""
        return Verdict.NO_TARGET if self.target is None else self.target.judge(self.value)

    @property
    def command(self) -> str:
        """What measures this figure alone."""
        return f"cowboard bench {self.name.split()[0]}"

    def public(self) -> dict[str, Any]:
        """The JSON form; controller/schemas/bench.json describes it."""
        target = None if self.target is None else {"limit": self.target.limit, "is_least": self.target.is_least}
        ratio = self.ratio
        return {
            "name": self.name,
            "what": self.what,
            "unit": self.unit,
            "value": rounded(self.value),
            "target": target,
            "baseline": {"name": self.baseline.name, "value": rounded(self.baseline.value)},
            "ratio": None if ratio is None else rounded(ratio),
            "verdict": self.verdict.value,
            "notes": list(self.notes),
            "command": self.command,
        }


@dataclass(frozen=True, slots=True)
class Run:
    """How a bench is to measure: with which stopwatch, how often, and whether the long sets are read whole.

    `now` gives seconds. `share` scales repetitions and waits; 1 gives the figures that count, tests use less.
    """

    now: Callable[[], float]
    share: float = 1.0
    is_whole: bool = False

    def count(self, usual: int, least: int = 3) -> int:
        """How many repetitions, of so many usual ones."""
        return max(least, round(usual * self.share))

    def seconds(self, usual: float, least: float = 0.3) -> float:
        """How long to watch, instead of so long usually."""
        return max(least, usual * self.share)

    def time(self, work: Callable[[], object]) -> float:
        """Seconds this work takes."""
        begun = self.now()
        work()
        return self.now() - begun


def median(values: Sequence[float]) -> float:
    """The middle value, by nearest rank; raises ValueError for none."""
    return percentile(values, 50)


def percentile(values: Sequence[float], per_cent: float) -> float:
    """The value that so many per cent don't exceed, by nearest rank; raises ValueError for none.

    >>> percentile([4.0, 1.0, 3.0, 2.0], 95)
    4.0
    """
    if not values:
        raise ValueError("percentile of no values; expected at least one")
    rank = math.ceil(len(values) * per_cent / 100)
    return sorted(values)[max(1, rank) - 1]


def rounded(value: float) -> float:
    """To four significant digits: more would be the noise of the run.

    >>> rounded(0.00123456), rounded(123456.0)
    (0.001235, 123500.0)
    """
    return float(f"{value:.4g}")


def plain(value: float) -> str:
    """A value for people: no exponent, thousands apart, two or three significant digits.

    >>> plain(0.0312), plain(1.5), plain(28.44), plain(10000), plain(0)
    ('0.031', '1.5', '28.4', '10,000', '0')
    """
    if value == 0:
        return "0"
    size = abs(value)
    digits = 0 if size >= 100 else 1 if size >= 10 else 2 if size >= 0.1 else 1 - math.floor(math.log10(size))
    text = f"{value:,.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text

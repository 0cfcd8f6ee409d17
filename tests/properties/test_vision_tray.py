"""The virtual tray and the reader together: every throw is read right or refused, every fault is seen."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.support.trays import thrown
from vision.reading import read
from vision.readings import Refusal

SETS = (
    ("white", "green"),
    ("black", "green"),
    ("white", "blue"),
    ("white", "red"),
    ("black", "blue"),
    ("white", "grey"),
)
SEEDS = range(120)


def test_every_throw_is_read_right_or_refused_and_few_are_refused() -> None:
    refused = []
    for seed in SEEDS:
        colour, ground = SETS[seed % len(SETS)]
        tray = thrown(seed, colour, ground)
        reading = read(tray.image)
        if not reading.is_sure:
            refused.append((seed, reading.refusals))
            continue
        assert reading.values == tray.values, f"seed {seed}, {colour} on {ground}: sure and wrong"
        assert {die.colour for die in reading.dice} == {colour}, f"seed {seed}"
    print(f"refused {len(refused)} of {len(SEEDS)}: {refused}")
    assert len(refused) <= 0.02 * len(SEEDS), refused


@pytest.mark.parametrize("colour", ["red", "yellow", "green", "blue"])
def test_coloured_dice_are_never_sure_and_wrong(colour: str) -> None:
    for seed in range(8):
        tray = thrown(seed, colour, "grey")
        reading = read(tray.image)
        assert not reading.is_sure or reading.values == tray.values, f"seed {seed}"


FAULTS = (
    ("cocked", {Refusal.COCKED}, 12),
    ("touching", {Refusal.TOUCHING}, 16),
    ("stacked", {Refusal.STACKED, Refusal.NOT_FIVE}, 16),
    ("off tray", {Refusal.NOT_FIVE}, 20),
    ("sixth", {Refusal.NOT_FIVE}, 20),
    ("glare", {Refusal.GLARE}, 19),
    ("hand", {Refusal.HAND}, 16),
    ("dark", {Refusal.TOO_DARK}, 20),
    ("blur", {Refusal.BLURRED}, 18),
)


@pytest.mark.parametrize(("fault", "names", "least"), FAULTS, ids=[fault for fault, _, _ in FAULTS])
def test_each_fault_is_always_refused_and_mostly_by_its_own_name(fault: str, names: set[Refusal], least: int) -> None:
    named: Counter[bool] = Counter()
    for seed in range(20):
        reading = read(thrown(seed, "white" if seed % 2 else "black", fault=fault).image)
        assert not reading.is_sure, f"{fault}, seed {seed}: {reading.values}"
        named[bool(names & set(reading.refusals))] += 1
    print(f"{fault}: {named[True]} of 20 by name")
    assert named[True] >= least

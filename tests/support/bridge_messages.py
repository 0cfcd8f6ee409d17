"""One example of every message of the wire protocol, and hypothesis strategies for all of them."""

from __future__ import annotations

from typing import TypeVar

from hypothesis import strategies as st

from firmware_bridge.geometry import CELL_COUNT
from firmware_bridge.lights import COLOURS, MOTIONS, Light
from firmware_bridge.messages import (
    CAPABILITIES,
    MOST_CHANGES,
    MOST_RUNS,
    Ack,
    BootReason,
    Button,
    ButtonPressed,
    Buzz,
    CellChange,
    CellsChanged,
    Fault,
    FaultSeen,
    Hello,
    HelloRequest,
    KnobTurned,
    LightGroup,
    LightRun,
    LightsAll,
    LightsGroups,
    LightsRuns,
    LightsShow,
    Message,
    Nack,
    Palette,
    PaletteColour,
    Ping,
    Refusal,
    Snapshot,
    SnapshotRequest,
    Sound,
)
from firmware_bridge.upkeep import (
    MOST_ORDER_NUMBERS,
    MOST_QUALITY_CELLS,
    CellQuality,
    Diagnostics,
    DiagnosticsRequest,
    Order,
    OrderCommit,
    OrderPart,
    OrderRequest,
    OrderWrite,
    QualityRequest,
    Restart,
    Settings,
    SettingsRequest,
    SettingsWrite,
)

T = TypeVar("T")

bytes_ = st.integers(0, 255)
words = st.integers(0, 0xFFFF)
times = st.integers(0, 0xFFFFFFFF)
cells = st.integers(0, CELL_COUNT - 1)
lights = st.builds(Light, st.sampled_from(COLOURS), st.sampled_from(MOTIONS))
plans = st.lists(lights, min_size=CELL_COUNT, max_size=CELL_COUNT).map(tuple)


def _texts(longest: int) -> st.SearchStrategy[str]:
    return st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=longest)


def _many(item: st.SearchStrategy[T], most: int) -> st.SearchStrategy[tuple[T, ...]]:
    return st.lists(item, max_size=most).map(tuple)


messages: st.SearchStrategy[Message] = st.one_of(
    st.builds(HelloRequest, bytes_, bytes_, words),
    st.builds(
        Hello,
        major=bytes_,
        minor=bytes_,
        session=words,
        boot=words,
        boot_reason=st.sampled_from(BootReason),
        variant=_texts(12),
        capabilities=st.frozensets(st.sampled_from(CAPABILITIES)),
        cell_count=bytes_,
        supply_ma=words,
        serial=_texts(16),
        build=_texts(24),
    ),
    st.just(Ack()),
    st.builds(Nack, st.sampled_from(Refusal)),
    st.just(Ping()),
    st.just(SnapshotRequest()),
    st.builds(Snapshot, times, words, st.frozensets(cells)),
    st.builds(CellsChanged, times, words, _many(st.builds(CellChange, cells, st.booleans(), words), MOST_CHANGES)),
    st.builds(ButtonPressed, st.sampled_from(Button), times),
    st.builds(KnobTurned, st.integers(-128, 127), times),
    st.builds(FaultSeen, st.sampled_from(Fault), st.none() | cells, st.booleans(), times),
    st.builds(Palette, _many(st.builds(PaletteColour, st.integers(0, 15), bytes_, bytes_, bytes_), 16)),
    st.builds(LightsAll, st.booleans(), bytes_, cells, _many(lights, CELL_COUNT)),
    st.builds(
        LightsRuns,
        st.booleans(),
        bytes_,
        _many(st.builds(LightRun, cells, st.integers(0, CELL_COUNT), lights), MOST_RUNS),
    ),
    st.builds(LightsGroups, st.booleans(), bytes_, _many(st.builds(LightGroup, lights, _many(cells, 9)), 9)),
    st.builds(LightsShow, bytes_),
    st.builds(Buzz, st.sampled_from(Sound)),
    st.just(SettingsRequest()),
    st.builds(
        Settings,
        variant=_texts(12),
        is_confirmed=st.booleans(),
        supply_ma=words,
        serial=_texts(16),
        has_led_order=st.booleans(),
        has_sensor_order=st.booleans(),
        good_copies=bytes_,
    ),
    st.builds(SettingsWrite, _texts(12), words, _texts(16)),
    st.builds(OrderRequest, st.sampled_from(Order), cells),
    st.builds(OrderPart, st.sampled_from(Order), cells, _many(bytes_, MOST_ORDER_NUMBERS)),
    st.builds(OrderWrite, st.sampled_from(Order), cells, _many(bytes_, MOST_ORDER_NUMBERS)),
    st.builds(OrderCommit, st.sampled_from(Order), st.booleans()),
    st.just(Restart()),
    st.just(DiagnosticsRequest()),
    st.builds(
        Diagnostics,
        board_ms=times,
        pictures_s=bytes_,
        supply_percent=bytes_,
        **dict.fromkeys(
            [
                "stack_free",
                "packets_good",
                "packets_dropped",
                "resends",
                "overruns",
                "framing_errors",
                "memory_full",
                "changes_dropped",
                "scans_s",
                "picture_us",
                "lights_ma",
                "budget_ma",
            ],
            words,
        ),
    ),
    st.builds(QualityRequest, cells),
    st.builds(CellQuality, cells, _many(bytes_, MOST_QUALITY_CELLS), st.frozensets(cells)),
)

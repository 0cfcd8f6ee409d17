"""Golden bytes: every message of the table as it stands on the wire, both ways.

`messages.txt` holds one packet a line: its bytes in hex, its sequence number, and the message in print. To renew it
after a wanted change of the protocol run the tests with COWBOARD_RENEW_GOLDEN=1 and look at the difference.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from firmware_bridge.lights import Colour, Light, Motion
from firmware_bridge.messages import (
    TABLE,
    Ack,
    Button,
    ButtonPressed,
    Buzz,
    CellChange,
    CellsChanged,
    Fault,
    FaultSeen,
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
    decode_payload,
    encode_payload,
    format_message,
    row_of,
)
from firmware_bridge.packets import PacketBuffer, encode_packet
from firmware_bridge.upkeep import (
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
from tests.support.link_pair import a_hello

GOLDEN = Path(__file__).parent / "messages.txt"
BLUE, AMBER = Light(Colour.BLUE, Motion.BREATHE), Light(Colour.AMBER, Motion.CHASE_TO_BLACK)

EXAMPLES: tuple[tuple[int, Message], ...] = (
    (0, HelloRequest(1, 0, 4660)),
    (0, a_hello(7, session=4660)),
    (9, Ack()),
    (9, Nack(Refusal.BAD_PAYLOAD)),
    (255, Ping()),
    (0, SnapshotRequest()),
    (0, Snapshot(70_000, 513, frozenset({0, 8, 25, 138}))),
    (1, CellsChanged(70_123, 513, (CellChange(8, False, 0), CellChange(9, True, 44)))),
    (2, ButtonPressed(Button.NEW_GAME, 71_000)),
    (3, KnobTurned(-2, 71_001)),
    (4, FaultSeen(Fault.STUCK, 21, False, 71_002)),
    (5, FaultSeen(Fault.BROWN_OUT, None, True, 71_003)),
    (1, Palette((PaletteColour(0, 0, 0, 0), PaletteColour(9, 160, 0, 160)))),
    (2, LightsAll(False, 255, 137, (BLUE, AMBER))),
    (3, LightsRuns(True, 128, (LightRun(17, 17, BLUE), LightRun(136, 3, AMBER)))),
    (4, LightsGroups(True, 255, (LightGroup(AMBER, (3, 30, 138)),))),
    (5, LightsShow(64)),
    (6, Buzz(Sound.WIN)),
    (7, SettingsRequest()),
    (
        2,
        Settings(
            variant="magnet",
            is_confirmed=True,
            supply_ma=4000,
            serial="C-17",
            has_led_order=False,
            has_sensor_order=True,
            good_copies=2,
        ),
    ),
    (8, SettingsWrite("magnet", 4000, "C-17")),
    (9, OrderRequest(Order.LEDS, 32)),
    (3, OrderPart(Order.LEDS, 32, (32, 33, 31))),
    (10, OrderWrite(Order.SENSORS, 136, (138, 137, 136))),
    (11, OrderCommit(Order.SENSORS, False)),
    (12, Restart()),
    (13, DiagnosticsRequest()),
    (
        4,
        Diagnostics(
            board_ms=70_500,
            stack_free=296,
            packets_good=1200,
            packets_dropped=3,
            resends=2,
            overruns=0,
            framing_errors=1,
            memory_full=0,
            changes_dropped=0,
            pictures_s=60,
            scans_s=250,
            picture_us=4170,
            lights_ma=900,
            budget_ma=3600,
            supply_percent=99,
        ),
    ),
    (14, QualityRequest(0)),
    (5, CellQuality(0, (0, 4, 255), frozenset({2}))),
)


def line(sequence: int, message: Message) -> str:
    packet = encode_packet(row_of(type(message)).number, sequence, encode_payload(message))
    return f"{packet.hex()} {sequence} {format_message(message)}"


def test_every_message_of_the_table_has_an_example() -> None:
    assert {type(message) for _, message in EXAMPLES} == {row.kind for row in TABLE}


def test_messages_become_the_golden_bytes_and_words() -> None:
    lines = [line(sequence, message) for sequence, message in EXAMPLES]
    if os.environ.get("COWBOARD_RENEW_GOLDEN"):
        GOLDEN.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert GOLDEN.read_text(encoding="utf-8").splitlines() == lines


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_golden_bytes_become_the_messages(number: int) -> None:
    golden = GOLDEN.read_text(encoding="utf-8").splitlines()[number]
    (packet,) = PacketBuffer().receive(bytes.fromhex(golden.split(" ")[0]))
    sequence, message = EXAMPLES[number]
    assert packet.sequence == sequence
    assert decode_payload(packet.number, packet.payload) == message

"""The protocol document agrees with the message table and the code's figures."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.delivery import Timing
from firmware_bridge.export import TABLES, filled_in, main
from firmware_bridge.messages import MAJOR, MINOR, TABLE, CellChange, CellsChanged, format_message
from firmware_bridge.packets import HEAD_BYTES, MAX_BODY_BYTES, MAX_PAYLOAD_BYTES
from firmware_bridge.transport import BAUD_HZ

DOCUMENT = Path(__file__).parents[2] / "docs" / "protocol.md"
TEXT = DOCUMENT.read_text(encoding="utf-8")
FLAT = " ".join(TEXT.split())


def test_the_tables_are_those_of_the_message_table() -> None:
    assert filled_in(TEXT) == TEXT, "run: python -m firmware_bridge.export docs/protocol.md"
    assert all(f"<!-- {name} -->" in TEXT for name in TABLES)
    assert all(f"| `{row.name}` |" in TEXT for row in TABLE)


def test_renewing_brings_a_stale_document_up_to_date(tmp_path: Path) -> None:
    stale = tmp_path / "protocol.md"
    stale.write_text(TEXT.replace("0x12", "0x99"), encoding="utf-8")
    assert main([str(stale)]) == 0
    assert stale.read_text(encoding="utf-8") == TEXT


@pytest.mark.parametrize(
    "figure",
    [
        f"version {MAJOR}.{MINOR}",
        f"{BAUD_HZ:,} baud",
        f"payload 0..{MAX_PAYLOAD_BYTES} bytes",
        f"longer than {MAX_BODY_BYTES} without its CRC",
        f"every {Timing().greet_most_s} s until",
        f"at least {Timing().resend_least_s * 1000:.0f} ms",
        f"ends at {Timing().resend_most_s * 1000:.0f} ms",
        f"Nothing heard for {Timing().silence_s} s",
        f"hears nothing for {Timing().board_silence_s:.0f} s",
        "is 0x29B1",
        format_message(CellsChanged(70_123, 513, (CellChange(8, False, 0), CellChange(9, True, 44)))),
    ],
)
def test_the_documents_figures_are_the_codes(figure: str) -> None:
    assert figure in FLAT


def test_the_shortest_packet_is_head_and_crc() -> None:
    assert "shorter than four bytes" in FLAT
    assert HEAD_BYTES + 2 == 4

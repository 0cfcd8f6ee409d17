"""What other files take from the message table and the board files: the tables of `docs/protocol.md`, and the
firmware's C header.

Each table stands there between `<!-- NAME -->` and `<!-- /NAME -->`. A test compares; to renew them after a
change of the message table run `python -m firmware_bridge.export docs/protocol.md`; with
`hardware/firmware/generated/protocol.h` for the header.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from enum import IntEnum
from inspect import getdoc
from pathlib import Path

from firmware_bridge.c_header import c_header
from firmware_bridge.lights import COLOURS, MOTIONS, RGB
from firmware_bridge.messages import (
    CAPABILITIES,
    TABLE,
    BootReason,
    Button,
    Fault,
    PaletteColour,
    Refusal,
    Sound,
)
from firmware_bridge.upkeep import Order
from firmware_bridge.wire import wire_fields


def messages_table() -> str:
    """All messages: number, name, sender, whether acknowledged, payload, purpose."""
    rows = [
        "| number | message | from | acknowledged | payload, in this order | what for |",
        "|---|---|---|---|---|---|",
    ]
    for row in TABLE:
        payload = ", ".join(f"`{name}` {wire.name}" for name, wire, _ in wire_fields(row.kind)) or "nothing"
        acknowledged = "yes" if row.is_reliable else "no"
        purpose = (getdoc(row.kind) or "").partition("\n\n")[0].replace("\n", " ")
        rows.append(
            f"| 0x{row.number:02x} | `{row.name}` | {row.sender.value} | {acknowledged} | {payload} | {purpose} |"
        )
    return "\n".join(rows)


def fields_table() -> str:
    """All fields of all messages with their meaning."""
    rows = ["| message | field | on the wire | meaning |", "|---|---|---|---|"]
    for row in TABLE:
        rows += [
            f"| `{row.name}` | `{name}` | {wire.name} | {meaning} |" for name, wire, meaning in wire_fields(row.kind)
        ]
    return "\n".join(rows)


def numbers_table() -> str:
    """All closed sets with their numbers."""
    rows = ["| set | numbers |", "|---|---|"]
    sets: Mapping[str, type[IntEnum]] = {
        "boot reason": BootReason,
        "refusal": Refusal,
        "button": Button,
        "fault": Fault,
        "sound": Sound,
        "order": Order,
    }
    for title, choices in sets.items():
        numbers = ", ".join(f"{choice.value} {choice.name.lower().replace('_', '-')}" for choice in choices)
        rows.append(f"| {title} | {numbers} |")
    bits = ", ".join(f"{bit} {name}" for bit, name in enumerate(CAPABILITIES))
    rows.append(f"| capability bits, lowest first | {bits} |")
    rows.append(f"| motion (low half of a light) | {', '.join(f'{n} {m}' for n, m in enumerate(MOTIONS))} |")
    return "\n".join(rows)


def palette_table() -> str:
    """The colours with their numbers and the values the host tells."""
    names = " | ".join(name for name, _, _ in wire_fields(PaletteColour))
    rows = [f"| name | {names} |", "|---|---|---|---|---|"]
    rows += [
        f"| {colour} | {number} | {' | '.join(str(part) for part in RGB[colour])} |"
        for number, colour in enumerate(COLOURS)
    ]
    return "\n".join(rows)


TABLES: Mapping[str, Callable[[], str]] = {
    "messages": messages_table,
    "fields": fields_table,
    "numbers": numbers_table,
    "palette": palette_table,
}


def filled_in(text: str) -> str:
    """A document with each of its marked tables as it should be."""
    for name, table in TABLES.items():
        before, opening, rest = text.partition(f"<!-- {name} -->\n")
        _, closing, after = rest.partition(f"<!-- /{name} -->")
        if opening and closing:
            text = f"{before}{opening}{table()}\n{closing}{after}"
    return text


def main(paths: list[str]) -> int:
    """Renew the tables in these documents; a C header (`.h`) is written anew."""
    for path in map(Path, paths):
        text = c_header() if path.suffix == ".h" else filled_in(path.read_text(encoding="utf-8"))
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

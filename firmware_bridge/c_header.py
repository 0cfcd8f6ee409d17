"""The C header of the firmware: the message table, the numbers, the palette and the boards, as C.

The header is checked in as `hardware/firmware/generated/protocol.h`; a test compares. To renew it run
`python -m firmware_bridge.export hardware/firmware/generated/protocol.h`.

How it works: the firmware checks each payload against its message's *shape*, a short text made from the field kinds:

    b w d   u8, u16, u32         c  cell              ?  cell or 255       f  flag       l  light
    <N      u8 of at most N      e A B  u8 from A to B                     tN text of at most N signs
    [N …    list of at most N    ]  its end           B  cell bits

N, A and B are bytes, written as octal escapes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum

from firmware_bridge.delivery import Timing
from firmware_bridge.errors import LocalProtocolError
from firmware_bridge.geometry import BEAMS, CELL_COUNT, COW_COUNT, SUPER_BEAM, VARIANTS, beam_cells, load_board
from firmware_bridge.lights import COLOURS, MOTIONS, RGB
from firmware_bridge.messages import (
    CAPABILITIES,
    MAJOR,
    MINOR,
    MOST_CHANGES,
    TABLE,
    BootReason,
    Button,
    Fault,
    Refusal,
    Sender,
)
from firmware_bridge.packets import MAX_BODY_BYTES, MAX_STUFFED_BYTES
from firmware_bridge.power import CHANNEL_MA, DARK_LED_MA, USABLE_SHARE
from firmware_bridge.upkeep import MOST_ORDER_NUMBERS, MOST_QUALITY_CELLS, Order
from firmware_bridge.wire import CellBits, Choice, LightByte, ListOf, MaybeCell, Record, Switch, Text, Whole, Wire
from firmware_bridge.wire import wire_fields as fields_of

SETS: Mapping[str, type[IntEnum]] = {
    "BOOT": BootReason,
    "REFUSAL": Refusal,
    "BUTTON": Button,
    "FAULT": Fault,
    "ORDER": Order,
}
NUMBERS_A_LINE = 17


def c_header() -> str:
    """The whole header."""
    parts = (_head(), _figures(), _sets(), _messages(), _palette(), *map(_board, VARIANTS), _foot())
    return "\n".join(line for part in parts for line in (*part, ""))


def _head() -> Iterator[str]:
    yield "/* The wire protocol and the boards, as the firmware needs them."
    yield " *"
    yield " * Made by `python -m firmware_bridge.export hardware/firmware/generated/protocol.h` from the message table"
    yield " * and firmware_bridge/boards. Don't edit. What a shape means: firmware_bridge/c_header.py."
    yield " */"
    yield "#ifndef COWBOARD_PROTOCOL_H"
    yield "#define COWBOARD_PROTOCOL_H"


def _foot() -> Iterator[str]:
    yield "#endif"


def _figures() -> Iterator[str]:
    timing = Timing()
    super_cells = beam_cells(SUPER_BEAM)
    figures = {
        "PROTOCOL_MAJOR": MAJOR,
        "PROTOCOL_MINOR": MINOR,
        "MOST_BODY_BYTES": MAX_BODY_BYTES,
        "MOST_STUFFED_BYTES": MAX_STUFFED_BYTES,
        "CELL_COUNT": CELL_COUNT,
        "COW_COUNT": COW_COUNT,
        "LONG_BEAM_CELLS": len(beam_cells(BEAMS[0])),
        "SUPER_FIRST_CELL": super_cells[0],
        "SUPER_BEAM_CELLS": len(super_cells),
        "COLOUR_COUNT": len(COLOURS),
        "MOTION_COUNT": len(MOTIONS),
        "MOST_CHANGES": MOST_CHANGES,
        "MOST_ORDER_NUMBERS": MOST_ORDER_NUMBERS,
        "MOST_QUALITY_CELLS": MOST_QUALITY_CELLS,
        "RESEND_FIRST_MS": _ms(timing.resend_first_s),
        "RESEND_LEAST_MS": _ms(timing.resend_least_s),
        "RESEND_MOST_MS": _ms(timing.resend_most_s),
        "SILENCE_MS": _ms(timing.board_silence_s),
        "CHANNEL_MA": round(CHANNEL_MA),
        "DARK_LED_MA": round(DARK_LED_MA),
        "USABLE_PERCENT": round(USABLE_SHARE * 100),
    }
    yield from (f"#define {name} {value}" for name, value in figures.items())


def _ms(seconds: float) -> int:
    return round(seconds * 1000)


def _sets() -> Iterator[str]:
    for title, choices in SETS.items():
        names = ", ".join(f"{title}_{choice.name} = {choice.value}" for choice in choices)
        yield f"enum {{ {names} }};"
    bits = [f"CAN_{name.upper().replace('-', '_')} = {1 << bit}" for bit, name in enumerate(CAPABILITIES)]
    yield from _enum(bits)
    yield from _enum([f"MOTION_{name.upper().replace('-', '_')} = {number}" for number, name in enumerate(MOTIONS)])
    yield from _enum([f"COLOUR_{name.upper().replace('-', '_')} = {number}" for number, name in enumerate(COLOURS)])


def _enum(entries: list[str]) -> Iterator[str]:
    yield "enum {"
    yield from (f"    {', '.join(entries[at : at + 4])}," for at in range(0, len(entries), 4))
    yield "};"


def _messages() -> Iterator[str]:
    yield from _enum([f"MESSAGE_{row.name.upper()} = 0x{row.number:02x}" for row in TABLE])
    yield ""
    yield "/* What a host may send: name, number, whether it is numbered and acknowledged, shape of its payload. */"
    yield "#define HOST_MESSAGES(ROW) \\"
    rows = [row for row in TABLE if row.sender is not Sender.BOARD]
    for row in rows:
        end = "" if row is rows[-1] else " \\"
        yield f'    ROW({row.name.upper()}, 0x{row.number:02x}, {int(row.is_reliable)}, "{shape(row.kind)}"){end}'


def shape(kind: type) -> str:
    """A message's or record's fields as a shape, for a C string."""
    return "".join(_field_shape(wire) for _, wire, _ in fields_of(kind))


def _field_shape(wire: Wire) -> str:
    match wire:
        case Whole(name="cell"):
            return "c"
        case Whole(highest=int(highest), size=1):
            return f"<{_octal(highest)}"
        case Whole(size=size, is_signed=False, highest=None):
            return {1: "b", 2: "w", 4: "d"}[size]
        case Switch():
            return "f"
        case MaybeCell():
            return "?"
        case LightByte():
            return "l"
        case CellBits():
            return "B"
        case Text(longest=longest):
            return f"t{_octal(longest)}"
        case Choice(choices=choices):
            return "e" + "".join(map(_octal, _range(choices)))
        case ListOf(item=item, most=most):
            return f"[{_octal(most)}{_field_shape(item)}]"
        case Record(kind=kind):
            return shape(kind)
        case _:
            raise LocalProtocolError(f"a field of kind {wire.name} has no shape in C; add one here and to messages.c")


def _octal(number: int) -> str:
    return f"\\{number:03o}"


def _range(choices: type[IntEnum]) -> tuple[int, int]:
    numbers = [int(choice) for choice in choices]
    if numbers != list(range(numbers[0], numbers[-1] + 1)):
        raise LocalProtocolError(f"{choices.__name__} has gaps between its numbers; the C shape can't say that")
    return numbers[0], numbers[-1]


def _palette() -> Iterator[str]:
    yield "/* Red, green, blue of each colour until a host tells others. */"
    yield "#define DEFAULT_PALETTE \\"
    for colour in COLOURS:
        yield f"    {', '.join(map(str, RGB[colour]))}{'' if colour is COLOURS[-1] else ', '}\\"
    yield "    /* the rest is dark */"


def _board(name: str) -> Iterator[str]:
    layout = load_board(name)
    title = f"BOARD_{name.upper()}"
    yield f"/* {layout.title}. */"
    yield f'#define {title}_NAME "{name}"'
    yield f"#define {title}_SUPPLY_MA {layout.supply_ma}"
    yield f"#define {title}_RESERVE_MA {layout.reserve_ma}"
    yield f"#define {title}_LEDS \\"
    yield from _numbers(layout.leds)
    if layout.sensors:
        yield f"#define {title}_INPUT_COUNT {layout.input_count}"
        yield f"#define {title}_SENSORS \\"
        yield from _numbers(layout.sensors)


def _numbers(numbers: Iterable[int]) -> Iterator[str]:
    all_numbers = [str(number) for number in numbers]
    for at in range(0, len(all_numbers), NUMBERS_A_LINE):
        line = ", ".join(all_numbers[at : at + NUMBERS_A_LINE])
        yield f"    {line}" + ("" if at + NUMBERS_A_LINE >= len(all_numbers) else ", \\")

"""What a picture file says of itself before it's decoded: its size, and whether its end is there.

Decoders fill what is missing with grey and say nothing, and reserve the memory a header asks for, however small the
file is. Pure; knows JPEG, PNG, BMP, WebP, GIF and PNM, and says nothing of any other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_PNM = re.compile(rb"P[1-6](?:\s+|#[^\n]*\n)+(\d{1,9})(?:\s+|#[^\n]*\n)+(\d{1,9})\s")
_JPEG_SIZES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_JPEG_BARE = frozenset({0x01, *range(0xD0, 0xD9)})
_JPEG_END = b"\xff\xd9"


@dataclass(frozen=True, slots=True)
class Header:
    """`width` and `height` in px as stored, before any turning; `is_whole` when the file's end is there."""

    kind: str
    width: int
    height: int
    is_whole: bool


def parse_header(data: bytes) -> Header | None:
    """What the file's bytes say; None for a kind not known here, or a file that ends before its size."""
    if data.startswith(b"\xff\xd8\xff"):
        return _jpeg(data)
    if data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) >= 24:
        return Header("PNG", _big(data, 16, 4), _big(data, 20, 4), b"IEND" in data[-4096:])
    if data.startswith(b"BM") and len(data) >= 26:
        height = abs(int.from_bytes(data[22:26], "little", signed=True))
        return Header("BMP", _little(data, 18, 4), height, len(data) >= _little(data, 2, 4))
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP" and len(data) >= 30:
        return _webp(data)
    if data.startswith((b"GIF87a", b"GIF89a")) and len(data) >= 10:
        return Header("GIF", _little(data, 6, 2), _little(data, 8, 2), b";" in data[-64:])
    found = _PNM.match(data[:1024])
    return None if found is None else Header("PNM", int(found[1]), int(found[2]), True)


def _jpeg(data: bytes) -> Header | None:
    """Walks the segments. In the picture's own data the end mark can't occur; in a preview before it, it does."""
    size: tuple[int, int] | None = None
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        mark = data[at + 1]
        if mark == 0xFF or mark in _JPEG_BARE:
            at += 1 if mark == 0xFF else 2
            continue
        if mark in _JPEG_SIZES and at + 9 <= len(data):
            size = _big(data, at + 7, 2), _big(data, at + 5, 2)
        at += 2 + _big(data, at + 2, 2)
        if mark == 0xDA:
            break
    return None if size is None else Header("JPEG", *size, data.find(_JPEG_END, at) >= 0)


def _webp(data: bytes) -> Header | None:
    is_whole = len(data) >= _little(data, 4, 4) + 8
    match data[12:16]:
        case b"VP8X":
            return Header("WebP", _little(data, 24, 3) + 1, _little(data, 27, 3) + 1, is_whole)
        case b"VP8L":
            bits = _little(data, 21, 4)
            return Header("WebP", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1, is_whole)
        case b"VP8 ":
            return Header("WebP", _little(data, 26, 2) & 0x3FFF, _little(data, 28, 2) & 0x3FFF, is_whole)
    return None


def _big(data: bytes, at: int, count: int) -> int:
    return int.from_bytes(data[at : at + count], "big")


def _little(data: bytes, at: int, count: int) -> int:
    return int.from_bytes(data[at : at + count], "little")

"""Who may ask for what: host names against DNS rebinding, origins against foreign pages, public addresses.

Rules of this file: pure functions over header text; nothing of Flask, nothing of the table.

How it works: a page of a foreign site can make a browser in the house send requests to this table. Three things stop
it. The Host header must be a name nobody outside can own: an IP literal, localhost, a `.local` name, the machine's
own name or one from the config (field report 39 tells of tables open to everyone). The Origin, where a browser
sends one, must be that very host. And each POST carries a header of our own, which a foreign page can't add without
asking first, and nobody answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import urlsplit

OUR_HEADER = "X-Cowboard"

# Scripts, styles and pictures come from the table itself; text can only become text (no HTML from strings).
SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
        "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), usb=(), serial=()",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Robots-Tag": "noindex, nofollow",
}

_HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[a-z0-9_-][a-z0-9._-]*)(?::(?P<port>[0-9]{1,5}))?", re.ASCII)


def host_name(header: str) -> str | None:
    """The name in a Host header without port, brackets and final dot; None where it is no host."""
    match = _HOST.fullmatch(header.strip().lower())
    if match is None:
        return None
    return match["name"].strip("[]").removesuffix(".") or None


def is_our_host(header: str, names: Iterable[str]) -> bool:
    """Whether this Host header is an address or name that only this table's own network can give it.

    >>> is_our_host("192.168.1.20:8000", ())
    True
    >>> is_our_host("cows.example.com", ("cowboard",))
    False
    """
    name = host_name(header)
    if name is None:
        return False
    if name == "localhost" or name.endswith((".localhost", ".local")):
        return True
    return parse_address(name) is not None or name in {known.lower().removesuffix(".") for known in names}


def is_same_origin(origin: str | None, host: str) -> bool:
    """Whether a request with this Origin header (None: not sent, so no browser page) comes from our own page."""
    if origin is None:
        return True
    try:
        parts = urlsplit(origin.strip().lower())
    except ValueError:  # half a bracket
        return False
    return parts.scheme in ("http", "https") and parts.netloc == host.strip().lower()


def is_public(address: str | None) -> bool:
    """Whether a peer's address belongs to the open internet; an unknown one counts as public."""
    parsed = parse_address(address or "")
    if parsed is None:
        return True
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is not None:
        parsed = parsed.ipv4_mapped
    return parsed.is_global


def parse_address(text: str) -> IPv4Address | IPv6Address | None:
    """The IP address in this text, None where there is none."""
    try:
        return ip_address(text.partition("%")[0])  # a link-local address may name its interface
    except ValueError:
        return None

"""Root and families of the board link's errors. Imports nothing."""


class BridgeError(Exception):
    """Root of every error the board link raises on purpose; the root itself is never raised."""


class AddressError(BridgeError, ValueError):
    """A board address, fault or light is written wrongly; names the field, what was seen and what is
    accepted."""

    def __init__(self, field: str, seen: object, accepted: str) -> None:
        self.field = field
        self.seen = seen
        self.accepted = accepted
        super().__init__(f"{field}: {seen!r} is not usable; accepted: {accepted}")


class PortError(BridgeError, OSError):
    """A serial port can't be used; carries the port, what is wrong and the mend."""

    def __init__(self, port: str, reason: str, mend: str) -> None:
        self.port = port
        self.reason = reason
        self.mend = mend
        super().__init__(f"{port}: {reason}; {mend}")

    def __str__(self) -> str:
        return f"{self.port}: {self.reason}; {self.mend}"


class PortMissingError(PortError):
    """There is no such port, or no port with a board on it."""


class PortDeniedError(PortError):
    """This user may not open the port."""


class PortBusyError(PortError):
    """Another program has the port."""


class PortLostError(PortError):
    """The port was open and went away, or took no bytes within the write time-out."""


class LocalProtocolError(BridgeError):
    """Our own code used the link out of turn: a bug."""


class RemoteProtocolError(BridgeError):
    """The other side broke the protocol; carries what it sent in readable form."""

    def __init__(self, seen: str, expected: str) -> None:
        self.seen = seen
        self.expected = expected
        super().__init__(f"the other side sent {seen}; expected {expected}")


class UnknownMessageError(RemoteProtocolError):
    """A packet carries a message number this version doesn't know."""


class BadMessageError(RemoteProtocolError):
    """A packet carries a known message with a payload that can't be read."""

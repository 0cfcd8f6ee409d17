"""Root and families of the controller's errors. Imports nothing."""


class CowboardError(Exception):
    """Root of every error the controller raises on purpose."""


class InputError(CowboardError, ValueError):
    """A person or program gave something unusable; names the field, what was seen and what is accepted."""

    def __init__(self, field: str, seen: object, accepted: str) -> None:
        self.field = field
        self.seen = seen
        self.accepted = accepted
        shown = repr(seen)
        if len(shown) > 80:
            shown = shown[:77] + "..."
        super().__init__(f"{field}: {shown} is not usable; accepted: {accepted}")


class StaleVersionError(CowboardError, ValueError):
    """A command was made for a state that has passed."""


class StateError(CowboardError):
    """Our own code used something out of turn: a bug."""


class JournalError(CowboardError, OSError):
    """The journal can't be read or written."""


class DeviceMissingError(CowboardError, OSError):
    """A device the command needs isn't there."""

"""Root and families of the page's errors. Imports nothing."""


class WebError(Exception):
    """Root of every error the page raises on purpose."""


class RefusedError(WebError, ValueError):
    """A request can't be taken; carries the HTTP status, one sentence, and the field where one is to blame."""

    def __init__(self, status: int, sentence: str, field: str | None = None) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
        self.field = field


class PortTakenError(WebError, OSError):
    """No port of the row could be had; carries the host and the ports that were tried."""

    def __init__(self, host: str, ports: range) -> None:
        last = ports.stop - 1
        super().__init__(
            f"port: {ports.start} to {last} on {host} are all taken; stop the program there or choose another port"
        )
        self.host = host
        self.ports = ports

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


class HostError(WebError, OSError, ValueError):
    """The page can't be served at this host; carries the host and the system's reason."""

    def __init__(self, host: str, reason: str) -> None:
        accepted = "an address of this machine; 0.0.0.0 for all, 127.0.0.1 for this machine alone"
        super().__init__(f"page.host: {host!r} is not usable ({reason}); accepted: {accepted}")
        self.host = host
        self.reason = reason


class PortDeniedError(WebError, OSError):
    """This user may not serve on this port; carries the port."""

    def __init__(self, port: int) -> None:
        super().__init__(f"port: {port} is denied to this user; accepted: a port from 1024 on, such as 8000")
        self.port = port


class PortTakenError(WebError, OSError):
    """No port of the row could be had; carries the host and the ports that were tried."""

    def __init__(self, host: str, ports: range) -> None:
        last = ports.stop - 1
        super().__init__(
            f"port: {ports.start} to {last} on {host} are all taken; stop the program there or choose another port"
        )
        self.host = host
        self.ports = ports

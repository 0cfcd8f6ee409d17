"""What can go wrong around pictures. Imports nothing."""


class VisionError(Exception):
    """Root of every error this package raises on purpose."""


class CameraGoneError(VisionError, OSError):
    """A camera isn't there, gives no pictures, or can't be used; carries the device, the reason and the mend."""

    def __init__(self, device: str, reason: str, mend: str) -> None:
        self.device = device
        self.reason = reason
        self.mend = mend
        super().__init__(f"{device}: {reason}; {mend}")


class UnreadableError(VisionError, OSError):
    """A file holds no picture that can be used; carries its path and the reason."""

    def __init__(self, path: str, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"{path}: {reason}")


class SourceNameError(VisionError, ValueError):
    """A camera was asked for by a name nobody knows."""

    def __init__(self, seen: str, accepted: str) -> None:
        self.seen = seen
        self.accepted = accepted
        super().__init__(f"camera: {seen!r} is not usable; accepted: {accepted}")


class FaultNameError(VisionError, ValueError):
    """The virtual tray was asked for a fault it can't play."""

    def __init__(self, seen: str, accepted: str) -> None:
        self.seen = seen
        self.accepted = accepted
        super().__init__(f"fault: {seen!r} is not usable; accepted: {accepted}")


class CalibrationError(VisionError, ValueError):
    """A calibration file can't be used."""

    def __init__(self, path: str, seen: str, accepted: str) -> None:
        self.path = path
        self.seen = seen
        self.accepted = accepted
        super().__init__(f"calibration: {path}: {seen} is not usable; accepted: {accepted}")

"""A camera made of files: a picture, a folder of pictures, or a video, played at its own pace.

The clock is an argument: with a manual one a test plays a video as fast as it likes. After its end the last picture
stays, with new times, as an untouched table does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from vision import cv
from vision.cv import Image
from vision.errors import CameraGoneError, UnreadableError
from vision.files import PICTURE_SUFFIXES, files_in, is_video, load
from vision.sources.source import Picture

STILL_HZ = 10.0
"""Pictures a second while one picture is shown."""
FOLDER_S = 2.0
"""How long each picture of a folder is shown: long enough to settle and be read."""


class FilesSource:
    """Plays the file or folder at `path`; times are the clock's."""

    is_live = False

    def __init__(self, path: Path, clock: Callable[[], float]) -> None:
        self.name = f"files:{path}"
        self._path = path
        self._clock = clock
        self._reel: _Reel | None = None
        self._start_s = 0.0
        self._shown: tuple[int, Image] | None = None

    def open(self) -> None:
        """Start playing from the beginning.

        Raises:
            CameraGoneError: there is no usable picture.
        """
        try:
            self._reel = _open_reel(self._path)
        except UnreadableError as error:
            raise CameraGoneError(self.name, error.reason, "give a picture, a folder of pictures or a video") from error
        self._start_s = self._clock()
        self._shown = None

    def newest(self, after_s: float) -> Picture | None:
        """The picture that is due now, if it is due after `after_s`."""
        reel = self._reel
        if reel is None:
            return None
        number = int((self._clock() - self._start_s) * reel.pace_hz + 1e-6)
        at_s = self._start_s + number / reel.pace_hz
        if at_s <= after_s:
            return None
        image = reel.image(number)
        if image is not None:
            self._shown = (number, image)
        if self._shown is None:
            raise CameraGoneError(self.name, "holds no picture", "give a picture, a folder of pictures or a video")
        return self._shown[1], at_s

    def close(self) -> None:
        """Let go of the file."""
        if self._reel is not None:
            self._reel.close()
            self._reel = None

    def describe(self) -> str:
        """One line for a person."""
        pace = "" if self._reel is None else f", {self._reel.pace_hz:.0f} pictures a second"
        return f"{self._path.name}{pace}"


class _Reel:
    """Pictures one after the other, each shown `each` times; asked for in rising order."""

    def __init__(self, images: Iterator[Image], pace_hz: float, each: int, close: Callable[[], None]) -> None:
        self._images = images
        self.pace_hz = pace_hz
        self._each = each
        self._next = 0
        self.close = close

    def image(self, number: int) -> Image | None:
        """The picture of this number; None after the end, or if it's still the one given last."""
        found = None
        while self._next <= number // self._each:
            image = next(self._images, None)
            if image is None:
                break
            found = image
            self._next += 1
        return found


def _open_reel(path: Path) -> _Reel:
    if path.is_dir():
        pictures = tuple(file for file in files_in(path) if file.suffix.lower() in PICTURE_SUFFIXES)
        if not pictures:
            raise UnreadableError(str(path), "a folder without pictures")
        return _Reel(_readable(pictures), STILL_HZ, round(FOLDER_S * STILL_HZ), _nothing)
    if is_video(path):
        return _video_reel(path)
    return _Reel(iter((load(path),)), STILL_HZ, 1, _nothing)


def _nothing() -> None:
    """Pictures that were read need no closing."""


def _readable(pictures: tuple[Path, ...]) -> Iterator[Image]:
    """The pictures of a folder; what is none is passed over."""
    for path in pictures:
        try:
            yield load(path)
        except UnreadableError:
            continue


def _video_reel(path: Path) -> _Reel:
    video = cv.Video(str(path))
    first = video.next() if video.is_open else None
    if first is None:
        video.close()
        raise UnreadableError(str(path), "a video without pictures")

    def images() -> Iterator[Image]:
        image: Image | None = first
        while image is not None:
            yield image
            image = video.next()

    pace = video.pace_hz
    return _Reel(images(), pace if 0 < pace <= 240 else 25.0, 1, video.close)

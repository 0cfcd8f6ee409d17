"""A camera made of files: a picture, a folder of pictures, or a video, played at its own pace.

The clock is an argument: with a manual one a test plays a video as fast as it likes. `files:FOLDER` shows each of its
pictures for two seconds, in order of their names. After the end the last picture stays, with new times, as an
untouched table does.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from pathlib import Path

from vision import cv
from vision.cv import Image
from vision.errors import CameraGoneError, UnreadableError
from vision.files import DEFAULT_PACE_HZ, is_video, load, seen_files_in
from vision.sources.source import Picture

_log = logging.getLogger(__name__)

HOLD_S = 2.0
"""How long each picture of a folder is shown: long enough to settle and to be read three times."""
_MEND = "give a picture, a folder of pictures or a video"
_HAIR_S = 1e-6
"""A clock that adds up tenths lands a hair before the moment a picture is due."""


class FilesSource:
    """Plays the file or folder at `path` from the moment it is opened; times are the clock's.

    Args:
        path: the file or folder.
        clock: monotonic seconds.
        pictures_per_second: the pace of still pictures; a video keeps its own.
        hold_s: how long each picture of a folder is shown.
    """

    is_live = False

    def __init__(
        self, path: Path, clock: Callable[[], float], pictures_per_second: float, hold_s: float = HOLD_S
    ) -> None:
        self.name = f"files:{path}"
        self.may_play: Callable[[], bool] = _always
        """Asked at opening and for each picture of a video until it says yes: till then the first picture stands."""
        self._path = path
        self._clock = clock
        self._pace_hz = pictures_per_second
        self._hold_s = hold_s
        self._reel: _Reel | None = None
        self._start_s = 0.0
        self._stands_since_s: float | None = None

    def open(self) -> None:
        """Start playing from the beginning.

        Raises:
            CameraGoneError: there is no usable picture.
        """
        self.close()
        try:
            self._reel = self._make_reel()
        except UnreadableError as error:
            raise CameraGoneError(self.name, error.reason, _MEND) from error
        self._start_s = self._clock()
        self._stands_since_s = self._start_s if is_video(self._path) and not self.may_play() else None

    def newest(self, after_s: float) -> Picture | None:
        """The picture that is due now, if it is due after `after_s`; those that were due before it are dropped."""
        reel = self._reel
        if reel is None:
            return None
        now = self._clock()
        if self._stands_since_s is not None and self.may_play():
            self._start_s, self._stands_since_s = now, None
        begin_s = self._start_s if self._stands_since_s is None else self._stands_since_s
        number = int((now - begin_s + _HAIR_S) * reel.pace_hz)
        at_s = begin_s + number / reel.pace_hz
        if at_s <= after_s:
            return None
        return reel.image(number if self._stands_since_s is None else 0), at_s

    def close(self) -> None:
        """Let go of the file."""
        if self._reel is not None:
            self._reel.close()
            self._reel = None

    def describe(self) -> str:
        """One line for a person."""
        pace = "" if self._reel is None else f", {self._reel.pace_hz:.0f} pictures a second"
        return f"{self._path.name}{pace}"

    def _make_reel(self) -> _Reel:
        if self._path.is_dir():
            each = max(1, round(self._hold_s * self._pace_hz))
            return _Reel(_readable(self._path), self._pace_hz, each)
        if is_video(self._path):
            video = cv.Video(str(self._path))
            pace = video.pace_hz if video.is_open else 0.0
            pictures = _pictures_of(video) if video.is_open else iter(())
            return _Reel(pictures, pace if 0 < pace <= 240 else DEFAULT_PACE_HZ, 1, video.close)
        return _Reel(iter((load(self._path),)), self._pace_hz, 1)


def _always() -> bool:
    return True


class _Reel:
    """Pictures one after the other, each shown `each` times; asked for in rising order.

    Raises:
        UnreadableError: there isn't even one.
    """

    def __init__(
        self, images: Iterator[Image], pace_hz: float, each: int, close: Callable[[], None] | None = None
    ) -> None:
        self._images = images
        self.pace_hz = pace_hz
        self._each = each
        self._close = close
        first = next(images, None)
        if first is None:
            self.close()
            raise UnreadableError("", "holds no picture")
        self._shown = first
        self._taken = 1

    def image(self, number: int) -> Image:
        """The picture of this number; the last one after the end."""
        while self._taken <= number // self._each:
            image = next(self._images, None)
            if image is None:
                break
            self._shown = image
            self._taken += 1
        return self._shown

    def close(self) -> None:
        if self._close is not None:
            self._close()


def _readable(folder: Path) -> Iterator[Image]:
    """The pictures of a folder; what can't be read is passed over with a line in the log."""
    for path in seen_files_in(folder):
        if is_video(path):
            _log.warning("camera: %s passed over: a video in a folder of pictures", path)
            continue
        try:
            yield load(path)
        except UnreadableError as error:
            _log.warning("camera: %s passed over: %s", path, error.reason)


def _pictures_of(video: cv.Video) -> Iterator[Image]:
    while (image := video.next()) is not None:
        yield image

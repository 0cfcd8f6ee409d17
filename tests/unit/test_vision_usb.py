"""A USB camera: the newest picture only, at the pace asked for, and what is told when it fails."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from controller.runtime.clock import ManualClock
from vision.cv import Image
from vision.errors import CameraGoneError
from vision.sources import v4l2
from vision.sources.v4l2 import V4l2Source

LONG_AGO = float("-inf")


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(100.0)


def plain(level: int) -> Image:
    return np.full((48, 64, 3), level, np.uint8)


def level_of(image: Image) -> int:
    return int(image[0, 0, 0])


class HandedPictures:
    """An opened camera whose pictures a test hands over one by one; None is a camera that was pulled out."""

    is_open = True
    size_px = (64, 48)

    def __init__(self, *first: Image | None) -> None:
        self._waiting: list[Image | None] = list(first)
        self._handed = threading.Condition()
        self.closed = threading.Event()

    def hand(self, *images: Image | None) -> None:
        with self._handed:
            self._waiting += images
            self._handed.notify()

    def next(self) -> Image | None:
        with self._handed:
            self._handed.wait_for(lambda: self._waiting, 5)
            return self._waiting.pop(0) if self._waiting else None

    def close(self) -> None:
        self.closed.set()


@pytest.fixture
def device(tmp_path: Path) -> str:
    """Something that is there; what it gives is up to the opener."""
    path = tmp_path / "video0"
    path.write_bytes(b"")
    return str(path)


@pytest.fixture
def capture() -> Iterator[HandedPictures]:
    pictures = HandedPictures(*(plain(250) for _ in range(v4l2.THROWN_AWAY)))
    yield pictures
    pictures.hand(None)


def test_the_first_pictures_are_thrown_away_and_of_the_next_the_newest_is_given(
    clock: ManualClock, device: str, capture: HandedPictures
) -> None:
    source = V4l2Source(device, clock.monotonic, 10, lambda _: capture)
    source.open()
    assert source.newest(LONG_AGO) is None

    capture.hand(plain(10))
    first = source.newest(LONG_AGO)

    assert first is not None
    assert (level_of(first[0]), first[1]) == (10, 100.0)
    assert source.newest(100.0) is None  # nothing newer yet
    assert "64x48" in source.describe()
    capture.hand(None)
    source.close()
    assert capture.closed.is_set()


def test_a_camera_faster_than_asked_for_is_held_to_the_pace(
    clock: ManualClock, device: str, capture: HandedPictures
) -> None:
    source = V4l2Source(device, clock.monotonic, 10, lambda _: capture)
    source.open()
    capture.hand(plain(10))
    assert source.newest(LONG_AGO) is not None
    clock.advance(0.03)
    capture.hand(plain(20))
    assert source.newest(100.0) is None
    clock.advance(0.06)
    capture.hand(plain(30))
    picture = source.newest(100.0)

    assert picture is not None
    assert level_of(picture[0]) == 30
    capture.hand(None)
    source.close()


def test_a_camera_pulled_out_is_told_with_the_mend(clock: ManualClock, device: str, capture: HandedPictures) -> None:
    source = V4l2Source(device, clock.monotonic, 10, lambda _: capture)
    source.open()
    capture.hand(None)

    with pytest.raises(CameraGoneError, match="gives no pictures any more; plug the camera in"):
        source.newest(LONG_AGO)
    source.close()
    assert source.newest(LONG_AGO) is None


def test_a_camera_that_gives_only_black_is_told_with_the_mend(
    clock: ManualClock, device: str, capture: HandedPictures
) -> None:
    source = V4l2Source(device, clock.monotonic, 10, lambda _: capture)
    source.open()
    capture.hand(plain(0))

    with pytest.raises(CameraGoneError, match="only black pictures; open its shutter"):
        source.newest(LONG_AGO)
    capture.hand(None)
    source.close()


def test_a_device_that_is_no_camera_or_not_there_is_told_at_opening(clock: ManualClock, device: str) -> None:
    with pytest.raises(CameraGoneError, match="no such device; plug the camera in"):
        V4l2Source(device + "9", clock.monotonic, 10).open()
    with pytest.raises(CameraGoneError, match="no video device"):
        V4l2Source(device, clock.monotonic, 10).open()
    with pytest.raises(CameraGoneError, match="opens but gives no picture"):
        V4l2Source(device, clock.monotonic, 10, lambda _: HandedPictures(plain(9), None)).open()

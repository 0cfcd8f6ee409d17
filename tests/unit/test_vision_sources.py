"""Cameras by name, and the laws of those made of files and of the ribbon camera."""

from __future__ import annotations

import logging
import struct
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from controller.runtime.clock import ManualClock
from vision import cv
from vision.cv import Image
from vision.errors import CameraGoneError, SourceNameError
from vision.sources import choose_source, open_source, v4l2
from vision.sources.files import HOLD_S, FilesSource
from vision.sources.picamera import PicameraSource
from vision.sources.v4l2 import V4l2Source
from vision.sources.virtual import VirtualSource

LONG_AGO = float("-inf")


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(100.0)


def plain(level: int, height: int = 48) -> Image:
    """A picture of one grey level, with something in it to compress."""
    return np.full((height, 64, 3), level, np.uint8)


def level_of(image: Image) -> int:
    """The grey level a picture was made with, whatever the codec did to it."""
    return 10 * round(float(image.mean()) / 10)


def save_video(path: Path, levels: range, pace_hz: float = 10) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), pace_hz, (64, 48))
    for level in levels:
        writer.write(plain(level))
    writer.release()
    return path


def save_folder(path: Path, **pictures: int) -> Path:
    path.mkdir()
    for name, level in pictures.items():
        assert cv.save(plain(level), path / f"{name}.png")
    return path


@pytest.fixture
def without_picamera2(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)


# Names


@pytest.mark.parametrize(
    ("url", "kind", "name"),
    [
        ("picamera", PicameraSource, "picamera"),
        ("v4l2:/dev/video7", V4l2Source, "v4l2:/dev/video7"),
        ("v4l2:0", V4l2Source, "v4l2:/dev/video0"),
        ("virtual", VirtualSource, "virtual"),
    ],
)
def test_a_name_gives_its_camera_whether_or_not_it_is_plugged_in(
    clock: ManualClock, url: str, kind: type, name: str
) -> None:
    source = open_source(url, clock.monotonic, 10)

    assert isinstance(source, kind)
    assert source.name == name


def test_a_path_is_a_camera_with_or_without_files_before_it(clock: ManualClock, tmp_path: Path) -> None:
    folder = save_folder(tmp_path / "tray", a=10)

    for url in (str(folder), f"files:{folder}", str(folder / "a.png")):
        assert isinstance(open_source(url, clock.monotonic, 10), FilesSource)


@pytest.mark.parametrize("url", ["", "webcam", "files:", "v4l2:", "files:nowhere/at.all", "nul\0byte", "x" * 5000])
def test_a_name_nobody_knows_is_refused_with_what_is_accepted(clock: ManualClock, url: str) -> None:
    with pytest.raises(SourceNameError, match="accepted: auto, virtual, picamera, v4l2:DEVICE") as refused:
        open_source(url, clock.monotonic, 10)

    assert "\n" not in str(refused.value)


# auto


@pytest.mark.usefixtures("without_picamera2")
def test_auto_tells_what_it_tried_when_there_is_no_camera(clock: ManualClock, tmp_path: Path) -> None:
    with pytest.raises(CameraGoneError, match=r"picamera: picamera2 isn't installed; USB: no .*/video\*"):
        choose_source(clock.monotonic, 10, tmp_path)


@pytest.mark.usefixtures("without_picamera2")
def test_auto_refuses_by_name_a_device_that_is_no_camera(clock: ManualClock, tmp_path: Path) -> None:
    (tmp_path / "video0").write_bytes(b"")

    with pytest.raises(CameraGoneError, match="video0: no video device"):
        choose_source(clock.monotonic, 10, tmp_path)


def test_auto_takes_the_ribbon_camera_where_one_is_listed(
    clock: ManualClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", picamera2([{"Model": "imx708"}]))

    choice = choose_source(clock.monotonic, 10, tmp_path)

    assert choice.source.name == "picamera"
    assert choice.refused == ()


def test_auto_passes_by_picamera2_without_a_camera(
    clock: ManualClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", picamera2([]))

    with pytest.raises(CameraGoneError, match="no ribbon camera is listed"):
        choose_source(clock.monotonic, 10, tmp_path)


def test_usb_cameras_go_by_their_lasting_names_in_order_of_their_numbers(tmp_path: Path) -> None:
    for number in (0, 2, 10):
        (tmp_path / f"video{number}").write_bytes(b"")
    by_id = tmp_path / "v4l" / "by-id"
    by_id.mkdir(parents=True)
    (by_id / "usb-Cam-index0").symlink_to(tmp_path / "video2")

    assert v4l2.devices_in(tmp_path) == (
        str(tmp_path / "video0"),
        str(by_id / "usb-Cam-index0"),
        str(tmp_path / "video10"),
    )


@pytest.mark.parametrize(
    ("driver", "whole", "part", "why"),
    [
        ("uvcvideo", 0x84A00001, 0x04200001, None),
        ("old", 0x00000001, 0, None),
        ("uvcvideo", 0x84A00001, 0x04A00000, "takes no pictures (driver uvcvideo)"),  # its node for data about pictures
        ("bcm2835-codec", 0x84204000, 0x04204000, "takes no pictures (driver bcm2835-codec)"),
        ("unicam", 0xA5A00001, 0x25200001, "a ribbon camera's raw data; use picamera"),
    ],
)
def test_a_device_is_a_camera_by_what_its_driver_says(driver: str, whole: int, part: int, why: str | None) -> None:
    answer = struct.pack("=16s32s32sIII12x", driver.encode(), b"Cam", b"usb-1", 0x60000, whole, part)

    assert v4l2.unfit(answer) == why


# Files


def test_a_video_plays_at_its_own_pace_by_the_clock_and_late_pictures_are_dropped(
    clock: ManualClock, tmp_path: Path
) -> None:
    source = open_source(str(save_video(tmp_path / "turn.avi", range(0, 100, 10), pace_hz=10)), clock.monotonic, 60)
    source.open()
    shown = []
    newest_s = LONG_AGO
    for step_s in (0.0, 0.1, 0.02, 0.08, 0.5):
        clock.advance(step_s)
        picture = source.newest(newest_s)
        newest_s = newest_s if picture is None else picture[1]
        shown.append(None if picture is None else (level_of(picture[0]), round(picture[1], 3)))
    source.close()

    assert shown == [(0, 100.0), (10, 100.1), None, (20, 100.2), (70, 100.7)]


def test_after_its_end_the_last_picture_of_a_video_stays_with_new_times(clock: ManualClock, tmp_path: Path) -> None:
    source = FilesSource(save_video(tmp_path / "turn.avi", range(0, 30, 10)), clock.monotonic, 10)
    source.open()
    clock.advance(5)
    first = source.newest(LONG_AGO)
    clock.advance(5)
    second = source.newest(105.0)
    source.close()

    assert first is not None
    assert second is not None
    assert (level_of(first[0]), level_of(second[0])) == (20, 20)
    assert (first[1], second[1]) == (105.0, 110.0)
    assert not source.is_live


def test_a_video_waits_with_its_first_picture_until_it_may_play(clock: ManualClock, tmp_path: Path) -> None:
    source = FilesSource(save_video(tmp_path / "turn.avi", range(0, 50, 10)), clock.monotonic, 10)
    source.may_play = lambda: clock.monotonic() > 102.95
    source.open()
    shown = []
    for _ in range(34):
        picture = source.newest(LONG_AGO)
        assert picture is not None
        shown.append((level_of(picture[0]), round(picture[1] - 100, 3)))
        clock.advance(0.1)

    assert shown[:31] == [(0, round(number / 10, 3)) for number in range(31)]
    assert shown[31:] == [(10, 3.1), (20, 3.2), (30, 3.3)]


def test_opened_again_a_video_starts_anew(clock: ManualClock, tmp_path: Path) -> None:
    source = FilesSource(save_video(tmp_path / "turn.avi", range(0, 30, 10)), clock.monotonic, 10)
    source.open()
    clock.advance(2)
    source.newest(LONG_AGO)
    source.open()
    picture = source.newest(LONG_AGO)
    source.close()

    assert picture is not None
    assert level_of(picture[0]) == 0


def test_a_folder_shows_each_picture_for_the_hold_in_order_of_names(
    clock: ManualClock, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = save_folder(tmp_path / "tray", c=50, a=10)
    (folder / "b.jpg").write_bytes(b"no picture")
    (folder / "notes.txt").write_text("not asked for")
    source = open_source(f"files:{folder}", clock.monotonic, 10)
    source.open()
    shown = []
    newest_s = LONG_AGO
    with caplog.at_level(logging.WARNING):
        for _ in range(45):
            picture = source.newest(newest_s)
            if picture is not None:
                newest_s = picture[1]
                shown.append(level_of(picture[0]))
            clock.advance(0.1)

    assert shown == [10] * round(HOLD_S * 10) + [50] * 25
    assert [record.getMessage() for record in caplog.records] == [
        f"camera: {folder / 'b.jpg'} passed over: no picture that can be read;"
        " known are JPEG, PNG, WebP, BMP, GIF, TIFF and PNM"
    ]


def test_the_hold_of_a_folder_is_a_parameter(clock: ManualClock, tmp_path: Path) -> None:
    source = FilesSource(save_folder(tmp_path / "tray", a=10, b=20), clock.monotonic, 10, hold_s=0.3)
    source.open()
    clock.advance(0.3)
    picture = source.newest(LONG_AGO)

    assert picture is not None
    assert level_of(picture[0]) == 20


def test_pictures_come_at_the_pace_that_was_asked_for(clock: ManualClock, tmp_path: Path) -> None:
    source = open_source(str(save_folder(tmp_path / "tray", a=10) / "a.png"), clock.monotonic, 5)
    source.open()
    count = 0
    newest_s = LONG_AGO
    for _ in range(100):
        picture = source.newest(newest_s)
        if picture is not None:
            newest_s = picture[1]
            count += 1
        clock.advance(0.02)

    assert count == 10


@pytest.mark.parametrize("name", ["empty folder", "cut.mp4", "text.png", "empty.avi"])
def test_what_holds_no_picture_is_a_camera_that_is_gone(clock: ManualClock, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if "folder" in name:
        path.mkdir()
    else:
        path.write_bytes(b"" if "empty" in name else b"\0\0\0\x18ftypmp42 and no more")
    source = open_source(str(path), clock.monotonic, 10)

    with pytest.raises(CameraGoneError, match="give a picture, a folder of pictures or a video"):
        source.open()
    assert source.newest(LONG_AGO) is None


def test_a_closed_camera_of_files_gives_nothing_and_may_be_closed_again(clock: ManualClock, tmp_path: Path) -> None:
    source = FilesSource(save_video(tmp_path / "turn.avi", range(0, 30, 10)), clock.monotonic, 10)
    source.open()
    assert "10 pictures a second" in source.describe()
    source.close()
    source.close()

    assert source.newest(LONG_AGO) is None


# Ribbon


class RibbonCamera:
    """The few calls of picamera2's class that are used, on grey pictures."""

    listed: list[dict[str, Any]]
    fault: Exception | None = None
    level = 40

    def __init__(self) -> None:
        if self.fault is not None:
            raise self.fault
        self.calls: list[str] = []

    @classmethod
    def global_camera_info(cls) -> list[dict[str, Any]]:
        return cls.listed

    def create_video_configuration(self, main: dict[str, Any]) -> dict[str, Any]:
        return main

    def configure(self, configuration: dict[str, Any]) -> None:
        assert configuration == {"size": (640, 480), "format": "RGB888"}

    def start(self) -> None:
        self.calls.append("start")

    def capture_array(self, name: str) -> Image:
        assert name == "main"
        self.calls.append("picture")
        return plain(self.level)

    def stop(self) -> None:
        self.calls.append("stop")

    def close(self) -> None:
        self.calls.append("close")


def picamera2(listed: list[dict[str, Any]], **attributes: object) -> Any:
    """The package as far as it is used, with these cameras plugged in."""
    return SimpleNamespace(Picamera2=type("Picamera2", (RibbonCamera,), {"listed": listed, **attributes}))


def test_the_ribbon_camera_gives_pictures_at_the_pace_asked_for(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", picamera2([{}]))
    source = open_source("picamera", clock.monotonic, 10)
    assert source.newest(LONG_AGO) is None
    source.open()
    picture = source.newest(LONG_AGO)
    clock.advance(0.05)
    early = source.newest(100.0)
    clock.advance(0.05)
    next_one = source.newest(100.0)
    source.close()
    source.close()

    assert picture is not None
    assert (level_of(picture[0]), picture[1]) == (40, 100.0)
    assert early is None
    assert next_one is not None
    assert source.newest(LONG_AGO) is None


@pytest.mark.parametrize(
    ("package", "why"),
    [
        (None, "picamera2 isn't installed; sudo apt install python3-picamera2"),
        (picamera2([], fault=IndexError("list index out of range")), "no ribbon camera: list index out of range"),
        (picamera2([{}], fault=RuntimeError("Camera is busy")), "no ribbon camera: Camera is busy; check both ends"),
    ],
)
def test_a_ribbon_camera_that_cannot_be_opened_is_told_with_the_mend(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch, package: Any, why: str
) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", package)

    with pytest.raises(CameraGoneError, match=why):
        open_source("picamera", clock.monotonic, 10).open()


def test_a_ribbon_camera_that_gives_only_black_is_told(clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", picamera2([{}], level=0))
    source = open_source("picamera", clock.monotonic, 10)
    source.open()

    with pytest.raises(CameraGoneError, match="only black pictures; take off its cap"):
        source.newest(LONG_AGO)
    source.close()

"""The camera thread: source → motion → settle → events; keeps only the newest picture, and a lost camera is retried.

How it works: `step()` does the work of one turn and says how long the thread may sleep; tests call it with a clock of
their own and need no thread. Commands from other threads are single assignments or events that `step` picks up.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from vision import cv
from vision.annotate import draw_reading
from vision.calibration import Calibration
from vision.cv import Image
from vision.errors import CameraGoneError
from vision.events import CameraBack, CameraGone, TrayEvent, TrayLookedAt
from vision.motion import Anchor, follow, thumbnail
from vision.reading import read
from vision.readings import Reading
from vision.settle import Observation, Phase, Settle, settle, wants_reading, without_unsteady
from vision.sources.source import Source

_log = logging.getLogger(__name__)

POLL_S = 0.03
"""Between two questions for a new picture; a third of a 10 Hz camera's pace."""
SILENT_S = 3.0
"""A camera without a new picture for so long is gone: ten times the slowest pace that is useful."""
BACKOFF_S = (0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
LOOK_WAIT_S = 3.0
"""A look that was asked for is answered after this long even if something still moves."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """The newest picture and the reading that belongs to what lies in it."""

    image: Image
    reading: Reading | None


@dataclass(slots=True)
class _Link:
    """How it stands with the camera."""

    is_open: bool = False
    is_gone: bool = False
    has_spoken: bool = False
    attempts: int = 0
    retry_at_s: float = float("-inf")
    newest_s: float = float("-inf")
    fresh_at_s: float = float("-inf")


class CameraReader:
    """Follows a tray through a camera and posts what happens there.

    Args:
        source: the camera; opened, used and closed by the camera thread only.
        post: takes each event, on the camera thread; must not block.
        clock: monotonic seconds, the same clock the source stamps its pictures with.
        expect: how many dice should lie there; None for any number.
        calibration: what is known about tray and dice, if anything.
    """

    def __init__(
        self,
        source: Source,
        post: Callable[[TrayEvent], None],
        clock: Callable[[], float],
        expect: int | None = 5,
        calibration: Calibration | None = None,
    ) -> None:
        self._source = source
        self._post = post
        self._clock = clock
        self._expected = expect
        self._calibration = calibration
        self._watch = _Watch()
        self._link = _Link()
        self._thread: _Loop = _Loop(self)

    def start(self) -> None:
        """Start the thread; the camera is opened there."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread, wait for it and close the camera; more than once does no harm."""
        self._thread.stop()
        self._close()

    def expect(self, count: int | None) -> None:
        """From now on so many dice are wanted; None for any number. What lies there is read again."""
        if count != self._expected:
            self._expected = count
            self._watch.is_stale = True

    def look_again(self) -> None:
        """Ask for a fresh reading; `TrayLookedAt` follows, from pictures taken after this call."""
        self._watch.look_after_s = self._clock()

    def picture(self) -> bytes | None:
        """The newest picture with boxes as JPEG; None before there was one or while the camera is gone."""
        shown = self._watch.shown
        if shown is None:
            return None
        image = shown.image if shown.reading is None else draw_reading(shown.image, shown.reading)
        return cv.to_jpeg(image)

    def describe(self) -> str:
        """One line for a person: which camera and how it runs."""
        return self._source.describe()

    def step(self) -> float:
        """Do what is due now; seconds until there may be more. Only for the camera thread, or a test without it."""
        now = self._clock()
        try:
            if not self._link.is_open and not self._open(now):
                return POLL_S
            picture = self._source.newest(self._link.newest_s)
            if picture is None:
                self._check_silence(now)
                return POLL_S
            self._see(*picture)
        except CameraGoneError as error:
            self._lose(error, now)
        return POLL_S

    def report_failure(self) -> None:
        """Tell that the camera thread ended by a fault of its own; only for that thread."""
        mend = "restart the service, and report the log"
        self._post(CameraGone(self._source.name, "the camera thread failed", mend, self._clock()))

    def _open(self, now: float) -> bool:
        link = self._link
        if now < link.retry_at_s:
            return False
        self._source.open()
        link.is_open = True
        link.fresh_at_s = now
        return True

    def _lose(self, error: CameraGoneError, now: float) -> None:
        link = self._link
        self._close()
        link.retry_at_s = now + BACKOFF_S[min(link.attempts, len(BACKOFF_S) - 1)]
        link.attempts += 1
        self._watch.forget()
        if not link.is_gone:
            link.is_gone, link.has_spoken = True, False
            self._post(CameraGone(self._source.name, error.reason, error.mend, now))

    def _close(self) -> None:
        if self._link.is_open:
            self._link.is_open = False
            self._source.close()

    def _check_silence(self, now: float) -> None:
        if now - self._link.fresh_at_s >= SILENT_S:
            raise CameraGoneError(
                self._source.name,
                f"no new picture for {SILENT_S:.0f} s",
                "check the camera's cable, or unplug it and plug it in again",
            )

    def _see(self, image: Image, at_s: float) -> None:
        link = self._link
        shown = self._watch.shown
        link.newest_s = at_s
        is_same = self._source.is_live and shown is not None and np.array_equal(shown.image, image)
        if is_same:
            self._check_silence(at_s)
        else:
            link.fresh_at_s = at_s
        events = self._watch.see(image, at_s, self._read)
        if not link.has_spoken:  # told only now, since whoever hears it asks for the picture
            link.is_gone, link.has_spoken, link.attempts = False, True, 0
            self._post(CameraBack(self._source.name, at_s))
        for event in events:
            self._post(event)

    def _read(self, image: Image) -> Reading:
        return read(image, self._expected, self._calibration)


class _Watch:
    """What the pictures said so far: motion, settle state, the newest picture, and a look that was asked for."""

    def __init__(self) -> None:
        self.shown: _Shown | None = None
        self.look_after_s: float | None = None
        self.is_stale = False
        self._anchor: Anchor | None = None
        self._settle = Settle()
        self._looked: Reading | None = None

    def forget(self) -> None:
        """The camera is gone: what was seen says nothing about what lies there later."""
        self.shown, self._anchor, self._settle, self._looked = None, None, Settle(), None

    def see(self, image: Image, at_s: float, read_image: Callable[[Image], Reading]) -> tuple[TrayEvent, ...]:
        """Take in one picture; the events it causes."""
        if self.is_stale:
            self.is_stale = False
            self._settle = replace(Settle(), seen_at_s=self._settle.seen_at_s)
        self._anchor, motion = follow(self._anchor, thumbnail(image), at_s)
        wanted = wants_reading(self._settle, motion, at_s)
        reading = read_image(image) if wanted else None
        self._settle, events = settle(self._settle, Observation(motion, reading), at_s)
        last = self._settle.last if self._settle.phase is Phase.SETTLED else None
        self.shown = _Shown(image, last)
        return (*events, *self._answer_look(image, at_s, motion, read_image))

    def _answer_look(
        self, image: Image, at_s: float, motion: bool, read_image: Callable[[Image], Reading]
    ) -> tuple[TrayEvent, ...]:
        """Two readings that agree, both newer than the question; on a moving tray the wait ends some time."""
        asked = self.look_after_s
        if asked is None or at_s <= asked:
            return ()
        is_late = at_s - asked >= LOOK_WAIT_S
        if (motion or self._settle.phase is not Phase.SETTLED) and not is_late:
            self._looked = None
            return ()
        reading = read_image(image)
        if self._looked is None and not is_late:
            self._looked = reading
            return ()
        agreed = reading if self._looked is None else without_unsteady(self._looked, reading)
        self.look_after_s, self._looked = None, None
        return (TrayLookedAt(agreed, at_s),)


class _Loop:
    """The thread named "camera"."""

    def __init__(self, reader: CameraReader) -> None:
        self._reader = reader
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _run(self) -> None:
        try:
            while not self._over.is_set():
                self._over.wait(self._reader.step())
        except Exception:  # noqa: BLE001 - a thread's top: whatever it is, it is told and nothing dies in silence
            _log.exception("the camera thread failed")
            self._reader.report_failure()

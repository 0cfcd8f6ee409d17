"""The thread "board": keeps a board connected for ever, posts what happens on it, shows the newest light
plan.

How it works: open a transport → greet → converse until the port is lost or no board answers → close, wait a
little longer each time (0.1 s to 1 s) → open again. The thread sleeps in `Transport.read` until bytes come,
the connection's deadline passes, or `show`, `buzz` or `stop` wake it; idle it wakes once a second for a ping.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from firmware_bridge.errors import AddressError, LocalProtocolError, PortError, PortLostError
from firmware_bridge.events import BoardArrived, BoardEvent, BoardLost
from firmware_bridge.host import MOST_SOUNDS, HostSide
from firmware_bridge.lights import LightPlan, check_plan
from firmware_bridge.link_events import LinkPhase, LinkStats
from firmware_bridge.messages import Hello, Sound
from firmware_bridge.transport import LOST_MEND, Transport

REOPEN_FIRST_S = 0.1
REOPEN_MOST_S = 1.0
GREETING_LIMIT_S = 6.0  # then the port is closed and looked for anew: another device may stand behind it
STOP_S = 1.0

Post = Callable[[BoardEvent], None]
Opener = Callable[[threading.Event], Transport]

_log = logging.getLogger(__name__)


class LinkStage(StrEnum):
    """How far the link to the board has come."""

    STOPPED = "stopped"
    SEARCHING = "searching"
    GREETING = "greeting"
    READY = "ready"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkState:
    """A picture of the link for health and page; `reason` is why there is no board, a sentence with the
    mend."""

    stage: LinkStage
    port: str | None = None
    reason: str | None = None
    hello: Hello | None = None
    stats: LinkStats | None = None


class Link:
    """Owns the port. `start`, `stop`, `show`, `buzz` and `state` may be called from any thread.

    Args:
        open_transport: gives an open transport or raises PortError; ends early when the event it is given
        is set.
    """

    def __init__(self, open_transport: Opener, *, greeting_limit_s: float = GREETING_LIMIT_S) -> None:
        self._open_transport = open_transport
        self._greeting_limit_s = greeting_limit_s
        self._post: Post = lambda event: None
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        self._transport: Transport | None = None
        self._wanted: LightPlan | None = None
        self._sounds: deque[Sound] = deque(maxlen=MOST_SOUNDS)
        self._state = LinkState(stage=LinkStage.STOPPED)

    @property
    def state(self) -> LinkState:
        """Where the link stands now."""
        return self._state

    def start(self, post: Post) -> None:
        """Start the thread; `post` is called from it, in order, and must return quickly.

        Raises:
            LocalProtocolError: it runs already.
        """
        if self._thread is not None:
            raise LocalProtocolError("the board link was started twice")
        self._post = post
        self._stopping.clear()
        self._state = LinkState(stage=LinkStage.SEARCHING)
        self._thread = threading.Thread(target=self._run, name="board", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop and join the thread, within a second; harmless when it doesn't run."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self._stopping.set()
        self._wake()
        thread.join(STOP_S)
        self._state = LinkState(stage=LinkStage.STOPPED)

    def show(self, plan: LightPlan) -> None:
        """Let this plan hold from now on, also after every reconnection; only the newest one counts.

        Raises:
            AddressError: it hasn't 139 lights.
        """
        self._wanted = check_plan(plan)
        self._wake()

    def buzz(self, sound: str) -> None:
        """Sound the buzzer where there is one; nothing happens without a board.

        Raises:
            AddressError: no such sound; names those that are.
        """
        name = sound.upper().replace("-", "_")
        if name not in Sound.__members__:
            raise AddressError("sound", sound, ", ".join(known.name.lower() for known in Sound))
        self._sounds.append(Sound[name])
        self._wake()

    def _wake(self) -> None:
        transport = self._transport
        if transport is not None:
            transport.wake()

    # --- the thread ---

    def _run(self) -> None:
        pause_s = REOPEN_FIRST_S
        while not self._stopping.is_set():
            try:
                if self._attempt():
                    pause_s = REOPEN_FIRST_S
            except Exception:  # noqa: BLE001  # the thread's top: a bug must not end the link for good
                _log.exception("the board thread met a bug while %s; it goes on", self._state.stage)
                self._lose("the board link met a fault of its own; see the log", None)
            self._stopping.wait(pause_s)
            pause_s = min(2 * pause_s, REOPEN_MOST_S)

    def _attempt(self) -> bool:
        """Open, converse, close; whether a board was there."""
        transport: Transport | None = None
        was_ready = False
        try:
            transport = self._transport = self._open_transport(self._stopping)
            was_ready = self._converse(transport)
        except PortError as error:
            was_ready = self._state.stage is LinkStage.READY
            self._lose(str(error), error.port)
        finally:
            self._transport = None
            if transport is not None:
                transport.close()
        return was_ready

    def _converse(self, transport: Transport) -> bool:
        host = HostSide(session=int.from_bytes(os.urandom(2), "big"))
        self._sounds.clear()
        greeted_at = time.monotonic()
        self._state = replace(self._state, stage=LinkStage.GREETING, port=transport.name(), stats=None)
        while not self._stopping.is_set():
            self._hand_over(host)
            transport.write(host.data_to_send(time.monotonic()))
            data = transport.read(_seconds_until(host.deadline()))
            for event in host.receive(data, time.monotonic()):
                self._tell(event, host)
            self._observe(host)
            if host.phase is not LinkPhase.GREETING:
                greeted_at = time.monotonic()
            elif time.monotonic() - greeted_at > self._greeting_limit_s:
                raise PortLostError(transport.name(), "no board answers", LOST_MEND)
        return host.phase is LinkPhase.READY

    def _hand_over(self, host: HostSide) -> None:
        plan = self._wanted
        if plan is not None:
            host.show(plan)
        while self._sounds:
            host.buzz(self._sounds.popleft())

    def _tell(self, event: BoardEvent, host: HostSide) -> None:
        if isinstance(event, BoardLost):
            self._lose(event.reason, self._state.port)
            return
        if isinstance(event, BoardArrived):
            self._state = replace(self._state, stage=LinkStage.READY, reason=None, hello=host.hello)
        self._post(event)

    def _lose(self, reason: str, port: str | None) -> None:
        """There is no board: told once for each reason, however often it is tried again."""
        is_news = self._state.stage is LinkStage.READY or reason != self._state.reason
        self._state = replace(self._state, stage=LinkStage.SEARCHING, port=port, reason=reason, hello=None)
        if is_news:
            self._post(BoardLost(reason))

    def _observe(self, host: HostSide) -> None:
        stage = {
            LinkPhase.GREETING: LinkStage.GREETING,
            LinkPhase.READY: LinkStage.READY if host.is_usable else LinkStage.REFUSED,
            LinkPhase.REFUSED: LinkStage.REFUSED,
        }[host.phase]
        self._state = replace(self._state, stage=stage, stats=host.stats)


def _seconds_until(deadline: float | None) -> float | None:
    return None if deadline is None else max(0.0, deadline - time.monotonic())

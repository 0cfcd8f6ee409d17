"""The whole service with a clock moved by hand: drawn pictures, packets over a pseudo-terminal, page by test client.

The camera is stepped and the virtual hands are run by `pass_time`; the board's two threads (the link and the virtual
board) keep real time, so what they send is waited for by its arrival, with a limit.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from controller.config import load_config
from controller.runtime.clock import ManualClock
from controller.runtime.hands import PICK_UP_S
from controller.runtime.wiring import Service, build
from controller.table.events import TimePassed
from vision.tumble import ROLL_S
from web.app import create_app

PICTURE_S = 0.1
REAL_MOMENT_S = 0.02  # how long one look waits for the board's threads, in real time
MANY_LOOKS = 600
THROW_S = PICK_UP_S + ROLL_S + 4 * PICTURE_S  # three alike after the last motion, and one more


class VirtualTable:
    """A running service whose time passes only in `pass_time` and `until`."""

    def __init__(self, folder: Path, *, seed: int = 1, **overrides: Mapping[str, Any]) -> None:
        self.clock = ManualClock(100.0)
        tables: dict[str, Mapping[str, Any]] = {
            "board": {"url": "virtual://magnet"},
            "camera": {"url": "virtual", "pictures_per_second": 10},
            "page": {"port": 0, "host": "127.0.0.1"},
            "journal": {"path": str(folder / "journal.sqlite")},
            **overrides,
        }
        self.service: Service = build(load_config(None, tables), self.clock, random.Random(seed))
        self.client = create_app(self.service.desk).test_client()

    def __enter__(self) -> VirtualTable:
        service = self.service
        service.table.start()
        service.board.start(service.events.from_board(service.board.url))
        self.until(lambda state: all(beam["seen"] for beam in state["beams"]) or not self.has_sensors(state))
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.service.stop()

    @staticmethod
    def has_sensors(state: Mapping[str, Any]) -> bool:
        """Whether the board follows cows; true until it has said what it can."""
        board = state["devices"].get("board", {})
        return board.get("state") != "ready" or "sensors" in board.get("can", [])

    def state(self) -> dict[str, Any]:
        """The public state as the page gets it."""
        answer = self.client.get("/api/state")
        assert answer.status_code == 200
        state: dict[str, Any] = answer.get_json()
        return state

    def hands(self, **request: object) -> None:
        """A request to the virtual hands, over HTTP."""
        answer = self.client.post("/api/hands", json=request, headers={"X-Cowboard": "1"})
        assert answer.status_code == 200, answer.get_json()

    def look(self) -> None:
        """One picture's time: hands move, the camera looks, the table thinks."""
        self.clock.advance(PICTURE_S)
        service = self.service
        if service.hands is not None:
            service.hands.run_due()
        service.camera.step()
        service.computer.run_due()
        service.table.post(TimePassed(self.clock.monotonic()))
        service.table.wait_idle()

    def pass_time(self, seconds: float) -> dict[str, Any]:
        """Let this time pass on the table's clock."""
        for _ in range(round(seconds / PICTURE_S)):
            self.look()
        return self.state()

    def until(self, is_so: Callable[[dict[str, Any]], bool], looks: int = MANY_LOOKS) -> dict[str, Any]:
        """Let time pass until the public state is so; fails after `looks` pictures."""
        for _ in range(looks):
            self.look()
            state = self.state()
            if is_so(state):
                return state
            self.service.table.wait_newer(state["version"], REAL_MOMENT_S)
        raise AssertionError(f"never came: {state['phase']}: {state['sentence']} {state['notice']}")

    def until_newer(self, version: int) -> dict[str, Any]:
        """Let time pass until the state is newer and the dice lie still."""
        return self.until(lambda state: state["version"] > version and state["phase"] != "rolling")

    def throw(self, keep: tuple[int, ...] = ()) -> dict[str, Any]:
        """Throw all dice but those kept, until they are read or refused."""
        self.hands(do="throw", keep=list(keep))
        self.pass_time(THROW_S)
        return self.until(lambda state: state["phase"] != "rolling")

    def pull(self, pull: Mapping[str, Any]) -> dict[str, Any]:
        """Move the cows of a pull as the page lists it, one after the other."""
        before = self.state()
        for beam, place in pull["to"].items():
            self.service.board.virtual.put(beam, beam, place)  # type: ignore[union-attr]
        return self.until(lambda state: len(state["history"]) > len(before["history"]) or state["phase"] == "over")

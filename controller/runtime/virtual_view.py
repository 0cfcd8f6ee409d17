"""What the page may know of the virtual table: where dice and cows can be grabbed, never what the dice show."""

from __future__ import annotations

from typing import Any

from firmware_bridge.virtual.board import VirtualBoard
from firmware_bridge.virtual.faults import CATALOGUE, CLEAR, Takes
from vision.sources.virtual import FAULTS as CAMERA_FAULTS
from vision.sources.virtual import VirtualTray

# What a fault of the board is tried with from the page: enough to be noticed, little enough to play on.
_ARGUMENTS = {Takes.NOTHING: "", Takes.PERCENT: ":5", Takes.SECONDS: ":3", Takes.CELL: ":3:0"}


class VirtualView:
    """Reads the virtual tray and board for the public state; any thread."""

    def __init__(self, tray: VirtualTray | None, board: VirtualBoard | None) -> None:
        self._tray, self._board = tray, board

    def public(self) -> dict[str, Any] | None:
        """The `virtual` part of the public state; None on a real table."""
        if self._tray is None and self._board is None:
            return None
        return {
            "hands": True,
            "tray": None if self._tray is None else self._dice(self._tray),
            "cows": None if self._board is None or not self._board.has_cows else self._cows(self._board),
            "faults": self._faults(),
        }

    @staticmethod
    def _dice(tray: VirtualTray) -> list[dict[str, Any]]:
        return [
            {"id": die.id, "x": round(die.x, 4), "y": round(die.y, 4), "rail": die.in_rail}
            for die in tray.dice()
            if not die.in_hand
        ]

    @staticmethod
    def _cows(board: VirtualBoard) -> list[dict[str, Any]]:
        return [
            {
                "beam": cow.cow,
                "on": cow.beam,
                "place": None if cow.place is None else round(cow.place),
                "state": str(cow.state),
            }
            for cow in board.cows()
        ]

    def _faults(self) -> dict[str, list[str]]:
        faults: dict[str, list[str]] = {}
        if self._tray is not None:
            faults["camera"] = list(CAMERA_FAULTS)
        if self._board is not None:
            faults["board"] = [kind.name + _ARGUMENTS[kind.takes] for kind in CATALOGUE] + [CLEAR]
        return faults

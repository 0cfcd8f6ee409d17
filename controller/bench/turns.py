"""A mixed game for the table thread: throws, keeps, re-rolls, cows slid and set wrong, deadlines, forfeits.

How it works: `Script` is told the public state after every event, as a player sees it, and answers with the next
event. Only what people do is in it; what the table makes of it is the table's own.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

from controller.games.cosmic_cows import BEAMS, Beam, Cell, parse_position
from controller.table.commands import NewGame
from controller.table.events import (
    BoardArrived,
    CameraArrived,
    CommandGiven,
    CowsSeen,
    Event,
    SeenDie,
    TimePassed,
    TrayRolling,
    TraySettled,
)

_EDGE = 0.1
_SPOTS = tuple((0.1 + 0.17 * number, 0.3 + 0.05 * number) for number in range(5))
EVENT_S = 0.2  # between two events
WAIT_S = 7.0  # longer than any of the table's own waits


class Script:
    """Yields events; `public` has to be set to the newest public state before the next one is asked for.

    Args:
        generator: where dice and choices come from; the same seed gives the same game.
    """

    def __init__(self, generator: random.Random) -> None:
        self.public: dict[str, Any] = {}
        self.at = 0.0
        self._generator = generator
        self._faces = [1] * 5

    def show(self, body: str) -> None:
        """The public state as its JSON text."""
        self.public = json.loads(body)

    def events(self) -> Iterator[Event]:
        """Events without end; a game that is over is followed by a new one."""
        yield CameraArrived("script", self._later())
        yield BoardArrived("script", frozenset({"lights", "sensors"}), self._later())
        yield self._cows({})
        while True:
            if self.public["phase"] == "over":
                yield CommandGiven(NewGame(), "script", self._later())
                yield self._cows({})
            elif self.public["mover"] is None:
                yield from self._opening()
            else:
                yield from self._turn()

    def _opening(self) -> Iterator[Event]:
        for colour in ("white", "black"):
            yield self._settled(())
            yield TrayRolling(self._later())
            yield self._settled((self._die(0, self._generator.randint(1, 6), colour),))

    def _turn(self) -> Iterator[Event]:
        colour = str(self.public["mover"])
        turns = len(self.public["history"])
        yield from self._throw((), colour)
        while self.public["roll"] < self.public["rolls"] and self._generator.random() < 0.5:
            kept = tuple(number for number in range(5) if self._generator.random() < 0.5)
            yield from self._throw(kept if len(kept) < 5 else (), colour)
            if self.public["phase"] == "over" or len(self.public["history"]) > turns:
                return
        while not self.public["pulls"] and self.public["roll"] in range(1, self.public["rolls"]):
            yield from self._throw((), colour)
        if self.public["pulls"] and len(self.public["history"]) == turns:
            yield from self._pull(self._generator.choice(self.public["pulls"])["to"])
        if len(self.public["history"]) == turns:
            yield self._wait()

    def _throw(self, kept: tuple[int, ...], colour: str) -> Iterator[Event]:
        """All dice but the kept ones are taken up and thrown."""
        yield TrayRolling(self._later())
        yield self._settled(tuple(self._die(number, self._faces[number], colour) for number in kept))
        yield TrayRolling(self._later())
        for number in set(range(5)) - set(kept):
            self._faces[number] = self._generator.randint(1, 6)
        yield self._settled(tuple(self._die(number, face, colour) for number, face in enumerate(self._faces)))

    def _pull(self, places: dict[str, int]) -> Iterator[Event]:
        """The cows of a pull, one after the other; the first is lifted, and now and then set down wrong."""
        done: dict[str, int | None] = {}
        for beam, place in places.items():
            yield self._cows({**done, beam: None})
            if beam != "super" and self._generator.random() < 0.2:
                yield self._cows({**done, beam: place + (1 if place < 1 else -1)})
                yield TimePassed(self._later(2.5))
            done[beam] = place
            yield self._cows(done)
        yield self._wait()

    def _cows(self, moved: dict[str, int | None]) -> CowsSeen:
        """A scan: the cows where the game has them, but for those moved; None is one in the hand."""
        position = parse_position(self.public["position"])
        places = {beam: moved.get(beam.value, position.place(beam)) for beam in BEAMS}
        cells = frozenset(Cell(Beam(beam), place) for beam, place in places.items() if place is not None)
        return CowsSeen(cells, self._later())

    def _settled(self, dice: tuple[SeenDie, ...]) -> TraySettled:
        return TraySettled(dice, () if len(dice) == 5 else ("not five",), self._later())

    def _die(self, spot: int, face: int, colour: str) -> SeenDie:
        x, y = _SPOTS[spot]
        return SeenDie(face, colour, x, y, _EDGE)

    def _wait(self) -> TimePassed:
        return TimePassed(self._later(WAIT_S))

    def _later(self, seconds: float = EVENT_S) -> float:
        self.at += seconds
        return self.at

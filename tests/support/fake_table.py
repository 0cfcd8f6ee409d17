"""A table for the page's own tests: says the states it is fed, writes down what it is asked."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Mapping
from typing import Any

from controller.runtime.ports import Answer, Snapshot

JPEG = base64.b64decode(  # a dark tray, 8 by 6 pixels
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////"
    "////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////"
    "////////////wAARCAAGAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QA"
    "FAEBAAAAAAAAAAAAAAAAAAAAAP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AIAA/9k="
)
BEAMS = ("chance", "1", "2", "3", "super", "4", "5", "6", "straights")
CAN = ("coach", "undo", "done", "pause", "new_game", "correct_dice", "correct_mover", "correct_cows", "resign")


class FakeTable:
    """A `TablePort` without a game. `show` publishes a state; `commands`, `deeds` hold what came in."""

    def __init__(self, state: Mapping[str, Any] | None = None, image: bytes | None = JPEG) -> None:
        self.commands: list[tuple[str, dict[str, Any], int, str]] = []
        self.deeds: list[dict[str, Any]] = []
        self.image = image
        self.next_answer: tuple[int, str] = (200, "Taken.")
        self._changed = threading.Condition()
        self._snapshot = Snapshot(0, "{}")
        self._is_hushed = False
        self.show(state or opening())

    def show(self, state: Mapping[str, Any]) -> int:
        """Publish this state under the next version, which is the answer."""
        with self._changed:
            version = self._snapshot.version + 1
            self._snapshot = Snapshot(version, json.dumps({**state, "version": version}))
            self._changed.notify_all()
            return version

    def hush(self) -> None:
        """Wake no watcher any more; who asks still gets the newest state."""
        self._is_hushed = True

    def snapshot(self) -> Snapshot:
        return self._snapshot

    def wait_newer(self, version: int, timeout_s: float) -> Snapshot | None:
        with self._changed:
            is_news = self._changed.wait_for(
                lambda: not self._is_hushed and self._snapshot.version > version, timeout_s
            )
            return self._snapshot if is_news else None

    def command(self, name: str, arguments: Mapping[str, Any], version: int, who: str) -> Answer:
        with self._changed:
            self.commands.append((name, dict(arguments), version, who))
            if version < self._snapshot.version:
                return Answer(409, "The table has moved on; look again.", self._snapshot.version)
            return Answer(*self.next_answer, self._snapshot.version)

    def picture(self) -> bytes | None:
        return self.image

    def hands(self, request: Mapping[str, Any]) -> Answer:
        self.deeds.append(dict(request))
        return Answer(*self.next_answer, self._snapshot.version)

    def health(self) -> Mapping[str, Any]:
        return {"ok": True, "version": "0.0", "missing": []}


def state(places: tuple[int, ...] = (0,) * 9, **changes: Any) -> dict[str, Any]:
    """A whole public state with the cows at these places in board order; `changes` replace whole fields."""
    return {
        "game": {"id": "20261201-1", "kind": "cosmic-cows", "players": {"white": "Ada", "black": "Grace"}, "rules": {}},
        "phase": "to roll",
        "mover": "white",
        "roll": 0,
        "rolls": 3,
        "position": ",".join(map(str, places)) + " w",
        "beams": [beam(name, place) for name, place in zip(BEAMS, places, strict=True)],
        "dice": [],
        "refusals": [],
        "pulls": [],
        "wrong": [],
        "lights": [["dark", "steady"]] * 139,
        "sentence": "Ada throws the dice.",
        "notice": None,
        "score": {"white": 0, "black": 0, "to_win": 3},
        "winner": None,
        "reason": None,
        "opening": {"white": [], "black": []},
        "history": [],
        "odds": None,
        "chances": [],
        "coach": coach(),
        "can": list(CAN),
        "devices": {
            "board": {
                "state": "ready",
                "name": "virtual://magnet",
                "can": ["sensors", "lights"],
                "sentence": "The board answers.",
            },
            "camera": {"state": "ready", "name": "virtual", "sentence": "The camera sees the tray."},
        },
        "virtual": virtual(places),
        **changes,
    }


def beam(name: str, place: int) -> dict[str, Any]:
    """One beam of the state, its cow at rest."""
    last, zone = (1, 1) if name == "super" else (8, 3)
    return {"beam": name, "last": last, "zone": zone, "place": place, "seen": [place], "locked": False}


def virtual(places: tuple[int, ...] = (0,) * 9, dice: int = 5, **changes: Any) -> dict[str, Any]:
    """The virtual table's part: this many dice in the tray in a row, the cows where the record has them."""
    return {
        "hands": True,
        "tray": [{"id": i, "x": 0.15 + 0.17 * i, "y": 0.5, "rail": False} for i in range(dice)],
        "colour": "white",
        "faults": {
            "board": ["silent", "reboot", "weak magnet", "ghost cell"],
            "camera": ["cocked", "stacked", "glare", "hand"],
        },
        "cows": [{"beam": name, "on": name, "place": place} for name, place in zip(BEAMS, places, strict=True)],
        **changes,
    }


def dice(faces: str, colour: str = "white", refused: Mapping[int, str] | None = None) -> list[dict[str, Any]]:
    """Dice as read, lying where `virtual` puts them; `refused` names the reason by place in the row."""
    refused = refused or {}
    return [
        {
            "value": int(face),
            "colour": colour,
            "kept": False,
            "box": [0.10 + 0.17 * i, 0.44, 0.10, 0.12],
            "refusal": refused.get(i),
        }
        for i, face in enumerate(faces)
    ]


def pull(name: str, cows: Mapping[str, int], to: Mapping[str, int], **changes: Any) -> dict[str, Any]:
    """One pull of the state."""
    return {"name": name, "cows": cows, "to": to, "position": "", "chosen": False, "wins": False, **changes}


def lights(cells: Mapping[str, tuple[str, str]]) -> list[list[str]]:
    """A light plan: `{"3:2": ("blue", "breathe")}` lights that cell, everything else is off."""
    plan = []
    for name in BEAMS:
        last = 1 if name == "super" else 8
        plan += [list(cells.get(f"{name}:{place}", ("dark", "steady"))) for place in range(-last, last + 1)]
    return plan


def opening() -> dict[str, Any]:
    """Before the first turn: White has thrown a 4, Black is to throw."""
    return state(
        phase="opening",
        mover=None,
        sentence="White threw a 4. Black, throw one die.",
        opening={"white": [4], "black": []},
        virtual=virtual(dice=1),
        dice=dice("4"),
    )


MIDGAME = (0, 6, 2, 0, 0, -3, -6, 1, 3)


def rolled() -> dict[str, Any]:
    """White's second roll, 1 2 3 4 3, which can pull four ways."""
    pulls = [
        pull("pair 3", {"3": 2}, {"3": 2}),
        pull("small straight", {"straights": 3}, {"straights": 6}),
        pull("chance", {"chance": 3}, {"chance": 3}),
        pull("two pair 1 3", {"1": 2, "3": 2}, {"1": 8, "3": 2}),
    ]
    lit = {f"3:{p}": ("blue", "chase-to-white") for p in (1, 2)} | {
        "straights:6": ("blue", "breathe"),
        "chance:3": ("blue", "breathe"),
        "1:8": ("orange", "blink"),
    }
    return state(
        MIDGAME,
        phase="rolled",
        roll=2,
        dice=dice("12343"),
        pulls=pulls,
        lights=lights(lit),
        score={"white": 1, "black": 1, "to_win": 3},
        sentence="Ada: 1 2 3 4 3. Pull one of four cows, or pick dice up for roll 3.",
        history=history(),
        odds={"improve": 0.4321, "nothing": 0.0213},
        chances=[0.5, 0.48, 0.56, 0.51, 0.62],
    )


def coach(**changes: Any) -> dict[str, Any]:
    """The coach's part, off; `changes` replace fields."""
    silent: dict[str, Any] = {"mode": "off", "sentence": None, "keep": None, "pull": None, "beams": [], "lessons": []}
    return {**silent, **changes}


def coached() -> dict[str, Any]:
    """The same throw as `rolled` with the coach on: it would keep the straight's four."""
    sentence = "Keep 1 2 3 4: 33 % to pull the straights cow four cells, wins 0.66; pulling two pair 1 3 now 0.63."
    return rolled() | {"coach": coach(mode="always", sentence=sentence, keep="1234", beams=["straights"])}


def wrong() -> dict[str, Any]:
    """Cow 3 stands one cell too far and cow 6 is on a foreign beam."""
    astray = virtual(MIDGAME)
    astray["cows"][3]["place"] = 3
    astray["cows"][7] |= {"on": "5", "place": 4}
    return rolled() | {
        "phase": "wrong",
        "wrong": [{"beam": "3", "at": [3], "home": 2}, {"beam": "6", "at": [4], "home": 1}],
        "sentence": "Cow 3 went one cell too far: back to 2 towards Ada. Cow 6 belongs on beam 6.",
        "notice": {
            "name": "cows astray",
            "sentence": "Two cows stand wrong.",
            "mend": "The lights lead each one home.",
        },
        "virtual": astray,
    }


def refused() -> dict[str, Any]:
    """A cocked die: the reader says which and won't guess."""
    return state(
        MIDGAME,
        phase="refused",
        roll=1,
        mover="black",
        dice=dice("62514", "black", {3: "cocked"}),
        refusals=["cocked"],
        sentence="A die leans on the wall. Nudge it, and it is read again.",
        notice={"name": "cocked", "sentence": "A die leans.", "mend": "Nudge it flat with a finger."},
        score={"white": 1, "black": 1, "to_win": 3},
        history=history(),
        virtual=virtual(MIDGAME, colour="black"),
    )


def won() -> dict[str, Any]:
    """White has three cows home."""
    places = (0, 8, 2, 6, 1, -3, -6, 1, 3)
    lit = {f"{name}:{p}": ("white", "sparkle") for name, p in (("1", 8), ("3", 6), ("super", 1))}
    return state(
        places,
        phase="over",
        roll=2,
        dice=dice("33366"),
        sentence="Ada wins: three cows are home.",
        winner="white",
        reason="three cows home",
        lights=lights(lit),
        score={"white": 3, "black": 1, "to_win": 3},
        history=history(),
        can=["new_game", "undo", "coach"],
        chances=[0.5, 0.48, 0.56, 0.51, 1.0],
        coach=coach(mode="always", lessons=lessons()),
    )


def lessons() -> list[dict[str, Any]]:
    """Two decisions of `history` that cost something."""
    rows = (
        (3, 2, "white", "12356", "With 1 2 3 5 6 on roll 2, keeping 1 2 was worth 0.41; keeping 2 3 5 6 0.56."),
        (2, 1, "black", "55512", "With 1 2 5 5 5 on roll 1, pulling triple 5 was worth 0.44; keeping 5 5 5 0.48."),
    )
    return [
        {
            "turn": turn,
            "roll": roll,
            "mover": mover,
            "dice": dice,
            "win": float(sentence.split("worth ")[1][:4]),
            "best_win": float(sentence[-5:-1]),
            "sentence": sentence,
        }
        for turn, roll, mover, dice, sentence in rows
    ]


def history() -> list[dict[str, Any]]:
    """Four turns, one of them a forfeit."""
    rows = (
        ("white", ["12343", "33346"], "triple 3"),
        ("black", ["55512"], "triple 5"),
        ("white", ["12356", "12356", "12456"], None),
        ("black", ["44651", "44655"], "two pair 4 5"),
    )
    return [
        {"turn": i, "mover": mover, "throws": throws, "pull": name, "position": ""}
        for i, (mover, throws, name) in enumerate(rows, 1)
    ]

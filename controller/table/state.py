"""The turn state: where in a turn the table is, what lies in the tray, where the cows are seen, what was said last."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from controller.games.cosmic_cows import Beam, Cell
from controller.table.events import SeenDie
from controller.table.game import Game
from controller.table.hints import Coach


class Phase(StrEnum):
    """Where in a turn the table is."""

    OPENING = "opening"
    TO_ROLL = "to roll"
    ROLLING = "rolling"
    REFUSED = "refused"
    TOUCHED = "touched"
    ROLLED = "rolled"
    MOVING = "moving"
    WAITING = "waiting"
    WRONG = "wrong"
    PAUSED = "paused"
    OVER = "over"


class Reason(StrEnum):
    """Every mishap and turn of events that is told; each has a sentence, a light and, where it needs one, a mend."""

    COCKED = "cocked"
    STACKED = "stacked"
    TOUCHING = "touching"
    GLARE = "glare"
    BLURRED = "blurred"
    TOO_DARK = "too dark"
    TOO_BRIGHT = "too bright"
    HIDDEN = "hidden"
    AT_WALL = "at the wall"
    HAND = "hand in view"
    NOT_FIVE = "not five"
    UNKNOWN_DIE = "unknown die"
    TOUCHED = "touched"
    NO_MORE_ROLLS = "no more rolls"
    ONE_AT_A_TIME = "one at a time"
    KEPT_CHANGED = "kept die changed"
    TIE = "tie"
    STARTS = "starts"
    PULLED = "pulled"
    PULL_CHANGED = "pull changed"
    FORFEITED = "forfeited"
    TAKEN_BACK = "taken back"
    CORRECTED = "corrected"
    DICE_CORRECTED = "dice read again"
    NOT_FINISHED = "not finished"
    NO_OPTION = "no option"
    COWS_ASTRAY = "cows astray"
    LEAD_HOME = "lead home"
    BOARD_LOST = "board lost"
    CAMERA_LOST = "camera lost"
    BOARD_FAULT = "board fault"
    WON = "won"
    DRAWN = "drawn"
    NOT_ASKED = "not asked"
    COMPUTER_AWAY = "computer away"
    NEW_GAME = "new game"


@dataclass(frozen=True, slots=True)
class Notice:
    """What is told now: the reason, and the words it needs by name."""

    reason: Reason
    words: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class CowAstray:
    """A cow that stands wrong: its own beam, the cells it is seen on (none: in the hand), and where it belongs."""

    beam: Beam
    at: tuple[Cell, ...]
    home: Cell


class VerdictKind(StrEnum):
    """What the referee says of an occupancy."""

    UNCHANGED = "unchanged"
    ON_THE_WAY = "on the way"
    COULD_GO_ON = "could go on"
    COMPLETE = "complete"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The referee's word on an occupancy.

    `pull` is the legal pull that stands now; `could_be` the pulls that may still come of it; `astray` every cow that
    stands wrong; `needs_second_cow` says that going on means another cow.
    """

    kind: VerdictKind
    pull: str | None = None
    could_be: tuple[str, ...] = ()
    astray: tuple[CowAstray, ...] = ()
    needs_second_cow: bool = False


UNCHANGED = Verdict(VerdictKind.UNCHANGED)


@dataclass(frozen=True, slots=True)
class Settings:
    """How long the table waits, in seconds, and what the virtual table's hands do for a computer."""

    wrong_said_after_s: float = 2.0  # field report 16: beeps during a slide annoy, 3 to 4 s is felt as late
    extend_wait_s: float = 1.5  # field report 10: a legal cell on the way must not be taken at once
    second_cow_wait_s: float = 6.0  # to reach over the board for the other cow of two pairs
    look_again_s: float = 1.0  # a camera that doesn't answer must not keep the player waiting
    hands_throw: bool = False  # the virtual table's hands throw a computer's dice
    hands_move: bool = False  # and move its cows


@dataclass(frozen=True, slots=True, kw_only=True)
class Tray:
    """What the camera says.

    `rolled` are the five dice of the newest roll as the camera read them; empty where a person's word made the dice
    what they are (entered, corrected, taken back), which no second look may overrule. `lying` are those last read for
    sure, with their places; `seen` whatever was seen last, also refused ones.
    `rested` are the five that lay there before some were taken up: put back so, they are no roll. `is_known`: the
    tray was seen at rest since the camera came. `is_taken_up`: fewer dice than a throw were seen lying, or a re-roll
    was announced, so what comes to rest next is a roll.
    """

    is_watched: bool = False
    is_known: bool = False
    is_moving: bool = False
    is_taken_up: bool = False
    rolled: tuple[SeenDie, ...] = ()
    lying: tuple[SeenDie, ...] = ()
    rested: tuple[SeenDie, ...] = ()
    seen: tuple[SeenDie, ...] = ()
    refusals: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cows:
    """What the board says.

    `can` is None without a board. `amends` names the other pull of the turn just ended that now stands, or is "" when
    the cows stand as before that turn (a take-back by hand). `must_return`: after a take-back by command or a
    start in mid turn the cows have to be led home before a pull counts, also when the board was away in between.
    `is_told`: the wrong cow was named in words. `asked_at`: when the dice were asked to be looked at again.
    """

    can: frozenset[str] | None = None
    occupied: frozenset[Cell] | None = None
    verdict: Verdict = UNCHANGED
    amends: str | None = None
    must_return: bool = False
    is_told: bool = False
    asked_at: float | None = None

    @property
    def are_followed(self) -> bool:
        """Whether sensors tell where the cows are."""
        return self.can is not None and "sensors" in self.can and self.occupied is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnState:
    """All that the table knows; `since` is when the present verdict began, `now` the last event's time."""

    game: Game = field(default_factory=Game)
    phase: Phase = Phase.OPENING
    tray: Tray = field(default_factory=Tray)
    cows: Cows = field(default_factory=Cows)
    settings: Settings = field(default_factory=Settings)
    coach: Coach = field(default_factory=Coach)
    notice: Notice | None = None
    chosen: str | None = None
    since: float = 0.0
    now: float = 0.0

"""What the lights can mean: one row for each meaning, with its place, motion, colour and sentence.

Rules of this file: data only. No two meanings share both place and motion, so that nothing is said by colour alone
(field report 40); a test compares every pair. The names of colours and motions are those of the board.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from controller.table.state import Reason


class Colour(StrEnum):
    """The board's palette by name."""

    DARK = "dark"
    WHITE = "white"
    DIM_WHITE = "dim-white"
    BLACK_SIDE = "black-side"
    BLUE = "blue"
    ORANGE = "orange"
    AMBER = "amber"
    GREEN = "green"
    RED = "red"
    PURPLE = "purple"


class Motion(StrEnum):
    """What a lit cell does; a pulse is two short flashes and a rest."""

    STEADY = "steady"
    BREATHE = "breathe"
    BLINK = "blink"
    PULSE = "pulse"
    CHASE_TO_WHITE = "chase-to-white"
    CHASE_TO_BLACK = "chase-to-black"
    SPARKLE = "sparkle"


class Place(StrEnum):
    """Where on the board a meaning is shown; each can be told apart without seeing colours."""

    EDGE = "last cells of the long beams at a player's end, a row across the board"
    ZONE = "all cells of a player's win zone"
    CENTRE = "row of centre cells"
    CORNERS = "four corner cells"
    COW = "a cow's cell"
    RUN = "cells between a cow and the cell it should go to"
    TARGET = "free cell at the end of a run"
    SPOT = "one cell anywhere"


class Meaning(StrEnum):
    """What a light says."""

    COW = "cow"
    ASLEEP = "cow asleep"
    PULLED = "cow pulled"
    ODD = "odd cow"
    CAN_LOCK = "cow can be locked"
    THROW = "throw wanted"
    ROLLING = "dice rolling"
    REFUSED = "dice refused"
    TOUCHED = "die touched"
    FORFEITED = "turn forfeited"
    WON = "won"
    DRAWN = "drawn"
    WAY = "way of a pull"
    LANDING = "landing"
    CHOSEN = "chosen landing"
    BEST = "best landing"
    AIMED = "cow aimed at"
    TRAIL = "trail home"
    HOME = "home"
    PAUSED = "paused"
    DEVICE = "device trouble"
    FAULT = "faulty cell"


CHASE = "chase"
SIDE = "the player's"


@dataclass(frozen=True, slots=True)
class Look:
    """How a meaning looks and what it says.

    `motion` is a motion's name, or CHASE, which runs along the beam towards a player; `colour` a colour's name, or
    SIDE for the player's own.
    """

    place: Place
    motion: str
    colour: str
    when: str
    sentence: str


LOOKS: Mapping[Meaning, Look] = {
    Meaning.COW: Look(
        Place.COW,
        Motion.STEADY,
        Colour.DIM_WHITE,  # bright on a board without sensors, where the light is the cow
        "always; bright white on an LED board and where a winner's cows stand",
        "A cow stands here.",
    ),
    Meaning.ASLEEP: Look(Place.COW, Motion.BREATHE, Colour.DIM_WHITE, "paused", "The cows are asleep."),
    Meaning.PULLED: Look(
        Place.COW,
        Motion.PULSE,
        Colour.BLUE,
        "a pull stands or was just accepted",
        "This cow was pulled, and that was right.",
    ),
    Meaning.ODD: Look(Place.COW, Motion.BLINK, Colour.AMBER, "a cow stands wrong, at once", "This cow is wrong here."),
    Meaning.CAN_LOCK: Look(
        Place.COW,
        CHASE,
        Colour.BLUE,
        "the dice can lock this cow where it stands (house rule)",
        "This cow can be locked in.",
    ),
    Meaning.THROW: Look(
        Place.EDGE, Motion.BREATHE, SIDE, "a throw is wanted, or still allowed", "You at this end may throw."
    ),
    Meaning.ROLLING: Look(Place.EDGE, Motion.SPARKLE, SIDE, "dice are moving", "The dice are rolling."),
    Meaning.REFUSED: Look(
        Place.EDGE, Motion.PULSE, Colour.ORANGE, "the dice can't be read for sure", "I can't read these dice yet."
    ),
    Meaning.TOUCHED: Look(
        Place.EDGE, Motion.BLINK, Colour.ORANGE, "a die moved after it was read", "A die was touched."
    ),
    Meaning.FORFEITED: Look(
        Place.ZONE,
        CHASE,
        Colour.ORANGE,
        "the last roll moved no cow; runs away from who rolled it",
        "No cow can be pulled: the turn goes over.",
    ),
    Meaning.WON: Look(Place.ZONE, Motion.SPARKLE, SIDE, "the game is won", "The player at this end has won."),
    Meaning.DRAWN: Look(Place.ZONE, Motion.BREATHE, SIDE, "the game is drawn; both zones", "Nobody has won."),
    Meaning.WAY: Look(
        Place.RUN,
        CHASE,
        Colour.BLUE,
        "the dice can pull this cow; runs towards who rolled",
        "This cow can be pulled this way.",
    ),
    Meaning.LANDING: Look(
        Place.TARGET, Motion.BLINK, Colour.BLUE, "where a pull would bring the cow", "The cow may land here."
    ),
    Meaning.CHOSEN: Look(
        Place.TARGET,
        Motion.PULSE,
        Colour.WHITE,
        "where the chosen pull brings the cow",
        "The chosen pull brings the cow here.",
    ),
    Meaning.BEST: Look(
        Place.TARGET,
        Motion.SPARKLE,
        Colour.WHITE,
        "where the pull that the coach would make brings the cow",
        "The coach would pull this.",
    ),
    Meaning.AIMED: Look(
        Place.COW,
        Motion.SPARKLE,
        Colour.WHITE,
        "what the coach would keep is for this cow, or its pull locks it",
        "The coach goes for this cow.",
    ),
    Meaning.TRAIL: Look(
        Place.RUN,
        Motion.SPARKLE,
        Colour.AMBER,
        "between a wrong cow and its home, once it is told",
        "Go back this way.",
    ),
    Meaning.HOME: Look(
        Place.TARGET,
        Motion.BREATHE,
        Colour.AMBER,
        "where a wrong cow belongs: once it is told, and at once where the cow isn't on any cell",
        "A cow is missing here.",
    ),
    Meaning.PAUSED: Look(Place.CENTRE, Motion.STEADY, Colour.DIM_WHITE, "paused", "The game is paused."),
    Meaning.DEVICE: Look(
        Place.CORNERS,
        Motion.BLINK,
        Colour.ORANGE,
        "the camera or the board reports trouble",
        "Something is wrong with the table: see the page.",
    ),
    Meaning.FAULT: Look(
        Place.SPOT,
        Motion.SPARKLE,
        Colour.ORANGE,
        "the board reports a fault of this cell",
        "This cell can't be trusted.",
    ),
}

_THROW_REFUSALS = (
    Reason.COCKED,
    Reason.STACKED,
    Reason.TOUCHING,
    Reason.GLARE,
    Reason.BLURRED,
    Reason.TOO_DARK,
    Reason.TOO_BRIGHT,
    Reason.HIDDEN,
    Reason.AT_WALL,
    Reason.HAND,
    Reason.NOT_FIVE,
    Reason.UNKNOWN_DIE,
    Reason.ONE_AT_A_TIME,
)

REASON_MEANINGS: Mapping[Reason, Meaning] = {
    **dict.fromkeys(_THROW_REFUSALS, Meaning.REFUSED),
    Reason.TOUCHED: Meaning.TOUCHED,
    Reason.KEPT_CHANGED: Meaning.TOUCHED,
    Reason.NO_MORE_ROLLS: Meaning.LANDING,
    Reason.TIE: Meaning.THROW,
    Reason.STARTS: Meaning.THROW,
    Reason.PULLED: Meaning.PULLED,
    Reason.PULL_CHANGED: Meaning.PULLED,
    Reason.FORFEITED: Meaning.FORFEITED,
    Reason.TAKEN_BACK: Meaning.THROW,
    Reason.CORRECTED: Meaning.THROW,
    Reason.DICE_CORRECTED: Meaning.LANDING,
    Reason.NOT_FINISHED: Meaning.LANDING,
    Reason.NO_OPTION: Meaning.THROW,
    Reason.COWS_ASTRAY: Meaning.ODD,
    Reason.LEAD_HOME: Meaning.HOME,
    Reason.BOARD_LOST: Meaning.DEVICE,
    Reason.CAMERA_LOST: Meaning.DEVICE,
    Reason.BOARD_FAULT: Meaning.DEVICE,
    Reason.WON: Meaning.WON,
    Reason.DRAWN: Meaning.DRAWN,
    Reason.NOT_ASKED: Meaning.LANDING,
    Reason.COMPUTER_AWAY: Meaning.DEVICE,
    Reason.NEW_GAME: Meaning.THROW,
}
"""The light that goes with each reason. After a take-back or a correction it's the light of the turn as it then
stands, which asks for a throw unless dice lie there."""

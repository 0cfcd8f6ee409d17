"""The host's side of a board without port or thread: bytes in, board events out; plans and sounds in, bytes
out.

Rules of this file: no clock, thread or port. Holds one `Connection` and what must outlive its sessions: the
light plan wanted. How it works: one message at a time goes out; whenever the link is idle the most pressing
thing is sent: palette, then the lights (the difference between what the board holds and the newest plan),
then sounds. So plans may come at any rate: those in between are never sent. A new session knows nothing of
the board's lights and sends all.
"""

from __future__ import annotations

from collections import deque

from firmware_bridge.connection import Connection
from firmware_bridge.delivery import Timing
from firmware_bridge.events import (
    BoardArrived,
    BoardEvent,
    BoardFault,
    BoardLost,
    ButtonPressed,
    CellsSeen,
    KnobTurned,
)
from firmware_bridge.geometry import CELL_COUNT, VARIANTS, load_board
from firmware_bridge.lights import COLOURS, RGB, LightPlan, check_plan
from firmware_bridge.link_events import (
    ChangesMissed,
    LinkEvent,
    LinkPhase,
    LinkStats,
    Loss,
    MessageReceived,
    MessageRefused,
    MessageTaken,
    PeerArrived,
    PeerLost,
    PeerRefused,
    Role,
)
from firmware_bridge.messages import (
    MAJOR,
    MINOR,
    BootReason,
    Button,
    Buzz,
    CellsChanged,
    Fault,
    FaultSeen,
    Hello,
    LightsAll,
    LightsGroups,
    LightsRuns,
    LightsShow,
    Message,
    Palette,
    PaletteColour,
    Snapshot,
    Sound,
)
from firmware_bridge.messages import ButtonPressed as ButtonMessage
from firmware_bridge.messages import KnobTurned as KnobMessage
from firmware_bridge.patches import CALM_BYTES, NOISY_BYTES, LightPatch, patches
from firmware_bridge.power import level_for

MOST_SOUNDS = 3  # older ones are stale before they could be heard
PALETTE_STEP = 4  # colours in a message: short packets, see `patches`
UNKNOWN_RESERVE_MA = 500  # for a board variant this program has no file of: the hungriest known, rounded up

LOSS_SENTENCES = {
    Loss.SILENT: "the board doesn't answer; check its cable and supply",
    Loss.REBOOTED: "the board has restarted; if it does so again, check its supply",
    Loss.BROKEN: "the link to the board got out of step; it is being set up anew",
}


class HostSide:
    """One open port's conversation; make a new one for each opening, with a session number of its own."""

    def __init__(self, session: int, timing: Timing | None = None) -> None:
        self._connection = Connection(Role.HOST, session=session, timing=timing)
        self._wanted: LightPlan | None = None
        self._sounds: deque[Sound] = deque(maxlen=MOST_SOUNDS)
        self._occupied: frozenset[int] | None = None
        self._palette: deque[Palette] = deque()
        self._patches: deque[LightPatch] = deque()  # what is still to be sent of the plan under way
        self._bank: LightPlan | None = None  # what the board's hidden bank holds; None: not known
        self._level: int | None = None
        self._under_way: tuple[LightPlan, int] | None = None
        self._refused: LightPlan | None = None

    # --- what the holder calls ---

    def show(self, plan: LightPlan) -> None:
        """The newest light plan; raises AddressError unless it has 139 lights."""
        self._wanted = check_plan(plan)

    def buzz(self, sound: Sound) -> None:
        """A sound to make as soon as the link is free; only the newest few are kept."""
        self._sounds.append(sound)

    def receive(self, data: bytes, at: float) -> tuple[BoardEvent, ...]:
        """Take bytes (maybe none) and the time; what happened, in order. Never raises on any bytes."""
        events: list[BoardEvent] = []
        for event in self._connection.receive(data, at):
            self._take(event, events)
        return tuple(events)

    def data_to_send(self, at: float) -> bytes:
        """The bytes to write now, maybe none."""
        if self._connection.is_idle and self.is_usable:
            message = self._next_message()
            if message is not None:
                self._connection.send(message, at)
        return self._connection.data_to_send(at)

    def deadline(self) -> float | None:
        """When to call again even if nothing comes."""
        return self._connection.deadline()

    @property
    def phase(self) -> LinkPhase:
        """Where the conversation stands."""
        return self._connection.phase

    @property
    def hello(self) -> Hello | None:
        """What the board said of itself last."""
        return self._connection.peer

    @property
    def stats(self) -> LinkStats:
        """The connection's counts."""
        return self._connection.stats

    @property
    def is_usable(self) -> bool:
        """Whether a board of our size is there."""
        hello = self._connection.peer
        return self.phase is LinkPhase.READY and hello is not None and hello.cell_count == CELL_COUNT

    # --- what came ---

    def _take(self, event: LinkEvent, events: list[BoardEvent]) -> None:
        match event:
            case PeerArrived(hello=Hello() as hello):
                self._forget()
                events.extend(_arrival(hello))
            case PeerRefused():
                events.append(BoardLost(_version_sentence(event)))
            case PeerLost(loss=loss):
                self._forget()
                events.append(BoardLost(LOSS_SENTENCES[loss]))
            case ChangesMissed():
                self._occupied = None  # the snapshot that is asked for already will say
            case MessageReceived(message=message) if self.is_usable:
                events.extend(self._take_message(message))
            case MessageTaken(message=message):
                self._settle(message, is_taken=True)
            case MessageRefused(message=message):
                self._settle(message, is_taken=False)
            case _:
                pass

    def _forget(self) -> None:
        self._occupied = None
        self._palette = deque(_palette())
        self._patches.clear()
        self._bank = self._level = self._under_way = self._refused = None

    def _take_message(self, message: Message) -> tuple[BoardEvent, ...]:
        match message:
            case Snapshot():
                self._occupied = message.occupied
                return (CellsSeen(message.occupied, message.board_ms),)
            case CellsChanged():
                return self._apply_changes(message)
            case ButtonMessage(button=button):
                return (ButtonPressed(_word(button)),)
            case KnobMessage(steps=steps):
                return (KnobTurned(steps),)
            case FaultSeen():
                return (BoardFault(_word(message.fault), message.cell, message.is_over),)
            case _:
                return ()

    def _apply_changes(self, message: CellsChanged) -> tuple[CellsSeen, ...]:
        """One event for each moment at which cells changed, so that cells on the way are seen as they
        fired."""
        if self._occupied is None:
            return ()
        occupied = set(self._occupied)
        moments: dict[int, frozenset[int]] = {}
        for change in message.changes:
            (occupied.add if change.is_on else occupied.discard)(change.cell)
            moments[change.after_ms] = frozenset(occupied)
        self._occupied = frozenset(occupied)
        return tuple(CellsSeen(cells, message.board_ms + after) for after, cells in moments.items())

    # --- what goes ---

    def _next_message(self) -> Message | None:
        hello = self._connection.peer
        capabilities = hello.capabilities if hello else frozenset()
        if "lights" in capabilities:
            if self._palette:
                return self._palette.popleft()
            change = self._next_lights()
            if change is not None:
                return change
        if self._sounds and "buzzer" in capabilities:
            return Buzz(self._sounds.popleft())
        self._sounds.clear()
        return None

    def _next_lights(self) -> LightPatch | None:
        """The next message of the plan under way, or the first one of the newest plan."""
        plan, hello = self._wanted, self._connection.peer
        if self._patches:
            return self._patches.popleft()
        if plan is None or hello is None or plan == self._refused:
            return None
        level = level_for(plan, hello.supply_ma, _reserve_ma(hello.variant))
        if plan == self._bank and level == self._level:
            return None
        self._under_way = (plan, level)
        most_bytes = NOISY_BYTES if self._connection.is_noisy else CALM_BYTES
        self._patches.extend(patches(self._bank, plan, level, most_bytes))
        return self._patches.popleft()

    def _settle(self, message: Message, *, is_taken: bool) -> None:
        """A message of ours was taken or refused; of a plan, what counts is the last one, or the first
        refused."""
        if not isinstance(message, LightsAll | LightsRuns | LightsGroups | LightsShow) or not self._under_way:
            return
        plan, level = self._under_way
        if not is_taken:
            self._patches.clear()
            self._under_way = self._bank = self._level = None
            self._refused = plan  # not offered again: the next plan is
        elif not self._patches:
            self._under_way = None
            self._bank, self._level = plan, level


def _palette() -> tuple[Palette, ...]:
    colours = [PaletteColour(number, *RGB[colour]) for number, colour in enumerate(COLOURS)]
    return tuple(
        Palette(tuple(colours[first : first + PALETTE_STEP])) for first in range(0, len(colours), PALETTE_STEP)
    )


def _arrival(hello: Hello) -> tuple[BoardEvent, ...]:
    if hello.cell_count != CELL_COUNT:
        return (BoardLost(f"this board has {hello.cell_count} cells, {CELL_COUNT} are needed; is it the right one?"),)
    arrived = BoardArrived(hello.variant, hello.capabilities, hello.serial, hello.build)
    if hello.boot_reason is BootReason.BROWN_OUT:
        return (arrived, BoardFault(_word(Fault.BROWN_OUT), None))
    return (arrived,)


def _version_sentence(refused: PeerRefused) -> str:
    theirs = f"{refused.hello.major}.{refused.hello.minor}"
    behind = "flash the board with this program's firmware" if refused.is_board_old else "update this program"
    return f"the board speaks protocol {theirs}, this program {MAJOR}.{MINOR}; {behind}"


def _reserve_ma(variant: str) -> int:
    return load_board(variant).reserve_ma if variant in VARIANTS else UNKNOWN_RESERVE_MA


def _word(choice: Button | Fault) -> str:
    return choice.name.lower().replace("_", "-")

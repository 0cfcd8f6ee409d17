"""The table thread: one queue of events in, the turn machine, and its effects out in a fixed order.

Rules of this file: only this thread touches the turn state and the journal. Every other thread posts events and reads
the newest snapshot, which is replaced by one assignment. No lock is held while an adapter is called.

How it works: take one event (or let the machine's deadline pass) → `step` → journal, committed → lights → sound →
publish. When the journal can't be written the step doesn't happen: nothing is shown as accepted that isn't on disk.
"""

from __future__ import annotations

import json
import logging
import queue
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from controller.errors import InputError, JournalError
from controller.runtime.clock import Clock
from controller.runtime.health import Device, Health
from controller.runtime.ports import Answer, Snapshot
from controller.table.commands import Command, parse_command
from controller.table.computers import persons_after, seat_names
from controller.table.effects import Effect, LookAtDiceAgain, Play, Record, Refuse, Sound, StartGame
from controller.table.entries import Entry
from controller.table.events import CommandGiven, Event, TimePassed
from controller.table.game import Game
from controller.table.lights import LightPlan, lights
from controller.table.machine import next_deadline, step
from controller.table.seats import Seats
from controller.table.state import Phase, TurnState
from controller.table.view import public_view
from controller.table.words import Names

log = logging.getLogger(__name__)

QUEUE_SIZE = 256  # a second of the busiest board (every cell changing) fits four times
POST_PATIENCE_S = 0.5
ANSWER_PATIENCE_S = 5.0
RETRY_S = 1.0  # a full disk is emptied by hand


class GameBook(Protocol):
    """The journal as the loop needs it; called from the table thread only."""

    def start_game(self, rules: Any, names: Names, seats: Seats) -> str:
        """Open a new game and return its id."""

    def write(self, game_id: str, entries: tuple[Entry, ...]) -> None:
        """Commit one accepted step; raises JournalError when it isn't on disk."""


class Outputs(Protocol):
    """The devices as the loop drives them; none of these may block."""

    def show(self, plan: LightPlan) -> None:
        """The light plan that holds from now on."""

    def attend(self, phase: Phase) -> None:
        """The phase of the turn changed: let the panel's lamp say whether somebody is waited for."""

    def sound(self, sound: Sound) -> None:
        """Sound the buzzer."""

    def look_again(self) -> None:
        """Have the dice looked at again."""


@dataclass(frozen=True, slots=True)
class TableSetup:
    """What a loop starts from: the state to take up, its game in the journal, the players.

    `persons` are the names of those who may sit where a computer sits now; None: `names`.
    """

    state: TurnState
    game_id: str
    names: Names
    persons: Names | None = None


@dataclass(frozen=True, slots=True)
class _Asked:
    """A command with the version it was made for, and where its answer goes."""

    command: Command
    version: int
    who: str
    answers: queue.Queue[Answer] = field(default_factory=lambda: queue.Queue(maxsize=1))


@dataclass(frozen=True, slots=True)
class _Refresh:
    """Publish again: something beside the game (a device, the hands' world) changed."""


_STOP = object()
_Item = Event | _Asked | _Refresh | object


class TableLoop:
    """Owns the game. `post`, `command`, `snapshot`, `wait_newer` and `refresh` may be called from any thread."""

    def __init__(
        self,
        setup: TableSetup,
        book: GameBook,
        outputs: Outputs,
        clock: Clock,
        health: Health,
        virtual_view: Callable[[], Mapping[str, Any] | None] = lambda: None,
    ) -> None:
        self._state, self._game_id, self._names = setup.state, setup.game_id, setup.names
        self._persons = setup.persons or setup.names
        self._book, self._outputs, self._clock = book, outputs, clock
        self.health, self._virtual_view = health, virtual_view
        self._queue: queue.Queue[_Item] = queue.Queue(maxsize=QUEUE_SIZE)
        self._plan: LightPlan | None = None
        self._attended: Phase | None = None
        self._newer = threading.Condition()
        self._snapshot = Snapshot(0, "{}")
        self._public: dict[str, Any] = {}
        self._refusal: str | None = None
        self._unwritten: deque[Event] = deque(maxlen=QUEUE_SIZE)
        self.dropped_count = 0
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)

    def start(self) -> None:
        """Publish the first snapshot and start the table thread."""
        self._show()
        self._thread.start()

    def stop(self) -> None:
        """Finish what is queued, then end the thread."""
        if self._thread.is_alive():
            self._queue.put(_STOP)
            self._thread.join()

    def post(self, event: Event) -> None:
        """Queue an event; a queue that stays full drops and counts it rather than block a device for long."""
        try:
            self._queue.put(event, timeout=POST_PATIENCE_S)
        except queue.Full:
            self.dropped_count += 1
            log.error("table queue full: %s dropped", type(event).__name__)

    def refresh(self) -> None:
        """Publish again because of something beside the game; does nothing when a publication is due anyway."""
        try:
            self._queue.put_nowait(_Refresh())
        except queue.Full:
            return

    @property
    def game(self) -> Game:
        """The game as it stands; an immutable value, so any thread may read it."""
        return self._state.game

    @property
    def state(self) -> TurnState:
        """The turn state as it stands; immutable like the game."""
        return self._state

    @property
    def is_alive(self) -> bool:
        """Whether the table thread runs."""
        return self._thread.is_alive()

    def snapshot(self) -> Snapshot:
        """The newest public state."""
        return self._snapshot

    def wait_newer(self, version: int, timeout_s: float) -> Snapshot | None:
        """Block until a state newer than `version` exists; None after `timeout_s` seconds."""
        with self._newer:
            if self._newer.wait_for(lambda: self._snapshot.version > version, timeout_s):
                return self._snapshot
        return None

    def command(self, name: str, arguments: Mapping[str, Any], version: int, who: str) -> Answer:
        """Give a command made for `version`; the answer says what became of it."""
        try:
            asked = _Asked(parse_command(name, arguments, self._state.game.rules), version, who)
            self._queue.put(asked, timeout=POST_PATIENCE_S)
            return asked.answers.get(timeout=ANSWER_PATIENCE_S)
        except InputError as error:
            return Answer(400, str(error), self._snapshot.version)
        except (queue.Full, queue.Empty):
            return Answer(503, "The table doesn't answer: try again.", self._snapshot.version)

    def take(self, item: _Item) -> None:
        """Carry out one item. Called by the table thread; a test with a manual clock may call it instead."""
        if isinstance(item, _Asked):
            self._answer(item)
        elif not isinstance(item, _Refresh):
            self._observe(item)  # type: ignore[arg-type]
        self._show()

    def wait_idle(self) -> None:
        """Block until everything queued so far has been carried out; for tests and for a clean stop."""
        self._queue.join()

    def _run(self) -> None:
        while True:
            try:
                item = self._queue.get(timeout=self._patience_s())
            except queue.Empty:
                self._take_safely(TimePassed(self._clock.monotonic()))
                continue
            if item is not _STOP:
                self._take_safely(item)
            self._queue.task_done()
            if item is _STOP:
                return

    def _take_safely(self, item: _Item) -> None:
        try:
            self.take(item)
        except Exception:  # the thread's top: a bug here must not end the evening
            log.exception("a bug in phase '%s' at %r", self._state.phase, item)

    def _patience_s(self) -> float | None:
        if self._unwritten:
            return RETRY_S
        deadline = next_deadline(self._state)
        return None if deadline is None else max(0.0, deadline - self._clock.monotonic())

    def _answer(self, asked: _Asked) -> None:
        if asked.version != self._snapshot.version:
            sentence = "The table has moved on since: look at it again, then choose."
            asked.answers.put(Answer(409, sentence, self._snapshot.version))
            return
        self._refusal = None
        is_done = not self._unwritten and self._step(CommandGiven(asked.command, asked.who, self._clock.monotonic()))
        refusal = self._refusal if is_done else "The journal can't be written, so nothing was changed."
        self._show()
        status, sentence = (200, "Done.") if refusal is None else (409 if is_done else 503, refusal)
        asked.answers.put(Answer(status, sentence, self._snapshot.version))

    def _observe(self, event: Event) -> None:
        """Carry out what the devices told, in its order; what can't be written now waits and is tried again.

        Else a cow moved while the disk was full would stand there unseen: sensors tell a change once. A button isn't
        kept: who pressed it saw that nothing happened, and mustn't be surprised later.
        """
        if self._unwritten and isinstance(event, CommandGiven):
            return
        if not (self._unwritten and isinstance(event, TimePassed)):
            self._unwritten.append(event)
        while self._unwritten:
            oldest = self._unwritten.popleft()
            if not self._step(oldest):
                if not isinstance(oldest, CommandGiven):
                    self._unwritten.appendleft(oldest)
                return

    def _step(self, event: Event) -> bool:
        """One step of the machine; False where it couldn't be written and so didn't happen."""
        state, effects = step(self._state, event)
        try:
            self._write(effects)
        except JournalError as error:
            if self._report_journal("lost", str(error)):  # tried again every second: said once, not till it fills logs
                log.error("step not taken: %s", error)
            return False
        self._report_journal("ready", "")
        self._state = state
        self._show_lights()
        for effect in effects:
            self._carry_out(effect)
        return True

    def _report_journal(self, state: str, sentence: str) -> bool:
        """Tell how it stands with the journal; True where that is news."""
        mend = "" if state == "ready" else "Free some space, or point journal.path at a disk that can be written."
        device = Device(state, "journal", (), sentence, mend, self._clock.monotonic())
        return self.health.report("journal", device)

    def _write(self, effects: tuple[Effect, ...]) -> None:
        """Everything a step decided, in one transaction, so that a step is on disk whole or not at all."""
        for effect in effects:
            if isinstance(effect, StartGame):
                given = Names(effect.white or "", effect.black or "")
                names = seat_names(effect.seats, given, self._persons)
                self._game_id = self._book.start_game(effect.rules, names, effect.seats)
                self._names, self._persons = names, persons_after(effect.seats, names, self._persons)
        entries = tuple(entry for effect in effects if isinstance(effect, Record) for entry in effect.entries)
        if entries:
            self._book.write(self._game_id, entries)

    def _carry_out(self, effect: Effect) -> None:
        match effect:
            case Play():
                self._outputs.sound(effect.sound)
            case LookAtDiceAgain():
                self._outputs.look_again()
            case Refuse():
                self._refusal = effect.why
            case _:
                return

    def _show_lights(self) -> None:
        plan = lights(self._state)
        if plan != self._plan:
            self._plan = plan
            self._outputs.show(plan)
        if self._state.phase is not self._attended:
            self._attended = self._state.phase
            self._outputs.attend(self._state.phase)

    def _show(self) -> None:
        """Lights, then the page; a new version only where the public state differs."""
        self._show_lights()
        public = public_view(self._state, self._names, self._game_id)
        public["devices"] = {what: device.public() for what, device in self.health.devices().items()}
        public["virtual"] = self._virtual_view()
        if public == self._public:
            return
        self._public = public
        version = self._snapshot.version + 1
        body = json.dumps({"version": version, **public}, ensure_ascii=False, separators=(",", ":"))
        with self._newer:
            self._snapshot = Snapshot(version, body)
            self._newer.notify_all()

"""The coach's thread: follows the newest game, works out odds and chances beside the table, posts them as events.

Rules of this file: it reads the game, an immutable value, and posts; the table stays the owner of its state and drops
what comes too late. Without numpy or weights the table plays on without a coach, and health says so in one line.

How it works: each new game value is looked at once. First the throw on the table, for which somebody waits; then the
turns that ended, a few at a time, so that a long game taken up again holds up no throw.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Protocol

from controller.advice.errors import WeightsError
from controller.runtime.clock import Clock
from controller.runtime.health import Device, Health
from controller.runtime.ports import Snapshot
from controller.table.events import AdviceGiven, Event, GameLookedBack
from controller.table.game import Game, Stage
from controller.table.hints import Hint, LookBack, Throw, throw_of

log = logging.getLogger(__name__)

WAIT_S = 0.5  # for news from the table; a stop waits no longer
NUMPY_MEND = "Install numpy for this Python; the table plays on without odds and coach."
WEIGHTS_MEND = "Install Cowboard again to get its weights back; the table plays on without odds and coach."
BUG_MEND = "Please report what the log says; the table plays on without odds and coach."


class FollowedTable(Protocol):
    """What the coach asks of the table; each may be called from any thread."""

    @property
    def game(self) -> Game:
        """The game as it stands."""

    @property
    def health(self) -> Health:
        """Where trouble is told."""

    def post(self, event: Event) -> None:
        """Queue an event."""

    def refresh(self) -> None:
        """Publish again."""

    def wait_newer(self, version: int, timeout_s: float) -> Snapshot | None:
        """Block until the public state is newer."""


class Work(Protocol):
    """What is worked out, `controller.runtime.coach_work` or a test's own."""

    def hint_about(self, throw: Throw, turn_count: int) -> Hint:
        """What a throw is worth after so many finished turns; WeightsError where that can't be told."""

    def look_back(self, game: Game) -> LookBack | None:
        """The look back on a game; None: call again. WeightsError as above."""


def load_work() -> Work:
    """The real work; brings numpy in, so it is called when the table is up and waits for nobody.

    Raises:
        ImportError: no numpy, or a broken one.
    """
    from controller.runtime.coach_work import CoachWork

    return CoachWork()


class Coach:
    """Works out what is new; `start` and `stop` from one thread."""

    def __init__(self, table: FollowedTable, clock: Clock, load: Callable[[], Work] = load_work) -> None:
        self._table, self._clock, self._load = table, clock, load
        self._advised: Game | None = None
        self._looked_back: Game | None = None
        self._hint: Hint | None = None
        self._work: Work | None = None
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="coach", daemon=True)

    def start(self) -> None:
        """Start the coach's own thread."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread; what it was working out is lost."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    def run_due(self) -> None:
        """Work out everything that is new. Called by the coach's thread; a test with a manual clock may call it."""
        while self._work_once() and not self._stopping.is_set():
            pass

    def _run(self) -> None:
        version = 0
        while not self._stopping.is_set():
            try:
                self.run_due()
            except Exception:  # the thread's top: a bug here must not take the coach away for the evening
                log.exception("a bug in the coach at %r", self._table.game)
                self._advised = self._looked_back = self._table.game
                self._report("lost", "The coach stumbled over this position.", BUG_MEND)
            newer = self._table.wait_newer(version, WAIT_S)
            version = version if newer is None else newer.version

    def _work_once(self) -> bool:
        """One piece of work; False where nothing is new."""
        game = self._table.game
        if game is self._advised and game is self._looked_back:
            return False
        try:
            self._work = self._work or self._load()
            return self._advise(game, self._work) or self._look_back(game, self._work)
        except ImportError as error:
            self._report("missing", f"The coach needs numpy, which can't be loaded: {error}.", NUMPY_MEND)
        except WeightsError as error:
            self._report("missing", f"The coach can't weigh positions: {error}.", WEIGHTS_MEND)
        self._advised = self._looked_back = game
        return False

    def _advise(self, game: Game, work: Work) -> bool:
        if game is self._advised:
            return False
        throw = throw_of(game)
        if throw is not None:
            if self._hint is None or self._hint.throw != throw:
                self._hint = work.hint_about(throw, len(game.turns))
            self._give(AdviceGiven(self._hint, self._clock.monotonic()))
        self._advised = game
        return True

    def _look_back(self, game: Game, work: Work) -> bool:
        if game.stage is not Stage.OPENING:
            look_back = work.look_back(game)
            if look_back is None:
                return True
            self._give(GameLookedBack(look_back, self._clock.monotonic()))
        self._looked_back = game
        return True

    def _give(self, event: AdviceGiven | GameLookedBack) -> None:
        self._report("ready", "", "")
        self._table.post(event)

    def _report(self, state: str, sentence: str, mend: str) -> None:
        device = Device(state, "coach", (), sentence, mend, self._clock.monotonic())
        if self._table.health.report("coach", device):
            self._table.refresh()

"""A computer at the table: watches the newest state, thinks, waits as long as a person would, and acts as one.

Rules of this file: it acts only through the events that people's acts become, so whatever is asked of a person's throw,
keep or pull is asked of its own. On the virtual table its dice are thrown and its cows moved by the virtual hands; at a
real table that is what a person does for it.

How it works: `wish_of` (pure but for the choice, which has a seed) says what the computer wants done in this state.
`Computer` carries a wish out once it has stood for a humane while, and again much later should it have led to nothing.
"""

from __future__ import annotations

import logging
import random
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from controller.advice.errors import WeightsError
from controller.errors import InputError
from controller.games.cosmic_cows import Side
from controller.runtime.clock import Clock
from controller.runtime.ports import Snapshot
from controller.table.commands import ChoosePull, ComputerActs, EnterDice, GiveUpSeat, KeepDice
from controller.table.computers import computer_to_act, side_to_act
from controller.table.events import CommandGiven, Event, SeenDie
from controller.table.game import Game, Stage
from controller.table.moves import astray_cows
from controller.table.seats import Computer as Seat
from controller.table.state import Phase, TurnState

log = logging.getLogger(__name__)

PAUSE_S = 1.2  # between what happened and the computer's act: long enough to see the one before the other
AGAIN_S = 9.0  # a wish that led to nothing for so long is tried again
WAIT_S = 0.5  # for news from the table
COW_GAP_S = 1.6  # between the two cows of one pull: the first slide takes up to 1.2 s
_THROW = 5


@dataclass(frozen=True, slots=True)
class Acts:
    """Do this at the table, as a person would on the page."""

    act: EnterDice | KeepDice | ChoosePull | GiveUpSeat


@dataclass(frozen=True, slots=True)
class Generates:
    """Let the generator throw so many dice beside these kept ones."""

    count: int
    kept: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Throws:
    """Have the virtual hands throw; `kept` are the dice that stay, as they were seen."""

    kept: tuple[SeenDie, ...] = ()


@dataclass(frozen=True, slots=True)
class Nudges:
    """Have the virtual hands nudge these dice, which can't be read as they lie."""

    dice: tuple[SeenDie, ...]


@dataclass(frozen=True, slots=True)
class Moves:
    """Have the virtual hands slide these cows (by beam name) to these places, one after the other."""

    to: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Tidies:
    """Have the virtual hands put every cow where the record has it."""


Wish = Acts | Generates | Throws | Nudges | Moves | Tidies
Decide = Callable[[Game, Seat], KeepDice | ChoosePull | None]


class WatchedTable(Protocol):
    """What a computer asks of the table; any thread."""

    @property
    def state(self) -> TurnState:
        """The turn state as it stands."""

    def post(self, event: Event) -> None:
        """Queue an event."""

    def wait_newer(self, version: int, timeout_s: float) -> Snapshot | None:
        """Block until the public state is newer."""


class Hands(Protocol):
    """The virtual hands as a computer uses them."""

    def request(self, request: Mapping[str, Any]) -> None: ...
    def after(self, delay_s: float, request: Mapping[str, Any]) -> None: ...
    def nearest_die(self, x: float, y: float) -> int | None: ...


def decide(game: Game, seat: Seat) -> KeepDice | ChoosePull | None:
    """What a player of this level does with the dice on the table; None where only the forfeit is left.

    Raises:
        WeightsError, ImportError: it can't think here.
    """
    from controller.advice.choose import KeepChoice, choose
    from controller.advice.question import Question

    if game.dice is None:
        return None
    question = Question(game.position, game.dice, game.roll, game.rules, len(game.turns))
    choice = choose(seat.level, question, seat.seed)
    if choice is None:
        return None
    return KeepDice(choice.faces) if isinstance(choice, KeepChoice) else ChoosePull(choice.name)


def wish_of(state: TurnState, decided: Decide = decide) -> Wish | None:
    """What the computer on the move wants done now; None where nobody or a person is on the move, or it waits."""
    game, seat = state.game, computer_to_act(state.game)
    if seat is None or state.phase in (Phase.PAUSED, Phase.OVER, Phase.ROLLING):
        return None
    if state.settings.hands_move and state.cows.are_followed and _are_out_of_place(state):
        return Tidies()
    if state.phase is Phase.REFUSED:
        return _nudge(state) if state.settings.hands_throw and not seat.is_generated else None
    if game.stage is Stage.OPENING:
        return _throw(state, seat, _THROW if game.rules.opening == "all five" else 1)
    if game.dice is None or game.kept is not None:
        return _throw(state, seat, _THROW)
    if state.phase is not Phase.ROLLED:
        return None
    choice = decided(game, seat)
    if isinstance(choice, ChoosePull) and choice.name == state.chosen:
        return _move(state, choice.name)
    return None if choice is None else Acts(choice)


def _are_out_of_place(state: TurnState) -> bool:
    is_to_return = state.phase is Phase.WRONG or state.cows.must_return or state.cows.is_told
    return is_to_return and bool(astray_cows(state))


def _throw(state: TurnState, seat: Seat, count: int) -> Wish | None:
    kept = state.game.kept or ()
    if seat.is_generated:
        return Generates(count - len(kept), kept)
    if not state.settings.hands_throw:
        return None
    wanted, lying = Counter(kept), []
    for die in state.tray.lying or state.tray.seen:
        if die.value is not None and wanted[die.value] > 0:
            wanted[die.value] -= 1
            lying.append(die)
    return Throws(tuple(lying))


def _nudge(state: TurnState) -> Wish | None:
    bad = tuple(die for die in state.tray.seen if die.refusal is not None or die.value is None)
    dice = bad or state.tray.seen
    return Nudges(dice) if dice else Throws()


def _move(state: TurnState, name: str) -> Wish | None:
    if not (state.settings.hands_move and state.cows.are_followed):
        return None
    game = state.game
    pull = next(pull for pull in game.pulls if pull.name == name)
    sign = game.mover.sign
    return Moves(tuple((beam.value, game.position.place(beam) + sign * cells) for beam, cells in pull.cows if cells))


class Computer:
    """Plays every side that a computer has; `start` and `stop` from one thread."""

    def __init__(
        self,
        table: WatchedTable,
        hands: Hands | None,
        clock: Clock,
        generator: random.Random,
        decided: Decide = decide,
    ) -> None:
        """`generator` throws where the players chose so; `hands` is None at a real table."""
        self._table, self._hands, self._clock = table, hands, clock
        self._generator, self._decide = generator, decided
        self._seen: tuple[object, ...] = ()
        self._since = 0.0
        self._done_at: float | None = None
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="computer", daemon=True)

    def start(self) -> None:
        """Start the computer's own thread."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    def run_due(self) -> None:
        """Act where it is time to. Called by the computer's thread; a test with a manual clock may call it."""
        state, now = self._table.state, self._clock.monotonic()
        key = (state.game, state.phase, state.chosen, state.tray.seen, bool(state.cows.occupied))
        if key != self._seen:
            self._seen, self._since, self._done_at = key, now, None
        if computer_to_act(state.game) is None or now < self._since + PAUSE_S:
            return
        if self._done_at is not None and now < self._done_at + AGAIN_S:
            return
        wish = self._wish(state)
        if wish is not None:
            self._done_at = now
            self._carry_out(wish, state)

    def _wish(self, state: TurnState) -> Wish | None:
        try:
            return wish_of(state, self._decide)
        except (ImportError, WeightsError) as error:
            return Acts(GiveUpSeat(str(error)))

    def _carry_out(self, wish: Wish, state: TurnState) -> None:
        match wish:
            case Acts():
                self._act(wish.act, state)
            case Generates():
                thrown = tuple(self._generator.randint(1, 6) for _ in range(wish.count))
                self._act(EnterDice(tuple(sorted(wish.kept + thrown))), state)
            case _:
                self._use_hands(wish)

    def _act(self, act: EnterDice | KeepDice | ChoosePull | GiveUpSeat, state: TurnState) -> None:
        side = side_to_act(state.game) or Side.WHITE
        seat = state.game.seats.of(side)
        who = "computer" if seat is None else f"computer ({seat.level})"
        self._table.post(CommandGiven(ComputerActs(act, state.game), who, self._clock.monotonic()))

    def _use_hands(self, wish: Throws | Nudges | Moves | Tidies) -> None:
        hands = self._hands
        if hands is None:
            return
        try:
            match wish:
                case Throws():
                    hands.request({"do": "throw", "keep": self._numbers(hands, wish.kept)})
                case Nudges():
                    for number in self._numbers(hands, wish.dice):
                        hands.request({"do": "nudge", "die": number})
                case Moves():
                    for order, (beam, place) in enumerate(wish.to):
                        hands.after(order * COW_GAP_S, {"do": "slide", "beam": beam, "place": place})
                case Tidies():
                    hands.request({"do": "tidy"})
        except InputError as error:
            # A die may have been taken away between the look and the grasp; the wish is looked at anew.
            log.info("the computer's hands could not do that: %s", error)

    @staticmethod
    def _numbers(hands: Hands, dice: tuple[SeenDie, ...]) -> list[int]:
        found = [hands.nearest_die(die.x, die.y) for die in dice]
        return sorted({number for number in found if number is not None})

    def _run(self) -> None:
        version = 0
        while not self._stopping.is_set():
            try:
                self.run_due()
            except Exception:  # the thread's top: a bug here must not take the opponent away for the evening
                log.exception("a bug in the computer at phase '%s'", self._table.state.phase)
            newer = self._table.wait_newer(version, WAIT_S)
            version = version if newer is None else newer.version

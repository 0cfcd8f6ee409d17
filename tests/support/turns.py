"""A table without devices for timelines: settle dice, place cows, and read what the machine made of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from controller.games.cosmic_cows import BEAMS, Beam, Cell, Rules, Side, format_dice, start_position
from controller.table.commands import parse_command
from controller.table.effects import Effect, LookAtDiceAgain, Record, Refuse
from controller.table.entries import (
    Corrected,
    Ended,
    Entry,
    Forfeit,
    Keep,
    OpeningThrow,
    PullMade,
    TakenBack,
    Throw,
)
from controller.table.events import (
    BoardArrived,
    CameraArrived,
    CommandGiven,
    CowsSeen,
    Event,
    SeenDie,
    TimePassed,
    TrayLookedAt,
    TrayRolling,
    TraySettled,
)
from controller.table.game import Game, Stage
from controller.table.machine import next_deadline, resume, step
from controller.table.moves import occupancy_of
from controller.table.state import Reason, Settings, TurnState

EDGE = 0.1
SENSORS = frozenset({"lights", "sensors"})


def die(value: int | None, spot: float, colour: str = "white", refusal: str | None = None) -> SeenDie:
    """A die at `spot`, counted in die widths from the left."""
    return SeenDie(value, colour, 0.05 + spot * 0.17, 0.3 + spot * 0.05, EDGE, refusal)


def lying(faces: str, spots: Sequence[float] = (0, 1, 2, 3, 4), colour: str = "white") -> tuple[SeenDie, ...]:
    """Dice with these faces at these spots; `?` is a die that is cocked."""
    return tuple(
        die(None, spot, colour, "cocked") if face == "?" else die(int(face), spot, colour)
        for face, spot in zip(faces, spots, strict=False)
    )


def entry_text(entry: Entry) -> str:
    """One word or two for an entry, for comparing in rows."""
    match entry:
        case OpeningThrow():
            return f"opening {entry.side.letter} {''.join(map(str, entry.faces))}"
        case Keep():
            return f"keep {''.join(map(str, entry.faces))}"
        case Throw():
            return f"throw {format_dice(entry.dice)}"
        case PullMade():
            return f"pull {entry.name}"
        case Forfeit():
            return "forfeit"
        case Corrected():
            return f"correct {entry.what.value} {entry.value} by {entry.who}"
        case TakenBack():
            return f"take back by {entry.who}"
        case Ended():
            return f"end {entry.winner.value if entry.winner else 'draw'} {entry.reason.value}"


class Table:
    """Drives `step` with a clock of its own; the clock passes each deadline on the way, as the loop would."""

    def __init__(self, game: Game | None = None, *, sensors: bool = True, camera: bool = True) -> None:
        self.state: TurnState = resume(game or Game(), Settings(), 0.0)
        self.at = 0.0
        self.effects: list[Effect] = []
        if camera:
            self.give(CameraArrived("test", 0.0))
        self.give(BoardArrived("test", SENSORS if sensors else frozenset({"lights"}), 0.0))
        if sensors:
            self.cows()

    def give(self, event: Event) -> Table:
        """One event."""
        self.state, effects = step(self.state, event)
        self.effects.extend(effects)
        return self

    def wait(self, seconds: float) -> Table:
        """Let time pass, waking the machine at each of its deadlines."""
        end = self.at + seconds
        while (deadline := next_deadline(self.state)) is not None and deadline <= end:
            self.at = max(self.at, deadline)
            self.give(TimePassed(self.at))
        self.at = end
        return self

    def tick(self) -> float:
        """A moment later."""
        self.wait(0.1)
        return self.at

    def roll(self) -> Table:
        """Something moves in the tray."""
        return self.give(TrayRolling(self.tick()))

    def settle(self, dice: Sequence[SeenDie], *refusals: str) -> Table:
        """The tray lies still with these dice."""
        names = list(refusals) + [one.refusal for one in dice if one.refusal is not None]
        if len(dice) != 5 and "not five" not in names:
            names.append("not five")
        return self.give(TraySettled(tuple(dice), tuple(dict.fromkeys(names)), self.tick()))

    def look(self, dice: Sequence[SeenDie], *refusals: str) -> Table:
        """The answer to a second look."""
        return self.give(TrayLookedAt(tuple(dice), tuple(refusals), self.tick()))

    def throw(self, faces: str, spots: Sequence[float] = (0, 1, 2, 3, 4), left: str = "") -> Table:
        """All dice but `left` taken up, thrown, at rest: the faces as they lie; kept ones first, on their spots."""
        self.settle(lying(left, spots))
        self.roll()
        return self.settle(lying(faces, spots))

    def cows(self, moved: Mapping[str, int | None] | None = None, extra: Sequence[Cell] = ()) -> Table:
        """The cows as the game has them, but for `moved` (None: in the hand) and `extra` cells."""
        cells = set(occupancy_of(self.state.game.position))
        for name, place in (moved or {}).items():
            beam = Beam(name)
            cells.discard(Cell(beam, self.state.game.position.place(beam)))
            if place is not None:
                cells.add(Cell(beam, place))
        return self.scan(frozenset(cells | set(extra)))

    def scan(self, occupied: frozenset[Cell]) -> Table:
        """A scan of the board."""
        return self.give(CowsSeen(occupied, self.tick()))

    def say(self, name: str, **arguments: object) -> Table:
        """A command from the page."""
        command = parse_command(name, arguments, self.state.game.rules)
        return self.give(CommandGiven(command, "page", self.tick()))

    def written(self) -> list[str]:
        """The entries recorded since last asked."""
        entries = [entry_text(one) for effect in self.effects if isinstance(effect, Record) for one in effect.entries]
        self.effects.clear()
        return entries

    @property
    def refusals(self) -> list[str]:
        """Why commands were refused since the entries were last asked for."""
        return [effect.why for effect in self.effects if isinstance(effect, Refuse)]

    @property
    def looks(self) -> int:
        """How often the dice were to be looked at again since the entries were last asked for."""
        return sum(isinstance(effect, LookAtDiceAgain) for effect in self.effects)

    @property
    def phase(self) -> str:
        return self.state.phase.value

    @property
    def told(self) -> Reason | None:
        return self.state.notice.reason if self.state.notice else None


def turn_game(places: Mapping[str, int] | None = None, mover: Side = Side.WHITE, rules: Rules | None = None) -> Game:
    """A game past its opening, with cows on these places."""
    position = start_position(mover).with_places({Beam(name): place for name, place in (places or {}).items()})
    game = Game(stage=Stage.TURNS, position=position)
    return game if rules is None else Game(stage=Stage.TURNS, position=position, rules=rules)


ALL_BEAMS = BEAMS

"""What a computer wants done in each state of a turn, and that it acts after a humane while, once."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from controller.advice.errors import WeightsError
from controller.runtime.clock import ManualClock
from controller.runtime.computer import AGAIN_S, PAUSE_S, Acts, Computer, Generates, Moves, Throws, Wish, wish_of
from controller.runtime.ports import Snapshot
from controller.table.commands import ChoosePull, ComputerActs, EnterDice, GiveUpSeat, KeepDice
from controller.table.entries import Keep
from controller.table.events import CommandGiven, Event, SeenDie
from controller.table.game import Game, fold
from controller.table.seats import Computer as Seat
from controller.table.seats import Seats
from controller.table.seats import Throws as How
from controller.table.state import Phase, Settings, TurnState
from tests.support.states import magnet, played

GREEDY = Seats(white=Seat("greedy", 1, How.GENERATOR))
IN_TRAY = Seats(white=Seat("greedy", 1, How.TRAY))
VIRTUAL = Settings(hands_throw=True, hands_move=True)


def state_of(game: Game, phase: Phase, seats: Seats = GREEDY, settings: Settings | None = None) -> TurnState:
    state = replace(magnet(replace(game, seats=seats), phase))
    return state if settings is None else replace(state, settings=settings)


def keeps_threes(game: Game, seat: Seat) -> KeepDice | ChoosePull | None:
    del game, seat
    return KeepDice((3, 3))


def pulls_three(game: Game, seat: Seat) -> KeepDice | ChoosePull | None:
    del game, seat
    return ChoosePull("pair 3")


def wished(state: TurnState) -> Wish | None:
    return wish_of(state, keeps_threes)


def test_the_generator_throws_five_dice_at_the_start_of_a_turn() -> None:
    assert wished(state_of(played(), Phase.TO_ROLL)) == Generates(5)


def test_the_generator_throws_only_what_is_not_kept() -> None:
    game = fold(played("33125"), Keep((3, 3)))

    assert wished(state_of(game, Phase.ROLLED)) == Generates(3, (3, 3))


def test_a_real_tray_is_waited_for() -> None:
    assert wished(state_of(played(), Phase.TO_ROLL, IN_TRAY)) is None


def test_virtual_hands_throw_and_leave_the_kept_dice_lying() -> None:
    dice = tuple(
        SeenDie(face, "white", 0.1 * number, 0.2, 0.06) for number, face in enumerate((3, 1, 3, 2, 5), start=1)
    )
    state = state_of(fold(played("33125"), Keep((3, 3))), Phase.ROLLED, IN_TRAY, VIRTUAL)
    state = replace(state, tray=replace(state.tray, lying=dice))

    assert wished(state) == Throws((dice[0], dice[2]))


def test_what_it_decides_is_done_as_a_person_would() -> None:
    assert wished(state_of(played("33125"), Phase.ROLLED)) == Acts(KeepDice((3, 3)))
    assert wish_of(state_of(played("33125"), Phase.ROLLED), pulls_three) == Acts(ChoosePull("pair 3"))


def test_a_chosen_pull_is_left_to_a_persons_hand_or_made_by_the_virtual_ones() -> None:
    real = replace(state_of(played("33125"), Phase.ROLLED, IN_TRAY), chosen="pair 3")
    virtual = replace(real, settings=VIRTUAL)

    assert wish_of(real, pulls_three) is None
    assert wish_of(virtual, pulls_three) == Moves((("3", 2),))


def test_nothing_is_wanted_in_a_persons_turn_a_pause_or_while_dice_roll() -> None:
    assert wished(state_of(played("33125"), Phase.ROLLED, Seats())) is None
    for phase in (Phase.PAUSED, Phase.ROLLING, Phase.OVER):
        assert wished(state_of(played("33125"), phase)) is None


class Table:
    """A table that stands still and notes what is posted."""

    def __init__(self, state: TurnState) -> None:
        self.state = state
        self.posted: list[Event] = []

    def post(self, event: Event) -> None:
        self.posted.append(event)

    def wait_newer(self, version: int, timeout_s: float) -> Snapshot | None:
        del version, timeout_s
        return None

    def acts(self) -> list[object]:
        return [
            event.command.act
            for event in self.posted
            if isinstance(event, CommandGiven) and isinstance(event.command, ComputerActs)
        ]


def test_it_acts_once_after_a_humane_while_and_again_much_later() -> None:
    clock, table = ManualClock(0.0), Table(state_of(played("33125"), Phase.ROLLED))
    computer = Computer(table, None, clock, random.Random(1), keeps_threes)
    computer.run_due()
    clock.advance(PAUSE_S / 2)
    computer.run_due()
    assert table.acts() == []

    clock.advance(PAUSE_S)
    computer.run_due()
    computer.run_due()
    assert table.acts() == [KeepDice((3, 3))]

    clock.advance(AGAIN_S)
    computer.run_due()
    assert table.acts() == [KeepDice((3, 3))] * 2


def test_generated_dice_are_fair_chance_beside_the_kept_ones() -> None:
    clock, seen = ManualClock(0.0), [0] * 7
    table = Table(state_of(fold(played("33125"), Keep((3, 3))), Phase.ROLLED))
    computer = Computer(table, None, clock, random.Random(2))
    computer.run_due()
    for _ in range(400):
        clock.advance(AGAIN_S + PAUSE_S)
        computer.run_due()
    for act in table.acts():
        assert isinstance(act, EnterDice)
        faces = list(act.faces)
        faces.remove(3)
        faces.remove(3)
        for face in faces:
            seen[face] += 1

    assert sum(seen) == 1200
    assert all(140 <= count <= 260 for count in seen[1:])


def test_without_its_weights_it_gives_its_seat_to_a_person_and_says_why() -> None:
    def cannot(game: Game, seat: Seat) -> KeepDice | ChoosePull | None:
        raise WeightsError("weights cells.npz: expected an .npz file of weights, saw no such file")

    clock, table = ManualClock(0.0), Table(state_of(played("33125"), Phase.ROLLED))
    computer = Computer(table, None, clock, random.Random(1), cannot)
    computer.run_due()
    clock.advance(PAUSE_S)
    computer.run_due()

    act = table.acts()[0]
    assert isinstance(act, GiveUpSeat)
    assert "no such file" in act.why


def test_hands_are_told_which_dice_and_cows_by_place() -> None:
    class Hands:
        def __init__(self) -> None:
            self.asked: list[tuple[float, Mapping[str, Any]]] = []

        def request(self, request: Mapping[str, Any]) -> None:
            self.asked.append((0.0, request))

        def after(self, delay_s: float, request: Mapping[str, Any]) -> None:
            self.asked.append((delay_s, request))

        def nearest_die(self, x: float, y: float) -> int | None:
            del y
            return round(10 * x)

    clock, hands = ManualClock(0.0), Hands()
    state = replace(state_of(played("33551"), Phase.ROLLED, IN_TRAY, VIRTUAL), chosen="two pair 3 5")
    computer = Computer(Table(state), hands, clock, random.Random(1), lambda game, seat: ChoosePull("two pair 3 5"))
    computer.run_due()
    clock.advance(PAUSE_S)
    computer.run_due()

    assert [request["do"] for _, request in hands.asked] == ["slide", "slide"]
    assert hands.asked[0][0] < hands.asked[1][0]
    assert [request["beam"] for _, request in hands.asked] == ["3", "5"]

"""Host side and controller together as timelines: what is seen of cows, what is shown, and every fault's recovery."""

from __future__ import annotations

import pytest

from firmware_bridge.delivery import Timing
from firmware_bridge.errors import AddressError
from firmware_bridge.events import BoardArrived, BoardFault, BoardLost, ButtonPressed, KnobTurned
from firmware_bridge.geometry import BEAMS, CELL_COUNT, cell_number, load_board
from firmware_bridge.host import HostSide
from firmware_bridge.lights import COLOURS, DARK_PLAN, MOTIONS, Colour, Light, LightPlan, Motion
from firmware_bridge.link_events import LinkPhase
from firmware_bridge.messages import BootReason, Button, Sound, encode_payload
from firmware_bridge.packets import encode_packet
from firmware_bridge.power import lights_budget_ma, plan_ma
from firmware_bridge.virtual.mcu import MOST_EVENTS, safe_plan
from tests.support.bench_board import BenchBoard
from tests.support.link_pair import a_hello

HOME = frozenset(cell_number(beam, 0) for beam in BEAMS)
BLUE_PLAN: LightPlan = (Light(Colour.BLUE, Motion.BREATHE),) * CELL_COUNT
MOTLEY: LightPlan = tuple(Light(COLOURS[cell * 7 % 10], MOTIONS[cell * 3 % 7]) for cell in range(CELL_COUNT))


def ready(variant: str = "magnet") -> BenchBoard:
    bench = BenchBoard(variant)
    bench.run(0.3)
    return bench


def test_a_board_arrives_and_its_cows_are_seen_right_afterwards() -> None:
    bench = ready()
    arrived = bench.events[0]
    assert arrived == BoardArrived("magnet", load_board("magnet").capabilities, "T-1", "virtual-board-1.0")
    assert bench.scans() == [HOME]
    assert len(bench.events) == 2


def test_a_slid_cow_is_seen_on_every_cell_and_in_every_gap() -> None:
    bench = ready()
    bench.world.slide("2", 3, 0.6, bench.at)
    bench.run(1.0)
    without = HOME - {cell_number("2", 0)}
    way = [HOME]
    for place in (1, 2, 3):
        way += [without, without | {cell_number("2", place)}]
    assert bench.scans() == way


def test_a_cow_slid_while_the_board_is_silent_is_seen_on_its_cell_afterwards() -> None:
    bench = ready()
    bench.fault("silent")
    bench.world.slide("2", -4, 0.5, bench.at)
    bench.run(1.0)
    assert bench.scans() == [HOME]
    bench.fault("none")
    bench.run(0.5)
    assert bench.scans()[-1] == bench.truth() != HOME


def test_more_changes_than_the_board_can_keep_end_in_a_snapshot() -> None:
    bench = ready()
    bench.fault("silent")
    for turn in range(4):
        bench.world.slide("chance", 8 if turn % 2 == 0 else -8, 0.5, bench.at)
        bench.run(0.55)
    assert bench.losses() == []  # silent for less than the limit: the session goes on
    seen_before = len(bench.scans())
    bench.fault("none")
    bench.run(0.5)
    assert bench.scans()[-1] == bench.truth()
    assert len(bench.scans()) - seen_before <= MOST_EVENTS + 6 + 1
    assert bench.host.stats.sessions == 1


def test_board_times_count_on_with_the_board() -> None:
    bench = ready()
    bench.world.lift("1")
    bench.run(0.1)
    bench.world.lift("2")
    bench.run(0.1)
    first, second = (event for event in bench.events[2:] if hasattr(event, "board_ms"))
    assert second.board_ms - first.board_ms == pytest.approx(100, abs=5)


def test_buttons_and_knob_are_told() -> None:
    bench = ready()
    bench.mcu.press(Button.NEW_GAME, bench.at)
    bench.mcu.turn(-3, bench.at)
    bench.mcu.turn(500, bench.at)
    bench.run(0.1)
    assert bench.events[2:] == [ButtonPressed("new-game"), KnobTurned(-3), KnobTurned(127)]


def test_the_whole_plan_is_shown_as_one_picture() -> None:
    bench = ready()
    shown = set()
    bench.host.show(MOTLEY)
    for _ in range(50):
        bench.turn()
        shown.add(bench.mcu.shown)
        bench.at += 0.001
    assert shown <= {DARK_PLAN, MOTLEY}
    assert bench.mcu.shown == MOTLEY


def test_only_the_difference_is_sent_and_nothing_for_the_same_plan() -> None:
    bench = ready()
    bench.host.show(BLUE_PLAN)
    bench.run(0.1)
    before = bench.packets_down
    bench.host.show(BLUE_PLAN)
    bench.run(0.1)
    assert bench.packets_down == before
    bench.bytes_down = 0
    bench.host.show((Light(Colour.RED), *BLUE_PLAN[1:]))
    bench.run(0.1)
    assert bench.mcu.shown[0] == Light(Colour.RED)
    assert bench.bytes_down < 20


def test_of_a_thousand_plans_in_a_row_only_the_newest_needs_showing() -> None:
    bench = ready()
    plans = [tuple(Light(COLOURS[(cell + n) % 10]) for cell in range(CELL_COUNT)) for n in range(1000)]
    before = bench.packets_down
    for plan in plans:
        bench.host.show(plan)
    bench.run(0.2)
    assert bench.mcu.shown == plans[-1]
    assert bench.packets_down - before < 12


def test_the_board_is_told_to_dim_what_its_supply_cannot_feed() -> None:
    bench = ready()
    white: LightPlan = (Light(Colour.WHITE),) * CELL_COUNT
    bench.host.show(white)
    bench.run(0.2)
    layout = load_board("magnet")
    assert bench.mcu.shown == white
    assert 0 < bench.mcu.level < 255
    assert plan_ma(white, bench.mcu.level) <= lights_budget_ma(layout.supply_ma, layout.reserve_ma)


def test_the_palette_is_told_before_the_lights() -> None:
    bench = ready()
    assert sorted(bench.mcu.palette) == list(range(len(COLOURS)))


def test_sounds_are_made_in_order_and_stale_ones_forgotten() -> None:
    bench = ready()
    for sound in (Sound.READ, Sound.WRONG, Sound.ACCEPTED, Sound.WIN):
        bench.host.buzz(sound)
    bench.run(0.1)
    assert list(bench.mcu.sounds) == [Sound.WRONG, Sound.ACCEPTED, Sound.WIN]


def test_a_rebooted_board_gets_its_lights_and_tells_its_cows_again() -> None:
    bench = ready()
    bench.host.show(MOTLEY)
    bench.run(0.2)
    bench.world.lift("5")
    bench.reboot()
    assert bench.mcu.shown == DARK_PLAN
    bench.run(0.5)
    assert [type(event) for event in bench.events[-3:]][:2] == [BoardLost, BoardArrived]
    assert bench.scans()[-1] == bench.truth()
    assert bench.mcu.shown == MOTLEY


def test_a_reboot_in_the_middle_of_a_light_plan_is_mended_by_the_whole_plan() -> None:
    bench = ready()
    bench.host.show(MOTLEY)
    bench.mcu.receive(bench.host.data_to_send(bench.at)[:9], bench.at)
    bench.reboot()
    bench.run(0.6)
    assert bench.mcu.shown == MOTLEY


def test_a_brown_out_is_named() -> None:
    bench = ready()
    bench.reboot(BootReason.BROWN_OUT)
    bench.run(0.4)
    assert BoardFault("brown-out", None) in bench.events
    assert bench.scans()[-1] == HOME


def test_a_silent_board_is_lost_and_comes_back_with_lights_and_cows() -> None:
    bench = ready()
    bench.host.show(BLUE_PLAN)
    bench.run(0.2)
    bench.fault("silent")
    bench.run(4.0)
    assert bench.losses() == ["the board doesn't answer; check its cable and supply"]
    assert bench.host.phase is LinkPhase.GREETING
    bench.world.lift("4")
    bench.fault("none")
    bench.run(0.5)
    assert bench.host.is_usable
    assert bench.scans()[-1] == bench.truth()
    assert bench.mcu.shown == BLUE_PLAN


def test_a_board_that_hears_no_host_shows_its_safe_light() -> None:
    bench = ready()
    bench.host.show(BLUE_PLAN)
    bench.run(0.2)
    bench.fault("silent")
    bench.run(6.0)
    assert bench.mcu.shown == safe_plan()


@pytest.mark.parametrize("fault", ["corrupt:2", "drop:2", "corrupt:5"])
def test_a_bad_line_slows_lights_and_cows_but_loses_none(fault: str) -> None:
    bench = ready()
    bench.fault(fault)
    for turn in range(4):
        plan = tuple(Light(COLOURS[(cell // 17 + turn) % 10]) for cell in range(CELL_COUNT))
        bench.host.show(plan)
        bench.world.slide("6", turn * 2 - 3, 0.4, bench.at)
        bench.run(12.0)
        assert bench.mcu.shown == plan
        assert bench.scans()[-1] == bench.truth()


def test_a_weak_magnet_flickers_and_the_last_word_is_the_cows() -> None:
    bench = ready()
    cell = cell_number("3", 0)
    bench.fault(f"weak:{cell}")
    bench.run(3.0)
    assert {cell in scan for scan in bench.scans()} == {True, False}
    bench.fault("none")
    bench.run(0.5)
    assert bench.scans()[-1] == HOME


@pytest.mark.parametrize(("fault", "name"), [("stuck:21", "ghost"), ("ghost:21", "ghost"), ("chatter:21", "chatter")])
def test_a_switch_that_cannot_be_right_is_named_with_its_cell_and_ends(fault: str, name: str) -> None:
    bench = ready()
    bench.fault(fault)
    bench.run(7.0)
    assert BoardFault(name, 21) in bench.events
    bench.fault("none")
    bench.run(2.0)
    assert BoardFault(name, 21, is_over=True) in bench.events
    assert bench.scans()[-1] == HOME


def test_a_switch_stuck_while_its_beams_cow_moves_is_called_stuck() -> None:
    bench = ready()
    bench.fault("stuck:21")
    bench.run(0.1)
    bench.world.slide("1", 6, 0.5, bench.at)
    bench.run(4.0)
    assert BoardFault("stuck", 21) in bench.events


def test_a_fault_that_lasts_is_told_again_to_a_new_session() -> None:
    bench = ready()
    bench.fault("stuck:21")
    bench.run(3.0)
    bench.host = HostSide(session=77)
    bench.events.clear()
    bench.run(0.5)
    assert BoardFault("ghost", 21) in bench.events


def test_an_led_board_shows_lights_and_is_never_asked_for_cows() -> None:
    bench = ready("led")
    bench.host.show(BLUE_PLAN)
    bench.run(0.2)
    assert isinstance(bench.events[0], BoardArrived)
    assert "sensors" not in bench.events[0].capabilities
    assert bench.scans() == []
    assert bench.mcu.shown == BLUE_PLAN


def hello_to(host: HostSide, **changed: object) -> tuple[object, ...]:
    host.data_to_send(1.0)
    return host.receive(encode_packet(2, 0, encode_payload(a_hello(7, session=9, **changed))), 1.0)


def test_a_board_of_another_version_is_told_with_the_mend() -> None:
    (event,) = hello_to(HostSide(session=9), major=2)
    assert event == BoardLost("the board speaks protocol 2.1, this program 1.1; update this program")
    (event,) = hello_to(HostSide(session=9), major=0)
    assert isinstance(event, BoardLost)
    assert "flash the board" in event.reason


def test_a_board_with_another_number_of_cells_is_left_alone() -> None:
    host = HostSide(session=9)
    host.show(BLUE_PLAN)
    (event,) = hello_to(host, cell_count=64)
    assert event == BoardLost("this board has 64 cells, 139 are needed; is it the right one?")
    assert not host.is_usable
    assert host.data_to_send(1.0).count(0) == 1  # the snapshot request of the connection, no lights


def test_an_unknown_variant_that_can_show_lights_is_used() -> None:
    host = HostSide(session=9)
    host.show(BLUE_PLAN)
    assert isinstance(hello_to(host, variant="pulling")[0], BoardArrived)
    assert host.is_usable


def test_a_plan_the_board_refuses_is_not_offered_for_ever() -> None:
    host = HostSide(session=9, timing=Timing())
    hello_to(host, capabilities=frozenset({"lights"}))
    host.show(BLUE_PLAN)
    sequence = 0
    for _ in range(20):
        if host.data_to_send(1.0):
            host.receive(encode_packet(4, sequence, b"\x05"), 1.0)
            sequence += 1
    assert sequence == 4  # three of the palette, one of the plan
    host.show(MOTLEY)
    assert host.data_to_send(1.0)


def test_a_plan_without_139_lights_is_refused_at_once() -> None:
    with pytest.raises(AddressError, match="139"):
        HostSide(session=9).show(DARK_PLAN[1:])

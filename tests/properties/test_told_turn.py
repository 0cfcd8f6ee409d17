"""Any order of events: at each moment the table has lights, a sentence and a public state that hold what they say."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.games.cosmic_cows import cells
from controller.table.commands import parse_command
from controller.table.effects import Refuse
from controller.table.events import CommandGiven
from controller.table.game import Game
from controller.table.lights import cell_lights, lights
from controller.table.machine import step
from controller.table.state import TurnState
from controller.table.view import commands_possible, public_view
from controller.table.words import Names
from tests.properties.test_turn import OPS, perform, starts
from tests.support.turns import Table

WITHOUT_ARGUMENTS = ("undo", "done", "reroll", "knob", "pause", "resume", "new_game")


def check(state: TurnState) -> None:
    assert len(lights(state)) == 139
    assert len(cell_lights(state)) == len(cells(state.game.rules))
    public = public_view(state, Names("Ann", "Bo"), "1")
    assert json.loads(json.dumps(public)) == public
    notice = public["notice"]
    for text in (public["sentence"], *((notice["sentence"], notice["mend"] or "None.") if notice else ())):
        assert text.endswith("."), text
        assert "  " not in text, text
        assert text[0].isupper(), text


def check_commands(state: TurnState) -> None:
    """What the public state says can be done isn't refused."""
    can = [name for name in commands_possible(state) if name in WITHOUT_ARGUMENTS]
    commands = [parse_command(name, {}) for name in can]
    commands += [
        parse_command("choose_pull", {"pull": pull["name"]}) for pull in public_view(state, Names(), "1")["pulls"]
    ]
    for command in commands:
        _, effects = step(state, CommandGiven(command, "page", state.now))
        assert [effect.why for effect in effects if isinstance(effect, Refuse)] == [], command


@settings(max_examples=60, deadline=None)
@given(starts(), st.lists(OPS, max_size=20), st.booleans(), st.booleans())
def test_every_moment_of_any_turn_is_told(
    game: Game, ops: list[tuple[object, ...]], sensors: bool, camera: bool
) -> None:
    table = Table(game, sensors=sensors, camera=camera)
    for op in ops:
        perform(table, op)
        check(table.state)
        check_commands(table.state)

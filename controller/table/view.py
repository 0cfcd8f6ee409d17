"""Turn state → the public state of the table as JSON values: what the page, a wall display or another program sees.

Rules of this file: pure, no secrets, the same state gives the same values in the same order. What isn't the game's
(version, devices, the virtual table) is added by the loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from controller.games.cosmic_cows import (
    BEAMS,
    Beam,
    Position,
    Pull,
    Rules,
    Side,
    apply_pull,
    cows_home,
    format_dice,
    format_position,
    format_rules,
    last_place,
    outcome,
)
from controller.table.coach_view import coach_view
from controller.table.coaching import may_ask
from controller.table.computers import computer_to_act, is_generators_turn
from controller.table.entries import EndReason
from controller.table.events import SeenDie
from controller.table.game import Game, Stage, Turn
from controller.table.lights import Light, cell_lights
from controller.table.moves import astray_cows
from controller.table.offers import may_throw, offered, places_seen
from controller.table.referee import targets
from controller.table.seats import format_seats
from controller.table.state import CowAstray, Phase, TurnState
from controller.table.words import Names, end_words, mend, notice_sentence, sentence

__all__ = ["commands_possible", "public_view"]

KIND = "cosmic-cows"
_THROW = 5
_COW_PHASES = (Phase.MOVING, Phase.WAITING, Phase.WRONG)


def public_view(state: TurnState, names: Names, game_id: str) -> dict[str, Any]:
    """The public state; `lights` has a pair for each cell of the board as this game's rules have it."""
    game = state.game
    return {
        "game": {
            "id": game_id,
            "kind": KIND,
            "players": {"white": names.white, "black": names.black},
            "computers": format_seats(game.seats),
            "rules": format_rules(game.rules),
        },
        "phase": state.phase.value,
        "mover": None if game.stage is Stage.OPENING else game.mover.value,
        "roll": game.roll,
        "rolls": game.rolls,
        "position": format_position(game.position),
        "beams": [_beam(state, beam) for beam in BEAMS],
        "dice": _dice(state),
        "refusals": list(state.tray.refusals),
        "pulls": [_pull(pull, game, state.chosen) for pull in offered(state)],
        "wrong": [_wrong(cow) for cow in astray_cows(state)],
        "lights": [list(_pair(light)) for light in cell_lights(state)],
        "sentence": sentence(state, names),
        "notice": _notice(state, names),
        "score": _score(game.position, game.rules),
        "winner": _winner(game),
        "reason": end_words(game),
        "opening": {side.value: _opening(game, side) for side in Side},
        "history": [_turn(number, turn) for number, turn in enumerate(game.turns, start=1)],
        **coach_view(state),
        "can": list(commands_possible(state)),
    }


def commands_possible(state: TurnState) -> tuple[str, ...]:
    """The names of the commands that make sense now, in a fixed order."""
    game, phase = state.game, state.phase
    if phase is Phase.PAUSED:
        return ("new_game", "resume", "coach")
    is_turn = game.stage is Stage.TURNS
    may_roll = may_throw(state) and phase not in _COW_PHASES
    is_persons = computer_to_act(game) is None
    can = {
        "new_game": True,
        "undo": game.before is not None,
        "done": _has_something_to_finish(state),
        "reroll": is_turn and may_roll,
        "choose_pull": is_persons and bool(offered(state)),
        "knob": is_persons and bool(offered(state)),
        "enter_dice": may_roll,
        "keep": is_persons and is_turn and game.dice is not None and may_throw(state),
        "correct_dice": is_turn and game.dice is not None,
        "correct_mover": is_turn,
        "correct_cows": is_turn,
        "pause": phase is not Phase.OVER,
        "resign": phase is not Phase.OVER,
        "coach": True,
        "ask_coach": may_ask(state),
    }
    return tuple(name for name, makes_sense in can.items() if makes_sense)


def _has_something_to_finish(state: TurnState) -> bool:
    game = state.game
    match state.phase:
        case Phase.WAITING:
            return state.cows.verdict.pull is not None
        case Phase.TOUCHED:
            return game.stage is Stage.TURNS and may_throw(state)
        case Phase.ROLLED if computer_to_act(game) is not None:
            return False
        case Phase.ROLLED if state.chosen is not None:
            chosen = next((pull for pull in offered(state) if pull.name == state.chosen), None)
            moves_no_cow = chosen is not None and not any(spaces for _, spaces in chosen.cows)
            return chosen is not None and (moves_no_cow or not state.cows.are_followed)
        case Phase.ROLLED:
            return not may_throw(state) and not game.pulls
        case _:
            return False


def _beam(state: TurnState, beam: Beam) -> dict[str, Any]:
    rules = state.game.rules
    return {
        "beam": beam.value,
        "last": last_place(beam, rules),
        "zone": 1 if beam is Beam.SUPER else rules.win_zone,
        "place": state.game.position.place(beam),
        "seen": list(places_seen(state, beam)),
        "locked": beam in state.game.position.locked,
    }


def _dice(state: TurnState) -> list[dict[str, Any]]:
    """The dice as they lie; those of the roll where they were entered by hand or lie elsewhere by now."""
    game, tray = state.game, state.tray
    is_from_tray = not is_generators_turn(game)
    if is_from_tray and tray.is_taken_up and (tray.is_moving or len(tray.seen) < _THROW):
        return [_die(die, game.roll > 0) for die in tray.lying]
    if game.dice is None or state.phase in (Phase.REFUSED, Phase.TOUCHED):
        return [_die(die, False) for die in tray.seen]
    kept = list(game.kept or ())
    for dice in (tray.seen, tray.lying):  # what is read stays read, though a die was knocked askew since
        if tuple(sorted(die.value or 0 for die in dice)) == game.dice.faces:
            return [_die(die, _take(kept, die.value)) for die in dice]
    colour = game.mover.value
    return [
        {"value": face, "colour": colour, "kept": _take(kept, face), "box": None, "refusal": None}
        for face in game.dice.faces
    ]


def _take(kept: list[int], face: int | None) -> bool:
    """Whether this face is among the kept ones that no die has been given yet."""
    if face in kept:
        kept.remove(face)
        return True
    return False


def _die(die: SeenDie, is_kept: bool) -> dict[str, Any]:
    return {
        "value": die.value,
        "colour": die.colour,
        "kept": is_kept,
        "box": None if die.box is None else [round(share, 4) for share in die.box],
        "refusal": die.refusal,
    }


def _pull(pull: Pull, game: Game, chosen: str | None) -> dict[str, Any]:
    after = apply_pull(game.position, pull, game.rules)
    return {
        "name": pull.name,
        "cows": {beam.value: spaces for beam, spaces in pull.cows},
        "to": {beam.value: place for beam, place in targets(game.position, pull).items()},
        "position": format_position(after),
        "chosen": pull.name == chosen,
        "wins": outcome(after, game.rules) is not None,
    }


def _wrong(cow: CowAstray) -> dict[str, Any]:
    """Only places on the cow's own beam: one number can't say another beam; the sentence does."""
    at = [cell.place for cell in cow.at if cell.beam is cow.beam]
    return {"beam": cow.beam.value, "at": at, "home": cow.home.place}


def _notice(state: TurnState, names: Names) -> dict[str, Any] | None:
    if state.notice is None:
        return None
    reason = state.notice.reason
    return {"name": reason.value, "sentence": notice_sentence(state, names), "mend": mend(reason)}


def _score(position: Position, rules: Rules) -> dict[str, int]:
    home = {side.value: len(cows_home(position, side, rules)) for side in Side}
    return {**home, "to_win": rules.cows_to_win}


def _winner(game: Game) -> str | None:
    if game.ended is None or game.ended.reason is EndReason.ABANDONED:
        return None
    return "draw" if game.ended.winner is None else game.ended.winner.value


def _opening(game: Game, side: Side) -> Sequence[int]:
    return [face for entry in game.opening if entry.side is side for face in entry.faces]


@lru_cache(maxsize=1024)
def _pair(light: Light) -> tuple[str, str]:
    return light.colour.value, light.motion.value


def _turn(number: int, turn: Turn) -> dict[str, Any]:
    throws, position = _turn_texts(turn)
    return {
        "turn": number,
        "mover": turn.mover.value,
        "throws": list(throws),
        "pull": turn.pull,
        "position": position,
    }


@lru_cache(maxsize=1024)
def _turn_texts(turn: Turn) -> tuple[tuple[str, ...], str]:
    """A finished turn's throws and position; kept, since each state of a long game tells all turns again."""
    return tuple(map(format_dice, turn.throws)), format_position(turn.after)

"""Turn states by name, one for each thing a light, a sentence or the page has to show.

Each is put together from a folded game and the referee's own verdict, so that none can show what no table would.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from controller.games.cosmic_cows import BEAMS, Beam, Cell, Position, Rules, Side, parse_dice, start_position
from controller.table.entries import Ended, EndReason, Entry, Forfeit, OpeningThrow, PullMade, Throw
from controller.table.events import SeenDie
from controller.table.game import Game, Stage, fold_all
from controller.table.hints import Coach, CoachMode, Hint, throw_of
from controller.table.referee import judge
from controller.table.state import Cows, Notice, Phase, Reason, Tray, TurnState, VerdictKind

MAGNET = frozenset({"lights", "sensors", "button"})
LED = frozenset({"lights", "button", "knob"})
MIDGAME = {"chance": -3, "1": 2, "2": 5, "3": 0, "super": 0, "4": -2, "5": 1, "6": -6, "straights": 4}
_PHASE_OF = {
    VerdictKind.UNCHANGED: Phase.ROLLED,
    VerdictKind.ON_THE_WAY: Phase.MOVING,
    VerdictKind.COULD_GO_ON: Phase.WAITING,
    VerdictKind.WRONG: Phase.WRONG,
}


def opened(mover: Side = Side.WHITE, rules: Rules | None = None) -> Game:
    """A game whose opening `mover` has won."""
    throws = (OpeningThrow(mover, (5,)), OpeningThrow(mover.other, (2,)))
    return fold_all(Game() if rules is None else Game(rules=rules), throws)


def played(
    *throws: str,
    places: Mapping[str, int] | None = None,
    mover: Side = Side.WHITE,
    rules: Rules | None = None,
    then: Sequence[Entry] = (),
) -> Game:
    """A game with cows on these places, the rolls of this turn, and further entries."""
    position = start_position(mover).with_places({Beam(beam): place for beam, place in (places or {}).items()})
    game = replace(opened(mover, rules), position=position)
    return fold_all(game, (*(Throw(parse_dice(dice)) for dice in throws), *then))


def dice_lying(faces: str, colour: str = "white", refusal: str | None = None) -> tuple[SeenDie, ...]:
    """Dice in a row; `?` is one that can't be read for `refusal`."""
    return tuple(
        SeenDie(
            None if face == "?" else int(face),
            colour,
            0.1 + 0.15 * spot,
            0.3,
            0.08,
            refusal if face == "?" else None,
            (0.06 + 0.15 * spot, 0.36, 0.08, 0.11),
        )
        for spot, face in enumerate(faces)
    )


def tray_of(faces: str, *refusals: str, colour: str = "white") -> Tray:
    """A watched tray at rest with these dice."""
    dice = dice_lying(faces, colour, refusals[0] if refusals else None)
    if refusals:
        return Tray(is_watched=True, seen=dice, refusals=refusals)
    return Tray(is_watched=True, seen=dice, lying=dice, rolled=dice)


def cells_of(position: Position, moved: Mapping[str, int | None] | None = None) -> frozenset[Cell]:
    """The cells the cows stand on, but for `moved` (None: in the hand)."""
    places = {beam.value: position.place(beam) for beam in BEAMS} | dict(moved or {})
    return frozenset(Cell(Beam(beam), place) for beam, place in places.items() if place is not None)


def magnet(game: Game, phase: Phase, **rest: object) -> TurnState:
    """A state at a board with sensors and all cows where they belong."""
    cows = Cows(can=MAGNET, occupied=cells_of(game.position))
    tray = Tray(is_watched=True)
    if game.dice is not None:
        tray = tray_of("".join(map(str, game.dice.faces)), colour=game.mover.value)
    return replace(TurnState(game=game, phase=phase, cows=cows, tray=tray), **rest)  # type: ignore[arg-type]


def with_cows(
    state: TurnState,
    moved: Mapping[str, int | None],
    extra: Sequence[str] = (),
    *,
    is_told: bool = False,
    must_return: bool = False,
) -> TurnState:
    """The state with cows moved so, as the referee judges it; within a turn the phase is the verdict's."""
    game = state.game
    occupied = cells_of(game.position, moved) | {Cell.parse(text) for text in extra}
    verdict = judge(game.position, occupied, () if must_return else game.pulls, state.chosen)
    cows = replace(state.cows, occupied=occupied, verdict=verdict, is_told=is_told, must_return=must_return)
    phase = _PHASE_OF[verdict.kind] if game.roll and verdict.kind in _PHASE_OF else state.phase
    reason = Reason.LEAD_HOME if must_return or not game.roll else Reason.COWS_ASTRAY
    notice = Notice(reason) if is_told else state.notice
    return replace(state, cows=cows, phase=phase, notice=notice)


def on_led_board(state: TurnState) -> TurnState:
    """The same at a board without sensors."""
    return replace(state, cows=Cows(can=LED))


def coached(
    state: TurnState, *, keep: str | None = None, pull: str | None = None, beams: Sequence[str] = (), **rest: object
) -> TurnState:
    """The state with the coach speaking at every throw, for this keep or this pull."""
    throw = throw_of(state.game)
    assert throw is not None
    hint = Hint(
        throw=throw,
        improve=0.57 if throw.roll < throw.rolls else 0.0,
        nothing=0.03 if throw.roll < throw.rolls else 0.0,
        keep=None if keep is None else tuple(map(int, keep)),
        pull=pull,
        beams=tuple(map(Beam, beams)),
        sentence=f"Pull {pull}." if pull else f"Keep {' '.join(keep or '')}.",
    )
    coach = replace(Coach(mode=CoachMode.ALWAYS, hint=hint), **rest)  # type: ignore[arg-type]
    return replace(state, coach=coach)


def mirrored(state: TurnState) -> TurnState:
    """The same seen from the other end of the table."""
    game, cows = state.game, state.cows
    occupied = None if cows.occupied is None else frozenset(Cell(c.beam, -c.place) for c in cows.occupied)
    astray = tuple(
        replace(cow, at=tuple(Cell(c.beam, -c.place) for c in cow.at), home=Cell(cow.home.beam, -cow.home.place))
        for cow in cows.verdict.astray
    )
    turns = tuple(
        replace(turn, mover=turn.mover.other, before=turn.before.mirrored(), after=turn.after.mirrored())
        for turn in game.turns
    )
    ended = game.ended
    if ended is not None and ended.winner is not None:
        ended = replace(ended, winner=ended.winner.other)
    opening = tuple(replace(entry, side=entry.side.other) for entry in game.opening)
    return replace(
        state,
        game=replace(game, position=game.position.mirrored(), turns=turns, ended=ended, opening=opening),
        cows=replace(cows, occupied=occupied, verdict=replace(cows.verdict, astray=astray)),
        notice=_mirrored_notice(state.notice),
        coach=_mirrored_coach(state.coach),
    )


def _mirrored_coach(coach: Coach) -> Coach:
    if coach.hint is None:
        return coach
    throw = replace(coach.hint.throw, position=coach.hint.throw.position.mirrored())
    return replace(coach, hint=replace(coach.hint, throw=throw))


def _mirrored_notice(notice: Notice | None) -> Notice | None:
    if notice is None:
        return None
    words = {
        key: Side(value).other.value if value in tuple(Side) else _mirrored_cell(value) if key == "cell" else value
        for key, value in notice.words
    }
    return replace(notice, words=tuple(words.items()))


def _mirrored_cell(text: str) -> str:
    cell = Cell.parse(text)
    return str(Cell(cell.beam, -cell.place))


def _forfeited() -> TurnState:
    game = played("12356", "12356", "12456", places=MIDGAME, then=(Forfeit(),))
    notice = Notice(Reason.FORFEITED, (("side", "white"), ("faces", "1 2 4 5 6")))
    return magnet(game, Phase.TO_ROLL, notice=notice)


def _pulled() -> TurnState:
    game = played("33556", places=MIDGAME, then=(PullMade("two pair 3 5"),))
    return magnet(game, Phase.TO_ROLL, notice=Notice(Reason.PULLED, (("side", "white"), ("pull", "two pair 3 5"))))


def _over(winner: Side | None, reason: EndReason, places: Mapping[str, int]) -> TurnState:
    game = replace(played(places=places), stage=Stage.OVER, ended=Ended(winner, reason))
    what = Reason.DRAWN if winner is None else Reason.WON
    words = (("reason", reason.value),) if winner is None else (("side", winner.value), ("reason", reason.value))
    return magnet(game, Phase.OVER, notice=Notice(what, words))


def _keeping() -> TurnState:
    state = magnet(played("33456", places=MIDGAME), Phase.ROLLED)
    two = state.tray.lying[:2]
    return replace(state, tray=replace(state.tray, is_taken_up=True, lying=two, seen=two))


def _scenes() -> dict[str, TurnState]:
    half = fold_all(Game(), (OpeningThrow(Side.WHITE, (4,)),))
    pairs = magnet(played("12356", "33556", places=MIDGAME), Phase.ROLLED)
    triple = magnet(played("33346", places=MIDGAME), Phase.ROLLED)
    black = magnet(played("11446", "14456", "44466", places=MIDGAME, mover=Side.BLACK), Phase.ROLLED)
    idle = magnet(played(places=MIDGAME), Phase.TO_ROLL)
    return {
        "opening": magnet(Game(), Phase.OPENING, notice=Notice(Reason.NEW_GAME)),
        "opening-second": magnet(half, Phase.OPENING),
        "to-roll-white": idle,
        "to-roll-black": magnet(played(places=MIDGAME, mover=Side.BLACK), Phase.TO_ROLL),
        "rolling": replace(idle, phase=Phase.ROLLING, tray=Tray(is_watched=True, is_moving=True, is_taken_up=True)),
        "rolled": magnet(played("12334", "12334", places=MIDGAME), Phase.ROLLED),
        "rolled-last-black": black,
        "rolled-nothing": magnet(played("12356", places=MIDGAME), Phase.ROLLED),
        "rolled-two-pairs": pairs,
        "rolled-super": magnet(played("44444", places=MIDGAME), Phase.ROLLED),
        "keeping": _keeping(),
        "chosen": replace(pairs, chosen="two pair 3 5"),
        "moving": with_cows(triple, {"3": 1}),
        "moving-in-hand": with_cows(pairs, {"3": None}),
        "waiting-longer": with_cows(triple, {"3": 2}),
        "waiting-second-cow": with_cows(pairs, {"3": 2}),
        "wrong": with_cows(triple, {"4": 1}),
        "wrong-told": with_cows(triple, {"4": 1}, is_told=True),
        "wrong-other-beam": with_cows(triple, {"4": None}, ["6:+3"], is_told=True),
        "refused": replace(idle, phase=Phase.REFUSED, tray=tray_of("1335?", "cocked"), notice=Notice(Reason.COCKED)),
        "touched": replace(triple, phase=Phase.TOUCHED, notice=Notice(Reason.TOUCHED)),
        "pulled": _pulled(),
        "forfeited": _forfeited(),
        "lead-home": with_cows(idle, {"2": 0, "6": -1, "chance": None}, is_told=True, must_return=True),
        "paused": replace(pairs, phase=Phase.PAUSED),
        "camera-lost": replace(idle, tray=Tray(), notice=Notice(Reason.CAMERA_LOST, (("why", "unplugged"),))),
        "board-fault": replace(idle, notice=Notice(Reason.BOARD_FAULT, (("fault", "stuck"), ("cell", "5:+4")))),
        "won": _over(Side.WHITE, EndReason.COWS_HOME, {**MIDGAME, "2": 7, "super": 1, "straights": 6}),
        "won-black": _over(Side.BLACK, EndReason.COWS_HOME, {**MIDGAME, "chance": -6, "4": -8}),
        "drawn": _over(None, EndReason.TURN_LIMIT, MIDGAME),
        "coach-keep": coached(triple, keep="333", beams=("3", "super")),
        "coach-pull": coached(pairs, pull="two pair 3 5"),
        "coach-pull-black": coached(black, pull="full house 4 6"),
        "led-coach-keep": on_led_board(coached(triple, keep="333", beams=("3", "super"))),
        "led-rolled": on_led_board(pairs),
        "led-chosen": on_led_board(replace(pairs, chosen="pair 5")),
        "led-paused": on_led_board(replace(pairs, phase=Phase.PAUSED)),
    }


SCENES: Mapping[str, TurnState] = _scenes()

"""Any order of events: the turn machine never stumbles, never accepts what the rules don't allow, loses nothing."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.games.cosmic_cows import BEAMS, Beam, Cell, Rules, Side, legal_pulls
from controller.table.effects import Record
from controller.table.entries import Entry, PullMade
from controller.table.events import BoardArrived, BoardFaulted, BoardLost, CameraArrived, CameraLost, Event
from controller.table.game import Game, Stage, ending, fold, fold_all
from controller.table.machine import next_deadline
from controller.table.moves import occupancy_of
from controller.table.state import Phase
from controller.table.transitions import TABLE, Happening, resting_phase
from tests.support.turns import SENSORS, Table, lying, turn_game

FACES = st.text("123456", min_size=5, max_size=5)
SPOTS = st.permutations([0, 1, 2, 3, 4])
PLACES = st.integers(-8, 8)
ANY_OPS = st.one_of(
    st.tuples(st.just("throw"), FACES, SPOTS),
    st.tuples(st.just("settle"), st.text("123456?", max_size=6), SPOTS),
    st.tuples(st.just("blind"), st.sampled_from(["hand in view", "too dark", "blurred"])),
    st.tuples(st.just("reroll"), st.integers(0, 4), FACES),
    st.tuples(st.just("roll")),
    st.tuples(st.just("move"), st.sampled_from(BEAMS), st.one_of(st.none(), PLACES)),
    st.tuples(st.just("pull"), st.integers(0, 9)),
    st.tuples(st.just("tidy")),
    st.tuples(st.just("wait"), st.sampled_from([0.5, 1.6, 2.1, 7.0])),
    st.tuples(st.just("look"), FACES),
    st.tuples(st.just("say"), st.sampled_from(["undo", "done", "reroll", "pause", "resume", "resign", "knob"])),
    st.tuples(st.just("correct"), st.sampled_from(["correct_dice", "enter_dice", "keep"]), FACES),
    st.tuples(st.just("mover"), st.sampled_from(["white", "black"])),
    st.tuples(
        st.just("device"), st.sampled_from(["board lost", "board", "led board", "camera lost", "camera", "fault"])
    ),
    st.tuples(st.just("new_game")),
)
GOOD_OPS = st.one_of(  # what a turn mostly consists of, so that runs get far into games
    st.tuples(st.just("throw"), FACES, SPOTS),
    st.tuples(st.just("reroll"), st.integers(0, 4), FACES),
    st.tuples(st.just("pull"), st.integers(0, 9)),
    st.tuples(st.just("half"), st.integers(0, 9)),
    st.tuples(st.just("tidy")),
    st.tuples(st.just("wait"), st.sampled_from([0.5, 1.6, 2.1, 7.0])),
)
RULES = st.sampled_from(
    [Rules(), Rules(subset_pulls=False), Rules(lock_in=True), Rules(rolls=2, first_turn_rolls=1), Rules(turn_limit=4)]
)

START_PLACES = st.fixed_dictionaries(
    {}, optional={beam.value: st.integers(-7, 7) for beam in BEAMS if beam is not Beam.SUPER}
)
OPS = st.one_of(GOOD_OPS, GOOD_OPS, ANY_OPS)


@st.composite
def starts(draw: st.DrawFn) -> Game:
    """A game at its opening, or one past it with cows anywhere short of a win."""
    rules = draw(RULES)
    if draw(st.integers(0, 4)) == 0:
        return Game(rules=rules)
    game = turn_game(draw(START_PLACES), draw(st.sampled_from(Side)), rules)
    return game if ending(game) is None else Game(rules=rules)


def perform(t: Table, op: tuple) -> None:  # type: ignore[type-arg]
    """One operation on the table, as a person or a device would cause it."""
    match op:
        case ("throw", faces, spots):
            t.throw(faces, spots)
        case ("settle", faces, spots):
            t.settle(lying(faces, (*spots, 5)))
        case ("blind", name):
            t.settle((), name)
        case ("reroll", count, faces):
            kept = t.state.tray.lying[:count]
            t.settle(kept)
            t.settle((*kept, *lying(faces[len(kept) :], (5, 6, 7, 8, 9))))
        case ("roll",):
            t.roll()
        case ("move", beam, place):
            t.cows({beam: place if beam is not Beam.SUPER or place is None else max(-1, min(1, place))})
        case ("pull", index):
            pulls = t.state.game.pulls
            if pulls:
                pull = pulls[index % len(pulls)]
                sign = t.state.game.mover.sign
                t.cows({beam.value: t.state.game.position.place(beam) + sign * n for beam, n in pull.cows})
        case ("half", index):
            half_a_pull(t, index)
        case ("tidy",):
            t.cows()
        case ("wait", seconds):
            t.wait(seconds)
        case ("look", faces):
            t.look(lying(faces))
        case ("say", name):
            t.say(name)
        case ("correct", name, faces):
            t.say(name, dice=faces)
        case ("mover", side):
            t.say("correct_mover", mover=side)
        case ("device", what):
            device(t, what)
        case ("new_game",):
            t.say("new_game")


def half_a_pull(t: Table, index: int) -> None:
    """The first cow of a pull: lifted, or on the cell half way."""
    pulls = t.state.game.pulls
    if pulls:
        beam, spaces = pulls[index % len(pulls)].cows[0]
        place = t.state.game.position.place(beam) + t.state.game.mover.sign * (spaces // 2)
        t.cows({beam.value: None if index % 2 else place})


def device(t: Table, what: str) -> None:
    at = t.tick()
    events: dict[str, Event] = {
        "board lost": BoardLost("unplugged", at),
        "board": BoardArrived("test", SENSORS, at),
        "led board": BoardArrived("test", frozenset({"lights"}), at),
        "camera lost": CameraLost("unplugged", at),
        "camera": CameraArrived("test", at),
        "fault": BoardFaulted("stuck", Cell(Beam.ONE, 0), at),
    }
    t.give(events[what])


def entries_of(t: Table) -> list[Entry]:
    return [entry for effect in t.effects if isinstance(effect, Record) for entry in effect.entries]


def chain(game: Game | None) -> list[Game]:
    """The game and every one it can be taken back to, which comparing two games leaves out."""
    found = []
    while game is not None:
        found.append(game)
        game = game.before
    return found


@given(starts(), st.lists(OPS, max_size=60))
@settings(max_examples=300, deadline=None)
def test_any_events_fold_to_the_game_that_is_shown(start: Game, ops: list[tuple]) -> None:  # type: ignore[type-arg]
    """What the machine wrote is exactly what it shows: folding the entries anew gives the same game."""
    t = Table(start)
    for op in ops:
        if op == ("new_game",):
            t.effects.clear()
            start = Game(rules=start.rules)
        perform(t, op)
        assert chain(fold_all(start, entries_of(t))) == chain(t.state.game)


@given(starts(), st.lists(OPS, max_size=60))
@settings(max_examples=200, deadline=None)
def test_the_phase_fits_the_game_after_any_events(start: Game, ops: list[tuple]) -> None:  # type: ignore[type-arg]
    t = Table(start)
    for op in ops:
        perform(t, op)
        phase, game = t.state.phase, t.state.game
        if phase in (Phase.OPENING, Phase.TO_ROLL, Phase.ROLLED, Phase.OVER):
            assert phase is resting_phase(game)
        if phase in (Phase.MOVING, Phase.WAITING, Phase.WRONG):
            assert game.stage is Stage.TURNS
            assert game.roll > 0
            assert t.state.cows.are_followed
        if phase is Phase.WAITING:
            assert t.state.cows.verdict.pull in [pull.name for pull in game.pulls]
        if t.state.chosen is not None:
            assert t.state.chosen in [pull.name for pull in game.pulls]
        if game.stage is Stage.TURNS and game.roll == game.rolls and not game.pulls:
            assert phase in (Phase.ROLLED, Phase.PAUSED, Phase.WRONG, Phase.TOUCHED)  # only a taken-back forfeit


@given(starts(), st.lists(OPS, max_size=60))
@settings(max_examples=200, deadline=None)
def test_only_pulls_of_the_rules_are_ever_written(start: Game, ops: list[tuple]) -> None:  # type: ignore[type-arg]
    t = Table(start)
    for op in ops:
        t.effects.clear()
        game = t.state.game
        if op == ("new_game",):
            game = Game(rules=game.rules)
        perform(t, op)
        for entry in entries_of(t):
            if isinstance(entry, PullMade):
                assert game.dice is not None
                allowed = legal_pulls(game.position, game.dice, game.rules)
                assert entry.name in [pull.name for pull in allowed]
            game = fold(game, entry)


@given(starts(), st.lists(OPS, max_size=40))
@settings(max_examples=100, deadline=None)
def test_no_deadline_is_asked_for_twice_in_vain(start: Game, ops: list[tuple]) -> None:  # type: ignore[type-arg]
    """A deadline that has passed is gone: the loop can't spin."""
    t = Table(start)
    for op in ops:
        perform(t, op)
        t.wait(60)
        deadline = next_deadline(t.state)
        assert deadline is None or deadline > t.at


def test_accepted_cows_stand_where_the_record_says() -> None:
    t = Table(Game())
    for op in (("settle", "", (0, 1, 2, 3, 4)), ("throw", "4", (0, 1, 2, 3, 4))):
        perform(t, op)
    t.settle(lying("42", (0, 3)))
    t.throw("44412")
    perform(t, ("pull", 1))
    assert t.state.cows.occupied == occupancy_of(t.state.game.position)


def test_every_happening_has_a_row() -> None:
    assert {happening for _, happening in TABLE} == set(Happening)

"""Laws that hold for every position, throw and set of house rules."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.errors import InputError
from controller.games.cosmic_cows import (
    BEAMS,
    DEFAULT_RULES,
    Beam,
    ChanceBand,
    Dice,
    Opening,
    Position,
    Rules,
    Side,
    Status,
    apply_pull,
    cows_home,
    find_pull,
    format_position,
    format_rules,
    is_forced,
    is_forfeit,
    last_place,
    legal_pulls,
    outcome,
    parse_dice,
    parse_position,
    parse_pull_name,
    parse_rules,
    start_position,
    status,
)


@contextmanager
def one_line_refusal_allowed() -> Iterator[None]:
    """Bad input may be refused, in one line; any other error is a bug."""
    try:
        yield
    except InputError as error:
        if "\n" in str(error):
            raise


faces = st.tuples(*[st.integers(1, 6)] * 5)
throws = faces.map(Dice)


@st.composite
def chance_bands(draw: st.DrawFn) -> tuple[ChanceBand, ...]:
    edges = sorted(draw(st.sets(st.integers(5, 30), max_size=8)))
    pairs = list(zip(edges[::2], edges[1::2], strict=False))
    return tuple(ChanceBand(low, high, draw(st.integers(1, 9))) for low, high in pairs)


house_rules = st.one_of(
    st.just(DEFAULT_RULES),
    st.builds(
        Rules,
        cows_to_win=st.integers(1, 9),
        beam_length=st.sampled_from((9, 11, 13, 17, 33)),
        win_zone=st.integers(1, 4),
        super_forced=st.booleans(),
        subset_pulls=st.booleans(),
        chance=chance_bands(),
        straights=st.tuples(st.integers(1, 9), st.integers(1, 9)),
        rolls=st.integers(1, 3),
        first_turn_rolls=st.integers(1, 3),
        opening=st.sampled_from(Opening),
        lock_in=st.booleans(),
        turn_limit=st.none() | st.integers(1, 10_000),
    ),
)


@st.composite
def tables(draw: st.DrawFn) -> tuple[Position, Rules]:
    """A position that a board can show, with the rules it's played under."""
    rules = draw(house_rules)
    ends = {beam: last_place(beam, rules) for beam in BEAMS}
    places = tuple(draw(st.integers(-end, end) | st.sampled_from((-end, end))) for end in ends.values())
    lockable = [
        beam
        for beam, place in zip(BEAMS, places, strict=True)
        if rules.lock_in and beam is not Beam.SUPER and abs(place) == ends[beam]
    ]
    locked = draw(st.sets(st.sampled_from(lockable))) if lockable else set()
    return Position(places, draw(st.sampled_from(Side)), frozenset(locked)), rules


@given(tables(), throws)
def test_seats_are_alike_mirrored_positions_allow_mirrored_pulls(table: tuple[Position, Rules], dice: Dice) -> None:
    position, rules = table
    mirror = position.mirrored()
    pulls = legal_pulls(position, dice, rules)

    assert mirror.mirrored() == position
    assert legal_pulls(mirror, dice, rules) == pulls
    for pull in pulls:
        assert apply_pull(mirror, pull, rules) == apply_pull(position, pull, rules).mirrored()


@given(faces)
def test_the_order_of_the_dice_means_nothing(given_faces: tuple[int, ...]) -> None:
    texts = {"".join(map(str, order)) for order in permutations(given_faces)}

    assert len({parse_dice(text) for text in texts}) == 1


@given(tables(), throws)
def test_a_pull_keeps_every_cow_on_its_beam_and_moves_only_its_own_towards_the_mover(
    table: tuple[Position, Rules], dice: Dice
) -> None:
    position, rules = table
    for pull in legal_pulls(position, dice, rules):
        after = apply_pull(position, pull, rules)
        steps = dict(pull.cows)

        assert after.mover is position.mover.other
        assert list(steps) == [beam for beam in BEAMS if beam in steps]
        assert 1 <= len(steps) <= 2
        for beam in BEAMS:
            assert abs(after.place(beam)) <= last_place(beam, rules)
            gained = (after.place(beam) - position.place(beam)) * position.mover.sign
            assert gained == steps.get(beam, 0)
        assert all(spaces > 0 or beam in pull.locks for beam, spaces in pull.cows)


@given(tables(), throws)
def test_locks_come_with_lock_in_only_and_stay_for_good(table: tuple[Position, Rules], dice: Dice) -> None:
    position, rules = table
    for pull in legal_pulls(position, dice, rules):
        after = apply_pull(position, pull, rules)

        assert after.locked == position.locked | pull.locks
        assert not position.locked & {beam for beam, _ in pull.cows}
        assert not pull.locks or rules.lock_in
        lock_faults = Status.LOCK_NOT_PLAYED | Status.SUPER_LOCKED | Status.LOCKED_ELSEWHERE
        assert not status(after, rules) & lock_faults


@given(tables(), throws)
def test_only_the_mover_can_win_and_only_from_a_running_game(table: tuple[Position, Rules], dice: Dice) -> None:
    position, rules = table
    pulls = legal_pulls(position, dice, rules)
    if outcome(position, rules) is not None:
        assert not pulls
    opponents = set(cows_home(position, position.mover.other, rules))
    for pull in pulls:
        after = apply_pull(position, pull, rules)
        won = outcome(after, rules)

        assert set(cows_home(after, position.mover.other, rules)) <= opponents
        assert won is None or won.side is position.mover


@given(tables(), throws)
def test_forfeit_means_no_pull_and_forced_means_one(table: tuple[Position, Rules], dice: Dice) -> None:
    position, rules = table
    pulls = legal_pulls(position, dice, rules)
    is_over = outcome(position, rules) is not None

    assert is_forfeit(position, dice, rules) == (not pulls and not is_over)
    if is_forced(position, dice, rules):
        assert [pull.name for pull in pulls] == ["super"]


@given(tables(), throws)
def test_pull_names_are_unique_readable_and_find_their_pull(table: tuple[Position, Rules], dice: Dice) -> None:
    position, rules = table
    pulls = legal_pulls(position, dice, rules)

    assert len({pull.name for pull in pulls}) == len(pulls)
    for pull in pulls:
        assert parse_pull_name(pull.name).name == pull.name
        assert find_pull(position, dice, pull.name, rules) == pull


@given(tables())
def test_a_position_reads_back_from_its_text(table: tuple[Position, Rules]) -> None:
    position, rules = table
    text = format_position(position)

    assert parse_position(text, rules) == position
    assert format_position(parse_position(text, rules)) == text


@given(st.text(alphabet="0123456789-+,L wbé\n", max_size=40))
def test_text_is_either_the_text_of_a_position_or_refused(text: str) -> None:
    with one_line_refusal_allowed():
        assert format_position(parse_position(text)) == text


@given(house_rules)
def test_house_rules_read_back_from_their_json(rules: Rules) -> None:
    assert parse_rules(format_rules(rules)) == rules


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(tuple(format_rules(DEFAULT_RULES))) | st.text(max_size=5), json_values))
def test_any_json_is_either_house_rules_or_refused_in_one_line(mapping: dict[str, object]) -> None:
    with one_line_refusal_allowed():
        rules = parse_rules(mapping)
        assert parse_rules(format_rules(rules)) == rules


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("rules", [Rules(), Rules(lock_in=True)], ids=["printed game", "lock in"])
def test_a_game_of_random_pulls_is_sound_at_every_step_and_ends_with_a_win(seed: int, rules: Rules) -> None:
    source = random.Random(seed)
    position = start_position(Side.WHITE)
    for _ in range(5000):
        dice = Dice(tuple(source.randint(1, 6) for _ in range(5)))
        pulls = legal_pulls(position, dice, rules)
        after = (
            apply_pull(position, source.choice(pulls), rules) if pulls else position.with_mover(position.mover.other)
        )
        won = outcome(after, rules)
        assert status(after, rules) is Status.SOUND
        if won is not None:
            assert won.side is position.mover
            return
        position = after
    pytest.fail("no end after 5,000 turns")

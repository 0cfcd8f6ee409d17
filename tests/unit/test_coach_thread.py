"""The coach's thread: what it looks at, in which order, what it posts, and what is told where it can't."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from controller.advice.errors import WeightsError
from controller.advice.value import Basis, basis_for
from controller.games.cosmic_cows import Rules, Side, parse_dice
from controller.runtime.clock import ManualClock
from controller.runtime.coach import Coach, Work, load_work
from controller.runtime.coach_work import AT_ONCE, CoachWork
from controller.runtime.health import Health
from controller.runtime.ports import Snapshot
from controller.table.entries import Ended, EndReason, Keep, PullMade, Throw
from controller.table.events import AdviceGiven, Event, GameLookedBack
from controller.table.game import Game, Stage, fold_all
from controller.table.hints import Hint, LookBack, throw_of
from controller.table.hints import Throw as ThrowAsked
from tests.support.turns import turn_game


class Followed:
    """A table that is set by hand and notes what it is told."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.health = Health()
        self.posted: list[Event] = []
        self.refreshed = 0
        self.came = threading.Condition()

    def post(self, event: Event) -> None:
        with self.came:
            self.posted.append(event)
            self.came.notify_all()

    def refresh(self) -> None:
        with self.came:
            self.refreshed += 1
            self.came.notify_all()

    def wait_newer(self, version: int, timeout_s: float) -> Snapshot | None:
        with self.came:
            self.came.wait(min(timeout_s, 0.01))
        return None

    def names(self) -> list[str]:
        """What was posted since last asked."""
        names = [type(event).__name__ for event in self.posted]
        self.posted.clear()
        return names


class PlainWork:
    """Work that is done at once, or can't be done."""

    def __init__(self, trouble: Exception | None = None) -> None:
        self.trouble = trouble
        self.asked: list[str] = []

    def hint_about(self, throw: ThrowAsked, turn_count: int) -> Hint:
        self.asked.append(f"throw after {turn_count}")
        if self.trouble is not None:
            raise self.trouble
        return Hint(throw=throw, improve=0.5, nothing=0.0, keep=(), pull=None, beams=(), sentence="Roll.")

    def look_back(self, game: Game) -> LookBack | None:
        self.asked.append(f"look back on {len(game.turns)}")
        if self.trouble is not None:
            raise self.trouble
        chances = (0.5,) * (len(game.turns) + 1)
        return LookBack(turns=game.turns, position=game.position, ended=game.ended, chances=chances, lessons=())


def coach_at(game: Game, trouble: Exception | None = None) -> tuple[Coach, Followed, PlainWork]:
    table, work = Followed(game), PlainWork(trouble)
    return Coach(table, ManualClock(5.0), lambda: work), table, work


def thrown(*faces: str) -> Game:
    return fold_all(turn_game(), [Throw(parse_dice(one)) for one in faces])


def test_the_throw_somebody_waits_for_comes_before_the_look_back() -> None:
    coach, table, _ = coach_at(thrown("44126"))
    coach.run_due()
    assert table.names() == ["AdviceGiven", "GameLookedBack"]


def test_each_game_is_looked_at_once() -> None:
    coach, table, work = coach_at(thrown("44126"))
    coach.run_due()
    table.names()
    coach.run_due()
    assert table.names() == []
    assert work.asked == ["throw after 0", "look back on 0"]


def test_a_kept_die_is_no_new_throw_but_the_table_hears_again() -> None:
    """The table drops what no longer fits; a game that came back to the same throw must not stay without advice."""
    coach, table, work = coach_at(thrown("44126"))
    coach.run_due()
    table.names()
    table.game = fold_all(table.game, [Keep((4, 4))])
    coach.run_due()
    assert table.names() == ["AdviceGiven", "GameLookedBack"]
    assert work.asked.count("throw after 0") == 1


def test_the_opening_is_nothing_to_look_at() -> None:
    coach, table, work = coach_at(Game())
    coach.run_due()
    assert table.names() == []
    assert work.asked == []


def test_a_turn_without_a_throw_is_only_looked_back_on() -> None:
    coach, table, _ = coach_at(turn_game())
    coach.run_due()
    assert table.names() == ["GameLookedBack"]


@pytest.mark.parametrize(
    ("trouble", "told"),
    [
        (WeightsError("weights cells.npz: no such file"), "weights cells.npz: no such file"),
        (ImportError("No module named 'numpy'"), "No module named 'numpy'"),
    ],
)
def test_without_weights_or_numpy_health_says_so_once_and_the_table_hears_nothing(
    trouble: Exception, told: str
) -> None:
    coach, table, _ = coach_at(thrown("44126"), trouble)
    coach.run_due()
    coach.run_due()
    assert table.names() == []
    device = table.health.devices()["coach"]
    assert (device.state, table.refreshed) == ("missing", 1)
    assert told in device.sentence
    assert "plays on" in device.mend
    assert "\n" not in device.sentence


def test_numpy_that_cannot_be_loaded_is_told_too() -> None:
    def load() -> Work:
        raise ImportError("No module named 'numpy'")

    table = Followed(thrown("44126"))
    Coach(table, ManualClock(), load).run_due()
    assert table.health.devices()["coach"].state == "missing"


def test_the_next_throw_is_tried_again_and_heals() -> None:
    coach, table, work = coach_at(thrown("44126"), WeightsError("weights cells.npz: no such file"))
    coach.run_due()
    work.trouble = None
    table.game = thrown("44126", "44156")
    coach.run_due()
    assert table.names() == ["AdviceGiven", "GameLookedBack"]
    assert table.health.devices()["coach"].state == "ready"


def test_a_bug_does_not_end_the_thread() -> None:
    coach, table, work = coach_at(thrown("44126"), ZeroDivisionError("a bug"))
    coach.start()
    with table.came:
        assert table.came.wait_for(lambda: table.refreshed == 1, 5)
        assert table.health.devices()["coach"].state == "lost"
        work.trouble = None
        table.game = thrown("44126", "44156")
        assert table.came.wait_for(lambda: len(table.posted) == 2, 5)
    coach.stop()
    assert table.health.devices()["coach"].state == "ready"


def test_the_thread_works_by_itself_and_stops() -> None:
    coach, table, _ = coach_at(thrown("44126"))
    coach.start()
    with table.came:
        assert table.came.wait_for(lambda: len(table.posted) == 2, 5)
    coach.stop()


def test_a_coach_never_started_can_be_stopped() -> None:
    coach, _, _ = coach_at(Game())
    coach.stop()


# --- the real work ----------------------------------------------------------------------------------------------------


def played(turns: int, rules: Rules | None = None) -> Game:
    """So many turns, each moving the chance cow to and fro."""
    game = turn_game(rules=rules)
    for number in range(turns):
        game = fold_all(game, [Throw(parse_dice("11126")), PullMade("triple 1" if number % 2 == 0 else "pair 1")])
    return game


def test_a_hint_is_what_the_odds_say() -> None:
    game = thrown("44126")
    throw = throw_of(game)
    assert throw is not None
    hint = load_work().hint_about(throw, 0)
    assert hint.fits(game)
    assert 0 <= hint.nothing <= 1 - hint.improve <= 1
    assert (hint.keep is None) != (hint.pull is None)
    assert hint.sentence


def test_after_the_last_roll_there_is_no_rolling_on() -> None:
    throw = throw_of(thrown("44126", "44126", "44126"))
    assert throw is not None
    hint = load_work().hint_about(throw, 0)
    assert (hint.improve, hint.nothing, hint.keep) == (0.0, 0.0, None)
    assert hint.pull == "pair 4"


def test_a_long_game_is_looked_back_on_a_few_turns_at_a_time() -> None:
    game, work = played(2 * AT_ONCE + 3), CoachWork()
    assert work.look_back(game) is None
    assert work.look_back(game) is None
    back = work.look_back(game)
    assert back is not None
    assert len(back.chances) == len(game.turns) + 1
    assert all(0 < chance < 1 for chance in back.chances)


def test_a_throw_in_a_long_game_is_advised_before_its_turns_are_judged() -> None:
    game = fold_all(played(2 * AT_ONCE + 3), [Throw(parse_dice("44126"))])
    table = Followed(game)
    Coach(table, ManualClock(), CoachWork).run_due()
    assert table.names() == ["AdviceGiven", "GameLookedBack"]


def test_a_turn_is_judged_once_and_one_taken_back_is_forgotten() -> None:
    work, game = CoachWork(), played(3)
    first = work.look_back(game)
    again = work.look_back(game)
    assert first == again
    other = fold_all(played(2), [Throw(parse_dice("66612")), PullMade("triple 6")])
    back = work.look_back(other)
    assert first is not None
    assert back is not None
    assert back.chances[:3] == first.chances[:3]
    assert back.fits(other)


def test_other_rules_are_another_game() -> None:
    rules = Rules(rolls=2)
    assert basis_for(rules) is Basis.NEAR
    work = CoachWork()
    first, second = work.look_back(played(1)), work.look_back(played(1, rules))
    assert first is not None
    assert second is not None
    assert first.chances != second.chances


@pytest.mark.parametrize(
    ("ended", "white"),
    [
        (Ended(Side.WHITE, EndReason.RESIGNED), 1.0),
        (Ended(Side.BLACK, EndReason.RESIGNED), 0.0),
        (Ended(None, EndReason.TURN_LIMIT), 0.5),
    ],
)
def test_the_last_chance_is_what_the_end_says(ended: Ended, white: float) -> None:
    back = CoachWork().look_back(replace(played(2), stage=Stage.OVER, ended=ended))
    assert back is not None
    assert back.chances[-1] == white


def test_what_is_posted_is_for_the_game_that_was_there() -> None:
    game = played(2)
    table = Followed(fold_all(game, [Throw(parse_dice("44126"))]))
    Coach(table, ManualClock(7.0), CoachWork).run_due()
    advice, back = table.posted
    assert isinstance(advice, AdviceGiven)
    assert isinstance(back, GameLookedBack)
    assert advice.hint.fits(table.game)
    assert back.look_back.fits(table.game)
    assert (advice.at, back.at) == (7.0, 7.0)

"""Random legal games, step by step, with every kind of entry: the same seed gives the same game."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from controller.games.cosmic_cows import BEAMS, DEFAULT_RULES, Beam, Dice, Position, Rules, Side, format_position
from controller.games.cosmic_cows.rules import Opening
from controller.table.entries import (
    Correctable,
    Corrected,
    Ended,
    EndReason,
    Entry,
    Forfeit,
    Keep,
    OpeningThrow,
    PullMade,
    TakenBack,
    Throw,
)
from controller.table.game import Game, Stage, ending, fold_all

HOUSE_RULES = Rules(
    cows_to_win=2,
    beam_length=9,
    win_zone=2,
    super_forced=False,
    straights=(2, 5),
    rolls=2,
    opening=Opening.ALL_FIVE,
    lock_in=True,
    turn_limit=40,
)


def random_steps(seed: int, rules: Rules = DEFAULT_RULES, most: int = 200) -> Iterator[tuple[Entry, ...]]:
    """At most `most` steps of a legal game, each the entries that the table would write at once."""
    chance, game = Random(seed), Game(rules=rules)
    for _ in range(most):
        if game.stage is Stage.OVER and chance.random() < 0.7:
            return
        entries = _step(game, chance)
        game = fold_all(game, entries)
        yield entries


def random_entries(seed: int, rules: Rules = DEFAULT_RULES, most: int = 200) -> tuple[Entry, ...]:
    """The entries of `random_steps`, one after the other."""
    return tuple(entry for step in random_steps(seed, rules, most) for entry in step)


def _step(game: Game, chance: Random) -> tuple[Entry, ...]:
    if game.stage is Stage.OVER or (game.before is not None and chance.random() < 0.05):
        return (
            TakenBack(
                chance.choice(("white", "Zoë 🐄")),
            ),
        )
    if game.stage is Stage.OPENING:
        side = game.opening_side or chance.choice(tuple(Side))
        return (OpeningThrow(side, _faces(chance, 5 if game.rules.opening is Opening.ALL_FIVE else 1)),)
    if chance.random() < 0.04:
        return _with_end(game, (_correction(game, chance),))
    if chance.random() < 0.003:
        return (Ended(game.mover.other, EndReason.RESIGNED),)
    return _with_end(game, _move(game, chance))


def _move(game: Game, chance: Random) -> tuple[Entry, ...]:
    """A roll, a pull or a forfeit."""
    if game.pulls and (game.roll == game.rolls or chance.random() < 0.4):
        return (PullMade(chance.choice(game.pulls).name),)
    if game.roll == game.rolls:
        return (Forfeit(),)
    if game.dice is None or chance.random() < 0.3:
        return (Throw(Dice(_faces(chance, 5))),)
    kept = tuple(sorted(chance.sample(game.dice.faces, chance.randrange(6))))
    return Keep(kept), Throw(Dice((*kept, *_faces(chance, 5 - len(kept)))))


def _correction(game: Game, chance: Random) -> Entry:
    what = chance.choice(tuple(Correctable))
    if what is Correctable.DICE and game.dice is not None:
        return Corrected(what, "".join(map(str, _faces(chance, 5))), "black")
    if what is Correctable.MOVER:
        return Corrected(what, chance.choice(tuple(Side)).value, "Ada")
    places = tuple(_place(beam, game.rules, chance) for beam in BEAMS)
    return Corrected(Correctable.COWS, format_position(Position(places, game.mover)), "white")


def _place(beam: Beam, rules: Rules, chance: Random) -> int:
    """Short of every win zone, so that no correction ends the game."""
    furthest = 0 if beam is Beam.SUPER else rules.zone_start - 1
    return chance.randint(-furthest, furthest)


def _with_end(game: Game, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    end = ending(fold_all(game, entries))
    return entries if end is None else (*entries, end)


def _faces(chance: Random, count: int) -> tuple[int, ...]:
    return tuple(chance.randint(1, 6) for _ in range(count))

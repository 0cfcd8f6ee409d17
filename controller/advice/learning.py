"""How the value was learned: `python -m controller.advice.learning cells` (or `race`) does it again.

How it works: a thousand games are played side by side, both sides by the net as it stands. At the start of each turn
the net doesn't guess from the dice that happened to fall: the turn is worked out exactly over all throws and keeps
(`prospect`), with the net's word only for the positions after it. That exact expectation is what the net is taught to
say of the position before the turn. So luck never reaches the lesson, and what the end of a game teaches travels
back a turn at a time. Now and then a pull is made at random and a game begins somewhere else, so that positions that
good players avoid are known as well.

A slow average of the weights plays, teaches and is what is kept: it wavers less than the net that learns.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from controller.advice.arena import play_games
from controller.advice.features import CELL_INPUTS, CELLS, RACE, RACE_INPUTS, cell_features, race_features
from controller.advice.many_games import best_claims, roll_turns
from controller.advice.multisets import Floats
from controller.advice.net import Net, save_net, sigmoid
from controller.advice.players import measure_of
from controller.advice.pull_table import SUPER, Flags, Places, cows_home, pull_table
from controller.advice.value import WEIGHTS, CellValue, RaceValue
from controller.advice.worth import Prospect, ToWin, prospect
from controller.games.cosmic_cows import BEAMS, DEFAULT_RULES, Rules

MIRROR = np.array([0, 7, 6, 5, 4, 3, 2, 1, 8])  # every face n as 7 - n: chance and straights stay what they are


@dataclass(frozen=True, slots=True)
class Settings:
    """How much is played and how fast is learned.

    Attributes:
        iterations: turns played in all games at once; each is followed by `steps` of learning.
        games: games side by side.
        memory: positions remembered to learn from again.
        batch: positions a step.
        rate: the first step size of Adam; from the half on it falls to a hundredth.
        odd_pulls: share of pulls made at random.
        odd_starts: share of games that begin at a position of no game.
        averages: how slowly the kept weights follow in the first, second and last third: what is learned early must
            travel fast, what is kept at the end must be calm.
    """

    features: str
    rules: tuple[Rules, ...]
    hidden: tuple[int, ...]
    iterations: int
    seed: int = 1
    games: int = 1024
    memory: int = 160_000
    steps: int = 4
    batch: int = 2048
    rate: float = 1e-3
    odd_pulls: float = 0.1
    odd_starts: float = 0.15
    averages: tuple[float, float, float] = (0.95, 0.99, 0.998)


CELL_SETTINGS = Settings(CELLS, (DEFAULT_RULES,), (256, 64), 7000)
RACE_SETTINGS = Settings(
    RACE,
    tuple(
        replace(DEFAULT_RULES, cows_to_win=cows, beam_length=length, win_zone=zone)
        for cows, length, zone in (
            (3, 17, 3), (1, 17, 3), (2, 17, 3), (4, 17, 3), (5, 17, 3), (7, 17, 3), (3, 13, 3), (3, 11, 2),
            (2, 9, 1), (4, 11, 3), (3, 33, 3), (5, 25, 4), (3, 17, 1), (2, 13, 4), (4, 21, 2), (3, 9, 4),
        )
    ),
    (32, 16),
    3000,
    games=256,
)  # fmt: skip


@dataclass(slots=True)
class Learner:
    """Weights on their way, with Adam's memory of their slopes and the slow average that counts."""

    settings: Settings
    parameters: list[Floats]
    average: list[Floats] = field(init=False)
    slopes: list[Floats] = field(init=False)
    squares: list[Floats] = field(init=False)
    step_count: int = 0

    def __post_init__(self) -> None:
        self.average = [array.copy() for array in self.parameters]
        self.slopes = [np.zeros_like(array) for array in self.parameters]
        self.squares = [np.zeros_like(array) for array in self.parameters]

    @classmethod
    def begin(cls, settings: Settings, inputs: int, rng: np.random.Generator) -> Learner:
        """Weights drawn so that signals neither grow nor fade; the last layer starts near "even"."""
        parameters: list[Floats] = []
        for number, (width, outputs) in enumerate(pairwise((inputs, *settings.hidden, 1))):
            active = min(width, len(BEAMS) + 1) if number == 0 else width
            spread = np.sqrt(2 / active) * (0.1 if outputs == 1 else 1)
            parameters.append((rng.standard_normal((width, outputs)) * spread).astype(np.float32))
            parameters.append(np.zeros(outputs, np.float32))
        return cls(settings, parameters)

    def net(self) -> Net:
        """The net that counts: the slow average."""
        return Net(self.settings.features, tuple(self.average[0::2]), tuple(self.average[1::2]))

    def learn(self, inputs: Floats, targets: Floats, rate: float, slowness: float) -> float:
        """One step towards the targets; returns how far off the net was (cross-entropy above the least possible)."""
        weights, biases = self.parameters[0::2], self.parameters[1::2]
        signals: list[Floats] = [inputs]
        for number, (weight, bias) in enumerate(zip(weights, biases, strict=True)):
            signal: Floats = signals[-1] @ weight + bias
            signals.append(signal if number == len(weights) - 1 else np.maximum(signal, 0))
        chances = sigmoid(signals[-1][:, 0])
        error: Floats = ((chances - targets) / len(targets)).astype(np.float32)[:, None]
        slopes: list[Floats] = []
        for number in range(len(weights) - 1, -1, -1):
            slopes = [signals[number].T @ error, error.sum(axis=0), *slopes]
            error = (error @ weights[number].T) * (signals[number] > 0)
        self._walk(slopes, rate)
        for kept, parameter in zip(self.average, self.parameters, strict=True):
            kept += (1 - slowness) * (parameter - kept)
        return _cross_entropy(targets, chances) - _cross_entropy(targets, targets)

    def _walk(self, slopes: list[Floats], rate: float) -> None:
        """One step of Adam (Kingma and Ba 2014, with their constants)."""
        self.step_count += 1
        for parameter, slope, mean, square in zip(self.parameters, slopes, self.slopes, self.squares, strict=True):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            steady = mean / (1 - 0.9**self.step_count)
            parameter -= rate * steady / (np.sqrt(square / (1 - 0.999**self.step_count)) + 1e-8)


@dataclass(slots=True)
class Games:
    """Games side by side under one set of rules; `places` are seen from each game's mover."""

    settings: Settings
    rules: Rules
    rng: np.random.Generator
    places: Places
    turns: npt.NDArray[np.int64]

    MOST_TURNS = 200  # a game that drags on teaches little

    @classmethod
    def begin(cls, settings: Settings, rules: Rules, rng: np.random.Generator) -> Games:
        """All games at a first position."""
        count = settings.games
        return cls(settings, rules, rng, _first_positions(settings, rules, rng, count), np.zeros(count, np.int64))

    def play_turn(self, seen: Prospect) -> None:
        """Every game goes on by one turn, or begins anew where it has ended."""
        table = pull_table(self.rules)
        throws = roll_turns(self.rng, seen)
        claims = best_claims(seen, throws, table)
        odd = np.flatnonzero((self.rng.random(len(throws)) < self.settings.odd_pulls) & (claims != table.super_claim))
        for game in odd:
            options = [claim for claim in table.of_throw[throws[game]] if claim < len(table.wants)]
            options = [claim for claim in options if seen.followed.is_pull[game, claim]]
            if options:
                claims[game] = self.rng.choice(options)
        rows = np.flatnonzero(claims >= 0)
        places, ended = self.places.copy(), np.zeros(len(claims), bool)
        places[rows] = seen.followed.places[rows, claims[rows]]
        ended[rows] = seen.followed.has_won[rows, claims[rows]]
        self.turns += 1
        ended |= self.turns > self.MOST_TURNS
        self.places = -places
        self.places[ended] = _first_positions(self.settings, self.rules, self.rng, int(ended.sum()))
        self.turns[ended] = 0


@dataclass(slots=True)
class Memory:
    """The newest positions and what was worked out for them, as features, to be learned from more than once."""

    inputs: Floats
    targets: Floats
    count: int = 0

    @classmethod
    def of(cls, size: int, inputs: int) -> Memory:
        """An empty memory."""
        return cls(np.zeros((size, inputs), np.float32), np.zeros(size, np.float32))

    def add(self, inputs: Floats, targets: Floats) -> None:
        """Remember these, and forget the oldest where it is full."""
        rows = np.arange(self.count, self.count + len(targets)) % len(self.targets)
        self.inputs[rows], self.targets[rows] = inputs, targets
        self.count += len(targets)

    def draw(self, rng: np.random.Generator, count: int) -> tuple[Floats, Floats]:
        """So many at random."""
        rows = rng.integers(0, min(self.count, len(self.targets)), count)
        return self.inputs[rows], self.targets[rows]


@dataclass(frozen=True, slots=True)
class Lesson:
    """How far the learning is: the iteration, how far the net is off, and what it says of the start of a game."""

    iteration: int
    error: float
    start: float


def learn(settings: Settings) -> Iterator[tuple[Lesson, Net]]:
    """Play and learn; gives the net as it stands after every iteration."""
    rng = np.random.default_rng(settings.seed)
    inputs = CELL_INPUTS if settings.features == CELLS else RACE_INPUTS
    learner = Learner.begin(settings, inputs, rng)
    groups = [Games.begin(settings, rules, rng) for rules in settings.rules]
    memory = Memory.of(settings.memory, inputs)
    for iteration in range(settings.iterations):
        games = groups[iteration % len(groups)]
        value = _value(learner.net(), games.rules)
        seen = prospect(games.places, pull_table(games.rules), ToWin(value))
        for places in (games.places, games.places[:, MIRROR]):
            memory.add(_features(settings, games.rules, places), seen.turn.start)
        games.play_turn(seen)
        done = iteration / settings.iterations
        rate = settings.rate * (1 if done < 0.5 else 10 ** (2 - 4 * done))
        slowness = settings.averages[int(3 * done)]
        errors = [learner.learn(*memory.draw(rng, settings.batch), rate, slowness) for _ in range(settings.steps)]
        start = value.wins(np.zeros((1, len(BEAMS)), np.int8))
        yield Lesson(iteration, float(np.mean(errors)), float(start[0])), learner.net()


def _value(net: Net, rules: Rules) -> CellValue | RaceValue:
    return CellValue(net) if net.features == CELLS else RaceValue(net, rules)


def _features(settings: Settings, rules: Rules, places: Places) -> Floats:
    return cell_features(places) if settings.features == CELLS else race_features(places, rules)


def _first_positions(settings: Settings, rules: Rules, rng: np.random.Generator, count: int) -> Places:
    """Mostly all cows in the centre, else scattered more or less; never a game that is over."""
    places = np.zeros((count, len(BEAMS)), np.int8)
    odd = np.flatnonzero(rng.random(count) < settings.odd_starts)
    spread = rng.uniform(0.1, 0.9, (len(odd), 1)) * rules.last
    scattered = np.clip(np.round(rng.standard_normal((len(odd), len(BEAMS))) * spread), -rules.last, rules.last)
    scattered[:, SUPER] = rng.integers(-1, 2, len(odd))
    drawn = scattered.astype(np.int8)
    is_over: Flags = np.maximum(cows_home(drawn, rules), cows_home(-drawn, rules)) >= rules.cows_to_win
    places[odd[~is_over]] = drawn[~is_over]
    return places


def _cross_entropy(targets: Floats, chances: Floats) -> float:
    tiny = 1e-9
    bits = targets * np.log(chances + tiny) + (1 - targets) * np.log(1 - chances + tiny)
    return -float(bits.mean())


def _wins(net: Net) -> float:
    """The share of a few hundred games won against greedy, sides alternating."""
    rng = np.random.default_rng(0)
    mine, greedy = ToWin(_value(net, DEFAULT_RULES)), measure_of("greedy", DEFAULT_RULES)
    as_first = play_games(mine, greedy, 200, rng, DEFAULT_RULES).first_won
    as_second = play_games(greedy, mine, 200, rng, DEFAULT_RULES).first_won
    return float((as_first.mean() + 1 - as_second.mean()) / 2)


def main() -> None:
    """Learn one of the two nets and write it, with the curve, into a folder."""
    parser = argparse.ArgumentParser(prog="python -m controller.advice.learning", description=main.__doc__)
    parser.add_argument("features", choices=(CELLS, RACE))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--iterations", type=int)
    parser.add_argument("--into", type=Path, default=WEIGHTS, help="the folder for NAME.npz and NAME.csv")
    given = parser.parse_args()
    settings = CELL_SETTINGS if given.features == CELLS else RACE_SETTINGS
    settings = replace(settings, seed=given.seed, iterations=given.iterations or settings.iterations)
    given.into.mkdir(parents=True, exist_ok=True)
    with (given.into / f"{given.features}.csv").open("w", newline="", encoding="utf-8") as file:
        curve = csv.writer(file, lineterminator="\n")
        curve.writerow(("iteration", "error", "start", "wins_against_greedy"))
        for lesson, net in learn(settings):
            if lesson.iteration % 100 and lesson.iteration != settings.iterations - 1:
                continue
            save_net(net, given.into / f"{given.features}.npz")
            curve.writerow((lesson.iteration, f"{lesson.error:.6f}", f"{lesson.start:.4f}", f"{_wins(net):.3f}"))
            file.flush()


if __name__ == "__main__":
    main()

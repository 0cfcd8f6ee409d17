"""The pulls that final dice allow, and the position after one.

Rules of this file: pure functions of position, dice and rules; the one place that turns a combination into
moved cows.

How it works: what dice may claim doesn't depend on the cows, so `claims_of` works it out once for each dice and
rules: a name and the spaces it wants of each beam. `legal_pulls` lays those claims over the position: a cow
stops on the last cell, a cow that can't move is left out, a claim that moves no cow is no pull (ruling 3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from controller.errors import InputError, StateError
from controller.games.cosmic_cows.beams import BEAMS, Beam, Side, last_place
from controller.games.cosmic_cows.dice import Dice
from controller.games.cosmic_cows.patterns import Kind, Pattern, patterns, whole_patterns
from controller.games.cosmic_cows.position import Position, has_won
from controller.games.cosmic_cows.rules import DEFAULT_RULES, Rules

_INDEX = {beam: index for index, beam in enumerate(BEAMS)}
_SUPER = _INDEX[Beam.SUPER]
_FACE_BEAMS = {face: Beam(str(face)) for face in range(1, 7)}
_SPACES_ALIKE = {Kind.PAIR: 2, Kind.TRIPLE: 3, Kind.FOUR: 4, Kind.FIVE: 5}


@dataclass(frozen=True, slots=True)
class Pull:
    """A use of the dice: its name and, in beam order, the cows it moves with the spaces they really move.

    Spaces count towards the mover. `locks` names the cows that this pull locks in (house rule `lock_in`);
    such a cow may stand in `cows` with 0 spaces.
    """

    name: str
    cows: tuple[tuple[Beam, int], ...]
    locks: frozenset[Beam] = frozenset()


@dataclass(frozen=True, slots=True)
class Claim:
    """What a combination asks for: (index of the beam, spaces) in beam order, and the pull if there is room."""

    kind: Kind
    wants: tuple[tuple[int, int], ...]
    unhindered: Pull


def legal_pulls(position: Position, dice: Dice, rules: Rules = DEFAULT_RULES) -> tuple[Pull, ...]:
    """The pulls these final dice allow the mover; none when the game is over.

    The order is that of Kind (pair, triple, four, five, two pair, full house, small straight, large straight,
    chance, super), then by face: of two pulls that move the same cows equally far, the later uses more dice.
    """
    if has_won(position, Side.WHITE, rules) or has_won(position, Side.BLACK, rules):
        return ()
    claims = claims_of(dice, rules)
    if claims and claims[-1].kind is Kind.SUPER:
        claims = _with_five_alike(claims, position, rules)
    rooms = _rooms(position, rules)
    pulls = [_pull(claim, rooms, rules) for claim in claims]
    return tuple([pull for pull in pulls if pull is not None])


def apply_pull(position: Position, pull: Pull, rules: Rules = DEFAULT_RULES) -> Position:
    """The position after the pull; the other side is then to move.

    Raises:
        StateError: the pull was made for another position.
    """
    places = list(position.places)
    sign = position.mover.sign
    for beam, spaces in pull.cows:
        index = _INDEX[beam]
        places[index] += sign * spaces
        if abs(places[index]) > last_place(beam, rules) or beam in position.locked:
            raise StateError(f"{pull.name} can't pull the cow of beam {beam.value} by {spaces} from {position}")
    locked = position.locked | pull.locks if pull.locks else position.locked
    return Position(tuple(places), position.mover.other, locked)


def find_pull(position: Position, dice: Dice, name: str, rules: Rules = DEFAULT_RULES) -> Pull:
    """The legal pull of this name.

    Raises:
        InputError: the dice don't allow it here; the message names what they do allow.
    """
    pulls = legal_pulls(position, dice, rules)
    for pull in pulls:
        if pull.name == name:
            return pull
    raise InputError("pull", name, ", ".join(pull.name for pull in pulls) or "nothing: these dice pull no cow here")


def is_forced(position: Position, dice: Dice, rules: Rules = DEFAULT_RULES) -> bool:
    """Whether the super cow must be pulled and no other use of these dice is allowed (ruling 2)."""
    if not rules.super_forced or max(dice.counts) < 5 or _is_super_home(position):
        return False
    return not (has_won(position, Side.WHITE, rules) or has_won(position, Side.BLACK, rules))


def is_forfeit(position: Position, dice: Dice, rules: Rules = DEFAULT_RULES) -> bool:
    """Whether these dice, thrown last, forfeit the turn: the game goes on and they move no cow (ruling 4)."""
    if has_won(position, Side.WHITE, rules) or has_won(position, Side.BLACK, rules):
        return False
    return not legal_pulls(position, dice, rules)


def _is_super_home(position: Position) -> bool:
    return position.places[_SUPER] == position.mover.sign


def _with_five_alike(claims: tuple[Claim, ...], position: Position, rules: Rules) -> tuple[Claim, ...]:
    """Five alike pull the super cow while it isn't home, and only then don't count as `five N`."""
    if _is_super_home(position):
        return claims[:-1]
    if rules.super_forced:
        return claims[-1:]
    return tuple(claim for claim in claims if claim.kind is not Kind.FIVE)


def _rooms(position: Position, rules: Rules) -> list[int]:
    """For each beam the cells between its cow and the mover's last cell; -1 where the cow is locked."""
    sign, last = position.mover.sign, rules.last
    rooms = [last - sign * place for place in position.places]
    rooms[_SUPER] -= last - 1
    for beam in position.locked:
        rooms[_INDEX[beam]] = -1
    return rooms


def _pull(claim: Claim, rooms: Sequence[int], rules: Rules) -> Pull | None:
    """The claim as these cows can follow it; None when it does nothing."""
    for index, wanted in claim.wants:
        if rooms[index] < wanted:
            break
    else:
        return claim.unhindered
    cows = []
    locks = []
    for index, wanted in claim.wants:
        beam, room = BEAMS[index], rooms[index]
        if rules.lock_in and 0 <= room < wanted and index != _SUPER:
            locks.append(beam)
            cows.append((beam, room))
        elif room > 0:
            cows.append((beam, min(wanted, room)))
    return Pull(claim.unhindered.name, tuple(cows), frozenset(locks)) if cows else None


@lru_cache(maxsize=2048)  # 252 dice for eight sets of house rules; a table plays one
def claims_of(dice: Dice, rules: Rules) -> tuple[Claim, ...]:
    """What these dice ask for wherever the cows stand; five alike both as `five N` and as `super`."""
    shown = patterns(dice) if rules.subset_pulls else whole_patterns(dice)
    claims = []
    for pattern in shown:
        wants = _wants(pattern, dice, rules)
        if wants:
            cows = tuple((BEAMS[index], spaces) for index, spaces in wants)
            claims.append(Claim(pattern.kind, wants, Pull(pattern.name, cows)))
    return tuple(claims)


def _wants(pattern: Pattern, dice: Dice, rules: Rules) -> tuple[tuple[int, int], ...]:
    """The beams and spaces the combination asks for; nothing for a total outside every chance band."""
    match pattern.kind:
        case Kind.PAIR | Kind.TRIPLE | Kind.FOUR | Kind.FIVE:
            wants = {_FACE_BEAMS[pattern.faces[0]]: _SPACES_ALIKE[pattern.kind]}
        case Kind.TWO_PAIR:
            wants = {_FACE_BEAMS[face]: 2 for face in pattern.faces}
        case Kind.FULL_HOUSE:
            wants = dict(zip((_FACE_BEAMS[face] for face in pattern.faces), (3, 2), strict=True))
        case Kind.SMALL_STRAIGHT:
            wants = {Beam.STRAIGHTS: rules.straights[0]}
        case Kind.LARGE_STRAIGHT:
            wants = {Beam.STRAIGHTS: rules.straights[1]}
        case Kind.CHANCE:
            spaces = rules.chance_spaces(dice.total)
            wants = {Beam.CHANCE: spaces} if spaces else {}
        case Kind.SUPER:
            wants = {Beam.SUPER: 1}
    return tuple(sorted((_INDEX[beam], spaces) for beam, spaces in wants.items()))

"""Cosmic Cows: five dice, nine cows, three of them home wins."""

from controller.games.cosmic_cows.beams import BEAMS, Beam, Cell, Side, cells, last_place, zone_start
from controller.games.cosmic_cows.dice import ALL_DICE, Dice, starter
from controller.games.cosmic_cows.notation import (
    format_dice,
    format_position,
    format_pull_name,
    parse_dice,
    parse_position,
    parse_pull_name,
)
from controller.games.cosmic_cows.outcome import Outcome, OutcomeReason, outcome, turn_limit_outcome
from controller.games.cosmic_cows.patterns import Kind, Pattern, patterns, whole_patterns
from controller.games.cosmic_cows.position import Position, Status, cows_home, start_position, status
from controller.games.cosmic_cows.pulls import Pull, apply_pull, find_pull, is_forced, is_forfeit, legal_pulls
from controller.games.cosmic_cows.rules import (
    DEFAULT_RULES,
    ChanceBand,
    Opening,
    Rules,
    format_rules,
    parse_rules,
)

__all__ = [
    "ALL_DICE",
    "BEAMS",
    "DEFAULT_RULES",
    "Beam",
    "Cell",
    "ChanceBand",
    "Dice",
    "Kind",
    "Opening",
    "Outcome",
    "OutcomeReason",
    "Pattern",
    "Position",
    "Pull",
    "Rules",
    "Side",
    "Status",
    "apply_pull",
    "cells",
    "cows_home",
    "find_pull",
    "format_dice",
    "format_position",
    "format_pull_name",
    "format_rules",
    "is_forced",
    "is_forfeit",
    "last_place",
    "legal_pulls",
    "outcome",
    "parse_dice",
    "parse_position",
    "parse_pull_name",
    "parse_rules",
    "patterns",
    "start_position",
    "starter",
    "status",
    "turn_limit_outcome",
    "whole_patterns",
    "zone_start",
]

"""Cowboard's controller: rules, turn, journal, service and command line."""

__version__ = "0.1.0"

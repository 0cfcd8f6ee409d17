"""All benches by name, in the order in which a whole run takes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from controller.bench.advice import advise_figures, games_figures
from controller.bench.command_line import moves_figures, single_figures
from controller.bench.dice import labelled_figures, vision_figures
from controller.bench.figure import Figure, Run
from controller.bench.link import link_figures
from controller.bench.service import idle_figures, ready_figures
from controller.bench.step import step_figures
from controller.bench.strength import calibration_figures, strength_figures

BENCHES: dict[str, Callable[[Run], Iterator[Figure]]] = {
    "step": step_figures,
    "ready": ready_figures,
    "idle": idle_figures,
    "moves": moves_figures,
    "single": single_figures,
    "vision": vision_figures,
    "labelled": labelled_figures,
    "link": link_figures,
    "advise": advise_figures,
    "games": games_figures,
    "strength": strength_figures,
    "calibration": calibration_figures,
}

"""A small net in numpy: layers of weighted sums, each but the last cut off below zero, and a chance at the end.

Weights live in one `.npz` file: `form` (this file's version), `features` (the name of what goes in), `w0 b0 w1 b1 …`
in single precision. A file that isn't exactly that is refused: a wrong number is worse than none.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from controller.advice.errors import WeightsError
from controller.advice.multisets import Floats

FORM = 1
MOST_LAYERS = 4
MOST_WEIGHT = 1000.0  # ours stay below 10; four layers of this size can't run over single precision
MOST_BYTES = 4_000_000  # ours have 220,000
_ZIP = b"PK\x03\x04"  # how an .npz begins; numpy would take a pickle or a lone array too

# All that reading a damaged or made-up zip of arrays was seen to raise.
_UNREADABLE = (OSError, ValueError, EOFError, KeyError, SyntaxError, BadZipFile, zlib.error, MemoryError, RuntimeError)


@dataclass(frozen=True, slots=True, eq=False)
class Net:
    """Weights and biases, layer by layer: `weights[n]` is (inputs, outputs), `biases[n]` (outputs,)."""

    features: str
    weights: tuple[Floats, ...]
    biases: tuple[Floats, ...]

    def logits(self, inputs: Floats) -> Floats:
        """(N,) the log-odds for (N, inputs)."""
        signal = inputs
        last = len(self.weights) - 1
        for number, (weights, biases) in enumerate(zip(self.weights, self.biases, strict=True)):
            signal = signal @ weights
            signal += biases
            if number < last:
                np.maximum(signal, 0, out=signal)
        return signal[:, 0]

    def chances(self, inputs: Floats) -> Floats:
        """(N,) probabilities between 0 and 1 for (N, inputs)."""
        return sigmoid(self.logits(inputs))


def sigmoid(logits: Floats) -> Floats:
    """The probability of these log-odds."""
    chances: Floats = 1 / (1 + np.exp(-np.clip(logits, -40, 40)))
    return chances


def save_net(net: Net, path: Path) -> None:
    """Write the weights in single precision."""
    arrays = {f"w{number}": array.astype(np.float32) for number, array in enumerate(net.weights)}
    arrays |= {f"b{number}": array.astype(np.float32) for number, array in enumerate(net.biases)}
    named: dict[str, Any] = {"form": np.array(FORM), "features": np.array(net.features), **arrays}
    np.savez(path, **named)


def load_net(path: Path, features: str, inputs: int) -> Net:
    """The net in this file.

    Args:
        path: the `.npz` file.
        features: the name of the features that the caller gives.
        inputs: how many they are.

    Raises:
        WeightsError: no such file, another form, other features, shapes that don't fit, or a number that is none.
    """
    arrays = _arrays(path)
    _check_form(arrays, path.name, features)
    count = sum(name.startswith("w") for name in arrays)
    if not 1 <= count <= MOST_LAYERS or arrays.keys() != _names(count):
        seen = " ".join(sorted(arrays))[:80]
        raise WeightsError(f"weights {path.name}: expected the arrays w0 b0 w1 b1 …, saw {seen}")
    weights = tuple(arrays[f"w{number}"] for number in range(count))
    biases = tuple(arrays[f"b{number}"] for number in range(count))
    _check_layers(weights, biases, path.name, inputs)
    return Net(features, weights, biases)


def _arrays(path: Path) -> dict[str, np.ndarray]:
    """Whatever arrays the file holds, by name."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a null byte in the name
        raise WeightsError(f"weights {path.name}: expected an .npz file of weights, saw {_reason(error)}") from error
    if len(content) > MOST_BYTES or not content.startswith(_ZIP):
        seen = f"{len(content)} bytes of something else" if len(content) <= MOST_BYTES else "a far larger file"
        raise WeightsError(f"weights {path.name}: expected an .npz file of weights, saw {seen}")
    try:
        with np.load(BytesIO(content), allow_pickle=False) as held:
            arrays = {name: held[name] for name in held.files}
    except _UNREADABLE as error:
        raise WeightsError(f"weights {path.name}: expected an .npz file of weights, saw {_reason(error)}") from error
    if not all(isinstance(array, np.ndarray) for array in arrays.values()):
        raise WeightsError(f"weights {path.name}: expected arrays alone, saw {' '.join(sorted(arrays))}")
    return arrays


def _names(count: int) -> set[str]:
    return {"form", "features", *(f"{kind}{number}" for kind in "wb" for number in range(count))}


def _reason(error: BaseException) -> str:
    match error:
        case FileNotFoundError():
            return "no such file"
        case OSError(strerror=str(why)):
            return why
    return f"a damaged one ({type(error).__name__})"


def _check_form(arrays: dict[str, np.ndarray], name: str, features: str) -> None:
    form = arrays.get("form")
    if form is None or form.shape != () or form.dtype.kind not in "iu" or int(form) != FORM:
        seen = "none" if form is None else " ".join(str(form).split())[:40]
        raise WeightsError(f"weights {name}: expected form {FORM}, saw {seen}; use the file of this version")
    given = arrays.get("features")
    if given is None or given.shape != () or str(given) != features:
        seen = "none" if given is None else " ".join(str(given).split())[:40]
        raise WeightsError(f"weights {name}: expected the features {features}, saw {seen}")


def _check_layers(weights: tuple[Floats, ...], biases: tuple[Floats, ...], name: str, inputs: int) -> None:
    width = inputs
    for number, (weight, bias) in enumerate(zip(weights, biases, strict=True)):
        if weight.dtype != np.float32 or bias.dtype != np.float32:
            raise WeightsError(f"weights {name}: expected single precision, saw {weight.dtype} in layer {number}")
        if weight.ndim != 2 or weight.shape[0] != width or 0 in weight.shape or bias.shape != (weight.shape[1],):
            raise WeightsError(f"weights {name}: layer {number} takes {width} numbers, its weights are {weight.shape}")
        if not all((np.abs(array) <= MOST_WEIGHT).all() for array in (weight, bias)):  # false for NaN too
            raise WeightsError(f"weights {name}: layer {number} holds NaN or a huge number; fetch the file anew")
        width = weight.shape[1]
    if width != 1:
        raise WeightsError(f"weights {name}: expected one number at the end, saw {width}")

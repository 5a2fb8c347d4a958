"""Trained networks as small files, Kagiya's own and the user's: weights, normalisation, feature version and origin.

The format is safetensors: the length of a header, the header as JSON, then plain numbers. Reading one executes
nothing, and everything is checked before it is believed: a file may come from anybody.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya.agents.api import Parameter
from kagiya.engine.record import write_whole
from kagiya.learn.features import FEATURE_VERSION, FEATURES, STATE_FEATURES
from kagiya.learn.values import FORECAST_FEATURES, HEADER, LINEAR, MAX_LAYERS, MAX_WIDTH, RECTIFIED_TANH, SCORE_TANH
from kagiya.spec import Spec, SpecError

FORMAT = "kagiya-network"
FORMAT_VERSION = 1
ENDING = ".safetensors"
MAX_BYTES = 4 << 20
MAX_WEIGHT = 1e6  # of a weight; a trained network has none near it
LENGTH_BYTES = 8
CHECKSUM = "checksum"
# Of each kind, its inputs and how its output ends.
KINDS = {
    "value": (FEATURES, RECTIFIED_TANH),
    "score": (FEATURES, SCORE_TANH),
    "rules": (STATE_FEATURES, LINEAR),
    "policies": (FEATURES, LINEAR),
    "forecast": (FORECAST_FEATURES, LINEAR),
}

VALUE_KINDS = ("value", "score")  # of moves: an agent that takes one takes the other

Numbers = npt.NDArray[np.float32]


class ModelError(ValueError):
    """A file that is not a network that could be used here."""


@dataclass(frozen=True)
class Network:
    """Layers of weights [input, output] and biases, what its inputs are normalised by, and its origin."""

    kind: str  # "value", "forecast": points still to come, as a share of all; "score": all points; else one output each
    mean: Numbers
    spread: Numbers  # the inputs' standard deviations
    weights: tuple[Numbers, ...]
    biases: tuple[Numbers, ...]
    provenance: dict[str, Any] = field(default_factory=dict)

    @property
    def widths(self) -> list[int]:
        """Inputs, hidden layers, outputs."""
        return [len(self.weights[0]), *(len(bias) for bias in self.biases)]

    def answer(self, inputs: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """The outputs for rows of features: slow, and what the kernels are compared with."""
        units = (np.asarray(inputs, np.float64) - self.mean) / self.spread
        for layer, (weights, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            units = units @ weights.astype(np.float64) + bias
            if layer + 1 < len(self.weights):
                units = np.maximum(units, 0)
        return np.maximum(np.tanh(units), 0) if KINDS[self.kind][1] != LINEAR else units


def network_row(network: Network) -> list[float]:
    """The network as compiled code reads it, the normalisation folded into the first layer."""
    widths = network.widths
    row = [float(len(network.weights)), float(KINDS[network.kind][1]), *map(float, widths)]
    row += [0.0] * (HEADER - len(row))
    for layer, (weights, bias) in enumerate(zip(network.weights, network.biases, strict=True)):
        factors, offsets = weights.astype(np.float64), bias.astype(np.float64)
        if layer == 0:
            factors /= network.spread.astype(np.float64)[:, None]
            offsets -= network.mean.astype(np.float64) @ factors
        row += [*factors.ravel().tolist(), *offsets.tolist()]
    return row


def write_network(path: Path, network: Network) -> None:
    """Write the file, whole or not at all."""
    tensors: dict[str, Numbers] = {"mean": network.mean, "spread": network.spread}
    for layer, (weights, bias) in enumerate(zip(network.weights, network.biases, strict=True)):
        tensors |= {f"weights_{layer}": weights, f"biases_{layer}": bias}
    header: dict[str, Any] = {
        "__metadata__": {
            "format": FORMAT,
            "version": str(FORMAT_VERSION),
            "feature_version": str(FEATURE_VERSION),
            "kind": network.kind,
            "provenance": json.dumps(network.provenance, sort_keys=True),
        }
    }
    place = 0
    for name, tensor in tensors.items():
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [place, place + 4 * tensor.size]}
        place += 4 * tensor.size
    data = b"".join(np.ascontiguousarray(tensor, "<f4").tobytes() for tensor in tensors.values())
    header["__metadata__"][CHECKSUM] = checksum(header, data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % LENGTH_BYTES)
    write_whole(path, len(text).to_bytes(LENGTH_BYTES, "little") + text + data)


def checksum(header: dict[str, Any], data: bytes) -> str:
    """Of a header that has none yet, and of the numbers."""
    return f"{zlib.crc32(json.dumps(header, sort_keys=True).encode() + data):08x}"


def read_network(path: Path, kind: str) -> Network:
    """The network in a file, if it is one of this kind and fits the features of this version."""
    try:
        size = path.stat().st_size
        if not path.is_file() or size > MAX_BYTES:
            raise ModelError(f"{path} is not a network: expected a file of at most {MAX_BYTES >> 20} MB")
        content = path.read_bytes()
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror}") from None
    try:
        header, data = split_content(content)
        written = header["__metadata__"].pop(CHECKSUM, None)  # older files have none
        found = checksum(header, data)
        network = read_tensors(header, data, kind)
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from None
    if written not in (None, found):
        raise ModelError(f"{path} is damaged: its checksum is not that of its content")
    return network


def split_content(content: bytes) -> tuple[dict[str, Any], bytes]:
    """The header as plain data, and the bytes after it."""
    length = int.from_bytes(content[:LENGTH_BYTES], "little")
    if len(content) < LENGTH_BYTES or length > len(content) - LENGTH_BYTES:
        raise ModelError("it is cut short, or not a network at all")
    try:
        header = json.loads(content[LENGTH_BYTES : LENGTH_BYTES + length].decode())
        about = header["__metadata__"]
        given = about["format"], int(about["version"]), int(about["feature_version"])
        header["__metadata__"] = {str(key): str(value) for key, value in about.items()}
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        raise ModelError("its header is not that of a network written by Kagiya") from None
    if given[:2] != (FORMAT, FORMAT_VERSION):
        raise ModelError(f"its format is {given[0]} {given[1]}; this version reads {FORMAT} {FORMAT_VERSION}")
    if given[2] != FEATURE_VERSION:
        raise ModelError(
            f"it was trained with version {given[2]} of the features, this Kagiya has version {FEATURE_VERSION}; "
            "train it again"
        )
    return header, content[LENGTH_BYTES + length :]


def read_tensors(header: dict[str, Any], data: bytes, kind: str) -> Network:
    """The network that header and numbers make, if they fit together."""
    about = header.pop("__metadata__")
    found = about.get("kind", "")
    if found != kind and not {found, kind} <= set(VALUE_KINDS):
        raise ModelError(f"it is a network of kind {found!r}, expected {kind!r}")
    layers = sum(name.startswith("weights_") for name in header)
    names = ["mean", "spread", *(f"{part}_{n}" for n in range(layers) for part in ("weights", "biases"))]
    if not 1 <= layers <= MAX_LAYERS or set(header) != set(names):
        raise ModelError(
            f"expected a mean, a spread and 1 to {MAX_LAYERS} layers, found {', '.join(header) or 'nothing'}"
        )
    tensors = {name: read_tensor(name, header[name], data) for name in names}
    weights = tuple(tensors[f"weights_{n}"] for n in range(layers))
    biases = tuple(tensors[f"biases_{n}"] for n in range(layers))
    check_shapes(tensors["mean"], tensors["spread"], weights, biases, kind)
    try:
        provenance = json.loads(about.get("provenance", "{}"))
    except (ValueError, RecursionError):
        provenance = {}
    return Network(found, tensors["mean"], tensors["spread"], weights, biases, provenance)


def read_tensor(name: str, entry: Any, data: bytes) -> Numbers:
    """One array, if its entry in the header is right and all its numbers are sensible."""
    try:
        shape, (begin, end), dtype = entry["shape"], entry["data_offsets"], entry["dtype"]
        is_right = dtype == "F32" and 1 <= len(shape) <= 2 and all(type(n) is int and 0 < n <= MAX_WIDTH for n in shape)
        is_right = is_right and type(begin) is int and begin >= 0 and end == begin + 4 * math.prod(shape)
    except (KeyError, TypeError, ValueError):
        is_right = False
    if not is_right:
        raise ModelError(f"{name} is not described as an array of at most {MAX_WIDTH} by {MAX_WIDTH} numbers")
    if end > len(data):
        raise ModelError(f"it is cut short: {name} ends at byte {end:,} of {len(data):,}")
    numbers = np.frombuffer(data[begin:end], "<f4").astype(np.float32).reshape(shape)
    if not np.isfinite(numbers).all() or np.abs(numbers).max() > MAX_WEIGHT:
        raise ModelError(f"{name} holds numbers that are infinite, no numbers at all, or beyond {MAX_WEIGHT:g}")
    return numbers


def check_shapes(
    mean: Numbers, spread: Numbers, weights: Sequence[Numbers], biases: Sequence[Numbers], kind: str
) -> None:
    """Refuse layers that do not follow from each other."""
    inputs = KINDS[kind][0]
    fits = mean.shape == spread.shape == (inputs,) and spread.min() > 0
    for weight, bias in zip(weights, biases, strict=True):
        fits = fits and weight.shape == (inputs, *bias.shape) and bias.ndim == 1
        inputs = bias.shape[0] if bias.ndim == 1 else 0
    if not fits or (kind in (*VALUE_KINDS, "forecast") and inputs != 1):
        found = " ".join(str(list(array.shape)) for array in (mean, *weights, *biases))
        raise ModelError(f"its layers do not fit {KINDS[kind][0]} features: {found}")


FOLDER = Path(__file__).parent / "models"
SHIPPED = "shipped"


@dataclass(frozen=True, slots=True)
class NetworkParameter(Parameter):
    """A network in a file, or one that comes with Kagiya, by name."""

    kind: str = "value"

    def parse(self, value: Spec, agent: str) -> Any:
        if str(value) in self.choices:
            return str(value)
        try:
            load(str(value), self.kind)
        except ModelError as error:
            raise SpecError(f"{agent}: {self.name}: {error}") from None
        return str(value)

    def range_text(self) -> str:
        return " or ".join((*self.choices, "a file written by kagiya train fit"))


def network_file(name: str) -> Path:
    """Where a network that comes with Kagiya is."""
    return FOLDER / f"{name}{ENDING}"


def load(path: str, kind: str) -> Network:
    """The network in a file; read once as long as the file stays the same."""
    file = Path(path)
    try:
        stamp = file.stat().st_mtime_ns, file.stat().st_size
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror}") from None
    return _read(path, kind, stamp)


@cache
def _read(path: str, kind: str, stamp: tuple[int, int]) -> Network:
    return read_network(Path(path), kind)

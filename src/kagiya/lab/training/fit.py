"""The fit of a network to a folder of training data, with PyTorch, which nothing else needs.

Adam, held-out games, early stopping. Beside the network's file stand its learning curve and all that it came from.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya.agents.rule_list import candidate_row, rule_uses
from kagiya.lab.papers.figures import Curve as Line, curve_figure
from kagiya.lab.provenance import provenance
from kagiya.lab.training.data import MOVES, POSITIONS, DataError, DataFolder
from kagiya.learn.features import FEATURE_NAMES, SCORE, STATE_FEATURES
from kagiya.learn.networks import ENDING, KINDS, VALUE_KINDS, Network, write_network
from kagiya.learn.values import MAX_LAYERS, MAX_WIDTH

LOSSES = ("squared", "absolute", "huber")
SCHEDULES = ("constant", "cosine")
HUBER = 0.04  # one point of 25: beyond it errors count linearly
MIN_SPREAD = 1e-3  # of a feature that hardly ever changes
FIRST_WEIGHTS = 0.1  # what the weights of the output begin with, as a share of the usual
LEAK = 0.01  # slope of the output below 0 while it is trained

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class FitSettings:
    """How a network is trained; the defaults are the paper's where it says what it did."""

    hidden: tuple[int, ...] = (30,)
    loss: str = "squared"
    learning_rate: float = 1e-4
    l1: float = 1e-5
    batch: int = 16
    epochs: int = 200  # at most
    patience: int = 5  # epochs without a better held-out error before it stops
    held_out: float = 0.1  # share of the games
    seed: int = 1
    schedule: str = "constant"  # or "cosine": the rate falls to 0 over all epochs, and the last one is kept

    def __post_init__(self) -> None:
        layers = len(self.hidden) + 1
        if layers > MAX_LAYERS or not all(1 <= width <= MAX_WIDTH for width in self.hidden):
            raise ValueError(f"at most {MAX_LAYERS - 1} hidden layers of 1 to {MAX_WIDTH} units, not {self.hidden}")
        if self.loss not in LOSSES:
            raise ValueError(f"the loss must be one of {', '.join(LOSSES)}, not {self.loss!r}")
        if self.schedule not in SCHEDULES:
            raise ValueError(f"the schedule must be one of {', '.join(SCHEDULES)}, not {self.schedule!r}")
        if min(self.learning_rate, self.batch, self.epochs, self.patience) <= 0 or self.l1 < 0:
            raise ValueError("learning rate, batch, epochs and patience must be above 0, and l1 not below")
        if not 0 < self.held_out < 1:
            raise ValueError(f"the held-out share of the games must lie between 0 and 1, not {self.held_out}")


@dataclass(frozen=True)
class Examples:
    """Rows to learn from: features, what they should give, and the game each comes from."""

    inputs: Array  # [row, feature]
    targets: Array  # [row, output]
    games: Array  # [row]: seeds


@dataclass
class LearningCurve:
    """The errors of each epoch, as the square root of the mean square, in the unit of the targets."""

    training: list[float] = field(default_factory=list)
    held_out: list[float] = field(default_factory=list)
    by_mean: float = math.inf  # the held-out error of one answer for all rows, their mean
    best_epoch: int = 0
    interrupted: bool = False

    @property
    def lowest(self) -> float:
        """The held-out error of the best epoch."""
        return self.held_out[self.best_epoch - 1]


def split_games(games: Array, share: float, seed: int) -> Array:
    """Which rows are held out: whole games, drawn by the seed, at least one and never all."""
    found = np.unique(games)
    if len(found) < 2:
        raise DataError(f"{len(found)} games are too few to learn from: some must be held out; make more data")
    count = min(max(1, round(share * len(found))), len(found) - 1)
    chosen = np.random.default_rng(seed).permutation(found)[:count]
    return np.isin(games, chosen)


def normalisation(inputs: Array) -> tuple[Array, Array]:
    """The mean and the standard deviation of each feature."""
    return inputs.mean(axis=0), np.maximum(inputs.std(axis=0), MIN_SPREAD)


def import_torch() -> Any:
    """PyTorch, or a sentence that says how to get it."""
    try:
        import torch
    except ImportError:
        raise DataError(
            "training needs PyTorch, which is not installed: pip install 'kagiya[train]' "
            "(playing with a trained network needs nothing)"
        ) from None
    return torch


def fit(
    examples: Examples,
    kind: str,
    settings: FitSettings,
    report: Callable[[int, float, float], None] = lambda epoch, training, held_out: None,
) -> tuple[Network, LearningCurve]:
    """Train a network and keep its best epoch; Ctrl-C ends the training and keeps what it has."""
    torch = import_torch()
    apart = split_games(examples.games, settings.held_out, settings.seed)
    mean, spread = normalisation(examples.inputs[~apart])
    torch.manual_seed(settings.seed)
    torch.set_num_threads(1)  # rows of 38 numbers: more threads only wait for each other
    module = make_module(torch, kind, examples.inputs.shape[1], settings, examples.targets)
    parts = [
        torch.from_numpy(np.ascontiguousarray(array, np.float32))
        for rows in (~apart, apart)
        for array in ((examples.inputs[rows] - mean) / spread, examples.targets[rows])
    ]
    curve = LearningCurve()
    best = train(torch, module, kind, parts, settings, (curve, report))
    layers = [(best[f"{n}.weight"], best[f"{n}.bias"]) for n in range(0, 2 * len(settings.hidden) + 1, 2)]
    network = Network(
        kind,
        mean.astype(np.float32),
        spread.astype(np.float32),
        tuple(np.ascontiguousarray(weight.numpy().T, np.float32) for weight, _ in layers),
        tuple(bias.numpy().astype(np.float32) for _, bias in layers),
        {"fit": asdict(settings), "rows": int((~apart).sum()), "held_out_rows": int(apart.sum())},
    )
    return network, curve


def make_module(torch: Any, kind: str, inputs: int, settings: FitSettings, targets: Array) -> Any:
    """The layers; the output of a value begins near the mean target, where its activation is alive."""
    widths = [inputs, *settings.hidden, targets.shape[1]]
    layers: list[Any] = []
    for width, following in pairwise(widths):
        layers += [torch.nn.Linear(width, following), torch.nn.ReLU()]
    module = torch.nn.Sequential(*layers[:-1])
    if KINDS[kind][1]:
        with torch.no_grad():
            module[-1].weight.mul_(FIRST_WEIGHTS)
            module[-1].bias.fill_(math.atanh(min(max(float(targets.mean()), 0.01), 0.95)))
    return module


def outputs_of(torch: Any, module: Any, kind: str, inputs: Any) -> Any:
    """The network's answer in training: as in play, but for a slight slope where the output is cut off below 0.

    Cut off, an output that has fallen below 0 for all rows would have no gradient and stay there.
    """
    found = module(inputs)
    return torch.nn.functional.leaky_relu(torch.tanh(found), LEAK) if KINDS[kind][1] else found


def loss_of(torch: Any, kind: str, name: str, found: Any, targets: Any) -> Any:
    """What training makes small: an error of values, or how far the rules point another way (cosine)."""
    if kind == "rules":
        return 1 - torch.nn.functional.cosine_similarity(found, targets, dim=1).mean()
    if name == "absolute":
        return torch.nn.functional.l1_loss(found, targets)
    if name == "huber":
        return torch.nn.functional.huber_loss(found, targets, delta=HUBER)
    return torch.nn.functional.mse_loss(found, targets)


def train(
    torch: Any,
    module: Any,
    kind: str,
    parts: list[Any],
    settings: FitSettings,
    watch: tuple[LearningCurve, Callable[..., None]],
) -> dict[str, Any]:
    """Epoch by epoch until the held-out error stops falling, or the rate is 0; returns the weights that are kept."""
    inputs, targets, held_inputs, held_targets = parts
    curve, report = watch
    constant = held_targets.mean(dim=0).expand_as(held_targets)
    curve.by_mean = as_error(kind, settings.loss, float(loss_of(torch, kind, settings.loss, constant, held_targets)))
    optimizer = torch.optim.Adam(module.parameters(), lr=settings.learning_rate)
    weights = [layer.weight for layer in module if hasattr(layer, "weight")]
    falls = settings.schedule == "cosine"
    steps = settings.epochs * math.ceil(len(inputs) / settings.batch)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps) if falls else None
    best, lowest = {key: value.clone() for key, value in module.state_dict().items()}, math.inf
    try:
        for epoch in range(settings.epochs):
            total = 0.0
            for rows in torch.randperm(len(inputs)).split(settings.batch):
                loss = loss_of(torch, kind, settings.loss, outputs_of(torch, module, kind, inputs[rows]), targets[rows])
                total += float(loss.detach()) * len(rows)
                if settings.l1:
                    loss = loss + settings.l1 * sum(weight.abs().sum() for weight in weights)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                if schedule is not None:
                    schedule.step()
            with torch.no_grad():
                held = outputs_of(torch, module, kind, held_inputs)
                error = float(loss_of(torch, kind, settings.loss, held, held_targets))
            curve.training.append(as_error(kind, settings.loss, total / len(inputs)))
            curve.held_out.append(as_error(kind, settings.loss, error))
            report(epoch + 1, curve.training[-1], curve.held_out[-1])
            if not math.isfinite(error):
                raise DataError("the error is no longer a number: choose a smaller learning rate")
            if error < lowest or falls:
                best, lowest = {key: value.clone() for key, value in module.state_dict().items()}, error
                curve.best_epoch = epoch + 1
            elif epoch + 1 - curve.best_epoch >= settings.patience:
                break
    except KeyboardInterrupt:
        if not curve.best_epoch:
            raise
        curve.interrupted = True
    return best


def as_error(kind: str, loss: str, value: float) -> float:
    """A mean loss in the unit of the targets, where it is a square."""
    return math.sqrt(value) if kind in VALUE_KINDS and loss == "squared" else value


RULES = int(candidate_row(rule_uses("goodman"), "playable-now")[0])  # that the rule classifier chooses among
POINTS = 25

Report = Callable[[int, float, float], None]


@dataclass(frozen=True)
class Learned:
    """A network that was fitted, and how well."""

    network: Network
    curve: LearningCurve
    rows: int
    games: int

    def metrics(self) -> dict[str, Any]:
        """The figures of merit as plain data; errors of values are in points."""
        unit = POINTS if self.network.kind in VALUE_KINDS else 1
        best = self.curve.best_epoch - 1
        return {
            "rows": self.rows,
            "games": self.games,
            "epochs": len(self.curve.held_out),
            "best_epoch": self.curve.best_epoch,
            "training_error": unit * self.curve.training[best],
            "held_out_error": unit * self.curve.held_out[best],
            "error_of_the_mean": unit * self.curve.by_mean,
            "interrupted": self.curve.interrupted,
        }


def value_examples(folder: DataFolder, kind: str = "value", deepest: int | None = None) -> Examples:
    """Moves of trees, at any depth or not, and the points to come or, for a "score", at the end."""
    where = "true" if deepest is None else f"depth <= {int(deepest)}"
    columns = folder.read(MOVES, ("seed", "target", *FEATURE_NAMES), where)
    targets = columns["target"] + (columns[FEATURE_NAMES[SCORE]] if kind == "score" else 0)
    return Examples(features_of(columns, FEATURE_NAMES), targets[:, None], columns["seed"])


def rule_examples(folder: DataFolder) -> Examples:
    """Positions played, and the rules that propose the move made there: each as much as any other."""
    names = FEATURE_NAMES[:STATE_FEATURES]
    columns = folder.read(POSITIONS, ("seed", "rules", *names), "rules > 0")
    marks = (columns["rules"][:, None] >> np.arange(RULES) & 1).astype(np.float32)
    return Examples(features_of(columns, names), marks / marks.sum(axis=1, keepdims=True), columns["seed"])


def features_of(columns: dict[str, Any], names: tuple[str, ...]) -> Any:
    """The columns side by side; refuses an empty set."""
    if not len(columns[names[0]]):
        raise DataError("there are no rows to learn from: no move was tried often enough; give the search more time")
    return np.stack([columns[name] for name in names], axis=1)


def learn(
    folders: Sequence[DataFolder],
    kind: str,
    settings: FitSettings,
    deepest: int | None = None,
    report: Report = lambda *_: None,
) -> Learned:
    """Fit a network of this kind to the data of all these folders; a value only to moves at most so deep in trees."""
    import_torch()
    parts = [value_examples(each, kind, deepest) if kind in VALUE_KINDS else rule_examples(each) for each in folders]
    examples = Examples(
        *(np.concatenate(each) for each in zip(*((p.inputs, p.targets, p.games) for p in parts), strict=True))
    )
    network, curve = fit(examples, kind, settings, report)
    if not curve.interrupted:
        check_learned(curve)
    return Learned(network, curve, len(examples.games), len(np.unique(examples.games)))


def check_learned(curve: LearningCurve) -> None:
    """Refuse a network that knows no more of the held-out games than their mean."""
    if curve.lowest >= curve.by_mean:
        raise DataError(
            f"the network has learned nothing: on the held-out games its error is {curve.lowest:.4f}, that of their "
            f"mean {curve.by_mean:.4f}; make more games, or choose another learning rate, more patience or another "
            "training seed"
        )


def write_learned(path: Path, learned: Learned, folders: Sequence[DataFolder], command: str) -> None:
    """The network's file, and its learning curve as a picture beside it."""
    check_model_path(path)
    origin = learned.network.provenance | {
        "data": [each.about() | {"seeds": [min(each.seeds()), max(each.seeds())]} for each in folders],
        "metrics": learned.metrics(),
        "made": provenance(command) | {"torch": str(import_torch().__version__)},
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    write_network(path, replace(learned.network, provenance=origin))
    draw_learning(path.with_suffix(".png"), learned)


def check_model_path(path: Path) -> None:
    """Refuse a name that is not that of a network."""
    if path.suffix != ENDING:
        raise DataError(f"{path}: the file of a network ends in {ENDING}")


def draw_learning(path: Path, learned: Learned) -> None:
    """The errors of each epoch."""
    curve, is_value = learned.curve, learned.network.kind in VALUE_KINDS
    unit = POINTS if is_value else 1
    epochs = list(range(1, len(curve.held_out) + 1))
    lines = [
        Line(label, epochs, [unit * error for error in errors], [0.0] * len(errors))
        for label, errors in (("training games", curve.training), ("held-out games", curve.held_out))
    ]
    caption = f"{learned.rows:,} rows of {learned.games:,} games; kept: epoch {curve.best_epoch}"
    curve_figure(lines, "epoch", "error in points" if is_value else "cosine distance", caption, path)

"""From a folder of training data to a network's file, with its learning curve and all that it came from beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from kagiya.agents._candidate_kernels import candidate_row, rule_uses
from kagiya.lab.documents.figures.curves import Curve as Line
from kagiya.lab.documents.figures.curves import curve_figure
from kagiya.lab.provenance.result_files import provenance
from kagiya.lab.training.data_folder import MOVES, POSITIONS, DataError, DataFolder
from kagiya.lab.training.fit import Curve, Examples, FitSettings, fit, import_torch
from kagiya.learn.feature_kernels import FEATURE_NAMES, STATE_FEATURES
from kagiya.learn.model_file import ENDING, Network, write_network
from kagiya.learn.rich_feature_kernels import RICH_NAMES

RULES = int(candidate_row(rule_uses("goodman"), "playable-now")[0])  # that the rule classifier chooses among
POINTS = 25

Report = Callable[[int, float, float], None]


@dataclass(frozen=True)
class Learned:
    """A network that was fitted, and how well."""

    network: Network
    curve: Curve
    rows: int
    games: int

    def metrics(self) -> dict[str, Any]:
        """The figures of merit as plain data; errors of values are in points."""
        unit = POINTS if self.network.kind == "value" else 1
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


@dataclass(frozen=True)
class Choice:
    """Which rows of a folder a value learns from, and which features of them."""

    deepest: int | None = None  # moves below the root
    is_rich: bool = False


def value_examples(folder: DataFolder, choice: Choice = Choice()) -> Examples:
    """Moves of trees and what the search made of them."""
    if choice.is_rich:
        folder.check_rich()
    names = RICH_NAMES if choice.is_rich else FEATURE_NAMES
    where = "true" if choice.deepest is None else f"depth <= {int(choice.deepest)}"
    columns = folder.read(MOVES, ("seed", "target", *names), where)
    return Examples(features_of(columns, names), columns["target"][:, None], columns["seed"])


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
    choice: Choice = Choice(),
    report: Report = lambda *_: None,
) -> Learned:
    """Fit a network of this kind to the data of all these folders."""
    import_torch()
    parts = [value_examples(each, choice) if kind == "value" else rule_examples(each) for each in folders]
    examples = Examples(
        *(np.concatenate(each) for each in zip(*((p.inputs, p.targets, p.games) for p in parts), strict=True))
    )
    network, curve = fit(examples, kind, settings, report)
    if not curve.interrupted:
        check_learned(curve)
    return Learned(network, curve, len(examples.games), len(np.unique(examples.games)))


def check_learned(curve: Curve) -> None:
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
    curve, is_value = learned.curve, learned.network.kind == "value"
    unit = POINTS if is_value else 1
    epochs = list(range(1, len(curve.held_out) + 1))
    lines = [
        Line(label, epochs, [unit * error for error in errors], [0.0] * len(errors))
        for label, errors in (("training games", curve.training), ("held-out games", curve.held_out))
    ]
    caption = f"{learned.rows:,} rows of {learned.games:,} games; kept: epoch {curve.best_epoch}"
    curve_figure(lines, "epoch", "error in points" if is_value else "cosine distance", caption, path)

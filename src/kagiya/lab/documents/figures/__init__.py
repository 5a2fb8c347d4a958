"""Pictures of results, readable in print, on screen and without color vision; PNG, SVG or PDF by the ending."""

from kagiya.lab.documents.figures._canvas import Setting
from kagiya.lab.documents.figures._style import FigureError, check_picture
from kagiya.lab.documents.figures.behaviours import behaviour_figure
from kagiya.lab.documents.figures.crossplay import crossplay_figure
from kagiya.lab.documents.figures.curves import Curve, curve_figure
from kagiya.lab.documents.figures.league import league_figure
from kagiya.lab.documents.figures.losses import sources_figure
from kagiya.lab.documents.figures.recognition import recognition_figure
from kagiya.lab.documents.figures.scores import ScoredRegret, regret_figure, scores_figure

__all__ = [
    "Curve",
    "FigureError",
    "ScoredRegret",
    "Setting",
    "behaviour_figure",
    "check_picture",
    "crossplay_figure",
    "curve_figure",
    "league_figure",
    "recognition_figure",
    "regret_figure",
    "scores_figure",
    "sources_figure",
]

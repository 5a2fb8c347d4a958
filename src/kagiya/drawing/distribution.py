"""How often each score was reached, for one sample or for two beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kagiya.drawing.axes import Scale, bottom_axis, key, left_axis, round_ticks, rule
from kagiya.drawing.canvas import number, rectangle, sheet
from kagiya.drawing.markup import Markup, element
from kagiya.drawing.palette import paint

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 420, 190, 36, 34, 36


@dataclass(frozen=True, slots=True)
class Sample:
    """How often each value from 0 on was seen; mean and standard error are marked if they are given."""

    name: str
    counts: tuple[int, ...]
    mean: float | None = None
    error: float | None = None

    @property
    def shares(self) -> tuple[float, ...]:
        """The counts in percent of all."""
        return tuple(100 * count / (sum(self.counts) or 1) for count in self.counts)


def distribution(
    sample: Sample,
    second: Sample | None = None,
    title: str = "score",
    mark: int | None = None,
    label: str | None = None,
) -> Markup:
    """Bars for the first sample, a line of steps over them for the second, 420 by 190. Means stand above, with a bar of
    two standard errors either way; `mark` is a single value (of a game that was played) with a line of its own."""
    samples = [sample] + ([second] if second else [])
    across = _span(samples, mark)
    high = max([share for one in samples for share in one.shares], default=0) or 1
    up = Scale(0, high, HEIGHT - BOTTOM, TOP + 12)
    parts = [
        left_axis(up, LEFT, WIDTH - 8, round_ticks(0, high, 4)),
        _bars(sample, across, up),
        _outline(second, across, up) if second else None,
        [_mean(one, across, TOP + 2 + 7 * place) for place, one in enumerate(samples)],
        rule(across(mark), TOP, across(mark), HEIGHT - BOTTOM, "accent", stroke_width=2) if mark is not None else None,
        bottom_axis(
            across, HEIGHT - BOTTOM, round_ticks(across.low + 0.5, across.high - 0.5, 8), f"{title}; % of games"
        ),
        _legend(sample, second),
    ]
    return sheet(WIDTH, HEIGHT, _sentence(samples, title) if label is None else label, parts)


def _span(samples: Sequence[Sample], mark: int | None) -> Scale:
    """From the least value seen, a little below, to the last that is counted."""
    seen = [place for one in samples for place, count in enumerate(one.counts) if count] + (
        [] if mark is None else [mark]
    )
    last = max([len(one.counts) - 1 for one in samples] + seen)
    first = max(min(seen, default=0) - 1, 0)
    return Scale(first - 0.5, last + 0.5, LEFT, WIDTH - 8)


def _bars(sample: Sample, across: Scale, up: Scale) -> Markup:
    wide = across(across.low + 1) - across(across.low)
    bars = [
        element(
            "g",
            element("title", f"{place}: {sample.counts[place]} of {sum(sample.counts)}, {share:.1f} %"),
            rectangle(across(place) - wide * 0.4, up(share), wide * 0.8, up(0) - up(share), "moved", fill_opacity=0.55),
        )
        for place, share in enumerate(sample.shares)
        if share
    ]
    return element("g", bars)


def _outline(sample: Sample, across: Scale, up: Scale) -> Markup:
    first = round(across.low + 0.5)
    shown = list(enumerate(sample.shares))[first:]
    path = "".join(f"V{number(up(share))}H{number(across(place + 0.5))}" for place, share in shown)
    start = f"M{number(across(first - 0.5))} {number(up(0))}"
    return element("path", d=f"{start}{path}V{number(up(0))}", fill="none", stroke=paint("text"), stroke_width=2)


def _mean(sample: Sample, across: Scale, y: float) -> Markup | None:
    """A dot at the mean, with a bar of two standard errors either way."""
    if sample.mean is None:
        return None
    around = 2 * (sample.error or 0.0)
    color = "moved" if y < TOP + 5 else "text"
    bar = rule(across(sample.mean - around), y, across(sample.mean + around), y, color, stroke_width=2)
    return element("g", bar, element("circle", cx=number(across(sample.mean)), cy=number(y), r=3, fill=paint(color)))


def _legend(sample: Sample, second: Sample | None) -> Markup:
    entries: list[tuple[Markup, str]] = [(rectangle(2, -6, 12, 10, "moved", fill_opacity=0.55), _named(sample))]
    if second:
        entries.append((rule(0, 0, 16, 0, "text", stroke_width=2), _named(second)))
    return key(LEFT, 14, entries)


def _named(sample: Sample) -> str:
    if sample.mean is None:
        return sample.name
    error = f" ± {sample.error:.2f}" if sample.error is not None else ""
    return f"{sample.name}: {sample.mean:.2f}{error}"


def _sentence(samples: Sequence[Sample], title: str) -> str:
    parts = [f"{_named(one)}, {sum(one.counts)} games" for one in samples]
    return f"distribution of {title}: {'; '.join(parts)}"

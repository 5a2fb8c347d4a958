"""Environments are measured in one run; programs that are not here are named and left out."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from kagiya import Rules
from kagiya._jit import JIT_OFF
from kagiya.cli.dev_tables import draw_env_rates
from kagiya.dev import peers
from kagiya.dev.peers import BATCH, DROP_IN, HLE, JAXMARL, MATCH, OPEN_SPIEL, WITH_PARTNER, batch_rate, measure_envs
from kagiya.dev.reference_pages import env_block
from kagiya.rl import Batch, Episodes, Partners


@pytest.mark.skipif(JIT_OFF, reason="1,024 lanes")
def test_what_is_not_installed_is_left_out_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(peers, "load", lambda module: None)
    monkeypatch.setattr(peers, "cores", lambda: 1)
    advanced: list[int] = []
    data = measure_envs(0.001, 2, advanced.append)
    measured = {(row["what"], row["players"]) for row in data["rates"]}
    assert {(BATCH, 2), (BATCH, 5), (DROP_IN, 2), (MATCH, 2)} < measured
    assert data["left_out"] == [OPEN_SPIEL, HLE, JAXMARL]
    assert [(row["of"], row["to"]) for row in data["ratios"]] == [(WITH_PARTNER, MATCH)]
    assert all(row["value"] > 0 for row in (*data["rates"], *data["ratios"]))
    assert sum(advanced) == 2 * len(measured)
    assert "left out: OpenSpiel" in str(draw_env_rates(data)[-1])
    made = {"command": "kagiya dev bench envs", "date": "today", "kagiya": "0", "numba": "0"}
    (tmp_path / "envs.json").write_text(json.dumps({"made": made, **data, "versions": {"open_spiel": "2.0"}}))
    block = env_block(tmp_path / "envs.json")
    assert re.search(r"\| Batch \| [\d,]+ \| [\d,]+ \|", block)
    assert f"| {WITH_PARTNER} | {MATCH} | " in block
    assert block.endswith("taken in turn; open_spiel 2.0.")


@pytest.mark.skipif(JIT_OFF, reason="many steps")
@pytest.mark.parametrize(
    "options", [{}, {"episodes": Episodes(every_seat=True)}, {"partners": Partners("smartbot", seat=0)}], ids=str
)
def test_only_legal_moves_are_tried(options: dict[str, Any]) -> None:
    assert batch_rate(Batch(Rules(players=3), 16, **options), 0.01) > 0

"""Who imports an adapter without the program that it is for is told what to install."""

import importlib
import sys

import pytest


@pytest.mark.parametrize(
    ("module", "missing", "message"),
    [
        ("kagiya.interop.openspiel_bot", "pyspiel", r"pip install 'kagiya\[peers\]'"),
        ("kagiya.rl.gymnasium_env", "gymnasium", r"pip install 'kagiya\[rl\]'"),
        ("kagiya.rl.pettingzoo_env", "pettingzoo", r"pip install 'kagiya\[rl\]'"),
    ],
)
def test_a_missing_program_is_named(module: str, missing: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ImportError, match=message):
        importlib.import_module(module)


def test_agents_for_hle_need_no_openspiel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "kagiya.interop.told_seats", raising=False)
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    assert importlib.import_module("kagiya.interop.told_seats").hle_agent

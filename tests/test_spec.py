"""Texts as people write them: names with parameters, numbers, durations."""

import pytest

import kagiya
from kagiya.lab.experiment import ExperimentError, experiment_from
from kagiya.runtime.timeouts import kernel_timeout
from kagiya.spec import parse_spec, read_integer, read_number, read_seconds


@pytest.mark.parametrize("text", ["10k", "10K", "1e4", "1E4", "10_000", "10000", "0.01M", "10.0k"])
def test_an_integer_is_written_in_many_ways(text: str) -> None:
    assert read_integer(text) == 10_000


@pytest.mark.parametrize("text", ["", "k", "1.5", "ten", "1e", "1e-4", "nan", "inf", "1e999", "10 k", "٣"])
def test_what_is_no_integer_is_named(text: str) -> None:
    with pytest.raises(ValueError, match="must be an integer, not") as caught:
        read_integer(text)
    assert repr(text) in str(caught.value)


def test_integers_are_exact_and_kept_in_range() -> None:
    assert read_integer(str(2**63 + 1)) == 2**63 + 1
    assert read_integer("1.1k") == 1100
    assert read_integer("-5") == -5
    with pytest.raises(ValueError, match="an integer from 0 to 9, not '10'"):
        read_integer("10", 0, 9)
    with pytest.raises(ValueError, match="an integer of at least 1, not '0'"):
        read_integer("0", 1)


def test_numbers() -> None:
    assert [read_number(text) for text in (".5", "1e-5", "2.5k", "-1")] == [0.5, 1e-5, 2500.0, -1.0]
    with pytest.raises(ValueError, match="not 'half'"):
        read_number("half")


@pytest.mark.parametrize("text", ["40ms", "0.04", "0.04s", ".04", "4e-2s", "4e1ms"])
def test_a_duration_is_written_in_many_ways(text: str) -> None:
    assert read_seconds(text) == pytest.approx(0.04)


@pytest.mark.parametrize("text", ["", "s", "ms", "2h", "40 ms", "fast"])
def test_what_is_no_duration_is_named(text: str) -> None:
    with pytest.raises(ValueError, match=r"must be a duration such as 40ms, 2s or 0\.04, not"):
        read_seconds(text)


def test_nothing_may_stand_in_the_parentheses() -> None:
    assert str(parse_spec("careful()")) == "careful"
    assert kagiya.find_agent("careful()") == kagiya.find_agent("careful")
    assert str(parse_spec("ris-mcts(rollout=vdb(), time=1s)")) == "ris-mcts(rollout=vdb, time=1s)"


def test_an_agent_has_one_text_however_its_numbers_are_written() -> None:
    texts = {kagiya.find_agent(f"ris-mcts(iterations={each})").text for each in ("10k", "1e4", "10_000", "10000")}
    assert texts == {"ris-mcts(iterations=10000)"}
    kept = "evalfn(model=/a/10k.npz, rules=list(play-probably-safe(0.60), x3))"
    assert str(parse_spec(kept)) == kept


def test_a_search_takes_durations_like_all_others() -> None:
    assert {kagiya.find_agent(f"ris-mcts(time={each})").values["time"] for each in ("40ms", "0.04", "0.04s")} == {0.04}


def test_an_experiment_takes_durations_like_all_others() -> None:
    data = {"agents": ["careful"]}
    assert {experiment_from(data | {"time": each}).time for each in ("40ms", 0.04, "0.04")} == {0.04}
    with pytest.raises(
        ExperimentError, match=r"time must be a duration such as 40ms, 2s or 0\.04, above 0, not 'soon'"
    ):
        experiment_from(data | {"time": "soon"})


def test_the_timeout_of_kernels_takes_durations_like_all_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KAGIYA_KERNEL_TIMEOUT", "40ms")
    assert kernel_timeout() == 0.04
    monkeypatch.setenv("KAGIYA_KERNEL_TIMEOUT", "soon")
    with pytest.raises(ValueError, match="KAGIYA_KERNEL_TIMEOUT must be a duration"):
        kernel_timeout()

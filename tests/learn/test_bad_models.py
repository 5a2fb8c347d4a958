"""A file that is not a usable network is refused in one sentence, and executes nothing."""

from __future__ import annotations

import json
import math
import pickle
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kagiya import find_agent
from kagiya.learn.networks import (
    ENDING,
    FOLDER,
    MAX_BYTES,
    ModelError,
    network_row,
    read_network,
    split_content,
    write_network,
)
from kagiya.spec import SpecError
from tests.learn.networks import random_network

Header = dict[str, Any]


def written(folder: Path, change: Callable[[Header], object] = lambda header: None, data: bytes | None = None) -> Path:
    """A network's file with its header changed, or other numbers behind it."""
    path = folder / "n.safetensors"
    write_network(path, random_network(1))
    content = path.read_bytes()
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    change(header)
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + (content[8 + length :] if data is None else data))
    return path


def other_version(header: Header) -> None:
    header["__metadata__"]["feature_version"] = "999"


def other_kind(header: Header) -> None:
    header["__metadata__"]["kind"] = "rules"


def too_wide(header: Header) -> None:
    header["weights_0"]["shape"] = [38, 10**9]


def negative(header: Header) -> None:
    header["mean"]["data_offsets"] = [-152, 0]


def other_type(header: Header) -> None:
    header["mean"]["dtype"] = "O"


def misfit(header: Header) -> None:
    header["weights_0"]["shape"] = [30, 38]


def one_more(header: Header) -> None:
    header["weights_9"] = header["weights_0"]


def nothing_there(header: Header) -> None:
    for key in list(header):
        if key != "__metadata__":
            del header[key]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (other_version, "version 999 of the features, this Kagiya has version"),
        (other_kind, "kind 'rules', expected 'value'"),
        (too_wide, "weights_0 is not described"),
        (negative, "mean is not described"),
        (other_type, "mean is not described"),
        (misfit, "do not fit 38 features"),
        (one_more, "1 to 4 layers"),
        (nothing_there, "found nothing"),
        (lambda header: header.pop("__metadata__"), "not that of a network"),
        (lambda header: header["__metadata__"].update(format="other"), "its format is other 1"),
        (lambda header: header["__metadata__"].update(version=math.inf), "not that of a network"),
        (lambda header: header["__metadata__"].update(feature_version="9" * 5000), "not that of a network"),
        (lambda header: header["mean"].update(shape=[math.inf]), "mean is not described"),
    ],
)
def test_a_header_that_is_wrong(change: Callable[[Header], object], words: str, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=words):
        read_network(written(tmp_path, change), "value")


def test_numbers_that_are_none(tmp_path: Path) -> None:
    for bad in (np.nan, np.inf, 1e30):
        data = np.full(38 * 32 + 30 + 31, bad, "<f4").tobytes()
        with pytest.raises(ModelError, match="holds numbers that are infinite"):
            read_network(written(tmp_path, data=data), "value")


def test_every_file_cut_short_is_refused(tmp_path: Path) -> None:
    whole = written(tmp_path).read_bytes()
    for length in [*range(0, len(whole), 97), len(whole) - 1]:
        path = tmp_path / "short.safetensors"
        path.write_bytes(whole[:length])
        with pytest.raises(ModelError, match=r"cut short|not that of a network"):
            read_network(path, "value")


class Bomb:
    def __reduce__(self) -> tuple[Callable[..., Any], tuple[str]]:
        return exec, ("raise SystemExit('executed')",)


def test_a_pickle_is_not_executed(tmp_path: Path) -> None:
    path = tmp_path / "hostile.safetensors"
    path.write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(ModelError, match="cut short"):
        read_network(path, "value")
    np.savez(tmp_path / "hostile.npz", weights_0=np.array([Bomb()], dtype=object))
    with pytest.raises(ModelError, match=r"cut short|not that of a network"):
        read_network(tmp_path / "hostile.npz", "value")


def test_deep_json_huge_files_folders_and_missing_files(tmp_path: Path) -> None:
    deep = b"[" * 100_000
    (tmp_path / "deep").write_bytes(len(deep).to_bytes(8, "little") + deep)
    with pytest.raises(ModelError, match="not that of a network"):
        read_network(tmp_path / "deep", "value")
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    for path, words in ((tmp_path / "huge", "at most 4 MB"), (tmp_path, "not a network"), (tmp_path / "no", "No such")):
        with pytest.raises(ModelError, match=words):
            read_network(path, "value")


def test_an_agent_says_what_is_wrong_with_its_model(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"evalfn: model: .*version 999 of the features"):
        find_agent(f"evalfn(model={written(tmp_path, other_version)})")
    with pytest.raises(SpecError, match="evalfn: model: no-such-file cannot be read: No such file"):
        find_agent("evalfn(model=no-such-file)")


def test_a_flipped_bit_is_noticed_or_changes_nothing(tmp_path: Path, rng: random.Random) -> None:
    network, path = random_network(1), tmp_path / "n.safetensors"
    write_network(path, network)
    whole, noticed = path.read_bytes(), 0
    for _ in range(100):
        content = bytearray(whole)
        content[rng.randrange(len(whole))] ^= 1 << rng.randrange(8)
        path.write_bytes(content)
        try:
            found = read_network(path, "value")
        except ModelError:
            noticed += 1
        else:
            assert network_row(found) == network_row(network)
    assert noticed > 90
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(ModelError, match=r"is damaged: its checksum is not that of its content"):
        read_network(path, "value")


def test_a_file_of_before_there_were_checksums_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, lambda header: header["__metadata__"].pop("checksum"))
    assert network_row(read_network(path, "value")) == network_row(random_network(1))


def test_the_networks_that_come_with_kagiya_have_checksums() -> None:
    headers = [split_content(file.read_bytes())[0] for file in FOLDER.glob(f"*{ENDING}")]
    assert headers
    assert all("checksum" in header["__metadata__"] for header in headers)

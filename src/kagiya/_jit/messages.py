"""What the compiler has against a kernel, in a sentence: where it is, what is wrong, and what to write instead.

Numba's own messages fill a page; the whole of one is the cause of the error that carries the sentence.
"""

import linecache
import re
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import Any

PACKAGE = str(Path(__file__).resolve().parents[1])
PLACE = re.compile(r'(?:File "([^"]+)", line (\d+))|(?: at (\S+) \((\d+)\))')
NO_ROOM = "a kernel cannot make lists, dicts or arrays; keep numbers in masks of bits or in memory[i, seat, word]"
SHAPES = "memory[i, seat, word], params[seat, place], rng[i, 1 + seat, word], states[i]['hands'][seat, slot]"

# For each pattern in the compiler's message what to say about it.
WORDS: tuple[tuple[str, Callable[[re.Match[str]], str]], ...] = (
    (
        r"Untyped global name '(\w+)': Cannot determine Numba type of <class 'function'>",
        lambda found: f"{found[1]} is not a kernel; write @kernel above its def",
    ),
    (
        r"Untyped global name '(\w+)': Cannot determine Numba type of <class '([\w.]+)'>",
        lambda found: f"{found[1]} is of type {found[2]}; kernels know numbers, numpy arrays and other kernels",
    ),
    (r"NRT required but not enabled", lambda found: NO_ROOM),
    (
        r"cannot index .*?\((?:\w+, (\d)d|\w+, \(([\d, ]+)\)).*?\) with (\d+) indices",
        lambda found: f"{found[3]} indices where there are {found[1] or len(found[2].split(','))}: {SHAPES}",
    ),
    (
        r"Field '(\w+)' was not found in record with fields \(([^)]*)\)",
        lambda found: f"a position has no field {found[1]!r}; {_nearest(found[1], found[2])}",
    ),
    (
        r"Signature mismatch: (\d+) argument types given, but function takes (\d+)",
        lambda found: f"it takes {found[2]} parameters, expected {found[1]}",
    ),
    (
        r"(?s)Function\(kagiya\.newtype\).*?float",
        lambda found: "a number that may have a fraction stands where an integer is wanted; divide with //, not with /",
    ),
    (r"NameError: (name '\w+' is not defined)", lambda found: found[1]),
    (r"Function\(<built-in function (?:zeros|empty|array|ones|full)>\)|DictType|reflected list", lambda found: NO_ROOM),
    (
        r"Only accept returning of array passed into the function|\((?:array|nestedarray)\(\w+, ",
        lambda found: f"an array stands where a number is wanted; is an index missing? {SHAPES}",
    ),
)


def compile_message(error: BaseException, function: Any) -> str:
    """The sentence for an error of the compiler's about this kernel."""
    text, own = str(error), function.py_func.__code__
    path, line = _place(text) or (own.co_filename, own.co_firstlineno)
    return f"{_where(path, line)}: {_advice(text) or f'{type(error).__name__}: {_gist(text)}'}"


def return_message(returned: Any, expected: Any, function: Any) -> str:
    """The sentence for a kernel that returns the wrong thing."""
    own = function.py_func.__code__
    where = f"{Path(own.co_filename).name}, line {own.co_firstlineno}"
    wanted = "an integer" if str(expected) == "int64" else str(expected)
    if "Optional" in str(returned) or (str(returned) == "none" and str(expected) != "none"):
        return f"{where}: it does not always return something, expected {wanted} at the end of every path"
    return f"{where}: it returns {returned}, expected {wanted}"


def _place(text: str) -> tuple[str, int] | None:
    """The innermost line that is neither the compiler's nor ours."""
    for in_file, line, at_file, at_line in PLACE.findall(text):
        path = str(Path(in_file or at_file).resolve())  # the compiler writes some relative to where it runs
        if path.endswith(".py") and "numba" not in path and "site-packages" not in path and PACKAGE not in path:
            return path, int(line or at_line)
    return None


def _where(path: str, line: int) -> str:
    code = linecache.getline(path, line).strip()
    return f"{Path(path).name}, line {line}" + (f": `{code}`" if code and not code.startswith("@") else "")


def _advice(text: str) -> str | None:
    for pattern, words in WORDS:
        if found := re.search(pattern, text):
            return words(found)
    return None


def _gist(text: str) -> str:
    """The first line that says something."""
    lines = [line.strip() for line in text.splitlines()]
    return next((line for line in lines if line and not line.startswith("Failed in nopython mode")), text.strip())


def _nearest(word: str, listed: str) -> str:
    close = get_close_matches(word, re.findall(r"'(\w+)'", listed), n=3, cutoff=0.6)
    return f"did you mean {' or '.join(map(repr, close))}?" if close else "docs/kernels.md lists them"

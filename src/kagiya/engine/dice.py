"""Randomness for kernels: explicit streams, the same numbers compiled or not and on every machine.

A stream is four int64 words holding Chris Doty-Humphrey's sfc32 (32-bit words, so that nothing depends
on wrap-around of 64-bit integers). Stream 0 shuffles the deck, stream 1 + seat belongs to that
seat alone.
"""

from kagiya._jit import kernel
from kagiya.engine.layout import Streams

WORD = 0xFFFFFFFF
WARM_UP = 12
DECK_STREAM = 0
STREAM_WORDS = 4


@kernel
def next_word(rng: Streams, i: int, stream: int) -> int:
    """Thirty-two random bits."""
    a, b, c, counter = rng[i, stream, 0], rng[i, stream, 1], rng[i, stream, 2], rng[i, stream, 3]
    word = (a + b + counter) & WORD
    rng[i, stream, 3] = (counter + 1) & WORD
    rng[i, stream, 0] = b ^ (b >> 9)
    rng[i, stream, 1] = (c + (c << 3)) & WORD
    rng[i, stream, 2] = (((c << 21) & WORD | (c >> 11)) + word) & WORD
    return word


@kernel
def below(rng: Streams, i: int, stream: int, limit: int) -> int:
    """A random integer from 0 to limit - 1; limit below 2**31. Bias under limit / 2**32."""
    return (next_word(rng, i, stream) * limit) >> 32


@kernel
def seed_stream(rng: Streams, i: int, stream: int, seed: int) -> None:
    """Start a stream: every (seed, stream) pair gives its own sequence; seed from 0 to 2**63 - 1."""
    rng[i, stream, 0] = seed & WORD
    rng[i, stream, 1] = (seed >> 32) & WORD
    rng[i, stream, 2] = stream
    rng[i, stream, 3] = 1
    for _ in range(WARM_UP):
        next_word(rng, i, stream)

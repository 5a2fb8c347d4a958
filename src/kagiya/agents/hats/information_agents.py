"""What can be set of the information players."""

from kagiya.agents._info import Parameter


def information_parameters(cut: str, eager: int, hints: str) -> tuple[Parameter, ...]:
    """In the order in which `information.py` finds them in the row of parameters."""
    return (
        Parameter("cut", cut, "how the kinds of a card are cut into messages", choices=("identities", "parts")),
        Parameter("eager", eager, "discards below which useless cards go before hints", 0, 60, whole=True),
        Parameter("hints", hints, "five players, four cards: 8 messages, or all there are", choices=("kinds", "all")),
    )

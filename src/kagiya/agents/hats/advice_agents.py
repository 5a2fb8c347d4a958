"""What can be set of the recommendation players."""

from kagiya.agents._info import Parameter


def advice_parameters(spare: str) -> tuple[Parameter, ...]:
    """In the order in which `advice.py` finds them in the row of parameters."""
    return (
        Parameter("source", "paper", "whose list of recommendations", choices=("paper", "program")),
        Parameter("errors", 2, "errors below which a recommendation is followed after another play", 0, 20, whole=True),
        Parameter("spare", spare, "whether to discard as told when nobody needs telling", choices=("no", "yes")),
        Parameter("failures", "yes", "whether plays that fail count as plays", choices=("no", "yes")),
    )

"""Rules: an agent made on the command line, ``rules(play-safe, tell-playable, discard-oldest)``.

Source
    Ours. Walton-Rivers et al. 2017 and Canaan et al. 2018 describe their agents as such ordered lists.
Published
    Nothing.
Where the source is silent
    When no rule of the list has a move, the agent makes a random legal one.
"""

from typing import Any

from kagiya.agents.api import AgentInfo, CompiledAgent, Hooks
from kagiya.agents.rule_list import act_by_list, list_row, parts_of
from kagiya.agents.tactics.noted import noted_variant
from kagiya.agents.tactics.vocabulary import NOTHING_APPLIED, parse_use
from kagiya.spec import Spec, SpecError

DEFAULT = ("play-safe", "tell-playable", "discard-useless", "discard-oldest", "tell-anything")


def parse_rule_list(spec: Spec) -> dict[str, Any]:
    """The tactics inside the parentheses, in order."""
    if spec.named:
        raise SpecError(f"rules takes tactics, not settings: {spec.named[0][0]}=...")
    return {"uses": [parse_use(value) for value in spec.values or tuple(map(Spec, DEFAULT))]}


def reasons(values: dict[str, Any]) -> tuple[str, ...]:
    """The tactics as written, for explanations."""
    return (*map(str, values["uses"]), NOTHING_APPLIED)


INFO = AgentInfo(
    id="rules",
    summary="the tactics you list, in order: rules(play-safe, tell-playable, discard-oldest)",
    family="house",
    paper="Kagiya",
    reasons=(NOTHING_APPLIED,),
)
HOOKS = Hooks(
    parse=parse_rule_list,
    row=lambda values: list_row(values["uses"]),
    parts=lambda values: parts_of(values["uses"]),
)
AGENT = noted_variant(CompiledAgent(INFO, act_by_list, reasons=reasons, hooks=HOOKS), lambda values: [values["uses"]])

"""Searches for a table of strangers: `ally` and `ally-flat` infer who the other players are while playing with them.

Source
    Goodman 2019, section VII of the report: Predictor IS-MCTS for the mixed track. Only the searcher's own moves are
    nodes; for every iteration each other player is given one of the policies of Table VII, drawn from a posterior that
    the moves seen so far have shaped; one move costs a policy at most log 10^6 (`cap`). `favourite` and `lead` are the
    prior: the report gives 40 nats to `EvalFn+C`. `kept=yes` carries the posterior from game to game with the
    same partners, as the entry of 2019 does in the learning track, and as Brooks 2020 proposes. He also proposes to
    learn a style from example games: `seen` is a file of games (`player_styles.py`), and no policy begins more than
    `lead` nats behind the one that explains them best.
Published
    No score: the results of the mixed track are not among the documents. `reproductions/mixed-track.toml` has ours.
Where the source is silent
    `policies=goodman` is Table VII whole. By default its two policies by evaluation function are left out: they take
    ten times as long to ask, and the network that they play with is not the report's.
    The likelihood. The report learns a network that guesses the policy from features of the move, and takes its output
    for a likelihood: `likelihood=network` (30 hidden units, trained by `kagiya train policies`). By default every
    policy is asked what it would have done (`ally_likelihood.py`), with `hands` samples of the searcher's own hand
    and, if it rolls dice, `draws` times for each; `noise` is the chance that a player makes any legal move instead,
    without which a partner that is only like a policy would be nobody. With a likelihood that is exact a prior hardly
    matters after a few moves, so none of the policies leads unless asked for.
    C of the rollout variant is 0.3 in the program of 2019, 0.1 elsewhere in the report: here 0.3.
    The searcher's own moves below the root, and in rollouts, are its `rollout` agent's or its `evaluator`'s: it cannot
    search in its own thoughts.
    `ally-flat` is our own: Bouzy's depth-one search (see `depth_one.py`, whose parameters it has) with the other
    seats' evaluators drawn from the posterior for each deal. Hands are then dealt by what the partners drawn would have
    done, so what they did not say counts too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from kagiya._jit import kernel
from kagiya.agents.api import Agent, AgentInfo, CompiledAgent, Hooks, Parameter, SearchAgent
from kagiya.agents.rule_list import parts_of, rule_uses
from kagiya.cards import MoveNumber, Seat
from kagiya.engine.layout import MAX_TURNS, Lane, Memory, Params, States, Streams
from kagiya.learn.networks import load, network_file, network_row
from kagiya.rules import Rules
from kagiya.search import depth_one, flat_search, ismcts, search_layout as layout, search_options as options
from kagiya.search.ally_likelihood import ALLY_WORDS, LISTS, Policies, PoliciesParameter, begin_game, named_policies
from kagiya.search.deals import history
from kagiya.search.player_styles import USUAL, SeenParameter, read_seen, seen_prior, stamp_of
from kagiya.search.workspace import SearchSetup, SearchWorkspace
from kagiya.spec import Spec, SpecError, near

NOBODY = "none"
NETWORK = "policies"  # that comes with Kagiya: the outputs are the policies of Table VII, in its order
# Policies that change with every iteration of a tree cannot weigh hands beforehand.
NO_JUDGE = {"past": "none", "hands": 0, "surprise": 1}
# Strangers have agreed on nothing.
NO_CONVENTION = {"convention": "none", "modeled": "yes", "unprune": 0, "unprune_by": "random"}

ALLY_PARAMETERS = (
    PoliciesParameter("policies", "framework", "the agents that other players may be", choices=tuple(LISTS)),
    options.ModelParameter("favourite", NOBODY, "the policy that leads before any move", choices=(NOBODY,)),
    Parameter("lead", 40, "by how many nats it leads", 0, 1000),
    Parameter("hands", USUAL["hands"], "own hands sampled to weigh the others' moves", 1, 10_000, whole=True),
    Parameter("draws", USUAL["draws"], "times that a policy with dice is asked for each of them", 1, 1000, whole=True),
    Parameter(
        "noise", USUAL["noise"], "the chance of a player to make any legal move instead of its policy's", 0.0001, 1
    ),
    Parameter("cap", USUAL["cap"], "nats that one move can cost a policy at most", 0.01, 1000),
    Parameter("likelihood", "exact", "ask every policy, or let a network guess", choices=("exact", "network")),
    options.yes_no("kept", "no", "whether the posterior is kept from game to game"),
    SeenParameter("seen", NOBODY, "games whose players the others are expected to be like", choices=(NOBODY,)),
)
# Means of 100 games with drawn partners on other seeds than the tables', 2 and 4 players, s.e. of a difference 0.4: the
# tree with c=0.1 12.46 and 11.14, with c=0.3 (the entry of 2019) 13.09 and 11.75; the flat search with a caution of 3
# 13.08 and 12.03, of 1 13.32 and 12.71.
OTHER_DEFAULTS = {"c": 0.3, "caution": 1}
TREE_PARAMETERS = tuple(
    replace(each, default=OTHER_DEFAULTS.get(each.name, each.default))
    for each in ismcts.PARAMETERS
    if each.name not in (*NO_CONVENTION, *NO_JUDGE)
)
FLAT_PARAMETERS = (
    options.ModelParameter("evaluator", "vdb", "the agent that plays the searcher's own seat after the move"),
    *(
        replace(each, default=OTHER_DEFAULTS.get(each.name, each.default))
        for each in depth_one.PARAMETERS
        if each.name not in ("evaluator", "past", "believe", "misleading", "early", "plies", "leaf")
    ),
)


@kernel
def ally_move(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The `act` of `ally`: a tree search; who the others are is weighed when it begins."""
    begin_game(states, i, seat, memory)
    return ismcts.search_move(states, i, seat, memory, params, rng)


@kernel
def ally_flat_move(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The `act` of `ally-flat`: a flat search; who the others are is weighed when it begins."""
    begin_game(states, i, seat, memory)
    return flat_search.flat_move(states, i, seat, memory, params, rng)


@kernel
def remember_allies(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> None:
    """The `observe` of both: the history of the game, which starts over with its first move."""
    begin_game(states, i, seat, memory)
    history.remember(states, i, seat, memory, params, move)


def policies_for(chosen: dict[str, Any], rules: Rules) -> Policies:
    """The policies that can play by these rules, and how they are weighed."""
    agents = named_policies(chosen["policies"], rules)
    settings = {name: chosen[name] for name in USUAL}
    prior = [chosen["lead"] if agent == chosen["favourite"] else 0.0 for agent in agents]
    if chosen["seen"] != NOBODY:
        records = read_seen(chosen["seen"], stamp_of(chosen["seen"]))
        seen = seen_prior(records, tuple(agents), tuple(settings.items()), chosen["lead"])
        prior = [before + after for before, after in zip(prior, seen, strict=True)]
    if chosen["likelihood"] == "exact":
        return Policies(agents, prior, settings)
    network = network_row(load(str(network_file(NETWORK)), "policies"))
    return Policies(agents, prior, settings | {"by_network": 1}, network)


def files_of(values: dict[str, Any]) -> list[str]:
    """What is read when the search is made: the network of the report, and games seen before."""
    network = [str(network_file(NETWORK))] if values.get("likelihood") == "network" else []
    return network + [file for file in [values.get("seen", NOBODY)] if file != NOBODY]


def ally_parser(info: AgentInfo) -> Callable[[Spec], dict[str, Any]]:
    """Reads the parameters; the favourite must be one of the policies, and a network knows only its own."""
    has_tree = any(each.name == "leaf" for each in info.parameters)
    parse = ismcts.tree_parser(info) if has_tree else options.budget_parser(info)

    def checked(spec: Spec) -> dict[str, Any]:
        values = parse(spec)
        chosen = options.all_values(info, values)
        texts = [agent.text for agent in named_policies(chosen["policies"])]
        if chosen["likelihood"] == "network" and chosen["policies"] not in LISTS:
            lists = " or ".join(LISTS)
            raise SpecError(f"{info.id}: likelihood=network knows Table VII only; policies must be {lists}")
        favourite = chosen["favourite"]
        if favourite != NOBODY and favourite.text not in texts:
            known = near(favourite.text, texts)
            raise SpecError(f"{info.id}: favourite={favourite.text} is not one of the policies; {known}")
        return values

    return checked


def tree_setup(info: AgentInfo, chosen: dict[str, Any], rules: Rules) -> SearchSetup:
    """Predictor IS-MCTS: nodes for the searcher's moves, everybody else by policy."""
    models = [chosen["rollout"]] * rules.players
    setup = ismcts.tree_setup(chosen | NO_CONVENTION | NO_JUDGE, rules, layout.PREDICTING, models)
    return replace(setup, policies=policies_for(chosen, rules))


def flat_setup(info: AgentInfo, chosen: dict[str, Any], rules: Rules) -> SearchSetup:
    """Every move on the same samples, everybody else by policy."""
    return SearchSetup(
        depth_one.flat_settings(info, chosen | {"past": "evaluator", "plies": MAX_TURNS}),
        nodes=depth_one.flat_nodes(chosen),
        models=[chosen["evaluator"]] * rules.players,
        policies=policies_for(chosen, rules),
    )


def ally_search(info: AgentInfo, act: Callable[..., Any], setup: Callable[..., SearchSetup]) -> CompiledAgent:
    """A search among strangers as an agent; where it keeps its posterior, nothing is wiped between games."""

    def workspace(values: dict[str, Any], rules: Rules, seat: Seat, seated: Sequence[Agent]) -> SearchWorkspace:
        return SearchWorkspace(rules, setup(info, options.all_values(info, values), rules))

    def models(values: dict[str, Any]) -> list[Agent]:
        chosen = options.all_values(info, values)
        return [*options.model_agents(chosen), *named_policies(chosen["policies"])]

    def parts(values: dict[str, Any]) -> list[Callable[..., Any]]:
        return parts_of(rule_uses(options.all_values(info, values).get("rules", "all")))

    usual = SearchAgent(
        info,
        act,
        remember_allies,
        hooks=Hooks(
            parse=ally_parser(info),
            parts=parts,
            files=files_of,
        ),
        workspace=workspace,
        models=models,
    )
    keeping = replace(usual, info=replace(info, kept_words=ALLY_WORDS))
    return usual.with_hooks(variant=lambda values: keeping if values.get("kept") == "yes" else None)


ALLY = ally_search(
    AgentInfo(
        id="ally",
        summary="tree search over its own moves among strangers, whose policies it infers from what they do",
        family="search",
        paper="Goodman2019",
        parameters=(*TREE_PARAMETERS, *ALLY_PARAMETERS),
        memory_words=ALLY_WORDS,
    ),
    ally_move,
    tree_setup,
)

ALLY_FLAT = ally_search(
    AgentInfo(
        id="ally-flat",
        summary="tries every move in many deals among strangers, whose policies it infers from what they do",
        family="search",
        paper="Kagiya",
        parameters=(*FLAT_PARAMETERS, *ALLY_PARAMETERS),
        memory_words=ALLY_WORDS,
    ),
    ally_flat_move,
    flat_setup,
)

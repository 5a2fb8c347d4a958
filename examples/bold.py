"""Bold: plays the card most likely to fit, and hints only when that chance is small."""

from kagiya import AgentInfo, CompiledAgent, Parameter
from kagiya.kernels import NO_MOVE, kernel, play_move, slot_chance, tell_anything, unseen_planes


@kernel
def act(states, i, seat, memory, params, rng):
    state = states[i]
    low, high = unseen_planes(states, i, seat, seat)
    best, best_chance = 0, -1.0
    for slot in range(state["hand_size"]):
        chance = slot_chance(low, high, state["possible"][seat, slot], state["playable"])
        if chance > best_chance:  # never true for an empty slot, whose chance is not a number
            best, best_chance = slot, chance
    hint = tell_anything(states, i, seat, rng, 0.0)
    return play_move(best) if best_chance >= params[seat, 0] or hint == NO_MOVE else hint


AGENT = CompiledAgent(
    AgentInfo(
        id="bold",
        summary="plays the card most likely to fit",
        family="examples",
        paper="the tutorial",
        parameters=(Parameter("courage", 0.5, "the least chance it dares to play on"),),
    ),
    act,
)

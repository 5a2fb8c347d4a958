"""The list of hands brought up to date: made from nothing once few enough are left, then carried from turn to turn.

Nothing is thinned before it is tested, for then the true hand would be lost for good; but see `samples.py`. A list that
would be too long is given up, and hands are sampled (`drawing.py`) until it can be made again.
"""

from kagiya._jit import kernel
from kagiya.search.hands.carrying import carry_on
from kagiya.search.hands.layout import BASE, NOT_LISTED, TARGET, list_states_of
from kagiya.search.hands.listing import DONE, TOO_MANY, list_all, sample_all
from kagiya.search.hands.odometer import count_fillings
from kagiya.search.hands.story import forget_list, pool_for

FEW = 20  # a sample is small if it takes less than this part of its room
FOR_FEW = 12  # so much more may it take to list all hands then


@kernel
def bring_up_to_date(work, hands, last):
    """Make the list hold at turn `last`, one of the owner's; it is given up if that takes too much room or time.

    A public list goes from one of the owner's turns to the next whenever it is asked for, so that all have the same.
    """
    while hands["listed"] == NOT_LISTED or hands["base_turn"] < last:
        is_new = hands["listed"] == NOT_LISTED
        goal = next_goal(hands, last)
        count_again(hands, 0 if is_new else hands["base_turn"], goal)
        outcome = list_anew(work, hands, goal) if is_new else carry_on(work, hands, goal)
        if outcome == DONE:
            take_over(hands, goal)
            if hands["is_sample"]:
                refresh_sample(work, hands, goal)
        elif outcome == TOO_MANY:
            give_up(hands, goal)
            if is_new:
                return
        elif skip_unexplained(hands, goal):
            continue
        elif hands["is_sample"]:
            give_up(hands, goal)
        else:
            start_over(hands, goal)
            if is_new:
                return


@kernel
def next_goal(hands, last):
    """The turn at which the list shall hold next."""
    if hands["listed"] != NOT_LISTED:
        return hands["base_turn"] + hands["players"]
    return max(hands["base_turn"], hands["owner"]) if hands["is_public"] else last


@kernel
def list_anew(work, hands, goal):
    """List the hands from the hints alone; of a public list that would be too long, a sample."""
    outcome = list_all(work, hands, goal, hands["most_moves"])
    return sample_all(work, hands, goal) if outcome == TOO_MANY and hands["is_public"] else outcome


@kernel
def refresh_sample(work, hands, goal):
    """Put the whole list in the place of a sample if it is short enough by now, or a larger sample if few are left."""
    states, few = list_states_of(hands), hands["listed"] * FEW < hands["capacity"]
    low, high = pool_for(hands, states, BASE)
    moves = count_fillings(states, BASE, hands["owner"], low, high) * max(goal, 1)
    if moves <= hands["most_moves"] * (FOR_FEW if few else 1):
        count_again(hands, 0, goal)
        if list_all(work, hands, goal, hands["most_moves"] * FOR_FEW) == DONE:
            return
    if few:
        count, side = hands["listed"], hands["side"]
        sample_all(work, hands, goal)
        if hands["listed"] < count:
            hands["listed"], hands["side"] = count, side


@kernel
def give_up(hands, goal):
    """There is no list for now. What was about to be tested for all to tell must not be tested with other hands."""
    if hands["is_public"] and hands["listed"] != NOT_LISTED:
        for turn in range(hands["base_turn"], goal):
            hands["skipped"][turn] = 1
        hands["base_turn"] = goal
    hands["listed"], hands["is_sample"] = NOT_LISTED, 0


@kernel
def count_again(hands, first, last):
    """What is about to be tested has not been."""
    for turn in range(first, last):
        hands["tested"][turn] = hands["passed"][turn] = 0


@kernel
def take_over(hands, last):
    """The list just written holds from now on."""
    states = list_states_of(hands)
    states[BASE] = states[TARGET]
    hands["base_turn"] = last


@kernel
def skip_unexplained(hands, last):
    """Nothing is concluded from the first move that no hand explains; whether there is one."""
    for turn in range(last):
        if hands["tested"][turn] > 0 and hands["passed"][turn] == 0 and not hands["skipped"][turn]:
            hands["skipped"][turn] = 1
            return True
    return False


@kernel
def start_over(hands, last):
    """Somebody has left the models unnoticed, and the true hand is lost: nothing is concluded from any move so far."""
    contradictions = hands["contradictions"] + 1
    forget_list(hands)
    hands["contradictions"] = contradictions
    hands["base_turn"] = last if hands["is_public"] else 0
    for turn in range(last):
        hands["skipped"][turn] = 1

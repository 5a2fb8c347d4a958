"""The list of hands brought up to date: made from nothing once few enough are left, then carried from turn to turn.

Nothing is thinned before it is tested, for then the true hand would be lost for good. A list that would be too long is
given up, and hands are sampled (`drawing.py`) until it can be made again.
"""

from kagiya._jit import kernel
from kagiya.search.hands.carrying import carry_on
from kagiya.search.hands.layout import BASE, NOT_LISTED, TARGET, HandsRecord, list_states_of, unexplained_of
from kagiya.search.hands.listing import DONE, TOO_MANY, list_all
from kagiya.search.hands.story import EXPLAINED, first_unexplained, forget_list
from kagiya.search.layout import SearchRecord


@kernel
def bring_up_to_date(work: SearchRecord, hands: HandsRecord, last: int) -> None:
    """Make the list hold at turn `last`, one of the owner's; it is given up if that takes too much room or time."""
    hands["allowed"] = hands["most_unexplained"]
    while hands["listed"] == NOT_LISTED or hands["base_turn"] < last:
        is_new = hands["listed"] == NOT_LISTED
        goal = last if is_new else hands["base_turn"] + hands["players"]
        count_again(hands, 0 if is_new else hands["base_turn"], goal)
        outcome = list_all(work, hands, goal) if is_new else carry_on(work, hands, goal)
        if outcome == DONE:
            take_over(hands, goal)
            continue
        if outcome == TOO_MANY:
            hands["listed"] = NOT_LISTED
        elif skip_unexplained(hands, goal):
            continue
        else:
            start_over(hands, goal)
        if is_new:
            return


@kernel
def count_again(hands: HandsRecord, first: int, last: int) -> None:
    """What is about to be tested has not been."""
    for turn in range(first, last):
        hands["tested"][turn] = hands["passed"][turn] = 0


@kernel
def take_over(hands: HandsRecord, last: int) -> None:
    """The list just written holds from now on."""
    states = list_states_of(hands)
    states[BASE] = states[TARGET]
    hands["base_turn"] = last
    fewest = unexplained_of(hands)[hands["side"], 0]
    for entry in range(hands["listed"]):
        fewest = min(fewest, unexplained_of(hands)[hands["side"], entry])
    for entry in range(hands["listed"]):  # what every hand leaves unexplained says nothing
        unexplained_of(hands)[hands["side"], entry] -= fewest


@kernel
def skip_unexplained(hands: HandsRecord, last: int) -> bool:
    """Nothing is concluded from the first move that no hand explains; whether there is one."""
    turn = first_unexplained(hands, last)
    if turn == EXPLAINED:
        return False
    hands["skipped"][turn] = 1
    return True


@kernel
def start_over(hands: HandsRecord, last: int) -> None:
    """Somebody has left the models unnoticed, and the true hand is lost: nothing is concluded from any move so far."""
    contradictions = hands["contradictions"] + 1
    forget_list(hands)
    hands["contradictions"] = contradictions
    for turn in range(last):
        hands["skipped"][turn] = 1

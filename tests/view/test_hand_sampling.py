"""Cards by number; that hands are dealt uniformly and fit what is known is tested where they are dealt."""

from kagiya.cards import Kinds
from kagiya.view.hand_sampling import nth_card


def test_every_card_of_a_multiset_has_its_number() -> None:
    cards = [nth_card(Kinds(0b0111), Kinds(0b1010), Kinds(0b1110), n) for n in range(6)]
    assert cards == [1, 2, 1, 1, 3, 3]

from tournament.records import Tier


def test_tiers_are_in_the_order_of_their_strength():
    assert list(Tier) == sorted(Tier) == [Tier.T0, Tier.T1, Tier.T2, Tier.T3]


def test_a_tier_is_written_down_as_its_name():
    assert [f"{tier}" for tier in Tier] == ["T0", "T1", "T2", "T3"]
    assert Tier("T3") is Tier.T3
    assert Tier.T2 > "T1"

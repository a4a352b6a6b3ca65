"""Did you mean ...?"""

import pytest

from common.suggestions import suggestion

NAMES = ["random", "greedy", "aggressive"]


@pytest.mark.parametrize(
    ("name", "said"),
    [("greddy", "; did you mean greedy?"), ("Agressiv", "; did you mean aggressive?"), ("chess", ""), ("x" * 10**6, "")],
)
def test_the_likeliest_name_is_suggested_if_any_is_like_it(name, said):
    assert suggestion(name, NAMES) == said

"""A model that answers from a table, under pytest: no network, no key."""
import os

import pytest

WRONG, COST = {"large": ((), 0.02), "small": ((2, 3), 0.002)}[os.environ["MODEL"]]


@pytest.mark.parametrize("n", range(1, 5))
def test_sum(n, record_property):
    record_property("family", "even" if n % 2 == 0 else "odd")
    record_property("cost_usd", COST)
    answer = "I do not know" if n in WRONG else str(2 * n)
    assert answer == str(2 * n)

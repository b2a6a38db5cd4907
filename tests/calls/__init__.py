"""What the functions named in a file of vectors are called in this project: one small adapter each.

tests/cases.jsonl has them, one case a line. An adapter belongs to the cases and not to our code: where a rule is written anew,
keep it, and let it return the words of the cases, made of codes and not of our words. It takes the vector's input as keywords
and gives back JSON values in the vector's shape. A refusal is raised as it is.
"""

from collections.abc import Callable, Mapping
from typing import Any

from tests.calls import clocks
from tests.rulesets.arc import calls as arc
from tests.rulesets.descriptors import calls as descriptors
from tests.rulesets.forged import calls as forged
from tests.rulesets.storyteller import calls as storyteller
from tests.scale import calls as scale

CALLS: Mapping[str, Callable[..., Any]] = {
    **storyteller.CALLS,
    **scale.CALLS,
    **clocks.CALLS,
    **arc.CALLS,
    **descriptors.CALLS,
    **forged.CALLS,
}

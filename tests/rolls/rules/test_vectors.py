from pathlib import Path

from tests.replay import replay

VECTORS = Path(__file__).with_name("vectors.jsonl")
BUILT = {"scale", "storyteller", "descriptors", "arc", "forged"}


def test_every_worked_case_of_the_systems_that_are_built_agrees():
    lines = [line for line in VECTORS.read_text().splitlines() if any(f'"system": "{s}"' in line for s in BUILT)]
    seen = replay(lines)
    assert (seen.cases, seen.mismatches, seen.unbuilt.total()) == (133, [], 0)


def test_no_case_of_any_system_disagrees():
    assert replay(VECTORS.read_text().splitlines()).mismatches == []

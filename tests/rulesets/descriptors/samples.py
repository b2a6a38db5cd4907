"""What the conformance tests try Descriptors with."""

SHEET = {"will": 9}
ROWS = {"descriptors": [{"name": "Fencing", "dice": 2}]}
ROLLS = {
    "a Descriptor": {"pool": "fencing", "against": "2", "versus": "the door guard"},
    "typed": {"pool": "Old grudge 1", "against": "Shield wall 2"},
}
ASKED = {"a pool": ({"against": "Shield wall 1", "versus": "the door guard"}, {"pool": "fencing"})}

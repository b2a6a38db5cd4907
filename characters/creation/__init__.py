"""What new characters may be made of, by ruleset: `BUDGETS[name]()` has our defaults, a campaign's own are in `budgets.py`."""

from characters.creation.budget import Budget

BUDGETS: dict[str, type[Budget]] = {}


def register(budget: type[Budget]) -> None:
    """Called once by a ruleset. One without a budget has no guided page: its sheets are filled in freely."""
    BUDGETS[budget.sheet.name] = budget


def budget_words(name: str) -> str:
    """What "<ruleset>.<setting>" of a budget decides; its name where that ruleset is not installed any more."""
    ruleset, _, setting = name.partition(".")
    found = BUDGETS[ruleset].settings().get(setting) if ruleset in BUDGETS else None
    return found.words if found else name

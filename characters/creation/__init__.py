"""What new characters may be made of, by system: `BUDGETS["forged"]()` has our defaults, a campaign's own are in `budgets.py`."""

from characters.creation.arc import ArcBudget
from characters.creation.budget import Budget
from characters.creation.descriptors import DescriptorsBudget
from characters.creation.forged import ForgedBudget
from characters.creation.storyteller import StorytellerBudget

BUDGETS: dict[str, type[Budget]] = {
    kind.sheet.name: kind for kind in (StorytellerBudget, DescriptorsBudget, ArcBudget, ForgedBudget)
}

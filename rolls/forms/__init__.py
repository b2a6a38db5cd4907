"""What is typed into the table page, read into what the services take. The services check it again, under the lock."""

from rolls.forms.arc import ArcCorrection, ArcForm
from rolls.forms.base import CorrectionForm, RollForm
from rolls.forms.descriptors import DescriptorsForm
from rolls.forms.forged import ForgedCorrection, ForgedForm
from rolls.forms.storyteller import StorytellerCorrection, StorytellerForm

ROLL_FORMS: dict[str, type[RollForm]] = {
    form.system: form for form in (StorytellerForm, DescriptorsForm, ArcForm, ForgedForm)
}

CORRECTIONS: dict[str, type[CorrectionForm]] = {
    StorytellerForm.system: StorytellerCorrection,
    ArcForm.system: ArcCorrection,
    ForgedForm.system: ForgedCorrection,
}
"""Forms of the systems whose rolls have more to correct than their note."""

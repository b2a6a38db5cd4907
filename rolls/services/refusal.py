"""What the rules and the sheets refuse becomes a refusal of the service, at the field of the form that is at fault."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from campaigns.errors import Invalid
from characters.sheets.fields import SheetError
from rolls.rules.errors import RuleError

# The forms call typed faces so, since "dice" is how many there are; and what a score is typed into by what can be picked there.
FIELDS = {"dice": "faces", "ks": "stat", "es": "skill"}


@contextmanager
def by_the_rules() -> Iterator[None]:
    """Inside, a RuleError or a SheetError is raised on as Invalid, with its own message."""
    try:
        yield
    except RuleError as error:
        raise Invalid(error.message, field=FIELDS.get(error.field, error.field)) from error
    except SheetError as error:
        raise Invalid(error.message, field="pool") from error

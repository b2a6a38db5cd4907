"""What the events of pages hold. Notes are lists of their paragraphs, so that erasing finds those that one person wrote."""

from __future__ import annotations

from campaigns.schema import Code, Name, PayloadSchema, Ref, Text


class PageWritten(PayloadSchema):
    """A page as everyone who may read it reads it now. `what` happened to it: "made", "written", "told" (what was in the GMs'
    part), "shown" at the table, "hidden", "removed", "pictured" or "undone". `new` are the numbers of the paragraphs that
    were written with this.
    """

    page: Ref
    what: Code
    kind: Code
    aliases: list[Name]
    note: list[Text]
    new: list[int]


class PageNoted(PayloadSchema):
    """The GMs' own part of a page, as it is now."""

    page: Ref
    note: list[Text]
    new: list[int]
    undone: bool

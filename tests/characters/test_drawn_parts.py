"""Parts of sheets that are kept are drawn from what they are given and from nothing else."""

from django.template import Context, Template

from characters.templatetags import sheets

CELL = {"field": "wits", "label": "Wits", "value": 3, "of": 5, "marks": "dots", "words": "3"}
TRAITS = {"name": "traits", "words": "Traits", "cells": [CELL | {"rollable": True, "trait": "wits", "slot": "pool"}]}
PART = Template('{% load sheets %}{% drawn "characters/_traits.html" group=group character="c1" rolls=rolls %}')


def drawn(group=TRAITS, rolls=True, **beside):
    return PART.render(Context({"group": group, "rolls": rolls, **beside}))


def test_a_part_is_drawn_once_for_all_who_get_the_same(monkeypatch):
    first = drawn(viewer="Mo")
    monkeypatch.setattr(sheets, "render_to_string", None)
    assert first == drawn(viewer="Iva") and "Wits" in first


def test_whatever_changes_in_it_has_it_drawn_anew():
    first = drawn()
    renamed = TRAITS | {"cells": [TRAITS["cells"][0] | {"label": "<Wit>"}]}
    assert "&lt;Wit&gt;" in drawn(renamed)
    assert "<button" in first and "<button" not in drawn(rolls=False)


def test_nothing_but_what_is_given_reaches_it():
    assert "canary" not in drawn(character="canary", cell={"label": "canary"}, group=TRAITS)

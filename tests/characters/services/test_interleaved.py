"""Two people on one sheet, each of whom sees only now and then what the other did: nothing that was saved is lost unseen."""

from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaigns.errors import Conflict, Invalid
from campaigns.models import Event
from characters.events import FIELD_CHANGED
from characters.models import Character
from characters.services.cards import Card, make_character
from characters.services.fields import add_row, remove_row, row_version, set_field, undo_change

pytestmark = pytest.mark.run_on("sqlite", "postgresql")

WHO = st.sampled_from(["player", "gm"])
FIELDS = ("wits", "willpower", "willpower_now", "nature")
EDIT = st.tuples(st.just("edit"), WHO, st.sampled_from(FIELDS), st.integers(0, 5))
ROW = st.tuples(st.sampled_from(["add", "remove"]), WHO, st.just("powers"), st.integers(0, 5))
OTHER = st.tuples(st.sampled_from(["look", "undo"]), WHO, st.just(""), st.just(0))


@given(operations=st.lists(EDIT | EDIT | ROW | OTHER, max_size=14))
@settings(max_examples=12)
def test_nobody_ever_overwrites_what_they_have_not_seen(cast, patience, operations):
    mo = cast.player.member
    silas = make_character(mo, Card("Silas", owner=mo), key=uuid4())
    pages = {who: Character.objects.get(pk=silas.pk) for who in ("player", "gm")}
    for what, who, name, value in operations:
        before = Character.objects.get(pk=silas.pk)
        try:
            _do(what, getattr(cast, who).member, pages[who], name, value)
        except (Conflict, Invalid):
            assert Character.objects.get(pk=silas.pk).values == before.values, "a refusal changes nothing"
            pages[who] = before
        else:
            if what == "edit":
                now = Character.objects.get(pk=silas.pk)
                wanted = str(value) if name == "nature" else value
                assert now.value(name) == wanted
                assert before.value(name) in (pages[who].value(name), wanted), "it was seen, or it was the same"
            if what in ("look", "undo"):
                pages[who] = Character.objects.get(pk=silas.pk)
    _the_log_leads_to_what_is_there(Character.objects.get(pk=silas.pk))


def _do(what, by, page, name, value):
    if what == "edit":
        wanted = str(value) if name == "nature" else value
        set_field(by, page, name, wanted, expected=page.value(name), key=uuid4())
    elif what == "add":
        add_row(by, page, name, {"name": "Power", "rating": value}, key=uuid4())
    elif what == "undo":
        undo_change(by, page, key=uuid4())
    elif what == "remove" and page.sheet.get(name):
        row = page.sheet[name][value % len(page.sheet[name])]["id"]
        remove_row(by, page, name, row, expected=row_version(page, name, row), key=uuid4())


def _the_log_leads_to_what_is_there(character):
    """Check that each change begins where the one before it ended, and that the last ends at the current value."""
    ends = {}
    told = Event.objects.filter(kind=FIELD_CHANGED).about(character.subject.key).order_by("id").select_related("stored")
    for event in told:
        name = event.payload["cell"]["field"]
        assert ends.get(name, event.payload["before"]) == event.payload["before"]
        ends[name] = event.payload["after"]
    assert {name: character.value(name) for name in ends} == ends

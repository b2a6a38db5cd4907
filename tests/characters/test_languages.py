"""A sheet whose labels are lazy: each reader has them in their own language, and nothing that is kept or sent depends on it."""

import json
import re
from gettext import NullTranslations
from uuid import uuid4

import pytest
from django.apps import apps
from django.core.serializers import serialize
from django.utils import translation
from django.utils.translation import get_language

from campaigns.models import EventPayload, EventSubject, Role, Viewer
from characters.models import Character, SheetRow
from characters.services import cards, fields
from characters.sheets import SHEETS, exchange
from characters.sheets.common import ABOUT
from characters.sheets.fields import Choice, Flag, Measure, Number, Rows, SheetError, Text
from characters.sheets.sheet import Group, Layout, Resource, Sheet
from characters.sheets.traits import find
from characters.views.creation import sheet_file
from languages import text
from languages.text import gettext_lazy as _
from tests.characters.operations import at, page
from tests.characters.operations import text as html_of

TITLE, DICE = Text("name", _("Skill name"), required=True), Number("dice", _("Skill dice"))
TOY = Sheet(
    "toy",
    (
        Group(
            "core",
            _("Core group"),
            (
                Number("nerve", _("Nerve")),
                Number("willpower_now", _("Willpower")),
                Choice("mood", _("Mood"), choices=(("calm", _("Calm")), ("cross", _("Cross"))), default="calm"),
                Flag("lit", _("Lit")),
                Measure("load", _("Load")),
                Rows("skills", _("Skills"), _("Skill"), (TITLE, DICE), trait="dice"),
            ),
        ),
        ABOUT,
    ),
    layout=Layout(resources=(Resource("nerve", label=_("Nerves")), Resource("skills"))),
)


class Marked(NullTranslations):
    """English as it is, and German that is English behind a letter of its own."""

    def gettext(self, message):
        return f"ß{message}" if get_language() == "de" else message

    def ngettext(self, singular, plural, number):
        return self.gettext(singular if number == 1 else plural)


@pytest.fixture
def toy(cast, monkeypatch):
    """Yield a player's character with the toy sheet; the player reads German, the GM English."""
    monkeypatch.setitem(SHEETS, "storyteller", TOY)
    monkeypatch.setitem(SHEETS, "toy", TOY)
    text.install(Marked())
    cast.player.user.language, cast.gm.user.language = "de", "en-gb"
    cast.player.user.save()
    cast.gm.user.save()
    card = cards.Card("Ana", owner=cast.player.member)
    yield cards.make_character(cast.player.member, card, system="storyteller", key=uuid4())
    apps.get_app_config("languages").ready()


def changed(cast, toy):
    """Make every change of a sheet that has an event, as a German reader."""
    member, row = cast.player.member, uuid4()
    with translation.override("de"):
        fields.set_field(member, toy, "nerve", 3, expected=0, key=uuid4())
        fields.set_field(member, toy, "mood", "cross", expected="calm", key=uuid4())
        fields.set_field(member, toy, "lit", True, expected=False, key=uuid4())
        fields.set_field(member, toy, "load", "1.5", expected="0", key=uuid4())
        fields.mark_resources(member, toy, {"nerve": -1}, key=uuid4())
        fields.add_row(member, toy, "skills", {"name": "Climbing", "dice": 1}, key=row)
        fields.set_field(member, toy, f"skills/{row.hex}/dice", 2, expected=1, key=uuid4())
        fields.undo_change(member, toy, key=uuid4())
        toy = Character.objects.get(pk=toy.pk)
        seen = fields.row_version(toy, "skills", row.hex)
        fields.remove_row(member, toy, "skills", row.hex, expected=seen, key=uuid4())
    return Character.objects.get(pk=toy.pk)


def test_nothing_that_is_kept_of_a_change_is_in_the_language_of_who_made_it(cast, toy):
    changed(cast, toy)
    kept = serialize("json", [*Character.objects.all(), *SheetRow.objects.all(), *EventSubject.objects.all()])
    kept += json.dumps(list(EventPayload.objects.values_list("payload", flat=True)))
    assert "nerve" in kept and "Climbing" in kept
    assert "ß" not in kept


def test_a_history_has_the_labels_and_words_of_its_reader(cast, toy):
    toy = changed(cast, toy)

    def history(person, field):
        return html_of(person.client.get(at("field_history", cast, toy.pk), {"field": field}))

    assert all(word in history(cast.player, "mood") for word in ("ßCalm", "ßCross"))
    assert all(word in history(cast.gm, "mood") for word in (" Calm", " Cross"))
    assert "ßNerve" in history(cast.player, "nerve")
    assert "ß" not in history(cast.gm, "nerve")


@pytest.mark.parametrize("route", ["character", "table", "log"])
def test_each_reader_has_a_page_in_their_language_whoever_read_it_first(cast, toy, route):
    changed(cast, toy)
    given = [toy.pk] if route == "character" else []
    for person, word in ((cast.gm, "Nerve"), (cast.player, "ßNerve"), (cast.gm, "Nerve")):
        html = html_of(page(person, route, cast, *given))
        assert set(re.findall("ß?Nerve", html)) == {word}


def test_a_file_is_the_same_in_every_language(cast, toy):
    toy = changed(cast, toy)
    viewer = Viewer(cast.campaign, cast.player.member, Role.PLAYER)
    with translation.override("de"):
        in_german = sheet_file(toy, viewer)
    assert json.loads(json.dumps(in_german)) == sheet_file(toy, viewer)


def test_the_schema_of_files_is_written(toy):
    titles = json.dumps(exchange.schema())
    assert '"title": "Nerve"' in titles
    assert '"title": "Skills"' in titles


@pytest.mark.parametrize("typed", ["nerve", "NERV", "ner"])
def test_a_trait_is_found_by_its_label_in_ones_own_language_and_by_its_field(toy, typed):
    renamed = Sheet("renamed", [Group("core", "Core", [Number("nerve", "Mut"), Number("wits", "Grips")])])
    assert find(renamed, typed, {}).label == find(renamed, "mut", {}).label == "Mut"


def test_an_error_is_in_the_language_of_who_made_it(toy):
    with translation.override("de"), pytest.raises(SheetError) as refused:
        TOY.put({}, "nerve", 9)
    assert refused.value.message == "ßßNerve goes from 0 to 5, not 9."

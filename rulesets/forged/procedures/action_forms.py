"""The forms of a staged action, and what they read: the people at the table, and the clocks."""

from __future__ import annotations

from typing import Any, Final
from uuid import uuid4

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from campaigns.access import id_or_none
from campaigns.errors import Invalid, NotFound
from campaigns.forms.fields import LineField
from campaigns.models import Campaign, Clock, Viewer
from characters.models import Character
from characters.models.characters import read_rows
from languages.text import gettext_lazy, pgettext_lazy
from rolls.forms.base import WholeNumber
from rolls.models import Procedure
from rolls.procedures import NO_CHARACTER, ProcedureContext, ProcedureForm
from rules.acts import Target
from rules.checked import restored
from rules.procedures import OPEN, Values
from rulesets.forged.forms import ATTRIBUTES, EFFECTS, POSITIONS, RESISTING
from rulesets.forged.models import Item, crews_at_table, scoundrels
from rulesets.forged.procedures.action_words import carried_words
from rulesets.forged.rules.action import MOST_LEVELS
from rulesets.forged.rules.action_before import FACTORS as FACTOR_NAMES
from rulesets.forged.rules.action_follows import MORE_DICE, MOVE_TICKS, SETUP, TAKE_FATAL, Carried
from rulesets.forged.rules.action_state import Action, Benefit, Participant
from rulesets.forged.rules.consequence import FEWEST_SEGMENTS, MOST_SEGMENTS, MOST_SIZE, SIZES, Fate, Resisting
from rulesets.forged.rules.roll import MOST_MORE
from rulesets.forged.rules.staged_action import crew_of, person_of
from rulesets.forged.settings import Settings
from rulesets.forged.sheet import ACTION_LABELS, COIN, action
from rulesets.forged.table.ask import LONGEST_WORDS, NAME

LONGEST_HARM: Final = 80
LONGEST_CLOCK: Final = 80
USUAL_SEGMENTS: Final = 4
ALL_ACTIONS: Final = list(ACTION_LABELS.items())
FACTORS: Final = [
    ("0", pgettext_lazy("factor", "even")),
    ("1", gettext_lazy("for them: +1")),
    ("-1", gettext_lazy("against them: −1")),
]
GIVES: Final = [
    (Benefit.EFFECT.value, gettext_lazy("+1 effect")),
    (Benefit.POSITION.value, gettext_lazy("a better position")),
]
BY: Final = [("1", "1"), ("2", "2")]
FATES: Final = [
    (Fate.DEAD.value, pgettext_lazy("fate", "Die")),
    (Fate.OUT.value, gettext_lazy("Survive, out of play")),
]


def extra_dice_field() -> WholeNumber:
    """Return the field for dice that abilities add to a roll."""
    return WholeNumber(gettext_lazy("Extra dice"), -MOST_MORE, MOST_MORE, 0)


class Ids(forms.MultipleChoiceField):
    """Ids; whether they are there, the rules look."""

    def valid_value(self, value: Any) -> bool:
        return id_or_none(value) is not None


class OpenActionForm(ProcedureForm):
    """Ask whose action it is, and which; the goal is what the procedure is about."""

    character = forms.UUIDField(
        error_messages={
            "required": gettext_lazy("Choose whose action it is."),
            "invalid": gettext_lazy("Choose from the list."),
        }
    )
    action = forms.ChoiceField(choices=ALL_ACTIONS)
    group = forms.BooleanField(required=False)
    setup = forms.BooleanField(required=False)

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        characters = scoundrels(viewer.campaign)
        mine = characters if viewer.is_gm else [character for character in characters if viewer.by in character.players]
        nothing = "" if mine else NO_CHARACTER
        return {
            "characters": [(str(character.pk), character.name) for character in mine],
            "actions": ALL_ACTIONS,
            "nothing": nothing,
        }


class SetForm(ProcedureForm):
    """Ask what the GM sets (forged.txt, The GM Sets the Position and the Effect Level)."""

    position = forms.ChoiceField(choices=POSITIONS)
    base = forms.ChoiceField(choices=EFFECTS)
    potency = forms.TypedChoiceField(choices=FACTORS, coerce=int)
    quality = forms.TypedChoiceField(choices=FACTORS, coerce=int)
    scale = forms.TypedChoiceField(choices=FACTORS, coerce=int)
    why = LineField(max_length=LONGEST_WORDS, required=False)
    ability = WholeNumber(gettext_lazy("Special abilities"), 0, MOST_LEVELS, 0)
    more = extra_dice_field()
    spared_1 = forms.BooleanField(required=False)
    spared_2 = forms.BooleanField(required=False)
    spared_3 = forms.BooleanField(required=False)
    clock = forms.UUIDField(required=False)
    without = Ids(required=False)

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        return {"positions": POSITIONS, "effects": EFFECTS, "factors": FACTORS, "clocks": clocks(viewer.campaign)}

    @classmethod
    def choices_in(cls, viewer: Viewer, procedure: Procedure, target: Target) -> dict[str, Any]:
        """Return also the set-ups for whoever follows, as they are now, and whether they are left out."""
        state = restored(Action, procedure.state)
        counted = {token.id for token in state.tokens}
        there = Procedure.objects.filter(campaign=viewer.campaign, system=NAME, kind=SETUP, closed_at=None)
        carried = [(str(one.pk), restored(Carried, one.state)) for one in there.order_by("opened_at")]
        setups = [
            (id, capfirst(carried_words(token)), state.is_set and id not in counted)
            for id, token in carried
            if token.character is None and token.serves(state.actor.character)
        ]
        return cls.choices(viewer) | {"setups": setups}


class BargainForm(ProcedureForm):
    """Ask what it costs, in words, and the coin and the item that are paid by themselves."""

    words = LineField(max_length=LONGEST_WORDS, required=False)
    coin = WholeNumber(gettext_lazy("Coin"), 0, COIN, 0)
    item = forms.RegexField("^[0-9a-f]{1,40}$", required=False)

    @classmethod
    def choices_in(cls, viewer: Viewer, procedure: Procedure, target: Target) -> dict[str, Any]:
        """Return the things of who acts, as far as this viewer may read the sheet."""
        acting = restored(Action, procedure.state).actor.character
        found = list(Character.objects.filter(campaign=viewer.campaign, pk=acting).with_related())
        read_rows(viewer, found)
        items = [row for character in found for row in character.rules.rows(character.values, "items")]
        return {"most": COIN, "items": [(row["id"], row["name"]) for row in items]}


class InflictForm(ProcedureForm):
    """One consequence; which there can be, the card says. With `last` it is the last that the GM names."""

    on_card = "forged/_consequences.html"

    code = forms.CharField(max_length=40, error_messages={"required": gettext_lazy("Choose a consequence.")})
    price = forms.BooleanField(required=False)
    words = LineField(max_length=LONGEST_HARM, required=False)
    heat = forms.BooleanField(required=False)
    size = WholeNumber(gettext_lazy("Ticks or heat"), 0, MOST_SIZE, 0)
    clock = forms.UUIDField(required=False)
    new_clock = LineField(max_length=LONGEST_CLOCK, required=False)
    segments = WholeNumber(gettext_lazy("Segments"), FEWEST_SEGMENTS, MOST_SEGMENTS, USUAL_SEGMENTS)
    filled = WholeNumber(gettext_lazy("Filled segments"), 0, MOST_SEGMENTS - 1, 0)
    attribute = forms.ChoiceField(choices=ATTRIBUTES)
    resisting = forms.ChoiceField(choices=RESISTING, required=False)
    by = WholeNumber(gettext_lazy("Reduction"), 1, 2, 1)
    whom = forms.UUIDField(required=False)
    last = forms.BooleanField(required=False)

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        return {
            "attributes": ATTRIBUTES,
            "resistings": RESISTING,
            "by": BY,
            "clocks": clocks(viewer.campaign),
            "segments": USUAL_SEGMENTS,
            "most": MOST_SIZE,
            "complications": " ".join(SIZES),
            "submits": [("last", "on", _("Add and finish"))],
            "said_by_them": True,
            "again": _("Add and continue"),
        }


class MoreDiceForm(ProcedureForm):
    """Ask for a push, and for dice that abilities add, with where they come from."""

    push = forms.BooleanField(required=False)
    more = extra_dice_field()
    why = LineField(max_length=LONGEST_WORDS, required=False)


class FatalForm(ProcedureForm):
    """Confirms taking a fatal harm, and asks what becomes of the character."""

    fate = forms.ChoiceField(
        choices=FATES,
        error_messages={"required": gettext_lazy("This is fatal. Choose whether they die or survive, out of play.")},
    )

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        return {"submits": [("fate", code, words) for code, words in FATES], "said_by_them": True}


class MoveTicksForm(ProcedureForm):
    """Ask where the ticks of an archived clock go: to another, to a new one, or nowhere."""

    clock = forms.UUIDField(required=False)
    new_clock = LineField(max_length=LONGEST_CLOCK, required=False)
    segments = WholeNumber(gettext_lazy("Segments"), FEWEST_SEGMENTS, MOST_SEGMENTS, USUAL_SEGMENTS)
    filled = WholeNumber(gettext_lazy("Filled segments"), 0, MOST_SEGMENTS - 1, 0)

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        return {"clocks": clocks(viewer.campaign), "segments": USUAL_SEGMENTS}


class SetUpForm(ProcedureForm):
    gives = forms.ChoiceField(choices=GIVES)

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        return {"gives": GIVES}


FORMS: Final = {
    OPEN: OpenActionForm,
    "set": SetForm,
    "bargain": BargainForm,
    "inflict": InflictForm,
    MORE_DICE: MoreDiceForm,
    TAKE_FATAL: FatalForm,
    MOVE_TICKS: MoveTicksForm,
    "set_up": SetUpForm,
}


def clocks(campaign: Campaign) -> list[tuple[str, str]]:
    """Return the running clocks that players know of, as actions are told with their names."""
    return [(str(clock.pk), clock.name) for clock in Clock.objects.running().shown().filter(campaign=campaign)]


def prepare(context: ProcedureContext, name: str, given: Values) -> Values:
    """Return the values for `start` and `act`. Raises Invalid, NotFound."""
    if name == OPEN:
        return _opened(context, given)
    if name == "bargain":
        thing = Item.objects.of(context.character(context.state.actor.character)).filter(uid=given["item"]).first()
        return {**given, "thing": thing.name if thing else ""}
    if name == "set":
        spared = tuple(level for level in (1, 2, 3) if given[f"spared_{level}"])
        kept = {field: given[field] for field in ("position", "base", *FACTOR_NAMES, "why", "ability", "more")}
        return {**kept, "spared": spared, "without": given["without"], **_clock(context, given)}
    if name == MOVE_TICKS:
        known = None if given["new_clock"] else given["clock"]
        return {**given, **_threatened(context, {**given, "clock": known})}
    if name == "inflict":
        whom = str(given["whom"]) if given["whom"] else ""
        return {
            **given,
            "whom": whom,
            "resisting": given["resisting"] or Resisting.REDUCES.value,
            **_threatened(context, given),
        }
    return given


def _clock(context: ProcedureContext, given: Values) -> dict[str, Any]:
    if not given["clock"]:
        return {"clock": None, "clock_name": ""}
    clock = Clock.objects.running().shown().filter(campaign=context.campaign, pk=given["clock"]).first()
    if clock is None:
        raise Invalid(_("That clock is no longer on the table. Choose another, or none."), field="clock")
    return {"clock": str(clock.pk), "clock_name": clock.name}


def _threatened(context: ProcedureContext, given: Values) -> dict[str, Any]:
    """Return the clock that a complication ticks: one that runs, or a new one."""
    if not given["new_clock"]:
        return {**_clock(context, given), "segments": 0, "filled": 0}
    if given["clock"]:
        raise Invalid(_("Choose a clock or name a new one, not both."), field="new_clock")
    return {"clock": str(uuid4()), "clock_name": given["new_clock"]}


def _opened(context: ProcedureContext, given: Values) -> dict[str, Any]:
    acting = context.character(str(given["character"]))
    if not context.actor.plays(str(acting.pk)):
        raise NotFound
    if acting.system != NAME or acting.owner is None:
        message = _("Only a player character with a Forged in the Dark sheet can act. NPCs don’t roll.")
        raise Invalid(message, field="character")
    settings = context.settings.of(Settings)
    rated = action(acting.values, given["action"])
    # Pushes come with an announcement; the form that opens an action leaves them to its card.
    first = Participant(
        character=str(acting.pk),
        rating=rated.rating,
        push_die=bool(given.get("push_die")),
        push_effect=bool(given.get("push_effect")),
    )
    return {
        "action": rated.name,
        "attribute": rated.attribute,
        "people": tuple(
            person_of(str(scoundrel.pk), scoundrel.name, scoundrel.values, settings)
            for scoundrel in scoundrels(context.campaign)
        ),
        "participants": (first,),
        "settings": settings,
        "crew": _crew(context.campaign),
        "group": given["group"],
        "setup": given["setup"],
    }


def _crew(campaign: Campaign) -> Any:
    crew = next(iter(crews_at_table(campaign)), None)
    return crew_of(str(crew.pk), crew.name, crew.values) if crew else None

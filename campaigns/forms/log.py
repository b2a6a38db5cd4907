"""The filters of the log, and corrections of its entries.

Only what a viewer may know of can be chosen: no hidden thing is found by its name or its id.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.db.models import Case, Q, Value, When, prefetch_related_objects
from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from campaigns import rulesets
from campaigns.forms.fields import LineField, QuickSelect, TextField
from campaigns.kinds import Topic, outcomes, topics
from campaigns.models import Campaign, Clock, Event, GameSession, Membership, Scene, Storyline, Viewer
from campaigns.models.log import place_of
from campaigns.queries.clocks import owners_of
from campaigns.queries.play import sessions_offered
from campaigns.queries.search import LogFilters

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

Choices = Sequence[tuple[str, Any]]

NOT_THERE = {"invalid_choice": _("This isn’t here any more. Choose from the list.")}
NO_DATE = {"invalid": _("Enter a date, such as 2026-08-31.")}
# Beyond these no database counts the hours of every time zone, and nothing was played.
FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(9000, 1, 1)
WITH_SCENES = 5
"""Scenes of so many sessions, the newest, can be chosen at once; of another one when it is chosen."""
Sessions = Sequence[tuple[GameSession, Sequence[Scene]]]
LONGEST_ID = 19  # digits: longer numbers are none of a database's
OF = ":"
"""Separates a ruleset from one of its results in a choice that is no plain outcome."""
ORDERS = [("", ""), ("oldest", "")]


def _choice(label: StrOrPromise) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, required=False, error_messages=NOT_THERE, widget=QuickSelect)


def _date(label: StrOrPromise, *, required: bool = False) -> forms.DateField:
    # Browsers write dates in this one way, whatever they show.
    widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    return forms.DateField(label=label, required=required, widget=widget, error_messages=NO_DATE)


class LogFilter(forms.Form):
    """The log's filters. Every field may stay empty. `wanted` are the filters of a valid form."""

    words = LineField(
        label=_("Text"),
        required=False,
        widget=forms.TextInput(attrs={"type": "search", "placeholder": _("Talk, narration, notes")}),
    )
    topic = _choice(_("Type"))
    outcome = _choice(_("Outcome"))
    who = _choice(_("Person"))
    character = _choice(_("Character"))
    session = _choice(_("Session"))
    scene = _choice(_("Scene"))
    between = _choice(_("Between sessions"))
    clock = _choice(_("Clock"))
    storyline = _choice(_("Storyline"))
    system = _choice(_("Rules"))
    order = forms.ChoiceField(choices=ORDERS, required=False, error_messages=NOT_THERE, widget=forms.HiddenInput)
    since = _date(pgettext_lazy("date", "From"))
    until = _date(pgettext_lazy("date", "To"))
    new = forms.BooleanField(label=_("Since my last visit"), required=False)

    def __init__(self, viewer: Viewer, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.viewer = viewer
        self.sessions = sessions_with_scenes(viewer.campaign, self.data)
        for name, choices in choices_of(viewer, self.sessions).items():
            field = cast(forms.ChoiceField, self.fields[name])
            field.choices = [("", _("All")), *choices]
        if last_visit(viewer) is None:
            del self.fields["new"]

    @property
    def wanted(self) -> LogFilters:
        cleaned = self.cleaned_data
        since = _start(cleaned["since"])
        if cleaned.get("new"):
            since = max(filter(None, [since, last_visit(self.viewer)]))
        about = {"clock": cleaned["clock"], "storyline": cleaned["storyline"], "character": cleaned["character"]}
        return LogFilters(
            words=cleaned["words"],
            topic=cleaned["topic"],
            outcome=_outcome_of(cleaned["outcome"]),
            result=cleaned["outcome"] if OF in cleaned["outcome"] else "",
            system=cleaned["system"],
            subjects=tuple(f"{what}:{pk}" for what, pk in about.items() if pk),
            who=_number(cleaned["who"]),
            session=_number(cleaned["session"]),
            scene=_number(cleaned["scene"]),
            between=_number(cleaned["between"]),
            since=since,
            until=_start(cleaned["until"], days=1),
            oldest_first=cleaned["order"] == "oldest",
        )

    @property
    def chosen(self) -> list[forms.BoundField]:
        """Return the filters that limit the log."""
        return [field for field in self if field.name != "order" and field.data]

    def words_for(self, field: forms.BoundField) -> str:
        """Return a filter and its value, as the page says it."""
        if field.name == "new":
            return str(field.label)
        value = str(field.data)
        if isinstance(field.field, forms.ChoiceField):
            value = dict(_flat(field.field.choices)).get(value, value)
        return value if field.name == "between" else f"{field.label}: {value}"


class DayForm(forms.Form):
    """Where in time to go to. `start` is the first moment of that day where the viewer is."""

    day = _date(_("Go to a day"), required=True)

    @property
    def start(self) -> datetime | None:
        return _start(self.cleaned_data["day"])


def last_visit(viewer: Viewer) -> datetime | None:
    """Return when this viewer's last visit was, before this one; None if it is unknown, and in a preview."""
    return viewer.membership.last_visit if viewer.membership and not viewer.is_read_only else None


def choices_of(viewer: Viewer, sessions: Sessions) -> dict[str, Choices]:
    """Return the choices of each field for this viewer. The number of queries is constant."""
    campaign = viewer.campaign
    clocks = Clock.objects.seen_by(viewer).order_by("archived_at", "order", "name")
    return {
        "topic": _topics(campaign),
        "outcome": _outcomes(campaign),
        "system": [
            *((name, rulesets.label_of(name)) for name in campaign.systems),
            *rulesets.joining(campaign.systems, campaign.settings),
        ],
        "who": [(str(member.pk), member.name) for member in _members(campaign)],
        "character": _characters(viewer),
        "clock": [(str(clock.pk), clock.name) for clock in clocks],
        "storyline": [(str(story.pk), story.title) for story in Storyline.objects.of(campaign)],
        "session": [(str(session.pk), str(session)) for session, _ in sessions],
        "scene": [
            (str(session), [(str(scene.pk), str(scene)) for scene in scenes]) for session, scenes in sessions if scenes
        ],
        "between": [(str(number), words) for number, words in gaps(sessions).items()],
    }


def gaps(sessions: Sessions) -> dict[int, str]:
    """Return words for the times between these sessions, newest first, by the number of the session before (0: none)."""
    found = {}
    for session, _scenes in sessions:
        n = session.number
        if n + 1 in {other.number for other, _ in sessions}:
            found[n] = gettext("Between sessions %(before)s and %(after)s") % {"before": n, "after": n + 1}
        elif session.ended_at:
            found[n] = gettext("After session %(n)s") % {"n": n}
    return found | ({0: gettext("Before session 1")} if sessions and sessions[-1][0].number == 1 else {})


def _topics(campaign: Campaign) -> Choices:
    """Return those of every table, and of the rules that join in this one."""
    here = {name for rules in rulesets.played(campaign.systems, campaign.settings) for name in rules.topics}
    return [(name, words) for name, words in topics().items() if name in here or name in Topic.values]


def _outcomes(campaign: Campaign) -> Choices:
    """Return the outcomes of a campaign's rules, in their words; all outcomes if some rules are no longer installed.
    Each is followed by the results of a ruleset that it includes.
    """
    played = rulesets.played(campaign.systems, campaign.settings)
    here = {rules.name: rules.log_outcomes() for rules in played}
    gone = any(rulesets.missing(campaign.systems))
    choices = []
    for outcome, usual in outcomes().items():
        results = {name: of[outcome] for name, of in here.items() if outcome in of}
        called = dict.fromkeys(words for of in results.values() for words in of.values())
        if gone or results:
            choices.append((outcome, " / ".join(called) or usual))
        choices += [
            (f"{name}{OF}{result}", words)
            for name, of in results.items()
            if len(of) > 1
            for result, words in of.items()
        ]
    return choices


def _outcome_of(chosen: str) -> str:
    system, _, result = chosen.rpartition(OF)
    of = rulesets.RULESETS[system].log_outcomes() if system else {}
    return next((outcome for outcome, results in of.items() if result in results), chosen)


def sessions_with_scenes(campaign: Campaign, chosen: Mapping[str, Any]) -> Sessions:
    """Return sessions to choose from, each with its scenes where it is one of the newest or chosen."""
    played = _played(chosen)
    is_chosen = Case(When(played, then=Value(True)), default=Value(False))
    sessions = list(sessions_offered(campaign, played).annotate(is_chosen=is_chosen))
    whole = [session for place, session in enumerate(sessions) if place < WITH_SCENES or session.is_chosen]
    prefetch_related_objects(whole, "scenes")
    return [(session, list(session.scenes.all()) if session in whole else []) for session in sessions]


def _members(campaign: Campaign) -> Iterable[Membership]:
    return Membership.objects.filter(campaign=campaign).select_related("user").order_by("joined_at", "pk")


def _characters(viewer: Viewer) -> Choices:
    known = [owner for owner in owners_of(viewer.campaign).values() if owner.shown or viewer.is_gm]
    return [(owner.key.partition(":")[2], owner.name) for owner in known if owner.key.startswith("character:")]


def _played(chosen: Mapping[str, Any]) -> Q:
    """Return the session that is chosen, and that of the scene: pages of old ones lead to them."""
    session, scene, between = (str(chosen.get(name) or "") for name in ("session", "scene", "between"))
    wanted = Q(pk=int(session)) if _is_id(session) else Q(pk=None)
    wanted |= Q(number=int(between)) if _is_id(between) else Q(pk=None)
    return wanted | Q(pk__in=Scene.objects.filter(pk=int(scene)).values("session")) if _is_id(scene) else wanted


def _is_id(text: str) -> bool:
    return text.isdecimal() and len(text) < LONGEST_ID


def _flat(choices: Any) -> Iterator[tuple[str, str]]:
    """Choices without their groups."""
    for value, words in choices:
        if isinstance(words, (list, tuple)):
            yield from _flat(words)
        else:
            yield str(value), str(words)


def _number(chosen: str) -> int | None:
    return int(chosen) if chosen else None


def _start(day: date | None, *, days: int = 0) -> datetime | None:
    """Return the first moment of a day where the viewer is, or of one some days later."""
    if day is None:
        return None
    day = min(max(day, FIRST_DAY), LAST_DAY)
    return timezone.make_aware(datetime.combine(day + timedelta(days=days), time()))


class AmendForm(forms.Form):
    words = TextField(label=_("New text"))
    reason = LineField(label=_("Reason"), required=False)


BACK = "back"
BESIDE = 5
"""Sessions before and after that of an event: whither it may have to be put."""


class RefileForm(forms.Form):
    """A scene of the newest sessions or of those around the event; if it was moved, also back to where it was written."""

    scene = forms.ChoiceField(label=_("Scene"))
    reason = LineField(label=_("Reason"), required=False)

    def __init__(self, event: Event, written: str, *args: Any, **kwargs: Any) -> None:
        """Offer the scenes around the event; `written` says in words where the event was written."""
        super().__init__(*args, **kwargs)
        around = Q(pk=None)
        for session in (event.session, place_of(event)[0]):
            if session:
                around |= Q(number__range=(session.number - BESIDE, session.number + BESIDE))
        sessions = sessions_offered(event.campaign, around).prefetch_related("scenes")
        self.scenes = {str(scene.pk): scene for session in sessions for scene in session.scenes.all()}
        groups = [
            (str(session), [(str(scene.pk), str(scene)) for scene in session.scenes.all()]) for session in sessions
        ]
        back = (
            [(BACK, _("Back to its original place: {place}").format(place=written))] if hasattr(event, "filing") else []
        )
        field = self.fields["scene"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101  # for mypy
        field.choices = [*back, *(group for group in groups if group[1])]
        now = place_of(event)[1]
        field.initial = str(now.pk) if now else ""

    @property
    def chosen(self) -> Scene | None:
        """Return the scene, or None for where it was written."""
        return self.scenes.get(self.cleaned_data["scene"])

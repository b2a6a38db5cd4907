"""Rolls from the composer's form, and what a GM does with them afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid5

from django import forms
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import trigger_client_event

from campaigns.access import member_view, request_key
from campaigns.errors import Invalid, NotFound, existing
from campaigns.forms.fields import valid
from campaigns.forms.play import members_of, voices_of
from campaigns.models import Campaign, Membership, Role, Viewer
from campaigns.models.log import Subject
from campaigns.models.play import Manner
from campaigns.views.answers import done
from characters.models import Character
from characters.queries.in_play import in_play
from characters.views.in_play import CHOSEN, hand_by_rules, hand_of
from characters.views.say import say_typed
from rolls import slash
from rolls.forms.base import CorrectionForm, KeptForm, MarkForm, ReasonForm, RollForm, WitnessForm
from rolls.forms.tables import TableRollForm
from rolls.models import Audience, Procedure, Roll, RollRequest, RollTable
from rolls.queries.commands import OF_GMS, commands_for
from rolls.queries.kept import kept_rolls
from rolls.registry import RULESETS, commands_of, table_of
from rolls.services.procedures import open_procedure
from rolls.services.requests import Call, announce_roll, ask_for_roll
from rolls.services.rolls import (
    ask_witness,
    correct_roll,
    forget_roll,
    give_witness,
    make_roll,
    reveal_roll,
    save_roll,
    void_roll,
)
from rolls.services.scale import mark_oracle
from rolls.services.tables import roll_table
from rolls.services.undoing import undo_line
from rolls.settings import roll_settings
from rolls.table_rules import Odds, OddsContext
from scale.views import acting

# The context of the composer: what can be said and rolled from the table page, as whom, and what completes its commands.


def composer(viewer: Viewer, hand: dict[str, Any] | None) -> dict[str, Any]:
    """Return the context of rolls/_composer.html, with the roll form of the system of the character at hand."""
    # A member with a chosen character speaks as that one, unless they say otherwise.
    at_hand = str(hand["id"]) if hand else ""
    mine = sorted(hand["playable"] if hand else [], key=lambda one: str(one.pk) != at_hand)
    others = list(members_of(viewer.campaign).exclude(pk=viewer.by.pk))
    speakers = [one.subject for one in mine if not one.is_hidden]
    tables = list(RollTable.objects.filter(campaign=viewer.campaign).only("name")) if viewer.is_gm else []
    return roll_composer(viewer, hand, hand["system"] if hand else "") | {
        "say_url": reverse("compose", args=[viewer.campaign.slug]),
        "witness_url": reverse("witness_ask", args=[viewer.campaign.slug]) if viewer.is_gm else "",
        "voices": voices_of(viewer.by, speakers),
        "members": others,
        "commands": [example for one in commands_of(viewer.campaign.systems).values() for example in one.examples],
        "completions": completions(viewer, others, _named(viewer.by, speakers), tables),
        "tables": tables,
        "kept": kept_rolls(viewer.by, hand["character"]) if hand and hand["character"] in hand["playable"] else None,
    }


def roll_composer(viewer: Viewer, hand: dict[str, Any] | None, wanted: str) -> dict[str, Any]:
    """Return the context of rolls/_roll_form.html: the form of the `wanted` system, or of the campaign's first.

    If the character at hand goes by other rules, it is for the viewer's own character of that system.
    """
    slug = viewer.campaign.slug
    system, systems = systems_to_choose(viewer, wanted, played_by(viewer, hand))
    if not system:
        # No ruleset of this campaign is installed: one can still talk.
        return {"system": "", "systems": []}
    at_hand, hand = hand, hand_by_rules(viewer, hand, system)
    return {
        "system": system,
        "systems": systems,
        "template": f"{system}/form.html",
        "form_url": reverse("roll_form", args=[slug]),
        "roll_url": reverse("roll", args=[slug]),
        "odds_url": reverse("odds", args=[slug]),
        "audiences": Audience.choices,
        "character": hand["id"] if hand else "",
        "at_hand": at_hand["id"] if at_hand else "",
        "rolls_for": hand["name"] if hand and hand is not at_hand else "",
        "spent": spent_by(viewer, hand["character"] if hand else None, RULESETS[system].form),
        "lets": viewer.is_gm,
    } | RULESETS[system].form.shown(viewer, hand)


def spent_by(viewer: Viewer, character: Character | None, form: type[RollForm] | RollForm) -> dict[str, str]:
    """Return the boxes of a roll form that only a GM may let its character tick now, by their fields, with the reason."""
    return form.spent(viewer, character) if character and character.system == form.system else {}


def played_by(viewer: Viewer, hand: dict[str, Any] | None) -> Sequence[str]:
    """Return the campaign's systems; for a player with a character at hand, only those of their characters."""
    own = {character.system for character in hand["playable"]} if hand and not viewer.is_gm else set()
    return [system for system in viewer.campaign.systems if system in own] or viewer.campaign.systems


def systems_to_choose(viewer: Viewer, wanted: str, played: Sequence[str]) -> tuple[str, list[dict[str, Any]]]:
    """Return the `wanted` system of the campaign, or the first of those that are `played`; and these with it: [{name, words,
    current}].

    "" and nothing where none of them is installed.
    """
    wanted = wanted if wanted in viewer.campaign.systems else ""
    rulesets = [ruleset for name, ruleset in RULESETS.items() if name in played or name == wanted]
    if not rulesets:
        return "", []
    system = wanted if wanted in RULESETS else rulesets[0].name
    return system, [
        {"name": listed.name, "words": listed.short, "current": listed.name == system} for listed in rulesets
    ]


def completions(
    viewer: Viewer, others: Iterable[Membership], voices: Mapping[str, str], tables: Iterable[RollTable]
) -> dict[str, Any]:
    """Return the words that static/js/commands.js completes: all commands with what each does, and the names that follow some,
    those of voices by their values in the form."""
    named: dict[slash.Spoken, Any] = {slash.Spoken.WHISPER: [one.name for one in others], slash.Spoken.AS: voices}
    if viewer.is_gm:
        named[slash.Spoken.ASK] = [*(one.name for one in others if _plays(one)), "all"]
        named[slash.Spoken.TABLE] = [table.name for table in tables]
    names = {word: found for command, found in named.items() for word in command.words}
    return {"commands": commands_for(viewer), "names": names}


def names_here(by: Membership, *, players: bool = False) -> dict[int, str]:
    """Return the others at the table by their ids, as /w names them; `players`: those who can be asked for a roll by their
    numbers, as /ask does."""
    here = members_of(by.campaign).exclude(pk=by.pk)
    return {member.number if players else member.pk: member.name for member in here if _plays(member) or not players}


def voices_here(by: Membership) -> dict[str, str]:
    """Return the names that a member may speak as, by their values in the form, for /as."""
    return _named(by, [one.subject for one in Character.objects.controlled_by(by) if not one.is_hidden])


def _named(by: Membership, speakers: Sequence[Subject]) -> dict[str, str]:
    names = {one.key: one.name for one in speakers}
    return {value: names.get(value, words) for value, words in voices_of(by, speakers) if value != Manner.WHISPER}


def _plays(member: Membership) -> bool:
    return member.role != Role.SPECTATOR


@require_POST
@member_view(Role.PLAYER)
def roll(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Make a roll, or announce one that a GM has to set."""
    return roll_typed(request, viewer, roll_form(request.POST, viewer.campaign))


@require_GET
@member_view(Role.PLAYER)
def odds(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the odds of the roll form; none if it cannot be rolled yet."""
    form = roll_form(request.GET, viewer.campaign)
    is_whole, context, preview = form.is_valid(), odds_context(viewer, form), None
    if is_whole:
        with suppress(Invalid):
            preview = odds_of(context, form)
    drawn = {"odds": preview, "spent": spent_by(viewer, context.character, form), "lets": viewer.is_gm, "answers": True}
    return render(request, "rolls/_odds.html", drawn)


def odds_context(viewer: Viewer, form: RollForm) -> OddsContext:
    """Return what the odds of a checked form are calculated with, as far as it is valid."""
    asked = _asked(viewer, form)
    return OddsContext(
        campaign=viewer.campaign,
        character=_character(viewer, form, asked),
        settings=roll_settings(viewer.campaign),
        is_gm=viewer.is_gm,
        by=viewer.by,
        audience=Audience(asked.audience) if asked else form.seen_by,
    )


def odds_of(context: OddsContext, form: RollForm) -> Odds | None:
    """Return the odds for a valid form; None if there are none to show. Raises Invalid for what cannot be rolled."""
    ask = form.ask()
    return table_of(form.system).kind(ask.kind).preview(context, ask)


def _asked(viewer: Viewer, form: RollForm) -> RollRequest | None:
    """Return the request that the form answers; it determines who sees the roll, and whose a procedure's roll is."""
    answers = Q(member=None) | Q(member=viewer.by)
    if viewer.is_gm:
        answers |= Q(procedure__isnull=False)
    wanted = form.cleaned_data.get("request")
    mine = RollRequest.objects.filter(answers, campaign=viewer.campaign).select_related("character")
    return mine.filter(pk=wanted).first() if wanted else None


def _character(viewer: Viewer, form: RollForm, asked: RollRequest | None) -> Character | None:
    """Return the character who would roll; a request may name it."""
    mine = Character.objects.rolled_by(viewer.by)
    if asked is None or not asked.says_for_whom:
        wanted = form.cleaned_data.get("character")
        return mine.filter(pk=wanted).first() if wanted else None
    if viewer.is_gm or asked.character is None:
        return asked.character
    return mine.filter(pk=asked.character.pk).first()


@require_GET
@member_view(Role.PLAYER)
def form(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Return the roll form of another system, beside the character at hand."""
    hand = hand_of(viewer, request.GET.get(CHOSEN, ""))
    composer = roll_composer(viewer, hand, request.GET.get("system", ""))
    return render(request, "rolls/_roll_form.html", {"campaign": viewer.campaign, "composer": composer})


def roll_form(typed: Mapping[str, str], campaign: Campaign, game: str = "") -> RollForm:
    """Return the form of the ruleset that is named, of the campaign's first unless one is; that of a `game` among several,
    whose fields have its name as their prefix. Raises Invalid."""
    first = next((name for name in campaign.systems if name in RULESETS), "")
    name = game or typed.get("system") or first
    if name not in RULESETS:
        raise Invalid(_("No rules have this name."), field="system")
    return RULESETS[name].form(typed, prefix=game or None)


def roll_typed(request: HttpRequest, viewer: Viewer, form: RollForm) -> HttpResponse:
    """Make the roll that a form holds, or announce it."""
    roll_or_announce(viewer, valid(form), request_key(request))
    return done(request, "table", viewer.campaign.slug)


def roll_or_announce(viewer: Viewer, form: RollForm, key: UUID) -> Roll | RollRequest | Procedure:
    """Make the roll that a valid form holds, or announce it: as a request, or as what settles it in steps."""
    given = form.cleaned_data
    if given["announce"]:
        return _announce(viewer, form, key)
    return make_roll(
        viewer.by,
        form.ask(),
        audience=form.seen_by,
        key=key,
        faces=given["faces"],
        client_seed=given["client_seed"],
    )


def _announce(viewer: Viewer, form: RollForm, key: UUID) -> RollRequest | Procedure:
    if form.cleaned_data["faces"]:
        raise Invalid(_("Leave out the dice for now: roll when the GM asks."), field="faces")
    ask, reason = form.ask(), form.cleaned_data["note"]
    begun = table_of(form.system).kind(ask.kind).announces(ask) if form.seen_by is Audience.TABLE else None
    if begun:
        kind, given = begun
        return open_procedure(viewer.by, form.system, kind, given, reason=reason, key=key)
    return announce_roll(viewer.by, Call(ask, reason=reason), audience=form.seen_by, key=key)


@require_POST
@member_view(Role.GM)
def void(request: HttpRequest, viewer: Viewer, roll_id: UUID) -> HttpResponse:
    """Void a roll with all that followed from it."""
    form = valid(ReasonForm(request.POST))
    void_roll(viewer.by, roll_id, reason=form.cleaned_data["reason"], key=request_key(request))
    return done(request, "table", viewer.campaign.slug)


@require_GET
@member_view(Role.GM)
def correction(request: HttpRequest, viewer: Viewer, roll_id: UUID) -> HttpResponse:
    """Return the form to correct a roll."""
    current = existing(Roll.objects.filter(campaign=viewer.campaign, pk=roll_id, voided_at=None).first())
    form = _correction(current)(initial=current.ask, auto_id=f"correct-{current.pk}-%s")
    return render(request, "rolls/_correction_form.html", {"campaign": viewer.campaign, "roll": current, "form": form})


@require_POST
@member_view(Role.GM)
def correct(request: HttpRequest, viewer: Viewer, roll_id: UUID) -> HttpResponse:
    """Read the same dice again with corrected terms."""
    current = existing(Roll.objects.filter(campaign=viewer.campaign, pk=roll_id).first())
    form = valid(_correction(current)(request.POST))
    correct_roll(viewer.by, roll_id, form.changes, reason=form.cleaned_data["reason"], key=request_key(request))
    return done(request, "table", viewer.campaign.slug)


def _correction(roll: Roll) -> type[CorrectionForm]:
    ruleset = RULESETS.get(roll.system)
    return ruleset.correction if ruleset else CorrectionForm


@require_POST
@member_view(Role.GM)
def reveal(request: HttpRequest, viewer: Viewer, roll_id: UUID) -> HttpResponse:
    """Show a hidden roll to the whole table."""
    reveal_roll(viewer.by, roll_id, key=request_key(request))
    return done(request, "table", viewer.campaign.slug)


# The composer's text: words are said, and a slash command does what a form would do (rolls/slash.py).


@require_POST
@member_view(Role.PLAYER)
def compose(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    text, commands = request.POST.get("text", ""), commands_of(viewer.campaign.systems)
    with _at_the_text():
        slash.check_lines(text)
    rolls = slash.is_roll(text, commands)
    if request.FILES and (rolls or slash.spoken(text) in OF_GMS):
        raise Invalid(_("A roll can’t have a picture. Remove one of them, then send again."), field="text")
    if rolls:
        return roll_typed(request, viewer, slash_form(viewer, request.POST))
    if slash.spoken(text) is slash.Spoken.ASK:
        return _ask(request, viewer)
    if slash.spoken(text) is slash.Spoken.SEARCH:
        words = slash.words_after(text)
        if getattr(request, "htmx", None):
            return trigger_client_event(HttpResponse(status=204), "afterburn:search", {"words": words})
        return redirect(f"{reverse('search', args=[viewer.campaign.slug])}?{urlencode({'q': words})}")
    if slash.spoken(text) is slash.Spoken.TABLE:
        return _on_table(request, viewer, text)
    typed = request.POST.copy()
    with _at_the_text():
        _put_words(typed, viewer)
    return say_typed(request, viewer, typed)


def slash_form(viewer: Viewer, typed: Mapping[str, str]) -> RollForm:
    """Return the roll form as a slash command (`text`) fills it; what the GM has to set first is announced by it. Raises
    Invalid."""
    campaign = viewer.campaign
    commands = commands_of(campaign.systems)
    with _at_the_text():
        fields = slash.read_roll(typed.get("text", ""), commands)
        if not viewer.is_gm and commands[fields["system"]].announces(fields, roll_settings(campaign)):
            fields["announce"] = "on"
    voice, _, character = typed.get("voice", "").partition(":")
    whose = {
        "character": character if voice == "character" else "",
        "client_seed": typed.get("client_seed", ""),
    }
    return roll_form(whose | fields, campaign)


def _put_words(typed: QueryDict, viewer: Viewer) -> None:
    """Fill the fields of a SayForm from a typed line. Raises SlashError."""
    text = typed.get("text", "")
    match slash.spoken(text):
        case slash.Spoken.WHISPER:
            to, typed["text"] = slash.read_whisper(text, names_here(viewer.by))
            typed["voice"], typed["to"] = Manner.WHISPER.value, str(to)
        case slash.Spoken.AS:
            typed["voice"], typed["text"] = slash.read_voice(text, voices_here(viewer.by))
        case slash.Spoken.ME:
            typed["text"] = slash.read_me(text)
        case _:
            typed["text"] = slash.read_words(text, commands_of(viewer.campaign.systems))


def _ask(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Ask for the roll that a line says, as the GM's form does."""
    if not viewer.is_gm:
        raise Invalid(_("Only the GM can request rolls. Nothing was sent."), field="text")
    names = names_here(viewer.by, players=True)
    games = {one.owner.number: one.system for one in reversed(in_play(viewer)) if one.owner}
    with _at_the_text():
        member, fields = slash.read_request(
            request.POST.get("text", ""), names, commands_of(viewer.campaign.systems), games
        )
    form = valid(roll_form(fields, viewer.campaign))
    call = Call(form.ask(), reason=form.cleaned_data["note"])
    ask_for_roll(viewer.by, call, member=member, audience=form.seen_by, key=request_key(request))
    return done(request, "table", viewer.campaign.slug)


def _on_table(request: HttpRequest, viewer: Viewer, text: str) -> HttpResponse:
    """Roll on the table that a line names."""
    if not viewer.is_gm:
        raise Invalid(_("Only the GM can roll on tables. Nothing was sent."), field="text")
    tables = list(RollTable.objects.filter(campaign=viewer.campaign))
    if not tables:
        raise Invalid(_("There’s no roll table yet. Write one under Roll tables."), field="text")
    with _at_the_text():
        at, audience = slash.read_table(text, dict(enumerate(table.name for table in tables)))
    form = valid(TableRollForm({"audience": audience, "client_seed": request.POST.get("client_seed", "")}))
    roll_table(viewer.by, tables[at], **form.cleaned_data, key=request_key(request))
    return done(request, "table", viewer.campaign.slug)


@contextmanager
def _at_the_text() -> Iterator[None]:
    """Raise a SlashError inside as Invalid at the text."""
    try:
        yield
    except slash.SlashError as error:
        raise Invalid(str(error), field="text") from None


# The rolls offered for a character: saved ones, and the last that were made.


FOR_ONE_ROLL = ("faces", "note", "announce", "client_seed")
"""Fields that saved rolls leave out; they also leave out references to existing things: a character, a request, another roll.
"""


@require_GET
@member_view(Role.PLAYER)
def kept(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    character = existing(Character.objects.controlled_by(viewer.by).filter(pk=character_id).first())
    context: dict[str, Any] = {"campaign": viewer.campaign, "kept": kept_rolls(viewer.by, character)}
    return render(request, "rolls/_kept_rolls.html", context)


@require_POST
@member_view(Role.PLAYER)
def save(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Save the fields of the roll form by a name."""
    named, rolled = valid(KeptForm(request.POST)), valid(roll_form(request.POST, viewer.campaign))
    character, name = rolled.cleaned_data["character"], named.cleaned_data["called"]
    if character is None:
        raise NotFound
    save_roll(viewer.by, character, name, rolled.system, _fields(rolled), key=request_key(request))
    return done(request, "table", viewer.campaign.slug)


@require_POST
@member_view(Role.PLAYER)
def forget(request: HttpRequest, viewer: Viewer, saved_id: UUID) -> HttpResponse:
    forget_roll(viewer.by, saved_id, key=request_key(request))
    return done(request, "table", viewer.campaign.slug)


def _fields(form: RollForm) -> dict[str, str]:
    """Return the typed and chosen fields that are not for one roll only."""
    lasting = {
        name
        for name, field in form.fields.items()
        if name not in FOR_ONE_ROLL and not isinstance(field, forms.UUIDField)
    }
    return {name: str(form.data[name]) for name in sorted(lasting) if form.data.get(name)}


# A GM's page asks for a witness of the roll that it is about to make; players' pages answer by themselves (witness.js).


ASKED, NOBODY = 202, 204


@require_POST
@member_view(Role.GM)
def ask(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Sent with the fields and the key of a roll that is not made yet. 202: wait for a witness; 204: there will be none."""
    roll_id = request_key(request)
    if "text" in request.POST and not slash.is_roll(request.POST["text"], commands_of(viewer.campaign.systems)):
        return HttpResponse(status=NOBODY)
    form = valid(
        slash_form(viewer, request.POST) if "text" in request.POST else roll_form(request.POST, viewer.campaign)
    )
    given = form.cleaned_data
    seeds = {"faces": given["faces"], "client_seed": given["client_seed"]}
    key = uuid5(roll_id, "witness")
    asked = ask_witness(viewer.by, form.ask(), audience=form.seen_by, roll_id=roll_id, key=key, **seeds)
    return HttpResponse(status=ASKED if asked and not asked.seed else NOBODY)


@require_POST
@member_view(Role.PLAYER)
def give(request: HttpRequest, viewer: Viewer, roll_id: UUID) -> HttpResponse:
    """Witness a roll."""
    key, form = request_key(request), valid(WitnessForm(request.POST))
    give_witness(viewer.by, roll_id, seed=form.cleaned_data["seed"], key=key)
    return HttpResponse(status=204)


# The post of the Scale that throws dice; the others are in scale/views.py.


mark = acting(Role.PLAYER, mark_oracle, MarkForm)


@require_POST
@member_view(Role.GM)
def undo_told(request: HttpRequest, viewer: Viewer, uid: UUID) -> HttpResponse:
    """Undo what a line tells. Not every page with such a line follows the table, so the answer takes its button away."""
    undo_line(viewer.by, uid, key=request_key(request))
    return HttpResponse() if getattr(request, "htmx", None) else redirect("log_event", viewer.campaign.slug, uid)

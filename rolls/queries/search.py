"""One search over a campaign: everything that a viewer may see, by permission, whatever kind of thing it is.

SOURCES lists the kinds. Each has a plain function that yields what this viewer may know of; what is searched for is looked up in
that (`Wanted`), but for the log, whose index finds it (campaigns/queries/search.py). To add a kind, add a Source.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from operator import itemgetter
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db.models import prefetch_related_objects
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from campaigns import rulesets
from campaigns.clocks import ClockKind
from campaigns.context import PAGES
from campaigns.forms.play import members_of
from campaigns.live.render import render_body, to_text
from campaigns.models import Clock, Event, GameSession, Membership, Picture, Role, Scene, Storyline, Viewer
from campaigns.models.log import place_of
from campaigns.queries.search import LogFilters, find_ids, read_whole
from campaigns.text import LETTER, UNSPACED, wanted_parts
from characters.models import Character
from characters.models.values import FIELD_COLUMNS
from characters.sheets.fields import Text
from languages.letters import fold
from languages.text import gettext_lazy
from rolls.models import RollTable
from rolls.queries.commands import commands_for
from rolls.queries.guide import guide
from rolls.queries.home import waits_of
from world.models import Page, PageKind, unlinked

BEST = 12
"""Hits of all kinds that are shown at once."""
MOST = 50
"""Hits of one kind that are shown, and the most that are counted."""
NO_ID = UUID(int=0)
MARKUP = re.compile(r"[*_`\[\]#>|~\\]")
BEFORE, AROUND = 40, 140
"""Letters of a long text before its first match, and in all."""


@dataclass(frozen=True)
class Wanted:
    """What somebody searches for, as it was typed."""

    words: str

    @cached_property
    def _signs(self) -> list[tuple[str, re.Pattern[str]]]:
        """Return the letters of each part and a pattern of it, for folded text that is not split into words."""
        return [(part.replace(" ", ""), re.compile(_pattern(part))) for part in wanted_parts(self.words)]

    @cached_property
    def _first(self) -> str:
        return fold(self.words).strip().lstrip("/")

    def is_in(self, *texts: str) -> bool:
        """Return whether every part is in one of these texts."""
        spelt = fold("\n".join(texts))
        # Most texts lack the letters, which is told much sooner than whether a word begins with them.
        return all(letters in spelt and sign.search(spelt) for letters, sign in self._signs)

    def begins(self, text: str) -> bool:
        """Return whether the text begins with all that was typed."""
        return fold(text).startswith(self._first)

    def marked(self, text: str) -> list[tuple[str, bool]]:
        """Return the pieces of a text, each with whether it is a match."""
        spelt, places = "", []
        for place, letter in enumerate(text):
            plain = fold(letter)
            spelt += plain
            places += [place] * len(plain)
        hit = [False] * len(text)
        for _letters, sign in self._signs:
            for match in sign.finditer(spelt):
                hit[places[match.start()] : places[match.end() - 1] + 1] = [True] * (
                    places[match.end() - 1] + 1 - places[match.start()]
                )
        pieces: list[tuple[str, bool]] = []
        for letter, is_hit in zip(text, hit, strict=True):
            if pieces and pieces[-1][1] == is_hit:
                pieces[-1] = (pieces[-1][0] + letter, is_hit)
            else:
                pieces.append((letter, is_hit))
        return pieces

    def excerpt(self, text: str) -> str:
        """Return what stands around the first match of a long text, on one line."""
        line = " ".join(text.split())
        spelt = fold(line)
        # Folded text may be longer or shorter; by a few letters, which is near enough.
        found = min((match.start() for _letters, sign in self._signs if (match := sign.search(spelt))), default=0)
        start = max(0, found - BEFORE) if len(line) > AROUND else 0
        start = line.rfind(" ", 0, start + 1) + 1 if " " in line[:start] else start
        cut = line[start : start + AROUND]
        return ("… " if start else "") + cut + (" …" if start + AROUND < len(line) else "")


def _pattern(part: str) -> str:
    run = part.replace(" ", "")
    if re.match(f"[{UNSPACED}]", run):
        return re.escape(run)
    begins = f"(?<!{LETTER})" if part.startswith(" ") else ""
    return begins + re.escape(run) + (f"(?!{LETTER})" if part.endswith(" ") else "")


@dataclass(frozen=True)
class Hit:
    """Something that can be found: its words, a line about it, further `texts` that are searched, and where it stands.

    `kind` says what it is, `icon` or `portrait` draws it. `command` is what it puts into the composer. What takes time is
    made only of the `event` of the log and the `page` (their ids) and the `character` that are shown.
    """

    title: str
    url: str
    kind: str
    icon: str = ""
    about: str = ""
    texts: tuple[str, ...] = ()
    portrait: dict[str, Any] | None = None
    command: str = ""
    event: int | None = None
    page: UUID | None = None
    character: Character | None = None


@dataclass(frozen=True)
class Source:
    """A kind of things: its name in the address, its words above the list, and the function that yields those that a viewer may
    see, without a query for each. `finds` says that these are the matches already, which spares the making of a thousand others;
    `last`, that those of other kinds that are called so come before them.
    """

    name: str
    words: str
    all: Callable[[Viewer, Wanted], Iterable[Hit]]
    finds: bool = False
    last: bool = False


@dataclass(frozen=True)
class Kind:
    """A kind of hits above the list, with how many there are; `and_more` if there are more than were counted."""

    name: str
    words: str
    many: int
    and_more: bool = False


@dataclass(frozen=True)
class Found:
    """What was found: the best `hits` of the chosen `kind`, "" for all, and the kinds of which there are any."""

    hits: Sequence[Hit]
    kinds: Sequence[Kind]
    kind: str
    many: int
    and_more: bool


def search(viewer: Viewer, wanted: Wanted, kind: str = "") -> Found:
    """Search all that this viewer may see; what begins with a slash among commands alone. Where nothing was typed, what can be
    done is listed.

    The number of queries has a bound, however much there is.
    """
    typed = wanted.words.strip()
    sources = SOURCES[:1] if not typed.strip("/") or typed.startswith("/") else SOURCES
    found = {}
    if not typed.strip("/") or wanted_parts(typed):
        for order, source in enumerate(sources):
            hits = source.all(viewer, wanted)
            matching = hits if source.finds else (hit for hit in hits if wanted.is_in(hit.title, hit.about, *hit.texts))
            ranked = [((_rank(source, hit, wanted), order, number), hit) for number, hit in enumerate(matching)]
            found[source] = sorted(ranked, key=itemgetter(0))
    kinds = [
        Kind(source.name, str(source.words), min(len(hits), MOST), len(hits) > MOST)
        for source, hits in found.items()
        if hits
    ]
    kind = kind if kind in {one.name for one in kinds} else ""
    chosen = sorted(
        (one for source, hits in found.items() if kind in ("", source.name) for one in hits), key=itemgetter(0)
    )
    return Found(
        hits=_told(viewer, [hit for _rank, hit in chosen[: MOST if kind else BEST]], wanted),
        kinds=kinds,
        kind=kind,
        many=sum(one.many for one in kinds),
        and_more=any(one.and_more for one in kinds),
    )


def _rank(source: Source, hit: Hit, wanted: Wanted) -> int:
    """Return how good a match is, the best first: at the beginning of what a thing is called, in that, elsewhere."""
    if hit.event:
        return 2
    if not wanted.is_in(hit.title):
        return 3
    return 2 if source.last else 0 if wanted.begins(hit.title.lstrip("/")) else 1


def _told(viewer: Viewer, hits: Sequence[Hit], wanted: Wanted) -> list[Hit]:
    """Return hits as they are shown: the lines of the log and portraits drawn, and where the match is in a long text, what stands
    around it."""
    events = {event.pk: event for event in read_whole(viewer, [hit.event for hit in hits if hit.event])}
    prefetch_related_objects(list(events.values()), "session", "scene", "filing__scene__session")
    pages = Page.objects.read_by(viewer).in_bulk([hit.page for hit in hits if hit.page])
    return [
        _line(viewer, hit, events[hit.event], wanted)
        if hit.event
        else _around(viewer, hit, hit.character or pages.get(hit.page), wanted)
        for hit in hits
    ]


def _around(viewer: Viewer, hit: Hit, of: Character | Page | None, wanted: Wanted) -> Hit:
    if of:
        of.campaign = viewer.campaign
        hit = replace(hit, portrait=of.portrait())
    if wanted.is_in(hit.title, hit.about):
        return hit
    text = next((text for text in hit.texts if wanted.is_in(text)), "")
    return replace(hit, about=wanted.excerpt(text)) if text else hit


def _line(viewer: Viewer, hit: Hit, event: Event, wanted: Wanted) -> Hit:
    text = _text(event, viewer)
    moment = date_format(localtime(event.at), "SHORT_DATETIME_FORMAT")
    place = " · ".join(str(part) for part in place_of(event) if part)
    about = " · ".join(part for part in (event.actor_name, place, moment) if part)
    url = f"{reverse('log_event', args=[viewer.campaign.slug, event.uid])}#event-{event.uid}"
    return replace(hit, title=wanted.excerpt(text) or moment, about=about, url=url)


def _text(event: Event, viewer: Viewer) -> str:
    """Return an event in words: what was said, where it says no more than that, else its line, which takes ten times as long."""
    words = event.payload.get("words")
    if isinstance(words, str) and words and not MARKUP.search(words):
        return words
    return to_text(render_body(event, viewer.role)) if event.is_readable else ""


# What there is, for each kind.


def _doing(viewer: Viewer, wanted: Wanted) -> Iterable[Hit]:
    """Yield what waits for the viewer, the commands of the composer, and the pages of the campaign."""
    slug, home = viewer.campaign.slug, viewer.campaign.url
    kind = _("Command")
    if not viewer.is_read_only and not viewer.campaign.archived_at and viewer.role.at_least(Role.PLAYER):
        for pending, wait in waits_of(viewer, viewer):
            words = (wait.own or wait.words)[:1].upper() + (wait.own or wait.words)[1:]
            yield Hit(pending.title, f"{home}#{pending.leads}", _("Waits for you"), "flame", about=words)
        for command, about in commands_for(viewer):
            yield Hit(command, f"{home}#say={command}", kind, "message-circle", about=about, command=f"{command} ")
    for name, words, least in PAGES:
        if viewer.role.at_least(least):
            yield Hit(str(words), reverse(name, args=[slug]), pgettext("kind of hit", "Page"), "panel-right")


def _pages(viewer: Viewer, name: str) -> Callable[[UUID], str]:
    """Return what makes the address of a thing's page of its id: reversing a thousand of them would take longer than all else."""
    address = reverse(name, args=[viewer.campaign.slug, NO_ID])
    return lambda pk: address.replace(str(NO_ID), str(pk))


def _characters(viewer: Viewer, wanted: Wanted) -> Iterable[Hit]:
    page, crew, npc, character = _pages(viewer, "character"), _("Crew"), _("NPC"), _("Character")
    seen = Character.objects.seen_by(viewer).select_related(None).prefetch_related(None).order_by("name", "id")
    seen = seen.only("name", "concept", "owner", "opened", "picture", "system", "is_crew", *FIELD_COLUMNS)
    # Of hundreds of NPCs, who plays them need not be looked for.
    prefetch_related_objects([one for one in seen if one.owner_id], "owner__user", "co_owners__user")
    for one in seen:
        players = ", ".join(player.name for player in one.players) if one.owner_id else ""
        about = " · ".join(part for part in (one.concept, players) if part)
        texts = tuple(_texts_of(one, viewer))
        if wanted.is_in(one.name, about, *texts):
            kind = crew if one.is_crew else npc if one.is_npc else character
            yield Hit(one.name, page(one.pk), kind, about=about, texts=texts, character=one)


def _texts_of(character: Character, viewer: Viewer) -> Iterable[str]:
    """Yield what was typed in the fields of a sheet that this viewer may see."""
    rules = character.rules
    # GMs see all of them.
    visible = None if viewer.is_gm else character.visibilities(viewer)
    for name, value in character.field_values.items():
        field = rules.fields.get(name)
        if isinstance(field, Text) and value and (visible is None or rules.visibility_of(name) in visible):
            yield field.words(value)


def _written(viewer: Viewer, wanted: Wanted) -> Iterable[Hit]:
    address, kinds = _pages(viewer, "page"), {value: str(label) for value, label in PageKind.choices}
    columns = ("pk", "name", "kind", "aliases", "note", *(["gm_note"] if viewer.is_gm else []))
    for pk, name, of, aliases, *notes in Page.objects.read_by(viewer).values_list(*columns):
        about, texts = ", ".join(aliases), tuple(unlinked(note) for note in notes if note)
        if wanted.is_in(name, about, *texts):
            yield Hit(name, address(pk), kinds[of], about=about, texts=texts, page=pk)


def _roll_tables(viewer: Viewer, wanted: Wanted) -> Iterable[Hit]:
    address, kind = _pages(viewer, "roll_table"), _("Roll table")
    for table in RollTable.objects.filter(campaign=viewer.campaign) if viewer.is_gm else ():
        yield Hit(table.name, address(table.pk), kind, "dices", texts=(table.lines,))


def _storylines(viewer: Viewer, wanted: Wanted) -> Iterable[Hit]:
    page, kind, everyone, resolved = (
        reverse("storylines", args=[viewer.campaign.slug]),
        _("Storyline"),
        _("everyone"),
        _("resolved"),
    )
    names = {one.pk: one.name for one in Membership.objects.filter(campaign=viewer.campaign).select_related("user")}
    rows = Storyline.objects.filter(campaign=viewer.campaign)
    for pk, title, notes, member, resolved_at in rows.values_list("pk", "title", "gm_notes", "whose", "resolved_at"):
        whose = names.get(member, everyone)
        about, texts = f"{whose} · {resolved}" if resolved_at else whose, (notes,) if viewer.is_gm else ()
        if wanted.is_in(title, about, *texts):
            yield Hit(title, f"{page}#storyline-{pk}", kind, "route", about=about, texts=texts)


def _clocks(viewer: Viewer, wanted: Wanted) -> Iterable[Hit]:
    page, kind, archived = _pages(viewer, "clock"), _("Clock"), _("archived")
    kinds = {value: str(label) for value, label in ClockKind.choices}
    for pk, name, of, archived_at in Clock.objects.seen_by(viewer).values_list("pk", "name", "kind", "archived_at"):
        about = archived if archived_at else kinds[of]
        if wanted.is_in(name, about):
            yield Hit(name, page(pk), kind, "clock", about=about)


def _handouts(viewer: Viewer, wanted: Wanted) -> Iterable[Hit]:
    for picture in Picture.objects.handouts(viewer):
        yield Hit(
            title=picture.title or picture.alt or _("Picture"),
            url=f"{reverse('handouts', args=[viewer.campaign.slug])}#handout-{picture.pk}",
            kind=_("Handout"),
            icon="image",
            about=picture.alt,
        )


def _sessions(viewer: Viewer, wanted: Wanted) -> Iterable[Hit]:
    slug = viewer.campaign.slug
    for session in GameSession.objects.filter(campaign=viewer.campaign).order_by("-number"):
        day = date_format(localtime(session.started_at), "DATE_FORMAT")
        yield Hit(str(session), reverse("session", args=[slug, session.number]), _("Session"), "history", about=day)
    log, kind = reverse("log", args=[slug]), _("Scene")
    scenes = Scene.objects.filter(session__campaign=viewer.campaign).select_related("session")
    for scene in scenes.order_by("-session__number", "-number"):
        yield Hit(
            title=scene.title or str(scene),
            url=f"{log}?scene={scene.pk}&order=oldest",
            kind=kind,
            icon="play",
            about=" · ".join((str(scene.session), _("Scene {number}").format(number=scene.number))),
        )


def _members(viewer: Viewer, wanted: Wanted) -> Iterable[Hit]:
    for member in members_of(viewer.campaign):
        yield Hit(
            title=member.name,
            url=f"{reverse('members', args=[viewer.campaign.slug])}#member-{member.pk}",
            kind=_("Member"),
            icon="user-round",
            about=member.get_role_display(),
        )


def _log(viewer: Viewer, wanted: Wanted) -> Iterable[Hit]:
    kind = _("Log")
    for pk in find_ids(viewer, LogFilters(words=wanted.words), None, MOST + 1):
        yield Hit("", "", kind, "scroll-text", event=pk)


def _rules(viewer: Viewer, wanted: Wanted) -> Iterable[Hit]:
    campaign = viewer.campaign
    played = {rules.name for rules in rulesets.played(campaign.systems, campaign.settings)}
    for system, rules in _guide(get_language() or settings.LANGUAGE_CODE):
        if system in played:
            yield from rules


@cache
def _guide(language: str) -> Sequence[tuple[str, Sequence[Hit]]]:
    """Return the rules of each guide, made once in each language."""
    return [
        (
            system.slug,
            [
                Hit(
                    title=rule.title,
                    url=f"{reverse('guide_system', args=[system.slug])}#{rule.id}",
                    kind=_("Rules"),
                    icon="book-open",
                    about=f"{system.name} · {section.title}",
                    texts=(rule.text,),
                )
                for section in system.sections
                for rule in section.rules
            ],
        )
        for system in guide()
    ]


SOURCES: Final = (
    Source("commands", gettext_lazy("Commands"), _doing),
    Source("characters", gettext_lazy("Characters"), _characters, finds=True),
    Source("pages", gettext_lazy("What we know"), _written, finds=True),
    Source("storylines", gettext_lazy("Storylines"), _storylines, finds=True),
    Source("clocks", gettext_lazy("Clocks"), _clocks, finds=True),
    Source("handouts", gettext_lazy("Handouts"), _handouts),
    Source("tables", gettext_lazy("Roll tables"), _roll_tables),
    Source("sessions", gettext_lazy("Sessions"), _sessions),
    Source("members", gettext_lazy("Members"), _members),
    Source("log", gettext_lazy("Log"), _log, finds=True),
    Source("rules", gettext_lazy("Rules"), _rules, last=True),
)

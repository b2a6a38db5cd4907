"""XP: a character's ledger, purchases, claims; and the GM's desk, where XP are given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from campaigns.access import id_or_none, member_view, request_key
from campaigns.errors import NotFound
from campaigns.live.presence import follow
from campaigns.models import Role, Viewer
from campaigns.views.answers import done, page_of_list, tried
from characters.advancement import Balance, Offer
from characters.forms.ledger import AwardForm
from characters.ledger import currency_at, drawn_balance, drawn_entry
from characters.models import Character, Claim, LedgerEntry, State
from characters.queries.ledger import claim_drawn, claim_kinds, open_claims, standing_of
from characters.rulesets import scheme_of
from characters.services.ledger import award_xp, buy_advance, confirm_claim, make_claim, refund_advance, refuse_claim
from characters.services.sheet_writes import only_players
from characters.views.sheet import character_at

PAGE = 20
"""Lines of a ledger on its page, which goes on with as many."""


@require_GET
@member_view(Role.SPECTATOR)
def advances(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    """Return the ledger, to those who may read the sheet; to all others it is not there. `before` in the query string is
    the line to go on from; `at=table` asks for the table's dialog.
    """
    if request.GET.get("at") == "table":
        there = readable_character(viewer, character_id)
        context = {"campaign": viewer.campaign, "character": there} | _on_hand(viewer, there)
        return render(request, "characters/_advances_desk.html", context)
    whole = not request.htmx  # type: ignore[attr-defined]
    following = follow(viewer) if whole else {}
    current = readable_character(viewer, character_id)
    context = {"viewer": viewer, "character": current} | _page_of(current, request.GET.get("before", "")) | following
    if whole:
        context |= _on_hand(viewer, current)
    return page_of_list(request, "characters/advances.html", "characters/_ledger.html", context)


def _page_of(character: Character, before: str) -> dict[str, Any]:
    """Return the context of characters/_ledger.html."""
    given = id_or_none(before)
    last = character.ledger.filter(pk=given).first() if given else None
    lines = ledger_lines(character, PAGE + 1, before=last)
    return {
        "entries": lines[:PAGE],
        "further": f"?before={lines[PAGE - 1]['id']}" if len(lines) > PAGE else "",
        "later_page": last is not None,
    }


def _on_hand(viewer: Viewer, current: Character) -> dict[str, Any]:
    """Return what a character has, may claim and may buy, as characters/advances.html draws it."""
    scheme, standing = scheme_of(current), standing_of(current)
    balances, of = scheme.balances(standing), current.rules.name
    acts = current.written_by(viewer) and not viewer.is_read_only and viewer.role.at_least(Role.PLAYER)
    spends = acts and current.state is State.IN_PLAY
    return {
        "role": viewer.role.value,
        "balances": [drawn_balance(of, balance.payload()) for balance in balances],
        "claims": [claim_drawn(claim) for claim in open_claims_of(current)],
        "offers": _offers(of, scheme.offers(standing), balances)
        if spends and (viewer.is_gm or not current.locked)
        else [],
        "kinds": claim_kinds(current, standing) if spends else [],
    }


@require_POST
@member_view(Role.PLAYER)
def advance_buy(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    key = request_key(request)
    given = {name: str(value) for name, value in request.POST.items()}
    buy_advance(viewer.by, character_at(viewer, character_id), given.pop("offer", ""), _asked(given), key=key)
    return _answered(request, viewer, character_id)


@require_POST
@member_view(Role.GM)
def advance_refund(request: HttpRequest, viewer: Viewer, character_id: UUID, entry_id: UUID) -> HttpResponse:
    refund_advance(viewer.by, character_at(viewer, character_id), entry_id, key=request_key(request))
    return _renewed(request, viewer, character_id)


@require_GET
@member_view(Role.PLAYER)
def claim_new(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    """Show the claims that can be made for this character, in the table's dialog. Raises Forbidden for somebody else's."""
    current = readable_character(viewer, character_id)
    if not current.written_by(viewer.by):
        raise only_players(current)
    context = {"campaign": viewer.campaign, "character": current, "kinds": claim_kinds(current, standing_of(current))}
    return render(request, "characters/_claim_desk.html", context)


@require_POST
@member_view(Role.PLAYER)
def claim_make(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    """Make a claim."""
    key = request_key(request)
    given = {name: str(value) for name, value in request.POST.items()}
    make_claim(viewer.by, character_at(viewer, character_id), given.pop("kind", ""), _asked(given), key=key)
    return _answered(request, viewer, character_id)


@require_POST
@member_view(Role.GM)
def claim_confirm(request: HttpRequest, viewer: Viewer, claim_id: UUID) -> HttpResponse:
    confirm_claim(viewer.by, claim_id, key=request_key(request))
    return done(request, "awards", viewer.campaign.slug)


@require_POST
@member_view(Role.GM)
def claim_refuse(request: HttpRequest, viewer: Viewer, claim_id: UUID) -> HttpResponse:
    refuse_claim(viewer.by, claim_id, key=request_key(request))
    return done(request, "awards", viewer.campaign.slug)


@require_http_methods(["GET", "POST"])
@member_view(Role.GM)
def awards(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Return the GM's desk: XP for all or some, and the claims that wait."""
    following = follow(viewer)
    form = AwardForm(viewer.by, request.POST or None)
    status = tried(request, form, lambda: _award(viewer, form, request_key(request)))
    if not status:
        names = ", ".join(character.name for character in form.cleaned_data["characters"])
        message = ngettext("{count} XP for {names}.", "{count} XP for {names}.", form.cleaned_data["amount"])
        messages.success(request, message.format(count=form.cleaned_data["amount"], names=names))
        return done(request, "awards", viewer.campaign.slug)
    context = {"viewer": viewer, "role": viewer.role.value, "form": form, "claims": open_claims(viewer)}
    return render(request, "characters/awards.html", context | following, status=status)


def _award(viewer: Viewer, form: AwardForm, key: UUID) -> None:
    given = form.cleaned_data
    of = given.get("track", "")
    award_xp(viewer.by, list(given["characters"]), given["amount"], reason=given["reason"], currency=of, key=key)


def readable_character(viewer: Viewer, character_id: UUID) -> Character:
    """Return a character whose sheet this viewer may read. Raises NotFound."""
    current = character_at(viewer, character_id)
    if not current.opens_for(viewer):
        raise NotFound
    return current


def _answered(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    """Return the answer to a purchase or a claim. The table page sends `at=table`, and gets the result by its socket."""
    if request.GET.get("at") == "table":
        return done(request, "table", viewer.campaign.slug)
    return _renewed(request, viewer, character_id)


def _renewed(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    """Return an answer that reloads the page, since what can be bought has changed."""
    answer = done(request, "advances", viewer.campaign.slug, character_id)
    if getattr(request, "htmx", None):
        answer["HX-Refresh"] = "true"
    return answer


def _asked(given: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in given.items() if name not in ("key", "csrfmiddlewaretoken")}


def ledger_lines(character: Character, many: int, before: LedgerEntry | None = None) -> list[dict[str, Any]]:
    """Return so many entries, the newest first, or those before one; an entry that was given back knows it."""
    entries = character.ledger.select_related("by__user", "undone_by", "claim")
    if before is not None:
        entries = entries.filter(Q(at__lt=before.at) | Q(at=before.at, pk__lt=before.pk))
    return [
        drawn_entry(character.rules.name, entry.payload())
        | {"refundable": entry.kind == LedgerEntry.Kind.SPEND and not hasattr(entry, "undone_by")}
        for entry in entries[:many]
    ]


def open_claims_of(character: Character) -> Any:
    return character.claims.filter(state=Claim.State.OPEN).select_related("character", "by__user")


def _offers(of: str, offers: Sequence[Offer], balances: Sequence[Balance]) -> list[dict[str, Any]]:
    """Return [{"currency", "offers": [{"offer", "enough"}]}], the offers by currency; `of` names the sheet."""
    groups = []
    for balance in balances:
        affordable = [
            {"offer": offer, "enough": balance.have >= (offer.cost or 1)}
            for offer in offers
            if offer.currency == balance.currency
        ]
        groups.append({"currency": currency_at(of, balance.currency), "offers": affordable})
    return [group for group in groups if group["offers"]]

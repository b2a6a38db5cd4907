"""Tables that GMs write and roll on, with their exact odds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from campaigns.access import member_view, request_key
from campaigns.errors import existing
from campaigns.forms.fields import valid
from campaigns.models import Role, Viewer
from campaigns.views.answers import beside, tried
from rolls.forms.tables import TableForm, TableRollForm, TakeTablesForm, called
from rolls.models import Audience, RollTable
from rolls.odds import percent
from rolls.services import tables as services
from rules import roll_tables as rules


@require_GET
@member_view(Role.GM)
def roll_tables(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    rows = RollTable.objects.filter(campaign=viewer.campaign)
    listed = [{"pk": row.pk, "name": row.name, "dice": called(row.dice)} for row in rows]
    here = {rules.known_as(row.name) for row in rows}
    elsewhere = [row for row in services.tables_elsewhere(viewer.by) if rules.known_as(row.name) not in here]
    return render(request, "rolls/roll_tables.html", {"viewer": viewer, "tables": listed, "elsewhere": elsewhere})


@require_POST
@member_view(Role.GM)
def roll_table_take(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Take tables over from other campaigns."""
    form = valid(TakeTablesForm(services.tables_elsewhere(viewer.by), request.POST))
    services.take_tables(viewer.by, list(form.cleaned_data["tables"]), key=request_key(request))
    return redirect("roll_tables", viewer.campaign.slug)


@require_http_methods(["GET", "POST"])
@member_view(Role.GM)
def roll_table_new(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Make a table; `name` in the query string is one that another table names."""
    form = TableForm(request.POST or None, initial={"name": request.GET.get("name", "")[: RollTable.LONGEST_NAME]})
    made: list[RollTable] = []
    status = tried(request, form, lambda: made.append(_write(request, viewer, None, form)))
    if not status:
        return redirect("roll_table", viewer.campaign.slug, made[0].pk)
    return render(request, "rolls/roll_table.html", {"viewer": viewer, "form": form}, status=status)


@require_http_methods(["GET", "POST"])
@member_view(Role.GM)
def roll_table(request: HttpRequest, viewer: Viewer, table_id: UUID) -> HttpResponse:
    """Show a table with its odds, and rewrite it."""
    row = existing_table(viewer, table_id)
    form = TableForm(request.POST or None, initial=services.written(row) | {"expected": services.table_version(row)})
    status = tried(request, form, lambda: _write(request, viewer, row, form))
    if not status:
        return redirect("roll_table", viewer.campaign.slug, row.pk)
    if status == 409:
        now = existing_table(viewer, table_id)
        differing = {name: text for name, text in services.written(now).items() if form.cleaned_data[name] != text}
        beside(form, differing, services.table_version(now))
    context = {"viewer": viewer, "form": form, "table": row, **drawn_table(viewer, row)}
    return render(request, "rolls/roll_table.html", context, status=status)


@require_POST
@member_view(Role.GM)
def roll_table_roll(request: HttpRequest, viewer: Viewer, table_id: UUID) -> HttpResponse:
    """Roll on a table. At the table the socket tells what it came to; on other pages a message does."""
    form = valid(TableRollForm(request.POST))
    event = services.roll_table(viewer.by, RollTable(pk=table_id), **form.cleaned_data, key=request_key(request))
    if getattr(request, "htmx", None):
        return HttpResponse(status=204)
    heard = _("Everyone saw it.") if event.payload["audience"] == Audience.TABLE else _("Only GMs saw it.")
    messages.success(request, f"{event.payload['table']['name']}: {event.payload['text']} · {heard}")
    return redirect("roll_table", viewer.campaign.slug, table_id)


@require_POST
@member_view(Role.GM)
def roll_table_delete(request: HttpRequest, viewer: Viewer, table_id: UUID) -> HttpResponse:
    services.delete_table(viewer.by, RollTable(pk=table_id), key=request_key(request))
    return redirect("roll_tables", viewer.campaign.slug)


def _write(request: HttpRequest, viewer: Viewer, row: RollTable | None, form: TableForm) -> RollTable:
    return services.write_table(viewer.by, row, **form.cleaned_data, key=request_key(request))


def existing_table(viewer: Viewer, table_id: UUID) -> RollTable:
    """Return a table of this viewer's campaign. Raises NotFound."""
    return existing(RollTable.objects.filter(campaign=viewer.campaign, pk=table_id).first())


def drawn_table(viewer: Viewer, row: RollTable) -> dict[str, Any]:
    """Return a table's `rows` with their chances, all `results` with theirs where it names others, and the names `missing`."""
    there = services.tables_of(viewer.campaign)
    read = {known: table for known, (_row, table) in there.items()}
    table = read[rules.known_as(row.name)]
    count = rules.results(table, read)
    nests = any(known for one in table.rows for known in rules.nested(one, read))
    listed = nests and count <= rules.MOST_LISTED
    return {
        "rolled_with": called(row.dice or table.dice.dice.spec.removeprefix("1")),
        "rows": [{"numbers": _numbers(one), "text": one.text, **_chance(table.chance(one))} for one in table.rows],
        "results": _chances(rules.odds(table, read)) if listed else [],
        "count": count if nests else 0,
        "missing": rules.missing(table, read),
    }


def _numbers(row: rules.Row) -> str:
    return str(row.first) if row.first == row.last else f"{row.first}–{row.last}"


def _chances(odds: Mapping[str, Fraction]) -> Iterable[dict[str, str]]:
    return [{"text": text, **_chance(chance)} for text, chance in odds.items()]


def _chance(chance: Fraction) -> dict[str, str]:
    return {"percent": percent(chance), "exact": str(chance)}

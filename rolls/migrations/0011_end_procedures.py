import secrets
from uuid import uuid4

from django.db import migrations
from django.db.models import F
from django.utils import timezone

from campaigns import chain

PROCEDURES = ("rolls.procedure_opened", "rolls.procedure_changed", "rolls.procedure_closed")
REQUESTS = ("rolls.roll_asked", "rolls.request_changed", "rolls.request_closed")
OVER = {
    "act": {"name": "upgraded", "whom": ""},
    "words": [],
    "instead_of": None,
    "overridden": False,
    "dice": [],
    "proof": None,
    "witness": None,
    "dropped": True,
}


def end(apps, schema_editor):
    """End what earlier code began to settle in steps. The log says so of each, to those who know of it.

    Its rules are not asked: the last entry about it is repeated, as that of one that is over.
    """
    Campaign, RollRequest = apps.get_model("campaigns", "Campaign"), apps.get_model("rolls", "RollRequest")
    going_on = apps.get_model("rolls", "Procedure").objects.filter(closed_at=None)
    now = timezone.now()
    for campaign in Campaign.objects.filter(pk__in=going_on.values("campaign")):
        Campaign.objects.filter(pk=campaign.pk).update(lock=F("lock") + 1)
        told = _told(apps, campaign)
        for procedure in going_on.filter(campaign=campaign).order_by("opened_at", "pk"):
            for request in RollRequest.objects.filter(procedure=procedure, closed_at=None):
                _tell(apps, procedure, told, request.pk, {"dropped": False}, now)
            _tell(apps, procedure, told, procedure.pk, OVER, now)
    RollRequest.objects.filter(procedure__in=going_on, closed_at=None).update(closed_at=now)
    going_on.update(closed_at=now, dropped=True)
    # With its step, a roll that is voided would open its procedure again.
    apps.get_model("rolls", "ProcedureStep").objects.all().delete()


def _told(apps, campaign):
    """Return the last entry about each procedure and each request in each stream: {id: {stream: entry}}."""
    entries = apps.get_model("campaigns", "Event").objects.filter(campaign=campaign, kind__in=PROCEDURES + REQUESTS)
    told = {}
    for entry in entries.select_related("stored", "stream").order_by("pk").iterator(chunk_size=500):
        thing = entry.stored.payload["procedure" if entry.kind in PROCEDURES else "request"]
        told.setdefault(thing["id"], {})[entry.stream.name] = entry
    return told


def _tell(apps, procedure, told, thing, news, now):
    """Append an entry to each stream that knows this thing as it is: to the GMs' only if they were told more last."""
    last, of_procedure = told.get(str(thing), {}), told.get(str(procedure.pk), {})
    newest, uid = max((entry.pk for entry in last.values()), default=0), uuid4()
    streams = [name for name, entry in last.items() if name != "gm" or entry.pk == newest]
    for name in sorted(streams if of_procedure else (), key="gm".__eq__):
        began = [*of_procedure.values()][0].stored.payload["procedure"]["opened_by"]
        known, payload = last[name].stored.payload, {**news, "by": began}
        if news is OVER:
            payload["procedure"] = {**known["procedure"], "step": None}
            payload["less"] = len(streams) > 1 and name != "gm"
        else:
            payload["request"] = known["request"]
        _append(apps, last[name], procedure.opened_by_id, payload, uid, now)


def _append(apps, last, actor, payload, uid, now):
    """Append an entry about what the `last` one is about. The index and the people in it are read from it after all migrations."""
    campaigns = {model._meta.object_name: model.objects for model in apps.get_app_config("campaigns").get_models()}
    kind = PROCEDURES[-1] if "procedure" in payload else REQUESTS[-1]
    stream, salt = campaigns["Stream"].get(pk=last.stream_id), secrets.token_hex(16)
    session = campaigns["GameSession"].filter(campaign=last.campaign_id, ended_at=None).first()
    commitment = chain.commit(salt, payload)
    stream.seq += 1
    stream.head = chain.link(
        stream.head,
        campaign_id=str(last.campaign_id),
        stream=stream.name,
        seq=stream.seq,
        at=now,
        kind=kind,
        actor=payload["by"]["member"],
        commitment=commitment,
    )
    stream.save()
    entry = campaigns["Event"].create(
        campaign_id=last.campaign_id,
        stream=stream,
        seq=stream.seq,
        uid=uid,
        kind=kind,
        actor_id=actor,
        at=now,
        session=session,
        scene=campaigns["Scene"].filter(session=session, closed_at=None).first() if session else None,
        commitment=commitment,
        hash=stream.head,
    )
    erased_at = last.stored.erased_at
    campaigns["EventPayload"].create(event=entry, salt=salt, payload=payload, erased_at=erased_at)
    for about in campaigns["EventSubject"].filter(event=last.pk).exclude(key__startswith="member:"):
        campaigns["EventSubject"].create(event=entry, key=about.key, name=about.name, topic="roll")


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0015_keys_of_programs"),
        ("rolls", "0010_alike"),
    ]

    operations = [
        migrations.RunPython(end, migrations.RunPython.noop),
    ]

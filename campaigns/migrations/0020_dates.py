from uuid import uuid4

import django.db.models.deletion
from django.db import migrations, models
from django.utils.timezone import now


def keep_what_is_planned(apps, schema_editor):
    """What was planned is a date that is set, in the time zone of the campaign's first GM."""
    Campaign = apps.get_model("campaigns", "Campaign")
    SessionDate = apps.get_model("campaigns", "SessionDate")
    Membership = apps.get_model("campaigns", "Membership")
    for campaign in Campaign.objects.exclude(next_session_at=None):
        gms = Membership.objects.filter(campaign=campaign, role="gm", left_at=None).exclude(user=None).order_by("pk")
        zone = gms.values_list("user__time_zone", flat=True).first() or "UTC"
        SessionDate.objects.create(
            campaign=campaign, at=campaign.next_session_at, zone=zone, made_at=now(), set_at=now()
        )


def plan_what_is_set(apps, schema_editor):
    SessionDate = apps.get_model("campaigns", "SessionDate")
    for date in SessionDate.objects.filter(set_at__isnull=False, at__gt=now()).order_by("-at"):
        apps.get_model("campaigns", "Campaign").objects.filter(pk=date.campaign_id).update(next_session_at=date.at)


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0019_written_told"),
        ("people", "0004_calendar"),
    ]

    operations = [
        migrations.CreateModel(
            name="SessionDate",
            fields=[
                ("id", models.UUIDField(default=uuid4, editable=False, primary_key=True, serialize=False)),
                ("at", models.DateTimeField()),
                ("zone", models.CharField(max_length=60)),
                ("minutes", models.PositiveSmallIntegerField(default=180)),
                ("made_at", models.DateTimeField()),
                ("set_at", models.DateTimeField(blank=True, null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="dates", to="campaigns.campaign"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("campaign", "at"), name="a_date_is_proposed_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="DateAnswer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "answer",
                    models.CharField(choices=[("yes", "Yes"), ("maybe", "Maybe"), ("no", "No")], max_length=5),
                ),
                (
                    "date",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="answers",
                        to="campaigns.sessiondate",
                    ),
                ),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="campaigns.membership"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("date", "member"), name="one_answer_a_person")],
            },
        ),
        migrations.RunPython(keep_what_is_planned, plan_what_is_set),
    ]

"""A compiled query finds what the same queryset finds, on both kinds of database, whatever it is asked for."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest
from django.db import connection, models
from django.db.models import Exists, FilteredRelation, OuterRef, Q
from django.test.utils import CaptureQueriesContext

from campaigns.models import Event, Membership, Stream
from database.compiled import compiled

pytestmark = [pytest.mark.django_db, pytest.mark.run_on("sqlite", "postgresql")]


def members(campaign, left):
    """Return a query with a join, a condition on another, an annotation, an order, and deferred columns."""
    streams = FilteredRelation("campaign__streams", condition=Q(campaign__streams__name="table"))
    theirs = Event.objects.filter(actor=OuterRef("pk"))
    found = Membership.objects.annotate(everybodys=streams, wrote=Exists(theirs)).filter(campaign=campaign)
    return found.select_related("user", "everybodys").defer("user__email").filter(joined_at__gt=left).order_by("-pk")


def plain(rows):
    return [
        (
            row.pk,
            row.wrote,
            row.role,
            row.joined_at,
            row.user.username,
            row.everybodys.name,
            row.everybodys.head,
            row._state.db,
        )
        for row in rows
    ]


def test_it_finds_what_its_queryset_finds(cast):
    query = compiled(campaign=models.UUIDField(), left=models.DateTimeField())(members)
    for campaign in (cast.campaign.pk, uuid4()):
        for left in (cast.gm.member.joined_at, cast.campaign.created_at.replace(year=2001)):
            assert plain(query.rows(campaign=campaign, left=left)) == plain(members(campaign, left))
    assert plain(query.rows(campaign=cast.campaign.pk, left=cast.campaign.created_at.replace(year=2001)))


def test_it_asks_what_its_queryset_asks_in_one_statement(cast):
    query = compiled(campaign=models.UUIDField(), left=models.DateTimeField())(members)
    values = {"campaign": cast.campaign.pk, "left": cast.campaign.created_at}
    query.rows(**values)
    with CaptureQueriesContext(connection) as asked:
        assert [row.user.name for row in query.rows(**values)] == []
    with CaptureQueriesContext(connection) as usual:
        list(members(**values))
    # An expression is in parentheses, a value is not.
    bare = [[re.sub("[()]", "", one["sql"]) for one in each] for each in (asked, usual)]
    assert len(asked) == 1 and bare[0] == bare[1]


def test_it_is_built_once(cast):
    built = []

    def streams(name):
        built.append(name)
        return Stream.objects.filter(name=name).order_by("pk")

    query = compiled(name=models.CharField())(streams)
    assert [query.first(name=name) for name in ("table", "gm", "nobody")] == [
        Stream.objects.filter(name=name).order_by("pk").first() for name in ("table", "gm", "nobody")
    ]
    assert len(built) == 1


def test_a_value_that_would_be_sql_is_a_value(cast):
    query = compiled(name=models.CharField())(lambda name: Stream.objects.filter(name=name))
    assert query.rows(name="table' OR 'a'='a") == query.rows(name="%s") == []


def test_null_equals_nothing(cast):
    query = compiled(left=models.DateTimeField())(lambda left: Membership.objects.filter(left_at=left))
    assert query.rows(left=None) == []


def test_a_value_that_is_not_named_is_a_mistake_of_the_program(cast):
    query = compiled(name=models.CharField())(lambda name: Stream.objects.filter(name=name))
    with pytest.raises(KeyError):
        query.rows()


def test_what_it_would_leave_out_is_refused(cast):
    query = compiled(name=models.CharField())(lambda name: Stream.objects.filter(name=name).prefetch_related("events"))
    with pytest.raises(TypeError, match="prefetch_related_objects"):
        query.rows(name="table")


@pytest.mark.django_db(transaction=True)
def test_what_another_thread_asks_goes_over_its_own_connection(cast):
    query = compiled(name=models.CharField())(lambda name: Stream.objects.filter(name=name))
    query.rows(name="table")

    def in_thread():
        asked = []
        with connection.execute_wrapper(lambda execute, sql, *told: asked.append(sql) or execute(sql, *told)):
            found = query.rows(name="table")
        connection.close()
        return asked, found

    with ThreadPoolExecutor(1) as pool:
        asked, found = pool.submit(in_thread).result()
    assert len(asked) == 1
    assert found == query.rows(name="table") != []

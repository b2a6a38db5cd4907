"""The page of a ledger and the GM's desk: who sees them, what can be pressed, and that live is as after a reload."""

import re
from uuid import uuid4

import pytest

from campaigns.live.render import render_live
from campaigns.models import Event, Role
from characters.models import Character, Claim, LedgerEntry
from characters.services.cards import Card, delete_character, make_character
from characters.services.fields import add_row
from characters.services.ledger import award_xp, buy_advance, make_claim
from characters.views import ledger
from tests.characters.operations import HTMX, at, page, send, text
from tests.dom import parse
from tests.following import differing, followed_and_reloaded, plain


@pytest.fixture
def abigail(cast, all_systems):
    mo = cast.player.member
    abigail = make_character(mo, Card("Abigail", "Fencer", mo), system="descriptors", key=uuid4())
    abigail = add_row(mo, abigail, "keys", {"name": "The old debt"}, key=uuid4())
    award_xp(cast.gm.member, [abigail], 12, reason="the bridge", key=uuid4())
    return Character.objects.get(pk=abigail.pk)


def test_the_ledger_says_who_when_from_what_and_what_is_left(cast, abigail):
    shown = text(page(cast.player, "advances", cast, abigail.pk))
    for words in ("the bridge", "+12 XP", "earned · Advances · Gm", "2 of 5 XP towards the next"):
        assert words in shown
    assert "Give back" not in shown and "New Descriptor, 1D" in shown


def test_who_may_not_read_the_sheet_finds_no_ledger(cast, abigail):
    for person in (cast.other_player, cast.spectator):
        assert page(person, "advances", cast, abigail.pk).status_code == 404
    Character.objects.update(opened=True)
    shown = text(page(cast.other_player, "advances", cast, abigail.pk))
    assert "the bridge" in shown and "New Descriptor" not in shown and "A roll was lost" not in shown


def test_something_is_bought_and_the_page_comes_anew(cast, abigail):
    answer = send(cast.player, "advance_buy", cast, abigail.pk, offer="new", name="Owes Bob")
    assert (answer.status_code, answer["HX-Refresh"]) == (204, "true")
    assert "New Descriptor, 1D: Owes Bob" in text(page(cast.player, "advances", cast, abigail.pk))
    entry = LedgerEntry.objects.get(kind="spend")
    gms = text(page(cast.gm, "advances", cast, abigail.pk))
    assert f"refund-{entry.pk}" in gms
    assert send(cast.gm, "advance_refund", cast, abigail.pk, entry.pk).status_code == 204
    assert f"refund-{entry.pk}" not in text(page(cast.gm, "advances", cast, abigail.pk))


def test_what_is_earned_is_spent_in_the_dialog_of_the_table_without_a_new_page(cast, abigail):
    desk = page(cast.player, "advances", cast, abigail.pk, at="table").content.decode()
    assert "New Descriptor, 1D" in desk and "<html" not in desk
    (action,) = {form.attrs["hx-post"] for form in parse(desk).walk() if form.attrs.get("class") == "buyable"}
    answer = cast.player.client.post(action, {"key": str(uuid4()), "offer": "new", "name": "Owes Bob"}, **HTMX)
    assert answer.status_code == 204 and "HX-Refresh" not in answer
    assert LedgerEntry.objects.filter(kind="spend").exists()
    Character.objects.update(opened=True)
    assert "buyable" not in page(cast.other_player, "advances", cast, abigail.pk, at="table").content.decode()


def test_a_refusal_says_why_beside_the_form(cast, abigail):
    answer = send(cast.player, "advance_buy", cast, abigail.pk, offer="raise/x/1")
    assert answer.status_code == 409 and "no longer available" in text(answer)
    answer = send(cast.player, "advance_buy", cast, abigail.pk, offer="new", name="")
    assert answer.status_code == 422 and "Name can’t be empty." in text(answer)


def test_a_claim_comes_to_the_gms_desk_and_is_answered_there(cast, abigail):
    row = abigail.sheet["keys"][0]["id"]
    assert send(cast.player, "claim_make", cast, abigail.pk, kind="key", level=f"{row}/challenged").status_code == 204
    claim = Claim.objects.get()
    assert "The old debt: it was a great challenge" in text(page(cast.gm, "awards", cast))
    assert f"confirm-{claim.pk}" not in text(page(cast.player, "advances", cast, abigail.pk))
    assert send(cast.gm, "claim_confirm", cast, claim.pk).status_code == 204
    assert Character.objects.get(pk=abigail.pk).value("xp") == 14
    assert "No claims waiting" in text(page(cast.gm, "awards", cast))


def test_a_claim_is_refused_at_the_desk(cast, abigail):
    level = f"{abigail.sheet['keys'][0]['id']}/involved"
    claim = make_claim(cast.player.member, abigail, "key", {"level": level}, key=uuid4())
    assert send(cast.gm, "claim_refuse", cast, claim.pk).status_code == 204
    assert Claim.objects.get().state == "refused"


def test_the_desk_gives_xp_to_all_that_players_play_unless_others_are_chosen(cast, abigail, silas, npc):
    shown = page(cast.gm, "awards", cast).content.decode()
    ticked = {node.attrs["value"] for node in parse(shown).walk() if "checked" in node.attrs}
    assert ticked == {str(abigail.pk), str(silas.pk)}
    given = {"characters": [str(npc.pk), str(silas.pk)], "amount": "2", "reason": "the roof"}
    answer = send(cast.gm, "awards", cast, htmx=False, **given)
    assert answer.status_code == 302
    assert {entry.character for entry in LedgerEntry.objects.filter(reason="the roof")} == {npc, silas}
    said = text(cast.gm.client.get(at("awards", cast)))
    assert "2 XP for Silas Grey, Vesper." in said or "2 XP for Vesper, Silas Grey." in said


@pytest.mark.parametrize("given", [{}, {"amount": "0"}, {"amount": "101"}, {"reason": ""}, {"characters": "x"}])
def test_what_cannot_be_given_is_said(cast, silas, given):
    good = {"characters": [str(silas.pk)], "amount": "2", "reason": "the roof"}
    data = (good | given) if given else {}
    assert send(cast.gm, "awards", cast, htmx=False, **data).status_code == 422
    assert not LedgerEntry.objects.exists()


def test_the_track_is_asked_for_where_somebody_marks_it(cast, silas, all_systems):
    assert "Track" not in text(page(cast.gm, "awards", cast))
    thorn = make_character(cast.gm.member, Card("Thorn"), system="forged", key=uuid4())
    assert "Track" in text(page(cast.gm, "awards", cast))
    given = {"characters": [str(thorn.pk)], "amount": "2", "reason": "the roof", "track": "resolve_xp"}
    send(cast.gm, "awards", cast, htmx=False, **given)
    assert Character.objects.get(pk=thorn.pk).value("resolve_xp") == 2


@pytest.mark.parametrize("who", ["player", "gm"])
def test_a_ledger_that_is_followed_is_as_after_a_reload(cast, abigail, who):
    buy_advance(cast.player.member, abigail, "new", {"name": "Owes Bob"}, key=uuid4())
    event = Event.objects.filter(kind="characters.xp_spent").with_related().select_related("campaign").get()
    person = getattr(cast, who)
    live = parse(plain(render_live(event, Role(person.member.role))))
    touched = {name for name in live.ids() if name.startswith(("entry-", "character-"))}
    assert len(touched) == 2
    assert not differing(touched, live, parse(plain(page(person, "advances", cast, abigail.pk).content.decode())))


def test_a_ledger_takes_the_same_queries_however_long_it_is(cast, abigail, patience, django_assert_max_num_queries):
    for number in range(30):
        award_xp(cast.gm.member, [abigail], 1, reason=f"deed {number}", key=uuid4())
    signed_in = cast.gm.client.get(at("advances", cast, abigail.pk))
    assert "deed 29" in text(signed_in)
    with django_assert_max_num_queries(14):
        page(cast.gm, "advances", cast, abigail.pk)


@pytest.mark.parametrize("who", ["player", "gm"])
def test_a_long_ledger_goes_on_page_by_page_with_and_without_scripts(cast, abigail, monkeypatch, who):
    monkeypatch.setattr(ledger, "PAGE", 2)
    for number in range(4):
        award_xp(cast.gm.member, [abigail], 1, reason=f"deed {number}", key=uuid4())
    client, url = getattr(cast, who).client, at("advances", cast, abigail.pk)
    part, told = url, []
    for headers in ({}, {}, HTMX):
        shown = text(client.get(part, **headers))
        told.append(re.findall(r"deed \d|the bridge", shown))
        part = url + next(iter(re.findall(r'href="(\?before=[^"]+)"', shown)), "")
    assert told == [["deed 3", "deed 2"], ["deed 1", "deed 0"], ["the bridge"]]
    assert "<html" not in shown and "To spend" not in shown
    # What is earned in the meantime comes above the newest lines, and not where older ones are shown.
    first, later = (client.get(url, {"before": before}) for before in ("", LedgerEntry.objects.latest("at").pk))
    assert f'id="character-{abigail.pk}-ledger"' in text(first)
    assert f'id="character-{abigail.pk}-ledger"' not in text(later) and "Newest" in text(later)


def test_nobody_reads_on_in_a_ledger_that_is_not_theirs(cast, abigail):
    entry = LedgerEntry.objects.get()
    for person in (cast.other_player, cast.spectator, cast.outsider):
        for headers in ({}, HTMX):
            answer = person.client.get(at("advances", cast, abigail.pk), {"before": entry.pk}, **headers)
            assert answer.status_code == 404
    thorn = make_character(cast.gm.member, Card("Thorn"), system="descriptors", key=uuid4())
    shown = text(cast.gm.client.get(at("advances", cast, thorn.pk), {"before": entry.pk}))
    assert "the bridge" not in shown


# At the table


def on_table(person, cast):
    return parse(page(person, "table", cast).content.decode())


def test_the_dialog_of_the_table_asks_for_a_claim_of_ones_own_character(cast, abigail):
    form = text(page(cast.player, "claim_new", cast, abigail.pk))
    assert "Claim for Abigail" in form and "?at=table" in form
    assert page(cast.other_player, "claim_new", cast, abigail.pk).status_code == 404
    Character.objects.update(opened=True)
    assert page(cast.other_player, "claim_new", cast, abigail.pk).status_code == 403


def test_a_claim_made_there_does_not_load_the_page_anew(cast, abigail):
    level = f"{abigail.sheet['keys'][0]['id']}/involved"
    answer = cast.player.client.post(
        f"{at('claim_make', cast, abigail.pk)}?at=table",
        {"key": str(uuid4()), "kind": "key", "level": level},
        **HTMX,
    )
    assert (answer.status_code, answer.get("HX-Refresh")) == (204, None)


@pytest.mark.parametrize("opened", [False, True])
def test_whoever_claims_sees_that_it_waits_and_gms_answer_it_in_their_list(cast, abigail, opened):
    Character.objects.update(opened=opened)
    abigail.refresh_from_db()
    level = f"{abigail.sheet['keys'][0]['id']}/involved"
    claim = make_claim(cast.player.member, abigail, "key", {"level": level}, key=uuid4())
    own = on_table(cast.player, cast).by_id(f"own-claim-{claim.pk}")
    assert own.attrs["data-member"] == str(cast.player.member.pk)
    waits = on_table(cast.gm, cast).by_id(f"waits-claim-{claim.pk}")
    assert {f"confirm-{claim.pk}", f"refuse-{claim.pk}"} <= set(waits.ids())
    theirs = on_table(cast.other_player, cast)
    # Open sheets are updated, too, and only the one who made it sees it.
    assert (theirs.by_id(f"own-claim-{claim.pk}") is not None) == opened
    assert theirs.by_id(f"waits-claim-{claim.pk}") is None
    assert on_table(cast.spectator, cast).by_id("waiting") is None


def test_what_waits_of_a_character_goes_with_it(cast, abigail):
    level = f"{abigail.sheet['keys'][0]['id']}/involved"
    make_claim(cast.player.member, abigail, "key", {"level": level}, key=uuid4())
    delete_character(cast.gm.member, abigail, "Abigail", key=uuid4())
    for person in (cast.gm, cast.player):
        _, differing = followed_and_reloaded(person, cast.campaign)
        assert not differing
        assert "Abigail" not in str(on_table(person, cast).by_id("sheet"))

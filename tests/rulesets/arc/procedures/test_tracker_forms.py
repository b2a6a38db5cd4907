"""What GMs and players fill in of an event in turns, as their browsers send it."""

from __future__ import annotations

import re
from uuid import uuid4

from django.urls import reverse
from django.utils.text import capfirst

from rolls.models import Procedure
from rulesets.arc.rules.tracker import OCCASIONS
from tests.rolls.steps import pressed
from tests.rulesets.arc.procedures.events import begin, order, staged, turn_of, waits
from tests.sheets import rewrite


def fetched(person, procedure, step, whom=""):
    """Return the fields of a form, and the act that it sends."""
    url = reverse("procedure_form", args=[procedure.campaign.slug, procedure.pk, step])
    answer = person.client.get(url, {"whom": whom} if whom else {})
    assert answer.status_code == 200, step
    page = answer.content.decode()
    found = re.search(r'name="act"\s+value="([^"]*)"', page)
    return page, found[1] if found else ""


def sent(person, procedure, act, **fields):
    url = reverse("procedure_act", args=[procedure.campaign.slug, procedure.pk])
    data = {"key": uuid4(), "client_seed": ""} | pressed(procedure, act) | fields
    return person.client.post(url, data, headers={"hx-request": "true", "hx-trigger": "f"})


def test_whoever_declares_is_offered_their_skills_and_the_others(cast, checks, fight):
    for key in ("2", "3"):
        assert sent(cast.gm, fight, f"skip:{key}").status_code == 204
    page, act = fetched(cast.player, fight, "declare", "1")
    assert act == pressed(fight, "declare:1")["act"] and "Tamper, skill score 5: 2 actions" in page
    assert "<b>Silas Grey</b>" in page and turn_of(fight, "Silas Grey")["words"] == "10 m"
    assert "Climbing, skill score 3: 1 action" in page and 'name="against" value="2"' in page
    skill = f"{checks.silas.pk}:skills/t1/es"
    fields = {"words": "the lock", "actions": "2", "skills": skill, "against": ["2", "3"], "moves": "4"}
    assert sent(cast.player, fight, act, **fields).status_code == 204
    assert staged(fight)["rows"][0]["detail"] == "the lock (2 actions, 4 m, against Vesper, Dog)"


def test_an_event_is_begun_by_its_form(cast, checks):
    url = reverse("procedure_open", args=[checks.campaign.slug, "arc", "tracker"])
    page = cast.gm.client.get(reverse("procedure_new", args=[checks.campaign.slug, "arc", "tracker"])).content.decode()
    assert f"surprised:{checks.silas.pk}" in page and "Vesper is on the players’ side" in page
    data = {
        "takes_part": ["", f"surprised:{checks.silas.pk}", f"aware:{checks.vesper.pk}"],
        "allies": str(checks.vesper.pk),
    }
    data |= {"n0-name": "Wolf", "n0-many": "2", "n0-som": "2", "n0-size": "large", "n0-burden": "none", "apart": "on"}
    asked = data | {"key": uuid4(), "reason": "", "client_seed": ""}
    assert cast.gm.client.post(url, asked, headers={"hx-request": "true"}).status_code == 204
    fight = Procedure.objects.get()
    assert {one["side"] for one in fight.state["participants"][:2]} == {"foes"}
    assert sorted(order(fight)) == ["Vesper", "Wolf 1", "Wolf 2"] and fight.state["apart"]


def test_a_gm_asks_for_a_reaction_check_by_its_occasion_beside_what_each_stands_for(cast, checks, fight):
    rewrite(checks.silas, sheet={**checks.silas.sheet, "morality": "Never a child"})
    page, act = fetched(cast.gm, fight, "react")
    for code, words in OCCASIONS.items():
        assert f'name="occasion" value="{code}">{capfirst(str(words))}</button>' in " ".join(page.split())
    assert "Morality: Never a child" in page
    assert sent(cast.gm, fight, act, occasion="against_morality", whom=["1"]).status_code == 204
    assert "Reaction check (has to act against their Morality)" in staged(fight)["turns"][-1]["words"]


def test_what_is_carried_out_by_declaring_it_is_one_step(cast, checks, fight):
    page, act = fetched(cast.gm, fight, "declare", "2")
    assert 'name="done" value="on"' in " ".join(page.split())
    assert sent(cast.gm, fight, act, words="bites", actions="1", done="on").status_code == 204
    assert waits(fight) == [("Dog", "to declare")]
    apart = begin(checks.gm, checks.silas, apart=True)
    assert 'name="done"' not in fetched(cast.player, apart, "declare", "1")[0]

"""What whoever tries too often reads: allauth counts the attempts, and the page is ours."""

import pytest
from django.urls import reverse

pytestmark = pytest.mark.django_db


ATTEMPTS = {
    "account_login": {"login": "mo", "password": "wrong-by-far"},
    "account_reset_password": {"email": "mo@example.org"},
}


@pytest.mark.parametrize("door", ATTEMPTS)
def test_whoever_tries_too_often_reads_so_on_a_page_of_ours(client, settings, door):
    settings.ACCOUNT_RATE_LIMITS = {"login": "1/m/ip", "reset_password": "1/m/ip"}
    client.post(reverse(door), ATTEMPTS[door])
    answer = client.post(reverse(door), ATTEMPTS[door])
    words = answer.content.decode()
    assert answer.status_code == 429 and "refused.html" in [template.name for template in answer.templates]
    assert "Wait a few minutes, then try again." in words and 'rel="stylesheet"' in words
    answer = client.post(reverse(door), ATTEMPTS[door], headers={"hx-request": "true"})
    assert answer.status_code == 429 and answer["HX-Retarget"] == "#notice" and "<html" not in answer.content.decode()

"""What tests of the log's pages share."""

from __future__ import annotations

import re
from uuid import uuid4

from django.urls import reverse

from campaigns.services import play

SECRET = "what only some may know"


def ask(reader, /, **asked):
    return reader.client.get(reverse("log", args=["ashes"]), asked)


def read(reader, /, **asked):
    answer = ask(reader, **asked)
    assert answer.status_code == 200
    return answer.content.decode()


def numbers(html):
    return [int(number) for number in re.findall(r"line (\d+)\.", "".join(html))]


def say(cast, count, first=1):
    for number in range(first, first + count):
        play.say(cast.player.member, f"line {number}.", key=uuid4())


def permalink(event):
    return reverse("log_event", args=["ashes", event.uid])


def choices(html, field):
    """Return the values and words of a field's choices."""
    select = re.search(rf'<select name="{field}".*?</select>', html, re.DOTALL)[0]
    return dict(re.findall(r'<option value="([^"]+)"[^>]*>([^<]*)', select))

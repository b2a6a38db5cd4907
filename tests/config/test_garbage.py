"""What requests leave behind is collected before much of it piles up: many of their objects lead back to themselves."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
UNDER_WAY, EACH, REQUESTS, MOST = 20, 1000, 4000, 300_000
"""Requests at a time, the objects of each that lead back to themselves, how many requests there are in all, and the most objects
that may be there at any time."""

SERVE = f"""
import gc
from collections import deque
import config.application

class Thing:
    pass

def request():
    things = [Thing() for _ in range({EACH})]
    for one, other in zip(things, [*things[1:], things[0]]):
        one.other = other
    return things

before, most, under_way = len(gc.get_objects()), 0, deque(maxlen={UNDER_WAY})
for number in range({REQUESTS}):
    under_way.append(request())
    if number % 20 == 0:
        most = max(most, len(gc.get_objects()) - before)
print(most)
"""


def test_the_garbage_of_requests_does_not_pile_up():
    environment = os.environ | {
        "SECRET_KEY": "only for a test",
        "ENV_FILE": os.devnull,
        "DATABASE_URL": "sqlite://:memory:",
    }
    said = subprocess.run([sys.executable, "-c", SERVE], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert said.returncode == 0, said.stderr
    assert UNDER_WAY * EACH < int(said.stdout) < MOST

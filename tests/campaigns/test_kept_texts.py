"""Texts that a process keeps: each is drawn once, by whichever thread asks first, and all together take no more than they may."""

from __future__ import annotations

import sys
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.utils.safestring import SafeString

from campaigns.live.render import forget_texts, kept


def keeping(most):
    """Return a function that draws so many of a letter, and the list of what it was asked to draw."""
    asked = []

    @kept(most, lambda letter, many: (letter, many))
    def draw(letter, many):
        asked.append((letter, many))
        return SafeString(letter * many)

    return draw, asked


def test_the_same_text_is_drawn_once():
    draw, asked = keeping(10_000)
    assert draw("a", 3) == draw("a", 3) == "aaa"
    assert asked == [("a", 3)]
    assert draw("b", 3) == "bbb"


def test_what_was_asked_for_longest_ago_goes_first():
    draw, asked = keeping(4000)
    for letter in "abac":
        draw(letter, 1000)
    draw("a", 1000)
    assert asked == [("a", 1000), ("b", 1000), ("c", 1000)]
    draw("b", 1000)
    assert asked[-1] == ("b", 1000) and len(asked) == 4


def test_many_short_texts_or_few_long_ones_take_the_same_room():
    for many, times in ((10, 20_000), (10_000, 200)):
        draw, _ = keeping(200_000)
        tracemalloc.start()
        try:
            for number in range(times):
                draw(chr(0x2019 + number), many)
            held, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert 50_000 < draw.cache.currsize <= 200_000
        # The list of requested texts, and little more.
        assert held < 1.3 * 200_000 + 200 * times


def test_a_text_longer_than_all_may_be_together_is_drawn_and_not_kept():
    draw, asked = keeping(1000)
    draw("a", 100)
    assert draw("b", 5000) == draw("b", 5000) == "b" * 5000
    draw("a", 100)
    assert asked == [("a", 100), ("b", 5000), ("b", 5000)]


def test_all_that_is_kept_can_be_forgotten():
    draw, asked = keeping(10_000)
    draw("a", 3)
    forget_texts()
    draw("a", 3)
    assert asked == [("a", 3), ("a", 3)]


@pytest.fixture
def _quick_turns():
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.usefixtures("_quick_turns")
def test_threads_that_draw_at_once_all_get_what_they_asked_for():
    draw, _ = keeping(3000)

    def much(first):
        return all(
            draw(str(number % 10), number % 7) == str(number % 10) * (number % 7) for number in range(first, 3000)
        )

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(much, range(8)))

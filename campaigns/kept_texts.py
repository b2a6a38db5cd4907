"""Texts that a process keeps because they are drawn again and again: bounded by the bytes they take, and safe in all threads.

How long a line, a part of a sheet or a message is, is up to those who write it, so that a number of them bounds nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from hashlib import blake2b
from threading import Lock
from typing import Any, ParamSpec

from cachetools import LRUCache, cached
from django.utils.safestring import SafeString
from django.utils.translation import get_language

P = ParamSpec("P")

EACH = 400
"""Bytes that a text takes beside itself: its key, and its places in the cache."""

_forgotten: list[Callable[[], None]] = []


def kept(most: int, drawn_from: Callable[P, object]) -> Callable[[Callable[P, SafeString]], Callable[P, SafeString]]:
    """Let a function cache up to `most` bytes of its texts; the least recently used go first.

    `drawn_from` returns everything that a text depends on besides the language, with a distinct `repr`. Texts longer
    than the cache are not kept.
    """
    cache: LRUCache[bytes, SafeString] = LRUCache(most, getsizeof=lambda text: sys.getsizeof(text) + EACH)
    lock = Lock()

    def key(*args: P.args, **kwargs: P.kwargs) -> bytes:
        # A hash: what a text is drawn from may be longer than the text.
        all_of_it = get_language(), drawn_from(*args, **kwargs)
        return blake2b(repr(all_of_it).encode(errors="surrogatepass"), digest_size=16).digest()

    def keeping(draw: Callable[P, SafeString]) -> Callable[P, SafeString]:
        keeper: Any = cached(cache, key=key, lock=lock)(draw)
        _forgotten.append(keeper.cache_clear)
        return keeper

    return keeping


def forget_texts() -> None:
    """Forget all texts in this process: some of them have words that were erased."""
    for forget in _forgotten:
        forget()

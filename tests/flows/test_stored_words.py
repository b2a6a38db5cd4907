"""Nothing that is stored is in a language: the words for what is ours are looked up when it is read."""

from __future__ import annotations

import json

from django.utils import translation

from tests.flows.played import everything_happens
from tests.pseudo import LANGUAGE, OPEN, pseudo_language
from tests.stored import stored_words

IN_JSON, IN_BYTES = json.dumps(OPEN).strip('"'), OPEN.encode().decode("latin-1")
"""How the bracket stands in columns of JSON, and in bytes as `stored` reads them."""


def test_nothing_translated_is_stored(cast, dice, patience, tmp_path):
    with pseudo_language(tmp_path), translation.override(LANGUAGE):
        everything_happens(cast, dice)
        words = stored_words(rf".{{0,80}}(?:{OPEN}|\{IN_JSON}|{IN_BYTES}).{{0,80}}")
    assert not words, "\n".join(sorted(words))

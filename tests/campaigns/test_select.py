"""The select that is drawn at once says the same as Django's own."""

from django import forms
from django.test.html import parse_html

from campaigns.forms.fields import QuickSelect

CHOICES = [
    ("", "All"),
    ("a", "One & <b>two</b>"),
    ('say "b"', "b"),
    ("Session 1: “The <Long> Wake”", [("1", "Scene 1"), ("2", "Scene 2")]),
]


def test_it_says_the_same_whatever_is_chosen():
    for chosen in ("", "a", 'say "b"', "2", "nothing", None):
        for attrs in ({}, {"id": "id_what", "aria-invalid": "true", "required": True}):
            drawn = [
                parse_html(str(kind(choices=CHOICES).render("what", chosen, attrs)))
                for kind in (QuickSelect, forms.Select)
            ]
            assert drawn[0] == drawn[1]

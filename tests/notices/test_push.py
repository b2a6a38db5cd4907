"""Web Push by its standards: what is encrypted is what RFC 8291 says, and the host's key is one and stays."""

from __future__ import annotations

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec

from notices import push
from tests.notices.service import CURVE, Browser, data

# RFC 8291, Appendix A
MESSAGE = b"When I grow up, I want to be a watermelon"
SENDER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
P256DH = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
SEALED = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"
    "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def test_the_example_of_the_standard_comes_out_byte_for_byte():
    own = ec.derive_private_key(int.from_bytes(data(SENDER)), CURVE)
    assert push.coded(push.encrypted(MESSAGE, P256DH, AUTH, own=own, salt=data(SALT))) == SEALED


def test_only_the_browser_itself_can_read_it_and_no_two_messages_are_alike():
    mine, other = Browser(""), Browser("")
    one, two = (push.encrypted("Für dich".encode(), mine.form["p256dh"], mine.form["auth"]) for _ in range(2))
    assert mine.read(one) == mine.read(two) == "Für dich".encode() and one[:16] != two[:16]
    with pytest.raises(InvalidTag):
        other.read(one)


def test_the_host_s_key_follows_from_its_secret(settings):
    before = push.point(push.host_key().public_key())
    assert before == push.point(push.host_key().public_key()) and len(before) == 65
    settings.SECRET_KEY = "another host"
    assert push.point(push.host_key().public_key()) != before

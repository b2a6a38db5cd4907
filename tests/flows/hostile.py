"""What people type to break a site, and what must not become of it."""

from __future__ import annotations

from tests.dom import Node, parse

MARK = "x-hostile"
"""A name that no element, attribute or handler of ours has."""

ELEMENTS = (
    f"<{MARK}>",
    f"</p></article><{MARK}>",
    f"<script>window.{MARK.replace('-', '_')}=1</script>",
    f'"><img src=x onerror="window.{MARK.replace("-", "_")}=1">',
    f"' autofocus onfocus=window.{MARK.replace('-', '_')}=1 {MARK}='",
    f"<svg/onload=window.{MARK.replace('-', '_')}=1>",
    f"[go](javascript:window.{MARK.replace('-', '_')}=1)",
    f"[go](data:text/html,<{MARK}>)",
    f'<https://example.org/"onmouseover=window.{MARK.replace("-", "_")}=1>',
    f'![x](x "{MARK}")',
    f"<a href=javascript:window.{MARK.replace('-', '_')}=1>go</a>",
    f"<iframe srcdoc='<{MARK}>'></iframe>",
    f"<div hx-get=/ hx-trigger=load {MARK}>",
    f"<template shadowrootmode=open><{MARK}></template>",
    f"<math><mtext><table><mglyph><style><!--</style><img title='--><{MARK}>'>",
    f"<!--><{MARK}>-->",
    f"<![CDATA[<{MARK}>]]>",
    f"\x3c{MARK}\x3e&lt;{MARK}&gt;&#60;{MARK}&#62;",
    "{{ settings.SECRET_KEY }}{% debug %}${7*7}",
)
"""Words that would be elements, handlers or addresses of scripts if a page took them for HTML."""

VALUES = (
    "\x00",
    "\u202egnol ton\u202c",
    "A" * 20_000,
    "🜂" * 300,
    "e\u0301\u0327" * 200,
    "' OR 1=1; --",
    "-1",
    "1e309",
    "9" * 40,
    "٣",
    "0x10",
    "NaN",
    "../../etc/passwd",
    "%s%n%x",
    "\r\nSet-Cookie: a=b",
    "null",
    "[]",
    '{"a": 1}',
)
"""Values that are no numbers, are too long, or have a special meaning elsewhere."""


def harmless(html: str) -> bool:
    """Return whether nothing of ELEMENTS became more than text."""
    return not any(_is_hostile(node) for node in parse(html).walk())


def _is_hostile(node: Node) -> bool:
    addresses = (
        node.attrs.get(name) or "" for name in ("href", "src", "action", "formaction", "srcdoc", "hx-get", "hx-post")
    )
    return (
        node.tag in (MARK, "iframe", "object", "embed", "base")
        or MARK in node.attrs
        or any(name.startswith("on") for name in node.attrs)
        or any(address.strip().lower().startswith(("javascript:", "data:text")) for address in addresses)
        or (node.tag == "script" and not node.attrs.get("src"))
    )

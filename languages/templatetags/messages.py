"""`{% translate %}` and `{% blocktranslate %}` as in Django, but with messages that are assembled when a template is
loaded, and looked up once for each language.

Settings list this library after Django's, so that its two tags replace Django's in every template. A tag whose message is
only known when it is drawn remains Django's.
"""

from __future__ import annotations

from typing import Any

from django import template
from django.template.base import FilterExpression, Parser, Token, Variable, render_value_in_context
from django.template.context import Context
from django.templatetags import i18n
from django.utils import translation
from django.utils.safestring import SafeString

from languages import lookup, text

register = template.Library()


class Message(template.Node):
    """A message without values, such as `{% translate "Dice" %}`; `context` is its gettext context, `name` is from `as name`."""

    def __init__(self, message: str, context: FilterExpression | None, name: str | None) -> None:
        # Catalogues have each % of a template twice.
        self.message, self.context, self.name = message.replace("%", "%%"), context, name

    def render(self, context: Context) -> SafeString:
        meaning = self.context and self.context.resolve(context)
        words = lookup.pgettext(meaning, self.message) if meaning else lookup.gettext(self.message)
        return _put(SafeString(words.replace("%%", "%")), self.name, context)


class Sentence(template.Node):
    """A message with values: a `{% blocktranslate %}`, which Django has parsed."""

    def __init__(self, block: i18n.BlockTranslateNode) -> None:
        self.block = block
        self.singular, names = block.render_token_list(block.singular)
        self.plural, more_names = block.render_token_list(block.plural or [])
        self.names = dict.fromkeys(names + more_names)

    def render(self, context: Context) -> SafeString:
        block, number = self.block, None
        values: dict[str, Any] = {name: value.resolve(context) for name, value in block.extra_context.items()}
        if block.countervar and block.counter:
            values[block.countervar] = number = block.counter.resolve(context)
        texts = {
            name: render_value_in_context(values[name] if name in values else context.get(name, ""), context)
            for name in self.names
        }
        meaning = block.message_context.resolve(context) if block.message_context else ""
        try:
            words = self._translated(meaning, number) % texts
        except (KeyError, ValueError):
            # A package's translation may name values that the message has not: it is then given as it was written.
            with translation.override(None):
                words = self._translated(meaning, number) % texts
        return _put(SafeString(words), block.asvar, context)

    def _translated(self, meaning: str, number: Any) -> str:
        if number is None:
            return lookup.pgettext(meaning, self.singular) if meaning else lookup.gettext(self.singular)
        if meaning:
            return lookup.npgettext(meaning, self.singular, self.plural, number)
        return lookup.ngettext(self.singular, self.plural, number)


def _put(text: SafeString, name: str | None, context: Context) -> SafeString:
    """Return the text for the page: "" if it is stored in the context by a name instead (`as name`)."""
    if name is None:
        return text
    context[name] = text
    return SafeString("")


@register.tag
def translate(parser: Parser, token: Token) -> template.Node:
    node = i18n.do_translate(parser, token)
    expression = node.filter_expression
    message = expression.var.literal if isinstance(expression.var, Variable) and not expression.filters else None
    if node.noop or not isinstance(message, str):
        return node
    return Message(message, node.message_context, node.asvar)


register.simple_tag(text.colon)


@register.tag
def blocktranslate(parser: Parser, token: Token) -> template.Node:
    return Sentence(i18n.do_block_translate(parser, token))

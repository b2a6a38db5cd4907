"""Words in the language of whoever reads them, for code that runs without Django: the rules, the sheets and the odds.

It has gettext's usual functions. Without Django they return what they are given; with it they ask Django's catalogues for the
language that is active (languages/apps.py). Code that needs Django anyway imports `django.utils.translation`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from gettext import NullTranslations
from typing import Any, Protocol, TypeAlias, cast


class Translations(Protocol):
    """The source of gettext's functions: a catalogue, or the module `django.utils.translation`."""

    def gettext(self, message: str, /) -> str: ...

    def ngettext(self, singular: str, plural: str, number: int, /) -> str: ...

    def pgettext(self, context: str, message: str, /) -> str: ...

    def npgettext(self, context: str, singular: str, plural: str, number: int, /) -> str: ...


_translations: Translations = NullTranslations()


InLanguages: TypeAlias = Callable[[Callable[[], str]], Iterable[str]]


def _in_one_language(words: Callable[[], str]) -> Iterable[str]:
    return [words()]


_in_languages: InLanguages = _in_one_language


def install(translations: Translations, in_languages: InLanguages = _in_one_language) -> None:
    """Take all words from these translations from now on. `in_languages` gives what a function returns in each language."""
    global _translations, _in_languages
    _translations, _in_languages = translations, in_languages


def gettext(message: str) -> str:
    return _translations.gettext(message)


def ngettext(singular: str, plural: str, number: int) -> str:
    return _translations.ngettext(singular, plural, number)


def in_every_language(message: str) -> frozenset[str]:
    """Return a word in every language of the site, to recognise what a person may have typed."""
    return frozenset(_in_languages(lambda: gettext(message)))


def pgettext(context: str, message: str) -> str:
    return _translations.pgettext(context, message)


def npgettext(context: str, singular: str, plural: str, number: int) -> str:
    return _translations.npgettext(context, singular, plural, number)


class LazyText:
    """A text that is translated each time it is read, as Django's lazy strings are, for texts written once when a
    module is loaded: labels, titles, names of dice. It acts as a str in templates, f-strings and comparisons; JSON and
    `str.join` need `str(text)`, and raise without it.
    """

    __slots__ = ("_arguments", "_translate")

    def __init__(self, translate: Callable[..., str], *arguments: str) -> None:
        self._translate = translate
        self._arguments = arguments

    @property
    def arguments(self) -> tuple[str, ...]:
        """Return the message, behind its context if it has one."""
        return self._arguments

    def __str__(self) -> str:
        return self._translate(*self._arguments)

    def __repr__(self) -> str:
        return repr(str(self))

    def __format__(self, form: str) -> str:
        return format(str(self), form)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(str(self), name)

    def __eq__(self, other: object) -> bool:
        return str(self) == str(other) if isinstance(other, (str, LazyText)) else NotImplemented

    def __lt__(self, other: object) -> bool:
        return str(self) < str(other)

    def __hash__(self) -> int:
        # As the English is: a dictionary of English words finds it.
        return hash(self._arguments[-1])

    def __len__(self) -> int:
        return len(str(self))

    def __contains__(self, part: str) -> bool:
        return part in str(self)

    def __mod__(self, values: object) -> str:
        return str(self) % values

    def __add__(self, other: object) -> str:
        return f"{self}{other}"

    def __radd__(self, other: object) -> str:
        return f"{other}{self}"


def colon() -> str:
    """Return what stands between a label and what it says; some languages have a space before the colon."""
    return pgettext("between a label and what it says", ": ")


def gettext_noop(message: str) -> str:
    """Return the message as it is: it is a value here, and translated where it is shown."""
    return message


def pgettext_noop(context: str, message: str) -> str:
    """Return the message as it is, as `gettext_noop` does, of a word that has several meanings."""
    return message


def gettext_lazy(message: str) -> str:
    """Return a text that is translated when it is read."""
    return cast(str, LazyText(gettext, message))


def pgettext_lazy(context: str, message: str) -> str:
    """Return a text that is translated when it is read, of a word that has several meanings."""
    return cast(str, LazyText(pgettext, context, message))

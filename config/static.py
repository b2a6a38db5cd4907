"""Static files as they are served: each under a name with a hash of its content, so that browsers may cache it for good."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.contrib.staticfiles.storage import ManifestStaticFilesStorage
from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

from config.bundles import IMPORT, joined


class HashedNames(ManifestStaticFilesStorage):
    """Pages ask for few files (bundles.py). Scripts import each other by their paths, and find each other under the hashed names.

    Otherwise a page would load a module twice: once by the name that a template says, once by the one that is imported.
    """

    # Django's own patterns (support_js_module_import_aggregation) also find `import("…")` in comments of django-htmx,
    # where it is a type in a file that does not exist, and collectstatic would fail.
    patterns = (*ManifestStaticFilesStorage.patterns, ("*.js", ((IMPORT, '%(names)s "%(url)s";'),)))
    # One pass for each module between a script and its last import, and one to see that nothing changes any more.
    max_post_process_passes = 20

    def post_process(
        self, paths: Mapping[str, tuple[Any, str]], dry_run: bool = False, **options: Any
    ) -> Iterator[Any]:
        """Join what goes together, then give all files their names. `paths`: storage and path of each, by its name."""
        texts = {
            name: Path(storage.path(path)).read_text()
            for name, (storage, path) in paths.items()
            if name.endswith((".css", ".js"))
        }
        served = {name: (_Text(text), name) for name, text in joined(texts).items()}
        yield from super().post_process({**paths, **served}, dry_run, **options)


class HashedFiles(HashedNames, CompressedManifestStaticFilesStorage):
    """The same files, each also compressed."""


class _Text:
    """Lets Django read a text that is in no static folder."""

    def __init__(self, text: str) -> None:
        self._text = text

    def open(self, name: str) -> ContentFile[bytes]:
        return ContentFile(self._text.encode(), name)

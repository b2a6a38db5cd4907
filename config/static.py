"""Static files as they are served: each under a name with a hash of what is in it, so that browsers may keep it for good."""

from __future__ import annotations

from django.contrib.staticfiles.storage import ManifestStaticFilesStorage
from whitenoise.storage import CompressedManifestStaticFilesStorage

# A statement `import … from "./x.js";`, `import "./x.js";` or `export … from "./x.js";` that begins a line. Django's own patterns
# (support_js_module_import_aggregation) also find `import("…")`, which stands in comments of django-htmx as the name of a type,
# of a file that does not exist: nothing could be collected.
IMPORT = r"""(?m)^(?P<matched>(?P<names>(?:import|export)\b(?:[^'";]*\bfrom\b)?)\s*['"](?P<url>[./][^'"]*)['"];)"""


class HashedNames(ManifestStaticFilesStorage):
    """Scripts import one another by their paths, and find each other under the hashed names.

    Otherwise a page would load a module twice: once by the name that a template says, once by the one that is imported.
    """

    patterns = (*ManifestStaticFilesStorage.patterns, ("*.js", ((IMPORT, '%(names)s "%(url)s";'),)))
    # One for each module that stands between a script and the last that it needs, and one to see that nothing changes any more.
    max_post_process_passes = 20


class HashedFiles(HashedNames, CompressedManifestStaticFilesStorage):
    """The same, and each beside it compressed."""

"""Queries that are compiled to SQL once: those of every request and every write, and the dearest of the table page.

Django builds and compiles a query anew each time it runs. That takes 0.3 to 3.6 ms of a processor, several times as long as the
database needs to answer it (docs/scaling.md has the figures). Here the queryset is built once, with a `Parameter` wherever a
value comes:

    @compiled(campaign=models.UUIDField(), name=models.CharField())
    def _stream(campaign: Parameter, name: Parameter) -> QuerySet[Stream]:
        return Stream.objects.filter(campaign=campaign, name=name)

    _stream.first(campaign=campaign.pk, name="table")

The SQL and the rows are Django's own, `select_related` and annotations included; what it reads by further queries
(`prefetch_related`) is refused. Everywhere else a plain queryset is right: it takes any value, None and lists as well.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, router
from django.db.models import Expression, Field, Model, QuerySet
from django.db.models.sql.compiler import SQLCompiler

M = TypeVar("M", bound=Model)


class Parameter(Expression):
    """Placeholder in a query for a value given when it runs, of the type of a field. NULL equals nothing."""

    def __init__(self, name: str, output_field: Field[Any, Any]) -> None:
        super().__init__(output_field=output_field)
        self.name = name

    def as_sql(self, compiler: SQLCompiler, connection: Any) -> tuple[str, Any]:
        return "%s", (self,)

    def bound(self, values: dict[str, Any], connection: Any) -> Any:
        """Return the parameter's value for the database driver."""
        return self.output_field.get_db_prep_value(values[self.name], connection=connection, prepared=False)


class CompiledQuery(Generic[M]):
    """A query to be run with values for its parameters, which are all to be named."""

    def __init__(self, build: Callable[..., QuerySet[M]], fields: dict[str, Field[Any, Any]]) -> None:
        self._build = build
        self._parameters = {name: Parameter(name, field) for name, field in fields.items()}
        self._plans: dict[str, tuple[QuerySet[M], SQLCompiler, str, Sequence[Any]]] = {}

    def rows(self, **values: Any) -> list[M]:
        # Not the proxy of the same, which looks up the thread's connection at every turn.
        connection = connections[DEFAULT_DB_ALIAS]
        queryset, first, sql, places = self._plans.get(connection.vendor) or self._compile(connection)
        connection = connections[router.db_for_read(queryset.model)]
        params = tuple(place.bound(values, connection) if isinstance(place, Parameter) else place for place in places)
        # A compiler belongs to one connection, and so to one thread; the query that it has prepared does not.
        compiler = copy.copy(first)
        compiler.connection = connection
        compiler.as_sql = lambda *args, **kwargs: (sql, params)  # type: ignore[method-assign]
        query = SimpleNamespace(get_compiler=lambda using, **kwargs: compiler)
        source: Any = SimpleNamespace(db=connection.alias, query=query, _known_related_objects={})
        rows: Any = queryset._iterable_class
        return list(rows(source))

    def first(self, **values: Any) -> M | None:
        """Return the first row, of a query that has an order or finds one at most."""
        return next(iter(self.rows(**values)), None)

    def _compile(self, connection: Any) -> tuple[QuerySet[M], SQLCompiler, str, Sequence[Any]]:
        queryset = self._build(**self._parameters)
        if queryset._prefetch_related_lookups:  # type: ignore[attr-defined]
            raise TypeError(
                f"{self._build}: what a compiled query prefetches would be left out; use prefetch_related_objects"
            )
        compiler = queryset.query.get_compiler(connection=connection)
        sql, places = compiler.as_sql()
        # What makes Python's values of a driver's is the same for all rows of a query, whenever it runs.
        converters = compiler.get_converters([column for column, *_ in compiler.select[: compiler.col_count]])
        compiler.get_converters = lambda expressions: converters
        self._plans[connection.vendor] = plan = (queryset, compiler, sql, places)
        return plan


def compiled(**fields: Field[Any, Any]) -> Callable[[Callable[..., QuerySet[M]]], CompiledQuery[M]]:
    """Make a compiled query of a function that builds it. It is called once for each kind of database, with a Parameter for each
    of these names, of the kind of that field."""
    return lambda build: CompiledQuery(build, fields)

"""Rules that /openapi.json states in words because JSON Schema cannot express them.

- JSON Schema accepts `482.0` as an integer; the store requires `quantity` and `max_volume` without a decimal point.
- The store treats an empty `after` or `limit` in a query as absent; an empty list or object is sent as an empty value.
"""

import schemathesis


def written_as_integers(value):
    if isinstance(value, dict):
        return {
            name: int(it) if name in ("quantity", "max_volume") and isinstance(it, float) and it.is_integer() else written_as_integers(it)
            for name, it in value.items()
        }
    if isinstance(value, list):
        return [written_as_integers(it) for it in value]
    return value


@schemathesis.hook
def map_body(context, body):
    return written_as_integers(body)


def is_empty(value):
    return value in ("", None) or isinstance(value, (list, dict)) and all(is_empty(it) for it in value)


@schemathesis.hook
def map_query(context, query):
    return {name: it for name, it in query.items() if name not in ("after", "limit") or not is_empty(it)} if query else query

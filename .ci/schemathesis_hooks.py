"""Rules that /openapi.json states in words because JSON Schema cannot express them.

- JSON Schema accepts `482.0` as an integer; the store requires the fields of INTEGERS without a decimal point.
- Under /api a request has the session of a buyer or a seller, elsewhere the administrator's token. A logout has
  none: it would end the session.
- Amounts of the exchange are described as strings; JSON numbers with the same text are accepted, too.
- A name contains a visible character.
- Only stocks are traded: an order with a `type` gets the name of one.
- The store treats an empty `after` or `limit` in a query as absent; an empty list or object is sent as an empty value.
"""

import json
import os
import unicodedata
import urllib.error
import urllib.request

import schemathesis

INTEGERS = ("quantity", "max_volume", "category", "item_id")
AMOUNTS = ("balance", "shares", "limit")


def logged_in(role):
    """Registers a user, if the user is new, and returns the token of a new session."""
    body = json.dumps({"username": "schemathesis", "password": "for checks only"}).encode()

    def post(action):
        with urllib.request.urlopen(f"{os.environ['TOYSTORE_URL']}/api/{role}/{action}", body) as response:
            return json.load(response)

    try:
        post("register")
    except urllib.error.HTTPError as error:
        if error.code != 409:
            raise
    return post("login")["token"]


@schemathesis.auth(refresh_interval=120)
class Tokens:
    def get(self, case, context):
        return {
            "buyers": logged_in("buyers"),
            "sellers": logged_in("sellers"),
            "administrator": os.environ["TOYSTORE_ADMIN_TOKEN"],
        }

    def set(self, case, tokens, context):
        path = case.operation.path
        if path.endswith("/logout"):
            return
        who = "administrator" if not path.startswith("/api/") else "sellers" if path.startswith("/api/sellers/") else "buyers"
        case.headers["Authorization"] = "Bearer " + tokens[who]


def written_as_integers(value):
    if isinstance(value, dict):
        return {
            name: int(it) if name in INTEGERS and isinstance(it, float) and it.is_integer() else written_as_integers(it)
            for name, it in value.items()
        }
    if isinstance(value, list):
        return [written_as_integers(it) for it in value]
    return value


def with_name_of_a_stock(order):
    if isinstance(order.get("lines"), list):
        return order | {"lines": [it | {"name": "GameStart"} if isinstance(it, dict) and "name" in it else it for it in order["lines"]]}
    return order | {"name": "GameStart"} if "name" in order else order


@schemathesis.hook
def map_body(context, body):
    if isinstance(body, dict) and context.operation.path == "/orders" and "type" in body:
        body = with_name_of_a_stock(body)
    return written_as_integers(body)


def is_visible(name):
    return not isinstance(name, str) or any(unicodedata.category(it)[0] in "LNPS" for it in name)


@schemathesis.hook
def filter_body(context, body):
    return not isinstance(body, dict) or (
        is_visible(body.get("name")) and all(type(body.get(it)) not in (int, float) for it in AMOUNTS)
    )


def is_empty(value):
    return value in ("", None) or isinstance(value, (list, dict)) and all(is_empty(it) for it in value)


@schemathesis.hook
def map_query(context, query):
    return {name: it for name, it in query.items() if name not in ("after", "limit") or not is_empty(it)} if query else query

#!/usr/bin/env python3
"""A model of a marketplace purchase: every order of steps, every crash, every lost or late message.

An explicit-state model of `POST /api/purchases`: one buyer with one unit in the cart, who may click
twice, the order service's state machine, the catalog's sale, and a payment provider. A call in transit may
arrive late, twice or never, and its answer may be lost. Each service commits atomically. Within the bounds
of a scenario every state is explored, and every invariant is checked in each.

    docs/model/purchase.py                   everything, as a table; exit code 1 on any failure
    docs/model/purchase.py --trace           also the shortest trace to each planted mistake's damage
    docs/model/purchase.py --only NAME       one scenario or one mistake, with its trace
    docs/model/purchase.py --results FILE    also writes the counts as a properties file

README.md in this folder maps steps to code. Plain Python 3, no libraries.
"""

import sys
from typing import NamedTuple

from explore import run

# ---------------------------------------------------------------------------- the parts of a state

# states of a purchase in the order service
AUTHORISING, SOLD, CAPTURED = "AUTHORISING", "SOLD", "CAPTURED"
DECLINED, VOIDING, VOIDED = "DECLINED", "VOIDING", "VOIDED"
RETURNING, RETURNED = "RETURNING", "RETURNED"
OPEN = {AUTHORISING, SOLD, VOIDING, RETURNING}  # driven on, also after a restart
TAKEN = {AUTHORISING, SOLD, CAPTURED, RETURNING, RETURNED}  # has the cart's unit

# states of a payment in the provider's ledger, besides CAPTURED, DECLINED and VOIDED
NONE, AUTHORISED, CAPTURE_REFUSED = "none", "AUTHORISED", "CAPTURE_REFUSED"

# calls, one for each open state; in AUTHORISING "sell" follows, or "cancel" after a restart
CALL_OF = {AUTHORISING: "authorise", SOLD: "capture", VOIDING: "void", RETURNING: "return"}

# answers to the buyer
BOUGHT = "201"
CART_EMPTY = "400"
CARD_DECLINED = "402"
REFUSED = "409"
NOT_SENT = "503"
UNKNOWN = "504"
UNDONE = "409 undone"


class Purchase(NamedTuple):
    """A row of the table `purchase`. Its id is its position."""

    key: int  # idempotency key of the request
    state: str
    call: str  # in memory only: the call that is made or repeated; "": none
    sent: int  # how often it was sent since the last restart
    taken_over: bool = False  # the process before may still run, and has the card


class Call(NamedTuple):
    """A call in transit, to the catalog or to the provider."""

    name: str
    purchase: int


class Reply(NamedTuple):
    """An answer in transit. It is lost if the order service is killed."""

    call: str
    purchase: int
    answer: str


class Request(NamedTuple):
    """What the buyer does with one idempotency key: each click has a key of its own."""

    tries: int
    waiting: bool
    told: frozenset
    rated: bool = False  # whether feedback on the item was accepted


class State(NamedTuple):
    cart: int
    purchases: tuple
    stored_refusals: frozenset  # keys whose answer 409 is stored
    stock: int
    price_changed: bool
    sales: tuple  # purchase ids, in the order of the sales
    refused_sales: frozenset  # purchase ids whose refusal the catalog stored
    cancelled_sales: frozenset  # purchase ids whose cancelled sale the catalog stored
    returns: tuple
    ledger: tuple  # a state for each purchase
    calls: tuple  # sorted
    replies: tuple  # sorted
    requests: tuple
    kills: int
    rivals: int


class Scenario(NamedTuple):
    """Bounds that make the model finite."""

    name: str
    about: str
    clicks: int = 1  # requests with different keys
    tries: int = 1  # attempts with the same key
    sends: int = 1  # how often a call is sent in one state between two restarts
    kills: int = 0
    rivals: int = 0  # other buyers and price changes
    stock: int = 1
    declines: bool = False
    refuses_capture: bool = False
    rates: bool = False  # the buyer gives feedback


# ---------------------------------------------------------------------------- the steps


class Model:
    """The steps of a purchase, with at most one mistake planted."""

    def __init__(self, scenario, mistake=None):
        self.scenario = scenario
        self.mistake = mistake

    def start(self):
        return State(
            cart=1, purchases=(), stored_refusals=frozenset(), stock=self.scenario.stock,
            price_changed=False, sales=(), refused_sales=frozenset(), cancelled_sales=frozenset(),
            returns=(), ledger=(), calls=(), replies=(),
            requests=(Request(0, False, frozenset()),) * self.scenario.clicks,
            kills=0, rivals=0,
        )

    def steps(self, state):
        for step in STEPS:
            for detail, after in step(self, state):
                yield step.__name__, detail, after

    def broken(self, state):
        for invariant in INVARIANTS:
            if not invariant(self, state):
                return invariant.__name__
        return None

    # --- the buyer and the order service

    def click(self, s):
        """The buyer sends the request (again): known key, or a purchase begins in one commit."""
        for key, request in enumerate(s.requests):
            if request.waiting or request.tries == self.scenario.tries:
                continue
            asked = with_request(s, key, request._replace(tries=request.tries + 1))
            known = self.known(s, key)
            if key in s.stored_refusals:
                yield f"{name(key)}: stored 409", told(asked, key, REFUSED)
            elif known is not None and s.purchases[known].state in OPEN - {SOLD, VOIDING, RETURNING}:
                waiting = with_request(asked, key, asked.requests[key]._replace(waiting=True))
                yield f"{name(key)} waits", waiting
            elif known is not None and s.purchases[known].state in self.undone():
                yield f"{name(key)}: undone", told(asked, key, UNDONE)
            elif known is not None and s.purchases[known].state in TAKEN:
                yield f"{name(key)}: stored 201", told(asked, key, BOUGHT)
            elif s.cart == 0:
                yield f"{name(key)}: cart is empty", told(asked, key, CART_EMPTY)
            else:
                yield name(key), self.begun(asked, key)

    def known(self, s, key):
        """The purchase of a key. A declined or voided one is forgotten: it is decided afresh."""
        if self.mistake == "a repeat begins another purchase":
            return None
        found = [i for i, it in enumerate(s.purchases) if it.key == key]
        return found[-1] if found and s.purchases[found[-1]].state not in (
            DECLINED, VOIDING, VOIDED) else None

    def undone(self):
        """From the commit that records RETURNING on, a repeat of the key is told so."""
        early = self.mistake == "a repeat is told of the return before the capture is refused"
        return {RETURNING, RETURNED} | ({SOLD} if early else set())

    def rate(self, s):
        """The buyer gives feedback, which counts at once and stays."""
        early = self.mistake == "feedback is accepted before the capture"
        for i, it in enumerate(s.purchases):
            request = s.requests[it.key]
            accepted = it.state == CAPTURED or (early and it.state == SOLD)
            if self.scenario.rates and accepted and not request.rated:
                yield name(it.key), with_request(s, it.key, request._replace(rated=True))

    def begun(self, s, key):
        """The commit that records AUTHORISING also takes the unit out of the cart."""
        keeps = self.mistake == "the cart is emptied after the authorisation"
        s = s._replace(
            cart=s.cart if keeps else s.cart - 1,
            purchases=s.purchases + (Purchase(key, AUTHORISING, "authorise", 0),),
            ledger=s.ledger + (NONE,),
        )
        s = with_request(s, key, s.requests[key]._replace(waiting=True))
        s = self.sent(s, len(s.purchases) - 1)
        return self.early(s, key)

    def early(self, s, key):
        """Mistakes that answer or act too early."""
        if self.mistake == "answers before the sale":
            return told(s, key, BOUGHT)
        if self.mistake == "captures before the sale":
            return s._replace(calls=with_one(s.calls, Call("capture", len(s.purchases) - 1)))
        return s

    def sent(self, s, purchase):
        """The driver sends the purchase's call."""
        it = s.purchases[purchase]
        call = Call(it.call, purchase)
        s = with_purchase(s, purchase, it._replace(sent=it.sent + 1))
        return s._replace(calls=with_one(s.calls, call))

    def send_again(self, s):
        """No answer came: the driver repeats the call."""
        for i, it in enumerate(s.purchases):
            if it.state in OPEN and 0 < it.sent < self.scenario.sends:
                yield f"{it.call} {i}", self.sent(s, i)

    def authorise_never_left(self, s):
        """The only attempt was surely not sent: the purchase is closed, the cart is as before."""
        for i, it in enumerate(s.purchases):
            call = Call("authorise", i)
            if it.call == "authorise" and it.sent == 1 and call in s.calls:
                s2 = s._replace(calls=without(s.calls, call))
                yield str(i), told(self.restored(s2, i, VOIDED), it.key, NOT_SENT)
            elif (
                self.mistake == "a lost authorisation is called not sent"
                and it.call == "authorise"
                and it.sent == 1
            ):
                yield str(i), told(self.restored(s, i, VOIDED), it.key, NOT_SENT)

    def buyer_gives_up(self, s):
        """The deadline of the request passes: 504."""
        for key, request in enumerate(s.requests):
            if request.waiting:
                yield name(key), told(s, key, UNKNOWN)

    def authorisation_takes_too_long(self, s):
        """The order service forgets the card and voids the purchase."""
        for i, it in enumerate(s.purchases):
            if it.call == "authorise" and it.sent == self.scenario.sends:
                yield str(i), told_if_waiting(
                    self.sent_new(self.restored(s, i, VOIDING), i), it.key, UNKNOWN)

    def restored(self, s, purchase, state):
        """The commit that ends a purchase without a sale also puts the unit back into the cart."""
        it = s.purchases[purchase]
        loses = self.mistake == "a declined purchase keeps the lines" and state == DECLINED
        keeps = self.mistake == "the cart is emptied after the authorisation"
        s = s._replace(cart=s.cart if loses or keeps else s.cart + 1)
        return with_purchase(s, purchase, it._replace(state=state, call=CALL_OF.get(state, ""), sent=0))

    def sent_new(self, s, purchase):
        return self.sent(s, purchase) if s.purchases[purchase].state in OPEN else s

    def moved(self, s, purchase, state):
        it = s.purchases[purchase]._replace(state=state, call=CALL_OF.get(state, ""), sent=0)
        return self.sent_new(with_purchase(s, purchase, it), purchase)

    def calls(self, s, purchase, call):
        """The next call in the same state: nothing is committed."""
        it = s.purchases[purchase]._replace(call=call, sent=0)
        return self.sent(with_purchase(s, purchase, it), purchase)

    def order_commits(self, s):
        """An answer arrives: the next state is committed, then the next call is sent.

        A process that was taken over can commit nothing, but it sells what was authorised for it.
        """
        for reply in dict.fromkeys(s.replies):
            after = s._replace(replies=without(s.replies, reply))
            it = s.purchases[reply.purchase]
            if it.call != reply.call:
                if it.taken_over and (reply.call, reply.answer) == ("authorise", AUTHORISED):
                    sells = with_one(after.calls, Call("sell", reply.purchase))
                    yield f"{say(reply)}, at the process before", after._replace(calls=sells)
                yield f"{say(reply)}, too late", after
            else:
                yield say(reply), self.decided(after, reply)

    def decided(self, s, reply):
        i, key = reply.purchase, s.purchases[reply.purchase].key
        match reply.call, reply.answer:
            case "authorise", "AUTHORISED":
                if self.mistake == "the cart is emptied after the authorisation":
                    s = s._replace(cart=max(0, s.cart - 1))
                return self.calls(s, i, "sell")
            case "authorise", "DECLINED":
                return told_if_waiting(self.restored(s, i, DECLINED), key, CARD_DECLINED)
            case "authorise", _:  # voided, or captured by a mistake
                return told_if_waiting(self.restored(s, i, VOIDED), key, UNKNOWN)
            case "sell" | "cancel", "SOLD":
                return told_if_waiting(self.moved(s, i, SOLD), key, BOUGHT)
            case "sell" | "cancel", "CANCELLED":
                forgets = self.mistake == "a restart forgets an authorisation"
                s = self.sent_new(self.restored(s, i, VOIDED if forgets else VOIDING), i)
                return told_if_waiting(s, key, UNKNOWN)
            case "sell" | "cancel", _:
                state = VOIDED if self.mistake == "a refused sale is not voided" else VOIDING
                s = self.sent_new(self.restored(s, i, state), i)
                if self.mistake != "a refusal is not stored":
                    s = s._replace(stored_refusals=s.stored_refusals | {key})
                return told_if_waiting(s, key, REFUSED)
            case "capture", "CAPTURED":
                return self.moved(s, i, CAPTURED)
            case "capture", _:
                ignores = self.mistake == "a refused capture is ignored"
                return self.moved(s, i, CAPTURED if ignores else RETURNING)
            case "void", _:
                return self.moved(s, i, VOIDED)
            case _:
                return self.moved(s, i, RETURNED)

    def kill_order(self, s):
        """Memory is lost; each open purchase is driven on. On PostgreSQL the process may only have been
        taken over: answers in transit still reach it."""
        if s.kills == self.scenario.kills:
            return
        s = s._replace(kills=s.kills + 1)
        for key, request in enumerate(s.requests):
            if request.waiting:
                s = told(s, key, UNKNOWN)
        for i, it in enumerate(s.purchases):
            s = with_purchase(s, i, it._replace(call=CALL_OF.get(it.state, ""), sent=0))
            if it.state == AUTHORISING and self.mistake == "a restart voids without asking the catalog":
                s = self.sent_new(self.restored(s, i, VOIDING), i)
            elif it.state == AUTHORISING:
                s = self.calls(with_purchase(s, i, it._replace(taken_over=True)), i, "cancel")
            elif it.state == SOLD and self.mistake == "a restart forgets a pending capture":
                s = with_purchase(s, i, it._replace(state=CAPTURED))
            elif it.state in OPEN:
                s = self.sent(s, i)
        yield "", s

    # --- catalog-service and the payment provider

    def arrives(self, s):
        """A call arrives. It is carried out and its answer sent in one commit."""
        for call in dict.fromkeys(s.calls):
            at = s._replace(calls=without(s.calls, call))
            for answer, after in self.served(at, call):
                reply = Reply(call.name, call.purchase, answer)
                yield f"{say(call)}: {answer}", after._replace(replies=with_one(s.replies, reply))

    def served(self, s, call):
        match call.name:
            case "sell":
                return self.sell(s, call.purchase)
            case "cancel":
                return self.cancel(s, call.purchase)
            case "return":
                return self.returned(s, call.purchase)
            case "authorise":
                return self.authorise(s, call.purchase)
            case "capture":
                return self.capture(s, call.purchase)
            case _:
                return self.void(s, call.purchase)

    def sell(self, s, i):
        """CatalogCommand.Sell: known key, else stock and expected price."""
        if i in s.sales and self.mistake != "each attempt to sell has a new key":
            yield "SOLD", s
        elif i in s.refused_sales:
            yield "REFUSED", s
        elif i in s.cancelled_sales:
            yield "CANCELLED", s
        elif s.stock and not s.price_changed:
            yield "SOLD", s._replace(stock=s.stock - 1, sales=s.sales + (i,))
        else:
            yield "REFUSED", s._replace(refused_sales=s.refused_sales | {i})

    def cancel(self, s, i):
        """Known key, else its sale is refused from now on."""
        if i in s.sales:
            yield "SOLD", s
        elif i in s.refused_sales:
            yield "REFUSED", s
        elif self.mistake == "a cancelled sale is not stored":
            yield "CANCELLED", s
        else:
            yield "CANCELLED", s._replace(cancelled_sales=s.cancelled_sales | {i})

    def returned(self, s, i):
        if i in s.returns and self.mistake != "each attempt to return has a new key":
            yield "RETURNED", s
        else:
            yield "RETURNED", s._replace(stock=s.stock + 1, returns=s.returns + (i,))

    def authorise(self, s, i):
        if s.ledger[i] != NONE:
            yield s.ledger[i], s
        else:
            yield "AUTHORISED", with_payment(s, i, AUTHORISED)
            if self.scenario.declines:
                yield "DECLINED", with_payment(s, i, DECLINED)

    def capture(self, s, i):
        if s.ledger[i] != AUTHORISED:
            yield s.ledger[i], s
        else:
            yield "CAPTURED", with_payment(s, i, CAPTURED)
            if self.scenario.refuses_capture:
                yield CAPTURE_REFUSED, with_payment(s, i, CAPTURE_REFUSED)

    def void(self, s, i):
        if s.ledger[i] == AUTHORISED or (
            s.ledger[i] == NONE and self.mistake != "a void of an unknown payment is not stored"
        ):
            yield "VOIDED", with_payment(s, i, VOIDED)
        else:
            yield s.ledger[i], s

    def rival_buys(self, s):
        """Another buyer takes a unit, or the seller changes the price, or changes it back."""
        if s.rivals < self.scenario.rivals:
            if s.stock:
                yield "stock", s._replace(stock=s.stock - 1, rivals=s.rivals + 1)
            price = s._replace(price_changed=not s.price_changed, rivals=s.rivals + 1)
            yield "price", price


STEPS = (
    Model.click, Model.send_again, Model.authorise_never_left, Model.buyer_gives_up,
    Model.authorisation_takes_too_long, Model.order_commits, Model.kill_order, Model.arrives,
    Model.rival_buys, Model.rate,
)


# ---------------------------------------------------------------------------- helpers


def name(key):
    return "ab"[key]


def say(message):
    return " ".join(str(part) for part in message)


def with_one(messages, message):
    return tuple(sorted(messages + (message,)))


def without(messages, message):
    at = messages.index(message)
    return messages[:at] + messages[at + 1 :]


def replaced(values, at, value):
    return values[:at] + (value,) + values[at + 1 :]


def with_purchase(s, i, purchase):
    return s._replace(purchases=replaced(s.purchases, i, purchase))


def with_payment(s, i, state):
    return s._replace(ledger=replaced(s.ledger, i, state))


def with_request(s, key, request):
    return s._replace(requests=replaced(s.requests, key, request))


def told(s, key, answer):
    request = s.requests[key]
    return with_request(s, key, request._replace(waiting=False, told=request.told | {answer}))


def told_if_waiting(s, key, answer):
    return told(s, key, answer) if s.requests[key].waiting else s


def of_key(s, key):
    return [i for i, it in enumerate(s.purchases) if it.key == key]


# ---------------------------------------------------------------------------- the invariants


def one_sale_a_purchase(_, s):
    return len(s.sales) == len(set(s.sales))


def one_return_a_purchase(_, s):
    return len(s.returns) == len(set(s.returns)) and set(s.returns) <= set(s.sales)


def a_capture_has_a_sale(_, s):
    return all(i in s.sales and i not in s.returns
               for i, it in enumerate(s.ledger) if it == CAPTURED)


def a_captured_purchase_is_paid(_, s):
    return all(s.ledger[i] == CAPTURED for i, it in enumerate(s.purchases) if it.state == CAPTURED)


def a_sale_has_a_purchase(_, s):
    """The order service does not give up what the catalog sold."""
    return all(s.purchases[i].state in TAKEN for i in s.sales)


def a_reservation_is_followed(_, s):
    """No money stays reserved for a purchase that nobody drives on."""
    return all(s.purchases[i].state in OPEN for i, it in enumerate(s.ledger) if it == AUTHORISED)


def nothing_leaves_the_cart_without_a_purchase(_, s):
    return s.cart + sum(it.state in TAKEN for it in s.purchases) == 1


def bought_stays_bought(_, s):
    """Who was told 201 has a sale."""
    return all(
        any(i in s.sales for i in of_key(s, key))
        for key, request in enumerate(s.requests) if BOUGHT in request.told
    )


def refused_stays_refused(_, s):
    """409 is stored: no repeat with the key buys."""
    return not any(
        REFUSED in request.told and (BOUGHT in request.told or any(i in s.sales for i in of_key(s, key)))
        for key, request in enumerate(s.requests)
    )


def not_sent_is_not_sent(_, s):
    """Who was told nothing but 503 has no payment and will have none."""
    return not any(
        request.told == {NOT_SENT} and not request.waiting
        and any(s.ledger[i] != NONE or Call("authorise", i) in s.calls for i in of_key(s, key))
        for key, request in enumerate(s.requests)
    )


def a_repeat_is_answered_alike(_, s):
    """Once told 201, no repeat with the key is told that the cart is empty."""
    return not any({BOUGHT, CART_EMPTY} <= request.told for request in s.requests)


def undone_is_not_charged(_, s):
    """Who was told that the purchase is undone is never charged for it."""
    return not any(
        UNDONE in request.told and any(s.ledger[i] == CAPTURED for i in of_key(s, key))
        for key, request in enumerate(s.requests)
    )


def a_rating_is_paid(_, s):
    """Feedback comes only from a buyer whose money was taken and stays taken."""
    return all(
        any(s.ledger[i] == CAPTURED for i in of_key(s, key))
        for key, request in enumerate(s.requests) if request.rated
    )


INVARIANTS = (
    one_sale_a_purchase, one_return_a_purchase, a_capture_has_a_sale, a_captured_purchase_is_paid,
    a_sale_has_a_purchase, not_sent_is_not_sent, a_reservation_is_followed,
    nothing_leaves_the_cart_without_a_purchase, bought_stays_bought, refused_stays_refused,
    a_repeat_is_answered_alike, undone_is_not_charged, a_rating_is_paid,
)


# ---------------------------------------------------------------------------- scenarios and mistakes

SCENARIOS = (
    Scenario("a double click", "two keys, two units in stock, a crash",
             clicks=2, tries=1, sends=1, kills=1, stock=2),
    Scenario("lost answers", "one key, repeats at every hop, a rival",
             tries=2, sends=2, rivals=1),
    Scenario("a price that comes back", "one key and a repeat", tries=2, rivals=2),
    Scenario("more in stock", "the same as lost answers, without a rival", sends=2, stock=2),
    Scenario("a crash", "one key, a repeat, a crash, a rival, a declined card",
             tries=2, sends=1, kills=1, rivals=1, declines=True),
    Scenario("two crashes", "one key, a repeat, two crashes",
             tries=2, sends=1, kills=2),
    Scenario("a refused capture", "lost answers and a crash",
             sends=2, kills=1, refuses_capture=True),
    Scenario("a refused capture and a repeat", "one key, a repeat, feedback",
             tries=2, refuses_capture=True, rates=True),
)


class Mistake(NamedTuple):
    """What is planted, in which scenario, and the invariant that must break first."""

    name: str
    scenario: str
    invariant: object


MISTAKES = (
    Mistake("the cart is emptied after the authorisation", "a double click",
            nothing_leaves_the_cart_without_a_purchase),
    Mistake("a declined purchase keeps the lines", "a crash",
            nothing_leaves_the_cart_without_a_purchase),
    Mistake("captures before the sale", "lost answers", a_capture_has_a_sale),
    Mistake("answers before the sale", "lost answers", bought_stays_bought),
    Mistake("a lost authorisation is called not sent", "lost answers", not_sent_is_not_sent),
    Mistake("a restart forgets an authorisation", "a crash", a_reservation_is_followed),
    Mistake("a void of an unknown payment is not stored", "a crash", a_reservation_is_followed),
    Mistake("a refused sale is not voided", "lost answers", a_reservation_is_followed),
    Mistake("each attempt to sell has a new key", "more in stock", one_sale_a_purchase),
    Mistake("each attempt to return has a new key", "a refused capture", one_return_a_purchase),
    Mistake("a restart voids without asking the catalog", "a crash", a_sale_has_a_purchase),
    Mistake("a cancelled sale is not stored", "a crash", a_sale_has_a_purchase),
    Mistake("a restart forgets a pending capture", "a crash", a_captured_purchase_is_paid),
    Mistake("a refused capture is ignored", "a refused capture", a_captured_purchase_is_paid),
    Mistake("a refusal is not stored", "a price that comes back", refused_stays_refused),
    Mistake("a repeat is told of the return before the capture is refused",
            "a refused capture and a repeat", undone_is_not_charged),
    Mistake("feedback is accepted before the capture", "a refused capture and a repeat",
            a_rating_is_paid),
    Mistake("a repeat begins another purchase", "lost answers", a_repeat_is_answered_alike),
)


if __name__ == "__main__":
    sys.exit(run(
        Model, STEPS, INVARIANTS, SCENARIOS, MISTAKES, __doc__, "docs/model/purchase.py", "purchase-model",
    ))

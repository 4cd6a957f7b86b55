#!/usr/bin/env python3
"""A model of a purchase: every order of steps, every crash, every lost or late message.

An explicit-state model of `POST /orders`. It is small (few toys, two customers, one or two crashes, at
most two commands per batch), and within these limits it is complete: it explores every state that the
steps below can reach, breadth first, and checks every invariant in each state. Then it plants known
mistakes, one at a time. The first invariant that a mistake breaks must be the one listed with it.

    docs/model/buy.py                   everything, as a table; exit code 1 on any failure
    docs/model/buy.py --trace           also the shortest trace to each planted mistake's damage
    docs/model/buy.py --only NAME       one scenario or one mistake, with its trace
    docs/model/buy.py --results FILE    also writes the counts as a properties file

README.md in this folder maps steps to code. Plain Python 3, no libraries.
"""

import sys
from typing import NamedTuple, Optional

from explore import run

# ---------------------------------------------------------------------------- the parts of a state


class Sale(NamedTuple):
    """A row of the catalog's table `sale`, and the answer kept for its key."""

    number: int
    key: str
    customer: int  # the customer whose request it is; OTHER_PROGRAM: none of the two
    late: bool  # decided after its decide_by


class KeptRefusal(NamedTuple):
    """A row of the table `answer`: out of stock, for a customer's own key."""

    key: str


RESTOCK = "restock"  # a row of the table `stock_change`
OTHER_PROGRAM = -1


class Sold(NamedTuple):
    number: int


REFUSED = "refused"  # 409, out of stock
TOO_LATE = "too late"  # the catalog's answer after decide_by: not done. The customer gets 504
NOT_DONE = "not done"  # 503: certainly not done
UNKNOWN = "unknown"  # 504, or a broken connection


class Sell(NamedTuple):
    """`CatalogService.Sell` in transit. It may arrive late or never, in any order."""

    customer: int
    awaited: bool  # whether the order service still waits for the answer to this attempt
    key: str
    client_made: bool
    over: bool  # its decide_by is past


class Reply(NamedTuple):
    """The catalog's answer on its way back, and whether its command in truth sold something."""

    answer: object
    sold: bool


class Decided(NamedTuple):
    """A command in the writer's open batch."""

    sell: Optional[Sell]
    answer: object
    rows: tuple


class Call(NamedTuple):
    """A request that the frontend waits for, and through it the order service."""

    placing: int  # PlaceOrder is in its n-th attempt
    selling: int  # Sell is in its n-th attempt; 0: the order service that asked is dead
    place_unknown: bool  # an earlier PlaceOrder may have been carried out
    sell_unknown: bool  # an earlier Sell may have been carried out
    over: bool  # its deadline is past: no more attempts
    reply: Optional[Reply]


class Customer(NamedTuple):
    tries: int
    call: Optional[Call]
    told: frozenset  # all they were answered so far


class State(NamedTuple):
    # catalog-service
    disk: tuple  # committed rows, in order
    synced: int  # how many of them a power cut leaves
    published: tuple  # the rows that readers, and the next batch, know of
    next_number: int  # in memory
    batch: tuple
    phase: str  # DECIDING, COMMITTED, PUBLISHED
    # messages in transit
    sells: tuple  # in order, so that states are equal where the same is on its way
    customers: tuple
    # what has happened
    crashes: int
    failures: int
    restocks: int
    others: int
    forgotten: int  # rows whose keys the catalog forgot (a planted mistake)


DECIDING, COMMITTED, PUBLISHED, KEEPING = "deciding", "committed", "published", "keeping"


class Scenario(NamedTuple):
    """Bounds that make the model finite, chosen so that one kind of trouble is seen whole."""

    name: str
    about: str
    own_keys: tuple  # for each customer: whether they send a key of their own
    tries: int  # how often a customer asks at most
    stock: int = 1
    crashes: int = 0  # kills of catalog or order service, power cuts, failed syncs
    failures: int = 0  # commits that fail, commands that the queue refuses
    restocks: int = 0
    attempts: int = 1  # at each hop
    deadlines: bool = False
    others: int = 0  # sales that another program makes at the catalog's own port


def sales(rows):
    return tuple(row for row in rows if isinstance(row, Sale))


def stock_after(initial, rows):
    """Initial + restocked - sold."""
    stock = initial
    for row in rows:
        if row == RESTOCK:
            stock += 1
        elif isinstance(row, Sale):
            stock -= 1
    return stock


# ---------------------------------------------------------------------------- the steps


class Model:
    """The steps of the store, with at most one mistake planted."""

    def __init__(self, scenario, mistake=None):
        self.scenario = scenario
        self.mistake = mistake

    def start(self):
        return State(
            disk=(), synced=0, published=(), next_number=0, batch=(), phase=DECIDING,
            sells=(),
            customers=tuple(Customer(0, None, frozenset()) for _ in self.scenario.own_keys),
            crashes=0, failures=0, restocks=0, others=0, forgotten=0,
        )

    def steps(self, state):
        """Every (step, detail, state after it) that can come next."""
        for step in STEPS if not state.batch else WHILE_A_BATCH_IS_OPEN:
            for detail, after in step(self, state):
                yield step.__name__, detail, after

    def broken(self, state):
        """The first invariant that does not hold in a state."""
        for invariant in INVARIANTS:
            if not invariant(self, state):
                return invariant.__name__
        return None

    # --- customer, frontend-service, order-service: the request

    def place_order(self, s):
        """A customer asks (again): OrderClient.place, OrderRpc.sell.

        A customer who sent no key repeats only what was left unknown, with the key of that answer.
        """
        for who, customer in enumerate(s.customers):
            if customer.call or customer.tries == self.scenario.tries:
                continue
            if customer.tries and not self.scenario.own_keys[who] and customer.told != {UNKNOWN}:
                continue
            asked = with_customer(s, who, customer._replace(tries=customer.tries + 1))
            call = Call(1, 1, False, False, False, None)
            yield name(who), self.sent(with_call(asked, who, call), who)

    def place_never_left(self, s):
        """The circuit is open or nobody listens: the call did not leave the frontend."""
        for who, customer in enumerate(s.customers):
            if not customer.call and not customer.tries:
                asked = with_customer(s, who, customer._replace(tries=1))
                yield name(who), told(asked, who, NOT_DONE)

    def place_unavailable(self, s):
        """The frontend's call broke: Retries.call where the key is the client's own, else 504."""
        for who, call in self.waiting(s):
            if self.may_retry(s, who, call, call.placing):
                again = Call(call.placing + 1, 1, True, False, False, None)
                yield name(who), self.sent(with_call(s, who, again), who)
            elif self.mistake == "a call that left is called not done":
                yield name(who), told(s, who, NOT_DONE)
            else:
                yield name(who), told(s, who, UNKNOWN)

    def sell_unavailable(self, s):
        """The order service's call broke: Retries.ask where the key is the client's own."""
        for who, call in self.waiting(s):
            if call.selling and not call.reply:
                if self.may_retry(s, who, call, call.selling):
                    again = call._replace(selling=call.selling + 1, sell_unknown=True)
                    yield name(who) + ", tried again", self.sent(with_call(s, who, again), who)
                else:
                    yield name(who), told(s, who, UNKNOWN)

    def sell_never_left(self, s):
        """An attempt that surely was not carried out, after those that perhaps were."""
        for who, call in self.waiting(s):
            for sell in s.sells:
                if sell.customer == who and sell.awaited:
                    unsent = s._replace(sells=without(s.sells, sell))
                    yield name(who), told(unsent, who, self.said(call, NOT_DONE))

    def frontend_killed(self, s):
        """Or the network between: the customer's connection breaks."""
        for who, _ in self.waiting(s):
            yield name(who), told(s, who, UNKNOWN)

    def time_is_over(self, s):
        """`decide_by` passes for what a customer asked, and what is on its way still arrives.

        It passes for all their tries at once: one of an earlier try that is too late does what one
        does that never arrives, nothing.
        """
        if self.scenario.deadlines:
            for who, customer in enumerate(s.customers):
                waits = customer.call and not customer.call.over
                if waits or any(it.customer == who and not it.over for it in s.sells):
                    yield name(who), self.over(s, who)

    def over(self, s, who):
        late = (it._replace(over=True) if it.customer == who else it for it in s.sells)
        s = s._replace(sells=tuple(sorted(late)))
        if self.mistake == "the deadline is looked at after the commit":
            s = s._replace(batch=tuple(over_if(entry, who) for entry in s.batch))
        call = s.customers[who].call
        return with_call(s, who, call._replace(over=True)) if call else s

    def deadline_exceeded(self, s):
        """The frontend has waited long enough."""
        for who, call in self.waiting(s):
            if call.over:
                gave_up = self.mistake == "time over is called not done"
                yield name(who), told(s, who, NOT_DONE if gave_up else UNKNOWN)

    # --- catalog-service: the sale

    def writer_decides(self, s):
        """SingleWriter takes a command, KeyJournal.answer and CatalogCommand.Sell decide it."""
        if s.phase != DECIDING or len(s.batch) == 2:
            return
        for sell in dict.fromkeys(s.sells):
            answer, rows = self.decide(s, sell)
            after = s._replace(
                sells=without(s.sells, sell), batch=s.batch + (Decided(sell, answer, rows),)
            )
            if self.mistake == "answers before the commit" or (
                self.mistake == "refuses before the commit" and answer == REFUSED
            ):
                after = self.answered(after, sell, Reply(answer, bool(rows)))
            yield f"{name(sell.customer)}: {say(answer)}", after

    def decide(self, s, sell):
        if sell.over and self.mistake != "no decide_by":
            return TOO_LATE, ()
        known = self.known(s, sell)
        if known:
            return known, ()
        pending = batch_rows(s)
        seen = () if self.mistake == "stock is checked outside the writer" else pending
        if stock_after(self.scenario.stock, s.published + seen) < 1:
            kept = sell.client_made and self.mistake != "a refusal is not kept"
            return REFUSED, (KeptRefusal(sell.key),) if kept else ()
        number = s.next_number + len(sales(pending))
        sale = Sale(number, sell.key, sell.customer, sell.over)
        return Sold(number), (sale,)

    def known(self, s, sell):
        """What the key was answered before, on disk or in this batch."""
        in_batch = () if self.mistake == "two of a key in one batch" else batch_rows(s)
        for row in s.disk[s.forgotten :] + in_batch:
            if row != RESTOCK and row.key == sell.key:
                if isinstance(row, KeptRefusal):
                    return REFUSED
                if self.mistake != "a made key is not kept" or self.scenario.own_keys[row.customer]:
                    return Sold(row.number)
        return None

    def writer_commits(self, s):
        """Batch.write and Batch.commit: all rows of the batch in one synced transaction."""
        if s.phase != DECIDING or not s.batch:
            return
        rows = batch_rows(s)
        if self.mistake == "a refusal is kept after its answer":
            rows = sales(rows)
        disk = s.disk + rows
        done = s._replace(disk=disk, synced=len(disk), phase=COMMITTED)
        if self.mistake == "commits without a sync":
            done = done._replace(synced=s.synced)
        if self.mistake == "publishes before the commit":
            yield "publishes first", s._replace(published=disk)
        yield f"{len(rows)} rows", done

    def commit_fails(self, s):
        """The disk is full: SingleWriter.drop. Nothing is published, all are told: not done."""
        if s.phase != DECIDING or not s.batch or s.failures == self.scenario.failures:
            return
        after = s._replace(batch=(), failures=s.failures + 1)
        for entry in s.batch:
            after = self.answered(after, entry.sell, Reply(NOT_DONE, False))
        if self.mistake == "a failed batch is published":
            after = after._replace(published=s.published + batch_rows(s))
        if self.mistake == "a failed batch is not rolled back":
            after = after._replace(batch=(Decided(None, None, batch_rows(s)),))
        if self.mistake == "a committed batch is called failed":
            disk = s.disk + batch_rows(s)
            after = after._replace(disk=disk, synced=len(disk))
        yield f"{len(s.batch)} commands", after

    def queue_is_full(self, s):
        """SingleWriter.submit refuses at once."""
        if s.failures < self.scenario.failures:
            for sell in (it for it in s.sells if it.awaited):
                refused = s._replace(sells=without(s.sells, sell), failures=s.failures + 1)
                yield name(sell.customer), self.answered(refused, sell, Reply(NOT_DONE, False))

    def sync_fails(self, s):
        """The process ends, and what the disk holds is unknown: the batch, or none of it."""
        if s.phase != DECIDING or not s.batch or s.crashes == self.scenario.crashes:
            return
        if self.mistake == "a failed sync is tried again":
            yield "tried again", s._replace(disk=s.disk + batch_rows(s), phase=COMMITTED)
            return
        kept = s.disk + batch_rows(s)
        for disk in (s.disk, kept):
            ended = s._replace(disk=disk, synced=len(disk), crashes=s.crashes + 1)
            yield f"{len(disk) - len(s.disk)} rows are there", self.restarted(ended)

    def writer_publishes(self, s):
        """Batch.publish: readers see the batch."""
        if s.phase == COMMITTED:
            number = s.next_number + len(sales(batch_rows(s)))
            yield "", s._replace(published=s.disk, next_number=number, phase=PUBLISHED)

    def writer_answers(self, s):
        """Each caller of the batch gets its answer, then the next batch may begin."""
        if s.phase == COMMITTED and self.mistake == "answers before it publishes":
            yield "unpublished", self.all_answered(s)._replace(batch=(), phase=DECIDING)
        elif s.phase == PUBLISHED:
            after = self.all_answered(s)
            if self.mistake == "a refusal is kept after its answer":
                yield "", after._replace(phase=KEEPING)
            else:
                yield "", after._replace(batch=(), phase=DECIDING)
        elif s.phase == KEEPING:
            refusals = tuple(row for row in batch_rows(s) if isinstance(row, KeptRefusal))
            disk = s.disk + refusals
            kept = s._replace(disk=disk, synced=len(disk), published=disk)
            yield "keeps the refusals", kept._replace(batch=(), phase=DECIDING)

    def kill_catalog(self, s):
        """SIGKILL; the launcher starts it again, and it reads what was committed."""
        if s.crashes < self.scenario.crashes:
            yield s.phase, self.restarted(s._replace(crashes=s.crashes + 1))

    def restarted(self, s):
        after = s._replace(
            batch=(), phase=DECIDING, published=s.disk, next_number=len(sales(s.disk))
        )
        if self.mistake == "a number is used again after a crash":
            after = after._replace(next_number=s.next_number)
        if self.mistake == "keys are forgotten at a restart":
            after = after._replace(forgotten=len(s.disk))
        return after

    def restock(self, s):
        """CatalogAdminService.Restock, a batch of its own."""
        if s.phase == DECIDING and not s.batch and s.restocks < self.scenario.restocks:
            disk = s.disk + (RESTOCK,)
            yield "", s._replace(
                disk=disk, synced=len(disk), published=disk, restocks=s.restocks + 1
            )

    def other_program_sells(self, s):
        """A batch of its own, for a program that speaks gRPC with the catalog itself."""
        if s.phase != DECIDING or s.batch or s.others == self.scenario.others:
            return
        if stock_after(self.scenario.stock, s.disk) > 0:
            key = f"other {s.others}"
            sale = Sale(s.next_number, key, OTHER_PROGRAM, False)
            disk = s.disk + (sale,)
            yield f"number {sale.number}", s._replace(
                disk=disk, synced=len(disk), published=disk, next_number=s.next_number + 1,
                others=s.others + 1,
            )

    # --- order-service and frontend-service: the answer

    def order_answers(self, s):
        """OrderRpc.placeOrder passes the answer on; the frontend answers its customer."""
        for who, call in self.waiting(s):
            if call.reply:
                answer = self.said(call, call.reply.answer)
                yield f"{name(who)} is told {say(answer)}", told(s, who, answer)

    def kill_order(self, s):
        """SIGKILL: what it waited for is gone. It keeps nothing else of an order."""
        if s.crashes < self.scenario.crashes:
            yield "", self.order_killed(s._replace(crashes=s.crashes + 1))

    def order_killed(self, s):
        for who, call in self.waiting(s):
            s = unawaited(s, who)
            s = with_call(s, who, call._replace(selling=0, reply=None))
        return s

    def cut_power(self, s):
        """All on one host: only what was synced is left."""
        if s.crashes < self.scenario.crashes:
            disk = s.disk[: s.synced]
            dark = s._replace(disk=disk, crashes=s.crashes + 1)
            after = self.order_killed(self.restarted(dark))
            yield f"{len(s.disk) - len(disk)} rows are lost", after

    # --- helpers

    def waiting(self, s):
        return [(who, it.call) for who, it in enumerate(s.customers) if it.call]

    def key(self, who, call):
        """A customer's own key, or the frontend's, which a repeat takes over from the answer."""
        again = call.placing > 1 or call.selling > 1
        if again and self.mistake == "a retry makes a new key":
            return name(who) + "'"
        return name(who)

    def sent(self, s, who):
        """Sell leaves the order service; one that was sent before may yet arrive."""
        s = unawaited(s, who)
        key = self.key(who, s.customers[who].call)
        sell = Sell(who, True, key, self.client_made(s, who), False)
        return s._replace(sells=tuple(sorted(s.sells + (sell,))))

    def may_retry(self, s, who, call, attempts):
        allowed = self.client_made(s, who) or self.mistake == "a made key is sent twice"
        return allowed and not call.over and attempts < self.scenario.attempts

    def client_made(self, s, who):
        """A repeat without a key of one's own bears the frontend's, which then is the client's."""
        return self.scenario.own_keys[who] or s.customers[who].tries > 1

    def said(self, call, last):
        """Attempts.said: once an attempt may have been carried out, only a decision ends doubt."""
        if last == TOO_LATE:
            return UNKNOWN
        doubt = call.place_unknown or call.sell_unknown
        if last == NOT_DONE and doubt and self.mistake != "a retry forgets the first attempt":
            return UNKNOWN
        return last

    def answered(self, s, sell, reply):
        """The catalog's answer is on its way, where somebody still waits for this very attempt."""
        if not sell or not sell.awaited:
            return s
        call = s.customers[sell.customer].call
        return s if call.reply else with_call(s, sell.customer, call._replace(reply=reply))

    def all_answered(self, s):
        for entry in s.batch:
            answer = entry.answer
            if self.mistake == "the deadline is looked at after the commit" and entry.sell.over:
                answer = TOO_LATE
            s = self.answered(s, entry.sell, Reply(answer, bool(entry.rows)))
        return s


STEPS = (
    Model.place_order, Model.place_never_left, Model.place_unavailable, Model.sell_unavailable,
    Model.sell_never_left, Model.frontend_killed, Model.time_is_over, Model.deadline_exceeded,
    Model.writer_decides, Model.writer_commits, Model.commit_fails, Model.queue_is_full,
    Model.sync_fails, Model.writer_publishes, Model.writer_answers, Model.kill_catalog,
    Model.restock, Model.other_program_sells,
    Model.order_answers, Model.kill_order, Model.cut_power,
)

# From its first command to its answers, a batch is interrupted only by steps that can observe the
# difference. Every other step leads to the same state before or after the batch: for example, a call
# that breaks invalidates its answer, whether or not the answer was already sent.
WHILE_A_BATCH_IS_OPEN = (
    Model.writer_decides, Model.writer_commits, Model.commit_fails, Model.sync_fails,
    Model.writer_publishes, Model.writer_answers, Model.kill_catalog, Model.cut_power,
    Model.time_is_over,
)


# ---------------------------------------------------------------------------- helpers


def name(customer):
    return "abc"[customer]


def say(answer):
    return f"sold {answer.number}" if isinstance(answer, Sold) else answer


def without(sells, sell):
    at = sells.index(sell)
    return sells[:at] + sells[at + 1 :]


def unawaited(s, who):
    """Nobody waits any more for what a customer's call has sent."""
    sells = (it._replace(awaited=False) if it.customer == who else it for it in s.sells)
    batch = (unawaited_entry(it, who) for it in s.batch)
    return s._replace(sells=tuple(sorted(sells)), batch=tuple(batch))


def unawaited_entry(entry, who):
    if entry.sell and entry.sell.customer == who:
        return entry._replace(sell=entry.sell._replace(awaited=False))
    return entry


def batch_rows(s):
    return tuple(row for entry in s.batch for row in entry.rows)


def over_if(entry, customer):
    if entry.sell and entry.sell.customer == customer:
        return entry._replace(sell=entry.sell._replace(over=True))
    return entry


def with_customer(s, who, customer):
    return s._replace(customers=s.customers[:who] + (customer,) + s.customers[who + 1 :])


def with_call(s, who, call):
    return with_customer(s, who, s.customers[who]._replace(call=call))


def told(s, who, answer):
    """The customer has an answer, and the frontend forgets the request."""
    before = s.customers[who]
    after = before._replace(call=None, told=before.told | {answer})
    return with_customer(unawaited(s, who), who, after)


# ---------------------------------------------------------------------------- the invariants

# Each takes the model and a state, and returns whether the invariant holds in it.


def stock_is_never_negative(model, s):
    return stock_after(model.scenario.stock, s.disk) >= 0


def numbers_have_no_gap(_, s):
    return all(sale.number == i for i, sale in enumerate(sales(s.disk)))


def one_sale_a_key(_, s):
    """As the customer knows the key: whatever became of it on the way."""
    wishes = [sale.customer for sale in sales(s.disk) if sale.customer != OTHER_PROGRAM]
    return len(wishes) == len(set(wishes))


def sold_stays_sold(_, s):
    return all(
        any(sale.number == answer.number and sale.customer == who for sale in sales(s.disk))
        for who, customer in enumerate(s.customers)
        for answer in customer.told
        if isinstance(answer, Sold)
    )


def refused_stays_refused(_, s):
    return not any(
        REFUSED in customer.told and any(sale.customer == who for sale in sales(s.disk))
        for who, customer in enumerate(s.customers)
    )


def refused_only_when_sold_out(model, s):
    """A refusal, too, comes from committed state: the stock was 0 at some time on the disk."""
    return not any(REFUSED in customer.told for customer in s.customers) or any(
        stock_after(model.scenario.stock, s.disk[:length]) == 0 for length in range(len(s.disk) + 1)
    )


def not_done_is_not_done(_, s):
    """Who was told nothing but 503 has bought nothing, and will not."""
    return not any(
        customer.told == {NOT_DONE}
        and not customer.call
        and any(sale.customer == who for sale in sales(s.disk))
        for who, customer in enumerate(s.customers)
    )


def too_late_is_not_done(_, s):
    """ERROR_REASON_TOO_LATE on its way from the catalog: this attempt sold nothing."""
    return not any(
        customer.call
        and customer.call.reply == Reply(TOO_LATE, True)
        for customer in s.customers
    )


def nothing_is_decided_late(_, s):
    """No sale was decided past the decide_by of the request that brought it about."""
    return not any(sale.late for sale in sales(s.disk))


def readers_see_what_is_committed(_, s):
    return s.published == s.disk[: len(s.published)]


def who_bought_reads_it(_, s):
    """Once a buy is answered, readers see it: the stock, and GET /orders/{n}."""
    return all(
        any(sale.number == answer.number for sale in sales(s.published))
        for customer in s.customers
        for answer in customer.told
        if isinstance(answer, Sold)
    )


INVARIANTS = (
    stock_is_never_negative, numbers_have_no_gap, one_sale_a_key, sold_stays_sold,
    refused_stays_refused, refused_only_when_sold_out, not_done_is_not_done, too_late_is_not_done,
    nothing_is_decided_late, readers_see_what_is_committed, who_bought_reads_it,
)


# ---------------------------------------------------------------------------- scenarios and bugs

SCENARIOS = (
    Scenario(
        "a crash",
        "two customers with keys of their own want the last toy; one kill or power cut",
        own_keys=(True, True), tries=2, crashes=1, restocks=1,
    ),
    Scenario(
        "two crashes",
        "the same with two of them, and no more toys",
        own_keys=(True, True), tries=2, crashes=2,
    ),
    Scenario(
        "a full disk",
        "a commit that fails or a queue that is full, and a crash",
        own_keys=(True, True), tries=2, crashes=1, failures=1,
    ),
    Scenario(
        "own key",
        "one customer with a key of their own, deadlines, two attempts at each hop",
        own_keys=(True,), tries=2, attempts=2, deadlines=True, restocks=1, others=1,
    ),
    Scenario(
        "own key and a crash",
        "asked for once, with a crash and a failure",
        own_keys=(True,), tries=1, attempts=2, deadlines=True, restocks=1, others=1, crashes=1,
        failures=1,
    ),
    Scenario(
        "made key",
        "one customer who repeats with the key the frontend made",
        own_keys=(False,), tries=2, attempts=2, deadlines=True, restocks=1, others=1, failures=1,
    ),
    Scenario(
        "made key and a crash",
        "the same with a crash instead of a failure",
        own_keys=(False,), tries=2, attempts=2, deadlines=True, restocks=1, crashes=1,
    ),
    Scenario(
        "both keys",
        "one customer of each kind",
        own_keys=(True, False), tries=1, attempts=2, deadlines=True, restocks=1,
    ),
)


class Mistake(NamedTuple):
    """What is planted, in which scenario, and the invariant that must break first."""

    name: str
    scenario: str
    invariant: object


MISTAKES = (
    Mistake("answers before the commit", "a crash", sold_stays_sold),
    Mistake("refuses before the commit", "a crash", refused_only_when_sold_out),
    Mistake("publishes before the commit", "a crash", readers_see_what_is_committed),
    Mistake("answers before it publishes", "a crash", who_bought_reads_it),
    Mistake("commits without a sync", "a crash", sold_stays_sold),
    Mistake("a failed sync is tried again", "a crash", sold_stays_sold),
    Mistake("a failed batch is published", "a full disk", readers_see_what_is_committed),
    Mistake("a failed batch is not rolled back", "a full disk", not_done_is_not_done),
    Mistake("a committed batch is called failed", "a full disk", not_done_is_not_done),
    Mistake("stock is checked outside the writer", "a crash", stock_is_never_negative),
    Mistake("two of a key in one batch", "a crash", one_sale_a_key),
    Mistake("keys are forgotten at a restart", "a crash", one_sale_a_key),
    Mistake("a number is used again after a crash", "a crash", numbers_have_no_gap),
    Mistake("a refusal is not kept", "a crash", refused_stays_refused),
    Mistake("a refusal is kept after its answer", "a crash", refused_stays_refused),
    Mistake("no decide_by", "own key", nothing_is_decided_late),
    Mistake("the deadline is looked at after the commit", "own key", too_late_is_not_done),
    Mistake("time over is called not done", "own key", not_done_is_not_done),
    Mistake("a call that left is called not done", "own key", not_done_is_not_done),
    Mistake("a retry forgets the first attempt", "own key", not_done_is_not_done),
    Mistake("a retry makes a new key", "own key", one_sale_a_key),
    Mistake("a made key is sent twice", "made key", refused_stays_refused),
    Mistake("a made key is not kept", "made key", one_sale_a_key),
)


if __name__ == "__main__":
    sys.exit(run(Model, STEPS, INVARIANTS, SCENARIOS, MISTAKES, __doc__, "docs/model/buy.py", "model"))

"""Trades with the Python client that .ci/clients generated."""

import json
import os
import urllib.request
from datetime import datetime, timedelta, timezone

import openapi_spec_validator
from toystore_client import AccountsApi, ApiClient, CartApi, Configuration, ItemsApi, OrdersApi, ProductsApi, StocksApi
from toystore_client.exceptions import ConflictException
from toystore_client.models import Card, CartAddition, Condition, Credentials, NewItem, NewOrder, NewOrderLine, Restock, TradeType

url = os.environ["TOYSTORE_URL"]
with urllib.request.urlopen(url + "/openapi.json") as response:
    openapi_spec_validator.validate(json.load(response))


def expect(what, actual, expected):
    if actual != expected:
        raise SystemExit(f"Python client: {what} is {actual!r}, expected {expected!r}")


client = ApiClient(Configuration(host=url, access_token=os.environ["TOYSTORE_ADMIN_TOKEN"]))
orders, products, stocks = OrdersApi(client), ProductsApi(client), StocksApi(client)

toys = products.get_product("Tux").data.quantity
bought = orders.place_order(NewOrder(name="Tux", quantity=1)).data.order_number
expect("the stock of toys", products.get_product("Tux").data.quantity, toys - 1)
order = orders.get_order(bought).data
expect("the order", (order.number, order.type, order.name, order.quantity, order.price), (bought, None, "Tux", 1, 25.99))
expect("the order's age in minutes", (datetime.now(timezone.utc) - order.time) // timedelta(minutes=5), 0)

shares = stocks.get_stock("GameStart").data
sold = orders.place_order(NewOrder(name="GameStart", quantity=2, type=TradeType.SELL), idempotency_key="sell-python")
expect("the number of the sell", sold.data.transaction_number, bought + 1)
expect("the stock of shares", stocks.get_stock("GameStart").data.quantity, shares.quantity + 2)
trade = orders.get_order(bought + 1).data
expect("the trade", (trade.number, trade.type, trade.name, trade.quantity, trade.price), (bought + 1, TradeType.SELL, "GameStart", 2, 15.99))

lines = [NewOrderLine(name="Whale", quantity=2), NewOrderLine(name="Bird", quantity=1)]
listed = orders.get_order(orders.place_order(NewOrder(lines=lines)).data.order_number).data
expect("the list", [(it.name, it.quantity, it.price) for it in listed.lines], [("Whale", 2, 34.99), ("Bird", 1, 39.99)])
expect("the list's name", listed.name, None)

try:
    orders.place_order(NewOrder(name="Tux", quantity=1_000_000))
    raise SystemExit("Python client: an order of more than the stock was not refused")
except ConflictException as refused:
    expect("the refusal's code", refused.data.error.code, 409)

expect("the stock after a restock", products.restock_product("Tux", Restock(quantity=5)).data.quantity, toys + 4)
expect("all orders", [it.number for it in orders.list_orders(limit=200).data.items][-3:], [bought, bought + 1, bought + 2])
def session(register, login):
    credentials = Credentials(username="python", password="for checks only")
    register(credentials)
    return ApiClient(Configuration(host=url, access_token=login(credentials).token))


accounts = AccountsApi(client)
seller = session(accounts.register_seller, accounts.login_seller)
buyer = session(accounts.register_buyer, accounts.login_buyer)
castle = NewItem(name="Castle", category=3, keywords=["lego"], condition=Condition.USED, price=12.5, quantity=4)
item = ItemsApi(seller).add_item(castle).item_id
expect("the items found", [it.item_id for it in ItemsApi(buyer).search_items(3, keywords="LEGO").items], [item])
cart = CartApi(buyer)
cart.add_to_cart(CartAddition(item_id=item, quantity=2))
card = Card(card_holder_name="A Buyer", card_number="4111111111111111", expiration_date="12/39", security_code="123")
expect("the units bought", cart.purchase(card).items_purchased, 2)
expect("the purchases", [(it.item_id, it.quantity, it.price) for it in cart.list_purchases().purchases], [(item, 2, 12.5)])
expect("the item's stock", ItemsApi(buyer).get_item(item).item.quantity, 2)
print("Python client: bought, sold and read back")

// Trades with the TypeScript client that .ci/clients generated.
import { Configuration, OrdersApi, ProductsApi, ResponseError, StocksApi, TradeType } from './index.js';

declare const process: { env: Record<string, string> };

function expect(what: string, actual: unknown, expected: unknown): void {
  const [received, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (received !== wanted) throw new Error(`TypeScript client: ${what} is ${received}, expected ${wanted}`);
}

const configuration = new Configuration({ basePath: process.env.TOYSTORE_URL, accessToken: process.env.TOYSTORE_ADMIN_TOKEN });
const orders = new OrdersApi(configuration);
const products = new ProductsApi(configuration);
const stocks = new StocksApi(configuration);

const toys = (await products.getProduct({ name: 'Tux' })).data.quantity;
const bought = (await orders.placeOrder({ newOrder: { name: 'Tux', quantity: 1 } })).data.orderNumber!;
expect('the stock of toys', (await products.getProduct({ name: 'Tux' })).data.quantity, toys - 1);
const order = (await orders.getOrder({ number: bought })).data;
expect('the order', [order.number, order.type, order.name, order.quantity, order.price], [bought, undefined, 'Tux', 1, 25.99]);
expect("the order's age in minutes", Math.floor((Date.now() - order.time.getTime()) / 300_000), 0);

const shares = (await stocks.getStock({ name: 'GameStart' })).data.quantity;
const sell = { name: 'GameStart', quantity: 2, type: TradeType.Sell };
const sold = (await orders.placeOrder({ newOrder: sell, idempotencyKey: 'sell-typescript' })).data.transactionNumber;
expect('the number of the sell', sold, bought + 1);
expect('the stock of shares', (await stocks.getStock({ name: 'GameStart' })).data.quantity, shares + 2);
const trade = (await orders.getOrder({ number: bought + 1 })).data;
expect('the trade', [trade.number, trade.type, trade.name, trade.quantity, trade.price], [bought + 1, TradeType.Sell, 'GameStart', 2, 15.99]);

const lines = [{ name: 'Whale', quantity: 2 }, { name: 'Bird', quantity: 1 }];
const listed = (await orders.getOrder({ number: (await orders.placeOrder({ newOrder: { lines } })).data.orderNumber! })).data;
expect('the list', listed.lines!.map((it) => [it.name, it.quantity, it.price]), [['Whale', 2, 34.99], ['Bird', 1, 39.99]]);

const refused = await orders.placeOrder({ newOrder: { name: 'Tux', quantity: 1_000_000 } }).catch((error: ResponseError) => error.response.status);
expect('the status of an order of more than the stock', refused, 409);

const restocked = await products.restockProduct({ name: 'Tux', restock: { quantity: 5 } });
expect('the stock after a restock', restocked.data.quantity, toys + 4);
const all = (await orders.listOrders({ limit: 200 })).data.items.map((it) => it.number);
expect('all orders', all.slice(-3), [bought, bought + 1, bought + 2]);
console.log('TypeScript client: bought, sold and read back');

// Keeps the exchange's page up to date with the live feed. The browser reconnects by itself and
// sends the number of the last trade, so no trade is missing.
const market = document.getElementById('exchange-market');
const MAX_TRADES = 20;
let refreshing;

if (market) {
  const feed = new EventSource(market.dataset.feed);
  const state = document.getElementById('feed-state');
  feed.addEventListener('open', () => { state.textContent = 'Live.'; });
  feed.addEventListener('error', () => {
    state.textContent = feed.readyState === EventSource.CLOSED
      ? 'The live prices have ended. Please reload the page.'
      : 'Reconnecting…';
  });
  feed.addEventListener('depth', (event) => {
    const depth = JSON.parse(event.data);
    for (const side of ['bids', 'asks']) {
      document.getElementById(side).replaceChildren(
        ...depth[side].map((level) => row(level.price, level.shares, level.orders)));
    }
    refreshSoon();
  });
  feed.addEventListener('trade', (event) => {
    const trade = JSON.parse(event.data);
    const time = document.createElement('time');
    time.dateTime = trade.executed_at;
    time.textContent = trade.executed_at.slice(11, 19);
    const rows = document.getElementById('trades');
    rows.prepend(row(trade.price, trade.shares, time));
    while (rows.rows.length > MAX_TRADES) {
      rows.lastElementChild.remove();
    }
    refreshSoon();
  });
}

function refreshSoon() {
  refreshing ??= setTimeout(refresh, 1_000);
}

function row(...cells) {
  const tr = document.createElement('tr');
  for (const content of cells) {
    tr.insertCell().append(content);
  }
  return tr;
}

// The server draws the charts. A trade may be one of the user's own orders; that section stays as it
// is while it has the focus.
async function refresh() {
  refreshing = undefined;
  try {
    const page = await fetch(location.href, { headers: { Accept: 'text/html' } });
    const html = new DOMParser().parseFromString(await page.text(), 'text/html');
    for (const id of ['exchange-charts', 'exchange-own']) {
      const shown = document.getElementById(id);
      const fresh = html.getElementById(id);
      if (shown && fresh && !shown.contains(document.activeElement)) {
        shown.replaceWith(fresh);
      }
    }
  } catch {
    // the next event tries again
  }
}

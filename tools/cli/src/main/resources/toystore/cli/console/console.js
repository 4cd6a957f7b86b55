'use strict';
// The console's page. It asks for the state of everything once a second and shows it.

const token = location.hash.slice(1);
const $ = id => document.getElementById(id);
const KEPT_SECONDS = 180;
const SYMBOLS = { ready: '●', standby: '○', starting: '◔', 'not ready': '◑', stopped: '■', down: '✕' };
const LINES = [ // of charts: each differs in colour, and in dashes or width
  { color: '--a', dash: [], style: 'solid', width: 2 }, { color: '--b', dash: [7, 4], style: 'dashed', width: 2 },
  { color: '--c', dash: [2, 3], style: 'dotted', width: 2 }, { color: '--d', dash: [], style: 'solid', width: 4 },
  { color: '--e', dash: [7, 4], style: 'dashed', width: 4 }];

let state = null;
let run = -1; // number of the load whose seconds are kept
let kinds = []; // of requests of that load
let seconds = [];
let marks = []; // of faults: {at, text}
let charts = [];
let drawnSweep = '';
let published = [];

async function call(method, path, body) {
  const answer = await fetch('/api/' + path, {
    method, cache: 'no-store',
    headers: { Authorization: 'Bearer ' + token },
    body: body && JSON.stringify(body),
  });
  const json = await answer.json();
  if (!answer.ok) throw new Error(json.error.message);
  return json;
}

function problem(text) {
  $('problem').hidden = !text;
  if ($('problem').textContent !== text) $('problem').textContent = text;
}

function el(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function table(element, head, rows) {
  element.replaceChildren(
    el('thead', {}, el('tr', {}, ...head.map(text => el('th', { scope: 'col' }, text)))),
    el('tbody', {}, ...rows.map(row => el('tr', {}, ...row.map(text => el('td', {}, String(text)))))));
}

const number = (value, digits = 0) =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
const counts = failed => Object.entries(failed)
  .map(([what, count]) => `${number(count)} × ${what.replace(/, expected \d+/, '')}`).join(', ');
const millis = value => value == null ? '–' : number(value, value < 10 ? 2 : 0) + ' ms';
const mebibytes = bytes => number(bytes / 1048576);
const time = at => new Date(at).toLocaleTimeString('en', { hour12: false });

// --- topology ---

/// The card of a process, in the column of those that are as many calls away from the last service.
function card({ name }, layer) {
  let found = document.querySelector(`[data-process="${name}"]`);
  if (!found) {
    const open = el('button', { type: 'button' }, name);
    open.addEventListener('click', () => showDetails(name));
    found = el('article', { className: 'process' }, el('h3', {}, open),
      ...['state', 'role', 'address', 'numbers', 'memory', 'calls'].map(line => el('p', { className: line })));
    found.dataset.process = name;
    while ($('processes').querySelectorAll('.layer').length <= layer) $('lines').after(el('div', { className: 'layer' }));
    [...$('processes').querySelectorAll('.layer')].at(-1 - layer).append(found);
  }
  return found;
}

const isOf = (process, service) => process.name.startsWith(service + '-service');

/// The calls of each process to each process of a service that it calls.
function edges(processes, calls, fault) {
  return processes.flatMap(from => from.peers.flatMap(peer => processes.filter(it => isOf(it, peer)).map(to => {
    const made = calls.filter(it => it.from === from.name && it.to === peer);
    const isCut = fault?.kind === 'cut' && fault.process === from.name && fault.peer === peer;
    return { from: from.name, to: to.name, name: isCut ? 'cut' : made.some(it => it.failed > 0) ? 'failing' : made.length > 0 ? 'used' : '' };
  })));
}

/// Draws a line from each process to those that it calls. It passes the columns in between above, between or below
/// their cards. If the page is narrow, the cards are below each other, and the lines are at their right.
function drawLines(processes, calls, fault) {
  const area = $('processes').getBoundingClientRect();
  const box = element => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return { left: left - area.left, right: right - area.left, top: top - area.top, bottom: bottom - area.top };
  };
  const layers = [...$('processes').querySelectorAll('.layer')].map(it => ({ ...box(it), cards: [...it.children].map(box) }));
  const isNarrow = layers.length > 1 && layers[1].top >= layers[0].bottom;
  const drawn = edges(processes, calls, fault).map(edge => {
    const [from, to] = [edge.from, edge.to].map(name => document.querySelector(`[data-process="${name}"]`));
    return { ...edge, a: box(from), b: box(to), layerA: layerOf(from), layerB: layerOf(to) };
  });
  // the ends at one side of a card, below each other in the order of what they lead to
  const end = (edge, card, side) => {
    const others = drawn.filter(it => it[side].top === edge[card].top && it[side].left === edge[card].left);
    return others.sort((x, y) => x[side === 'a' ? 'b' : 'a'].top - y[side === 'a' ? 'b' : 'a'].top).indexOf(edge) - (others.length - 1) / 2;
  };
  const y = (edge, side) => (edge[side].top + edge[side].bottom) / 2 + 9 * end(edge, side, side) + (isNarrow ? (side === 'a' ? 6 : -6) : 0);
  const bySpan = [...drawn].sort((x, z) => Math.abs(x.b.top - x.a.top) - Math.abs(z.b.top - z.a.top));
  $('lines').replaceChildren(...drawn.flatMap(edge => {
    const [y1, y2] = [y(edge, 'a'), y(edge, 'b')];
    let [x, at, d] = [edge.a.right, y1, `M${edge.a.right},${y1}`];
    if (isNarrow) {
      x += 8 + (area.width - edge.a.right - 16) * bySpan.indexOf(edge) / bySpan.length;
      d += `H${x}V${y2}H${edge.b.right}m6,-4l-6,4l6,4`;
    } else {
      const curve = (x2, to) => { d += `C${(x + x2) / 2},${at} ${(x + x2) / 2},${to} ${x2},${to}`; x = x2; at = to; };
      for (const { left, right, cards } of layers.slice(edge.layerA + 1, edge.layerB)) {
        const free = [cards[0].top - 6, ...cards.map((it, i) => i + 1 < cards.length ? (it.bottom + cards[i + 1].top) / 2 : it.bottom + 6)];
        curve(left, free.sort((m, n) => Math.abs(m - (y1 + y2) / 2) - Math.abs(n - (y1 + y2) / 2))[0]);
        d += `H${right}`;
        x = right;
      }
      curve(edge.b.left, y2);
      d += 'm-6,-4l6,4l-6,4';
    }
    const path = svg('path', { d, class: edge.name });
    path.dataset.edge = `${edge.from} ${edge.to}`;
    if (edge.name !== 'cut') return [path];
    const mark = svg('text', isNarrow ? { x, y: (y1 + y2) / 2, class: 'cut' } : { x: edge.a.right + 14, y: y1, class: 'cut' });
    mark.textContent = '✕';
    return [path, mark];
  }));
}

const layerOf = card => [...$('processes').querySelectorAll('.layer')].indexOf(card.parentElement);

function svg(tag, attributes) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/// Calls of one process to a service, in words.
function callsTo(to, calls, isCut) {
  const sum = of => calls.filter(it => it.to === to).reduce((all, it) => all + it[of], 0);
  const failed = sum('failed');
  return `→ ${to} ${number(sum('rate'))}/s${failed > 0 ? `, ${number(failed, failed < 10 ? 1 : 0)} failed` : ''}${isCut ? ' ✕ cut' : ''}`;
}

function showTopology({ processes, calls, databases }, last) {
  const fault = last?.phase === 'active' ? last : null;
  const depth = process => Math.max(0, ...process.peers.map(peer => 1 + depth(processes.find(it => isOf(it, peer)) ?? { peers: [] })));
  for (const process of processes) {
    const found = card(process, depth(process));
    const line = name => found.querySelector('.' + name);
    found.className = 'process ' + process.state.replace(' ', '-') + (process.refusesWrites ? ' refusing' : '');
    setText(line('state'), `${SYMBOLS[process.state]} ${process.state}${process.refusesWrites ? ' ✕ cannot write' : ''}`);
    setText(line('role'), process.role);
    setText(line('address'), process.address);
    setText(line('numbers'), `pid ${process.pid}, restarts ${process.restarts}, ${process.version || '–'}`);
    setText(line('memory'),
      `CPU ${number(process.cpu * 100)} %, heap ${mebibytes(process.heapUsed)} of ${mebibytes(process.heapMax)} MiB`);
    const made = calls.filter(it => it.from === process.name);
    const cut = fault?.kind === 'cut' && fault.process === process.name ? [fault.peer] : [];
    const called = new Set([...made.map(it => it.to), ...cut]);
    setText(line('calls'), called.size === 0 ? 'no calls' : [...called].map(to => callsTo(to, made, cut.includes(to))).join(', '));
  }
  for (const [address, reached] of Object.entries(databases)) {
    const found = card({ name: 'PostgreSQL ' + address }, 0);
    found.className = 'process ' + (reached ? 'ready' : 'down');
    setText(found.querySelector('.state'), reached ? '● reachable' : '✕ unreachable');
    found.querySelector('button').disabled = true;
  }
  drawLines(processes, calls, fault);
  table($('calls'), ['from', 'to', 'method', 'calls/s', 'failed/s', 'p50', 'p99'],
    calls.map(it => [it.from, it.to, it.method, number(it.rate, 1), number(it.failed, 1), millis(it.p50 || null), millis(it.p99 || null)]));
}

function fill(select, values, texts = values) {
  if (select.dataset.values !== values.join()) {
    select.dataset.values = values.join();
    select.replaceChildren(...values.map((value, i) => el('option', { value }, texts[i])));
  }
}

async function showDetails(name) {
  await act(async () => {
    const details = await call('GET', 'process?name=' + encodeURIComponent(name));
    $('details-title').textContent = name;
    $('log').textContent = details.log || 'The log is empty.';
    $('settings').className = 'text';
    table($('settings'), ['setting', 'value', 'set in'], details.settings.map(it => [it.key, it.value, it.source]));
    $('details').showModal();
    $('log').scrollTop = $('log').scrollHeight;
  });
}

// --- charts ---

function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/// Draws a vertical line at each fault.
function drawMarks(chart) {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = color('--bad');
  ctx.lineWidth = devicePixelRatio;
  ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
  marks.forEach(({ at, text }, i) => {
    const x = Math.round(chart.valToPos(at, 'x', true));
    if (x >= bbox.left && x <= bbox.left + bbox.width) {
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      ctx.textAlign = x > bbox.left + bbox.width / 2 ? 'right' : 'left';
      ctx.fillText(` ${text} `, x, bbox.top + (12 + 14 * i) * devicePixelRatio);
    }
  });
  ctx.restore();
}

/// @param read the data of the chart: the x values, then those of each line
function addChart(parent, title, labels, unit, isTime, read) {
  const box = el('div');
  parent.append(el('figure', {}, el('figcaption', {}, `${title}, ${unit}`), box));
  const axis = { stroke: color('--soft'), grid: { stroke: color('--line'), width: 1 }, ticks: { stroke: color('--line') } };
  const chart = new uPlot({
    width: box.clientWidth, height: 190,
    cursor: { drag: { x: false } },
    legend: { markers: { width: 3, dash: (_, i) => LINES[i - 1]?.style ?? 'solid' } },
    scales: { x: { time: isTime, ...(isTime ? {} : { range: [0.8, 5.2] }) }, y: { range: (_, low, high) => [0, high * 1.1 || 1] } },
    axes: [{ ...axis, ...(isTime ? { values: '{HH}:{mm}:{ss}', space: 70 } : { splits: () => [1, 2, 3, 4, 5] }) }, { ...axis, size: 56 }],
    series: [isTime ? { value: '{HH}:{mm}:{ss}' } : { label: 'clients' }, ...labels.map((label, i) => ({
      label, stroke: color(LINES[i].color), dash: LINES[i].dash, width: LINES[i].width, spanGaps: false,
      points: { show: !isTime }, value: (_, value) => value == null ? '' : number(value, value < 10 ? 2 : 0),
    }))],
    hooks: { draw: isTime ? [drawMarks] : [] },
  }, read(), box);
  chart.read = read;
  chart.box = box;
  charts.push(chart);
}

function clearCharts(parent) {
  charts = charts.filter(it => {
    if (parent.contains(it.root)) it.destroy();
    return !parent.contains(it.root);
  });
  parent.replaceChildren();
}

const NAMES = { query: 'Queries', buy: 'Buys', search: 'Searches', purchase: 'Purchases', 'exchange-rest': 'Orders' };

function drawLoad() {
  clearCharts($('charts'));
  const of = (i, value) => seconds.map(second => second.calls[i] && value(second.calls[i]));
  const answered = (calls, value) => calls.correct + calls.refused + calls.failed > 0 ? value : null;
  const xs = () => seconds.map(it => it.at);
  kinds.forEach((kind, i) => addChart($('charts'), 'Latency: ' + NAMES[kind].toLowerCase(), ['p50', 'p95', 'p99'], 'ms', true, () =>
    [xs(), of(i, it => answered(it, it.p50)), of(i, it => answered(it, it.p95)), of(i, it => answered(it, it.p99))]));
  addChart($('charts'), 'Throughput', kinds.map(it => NAMES[it]), 'correct responses/s', true, () =>
    [xs(), ...kinds.map((_, i) => of(i, it => it.correct))]);
  addChart($('charts'), 'Errors', kinds.flatMap(it => [NAMES[it] + ' failed', NAMES[it] + ' refused']), 'requests/s', true, () =>
    [xs(), ...kinds.flatMap((_, i) => [of(i, it => it.failed), of(i, it => it.refused)])]);
}

// --- load ---

function showLoad(load) {
  const isNew = load.run !== run;
  if (isNew) {
    seconds = [];
    kinds = load.run === 0 ? ['query', 'buy'] : load.kinds;
  }
  seconds = [...seconds, ...load.seconds].slice(-KEPT_SECONDS);
  run = load.run;
  if (isNew) drawLoad();
  else for (const chart of charts.filter(it => $('charts').contains(it.root))) chart.setData(chart.read());
  $('stop').disabled = !load.running;
  const totals = load.totals.map((it, i) => {
    const failed = counts(it.failed);
    return `${NAMES[kinds[i]].toLowerCase()}: ${number(it.correct)} correct, ${number(it.refused)} refused${failed && ', ' + failed}`;
  });
  setText($('load-state'), load.run === 0 ? 'No load is running.'
    : (load.running ? `${load.clients} clients. ` : 'Stopped. ') + totals.join('; '));
  table($('seconds'), ['time', 'requests', 'correct', 'refused', 'failed', 'p50', 'p95', 'p99'],
    seconds.slice(-10).reverse().flatMap(second => second.calls.map((it, i) =>
      [time(second.at * 1000), NAMES[kinds[i]], it.correct, it.refused, it.failed, millis(it.p50), millis(it.p95), millis(it.p99)])));
}

function showSweep({ running, state: step, points }) {
  $('sweep').disabled = running;
  $('sweep-section').hidden = step === '';
  setText($('sweep-state'), running ? `Running, ${step} …` : step);
  const drawn = JSON.stringify(points);
  if (drawn === drawnSweep || points.length === 0) return;
  drawnSweep = drawn;
  const all = [1, 2, 3, 4, 5];
  const placements = [...new Set(published.map(it => `${it.kind}, ${it.placement}`))];
  const of = name => all.map(clients =>
    published.find(it => `${it.kind}, ${it.placement}` === name && it.clients === clients)?.millis ?? null);
  const own = kind => all.map(clients => points.find(it => it.clients === clients)?.[kind] ?? null);
  clearCharts($('sweep-charts'));
  addChart($('sweep-charts'), 'Measured here: mean latency', ['query', 'buy'], 'ms', false, () => [all, own('query'), own('buy')]);
  if (placements.length > 0) {
    addChart($('sweep-charts'), 'Published: mean latency', placements, 'ms', false, () => [all, ...placements.map(of)]);
  }
  table($('sweep-table'), ['mean latency', ...all.map(it => it === 1 ? '1 client' : it + ' clients')],
    [['query, here', ...own('query').map(millis)], ['buy, here', ...own('buy').map(millis)],
      ...placements.map(name => [name + ' (published)', ...of(name).map(millis)])]);
}

// --- faults ---

/// Which processes a fault can be in, if not in all.
const WHERE = {
  'full-disk': it => it.role.endsWith('SQLite'), cut: it => it.peers.length > 0, database: it => it.role.endsWith('PostgreSQL'),
};

function showFault(last) {
  const possible = fault => (state?.topology.processes ?? []).filter(WHERE[fault] ?? (() => true));
  for (const option of $('fault').options) option.disabled = possible(option.value).length === 0;
  const chosen = $('fault').selectedOptions[0];
  fill($('process'), possible(chosen.value).map(it => it.name));
  fill($('peer'), possible('cut').find(it => it.name === $('process').value)?.peers ?? []);
  $('process-label').hidden = chosen.value === 'database' || chosen.value.endsWith('-payments');
  $('peer-label').hidden = chosen.value !== 'cut';
  setText($('promise'), chosen.dataset.promise);
  const busy = last !== null && last.phase !== 'done';
  $('inject').disabled = busy;
  $('end').disabled = !(busy && last.phase === 'active');
  if (!last) return;
  marks = [{ at: last.begun / 1000, text: `${last.kind} ${last.process.replace('-service', '')}` }];
  const where = last.process + (last.peer && ` to ${last.peer}`);
  if (last.recovered) marks.push({ at: last.recovered / 1000, text: 'works again' });
  const lines = [el('p', {}, el('strong', {}, `${last.kind} ${where}`), ` at ${time(last.begun)}: `,
    { active: 'in progress …', recovering: 'waiting until everything works again …', auditing: 'auditing …', done: 'observed.' }[last.phase])];
  if (last.loadEnded) lines.push(el('p', {}, 'Its load ended before the fault was observed; these are the requests until then.'));
  last.losses.forEach((loss, i) => {
    lines.push(el('p', {}, `${NAMES[last.kinds[i]]}: longest time without an answer ${number(loss.longestGapMillis / 1000, 1)} s; `
      + `${number(loss.correct)} answered, failed: ${counts(loss.failed) || 'none'}.`));
  });
  if (last.phase === 'done') lines.push(checks(last.checks));
  const shown = lines.map(it => it.textContent).join();
  if ($('fault-result').dataset.shown !== shown) {
    $('fault-result').dataset.shown = shown;
    $('fault-result').replaceChildren(...lines);
  }
}

const RESULTS = { HELD: '✓ held', BROKEN: '✗ broken', UNKNOWN: '? not known', NOT_TRIED: '– not tried' };

/// @param all promises, each with its result, or invariants, each with whether it is ok
function checks(all) {
  return el('ul', { className: 'checks' }, ...all.map(({ name, result, ok, detail }) => {
    const shown = result ?? (ok === true ? 'HELD' : ok === false ? 'BROKEN' : 'UNKNOWN');
    return el('li', {}, el('span', { className: shown.toLowerCase() }, RESULTS[shown]), ` ${name}: ${detail}`);
  }));
}

async function fullAudit() {
  $('audit').disabled = true;
  $('audit-result').replaceChildren('The full audit reads all rows …');
  await act(async () => {
    const audit = await call('POST', 'audit');
    $('audit-result').replaceChildren(el('p', {}, el('strong', {}, 'Full audit: '),
      audit.ok === true ? 'ok' : audit.ok === false ? 'NOT OK' : 'could not be made'), checks(audit.checks));
  });
  $('audit').disabled = false;
}

// --- all ---

/** A forwarding proxy, such as that of GitHub Codespaces, has a name for each port: toys-8079.app.github.dev. */
function shopAddress() {
  const portInName = /-\d+\./;
  if (!portInName.test(location.hostname)) return state.shop;
  return location.origin.replace(portInName, `-${new URL(state.shop).port}.`);
}

function show() {
  $('shop').href = shopAddress();
  $('shop').hidden = false;
  showTopology(state.topology, state.fault);
  showLoad(state.load);
  showFault(state.fault);
  showSweep(state.sweep);
}

/// Does what a button says, and shows why it could not be done.
async function act(action) {
  try {
    problem('');
    await action();
  } catch (e) {
    problem(e.message);
  }
}

function on(id, event, action) {
  $(id).addEventListener(event, e => {
    e.preventDefault();
    act(action);
  });
}

async function poll() {
  try {
    const last = seconds.length > 0 ? seconds[seconds.length - 1].at : 0;
    if (!state) published = await call('GET', 'published');
    state = await call('GET', 'state?after=' + last);
    if ($('problem').dataset.lost) problem('');
    $('problem').dataset.lost = '';
    show();
  } catch (e) {
    problem(e instanceof TypeError ? 'The console does not answer. Is ./toystore up still running?' : e.message);
    $('problem').dataset.lost = 'yes';
  }
  setTimeout(poll, 1000);
}

function redraw() {
  if (state) {
    drawLoad();
    drawnSweep = '';
    showSweep(state.sweep);
  }
}

if (token) {
  on('load-form', 'submit', async () => {
    $('start').disabled = true;
    setText($('load-state'), 'The load is being prepared …');
    try {
      await call('POST', 'load', {
        kind: $('kind').value, clients: Number($('clients').value), probability: Number($('probability').value) / 100,
      });
    } finally {
      $('start').disabled = false;
    }
  });
  on('stop', 'click', () => call('DELETE', 'load'));
  on('sweep', 'click', () => call('POST', 'sweep'));
  on('fault-form', 'submit', () => call('POST', 'fault', {
    kind: $('fault').value, process: $('process').value, peer: $('peer').value,
  }));
  on('end', 'click', () => call('DELETE', 'fault'));
  on('audit', 'click', fullAudit);
  for (const id of ['fault', 'process']) $(id).addEventListener('change', () => showFault(state?.fault ?? null));
  $('kind').addEventListener('change', () => { $('probability').disabled = $('kind').value !== 'mix'; });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
  new ResizeObserver(() => state && showTopology(state.topology, state.fault)).observe($('processes'));
  let width = innerWidth;
  addEventListener('resize', () => {
    if (innerWidth !== width) {
      width = innerWidth;
      redraw();
    }
  });
  poll();
} else {
  problem('Open the address that ./toystore up printed: the part after # is missing.');
}

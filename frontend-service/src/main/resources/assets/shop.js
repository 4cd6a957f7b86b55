// What htmx leaves unsaid: that no page came back, be it that nobody answered or only the edge did.
// The button keeps its key, so pressing it again never buys twice.
document.addEventListener('htmx:sendError', tell);
document.addEventListener('htmx:timeout', tell);
document.addEventListener('htmx:beforeSwap', (event) => {
  const type = event.detail.xhr.getResponseHeader('Content-Type') || '';
  if (!type.startsWith('text/html')) {
    event.detail.shouldSwap = false;
    tell();
  }
});

function tell() {
  document.getElementById('news').textContent =
    'The shop cannot be reached. Please try again: nothing will be bought twice.';
}

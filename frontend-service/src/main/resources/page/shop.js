// What htmx cannot say by itself: that no answer came. The button keeps its key, so pressing it
// again never buys twice.
document.addEventListener('htmx:sendError', tell);
document.addEventListener('htmx:timeout', tell);
function tell() {
  document.getElementById('news').textContent =
    'The shop cannot be reached. Please try again: nothing is bought twice.';
}

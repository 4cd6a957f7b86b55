// Shows a message if htmx receives no HTML page: no answer, a timeout, or an error in JSON. The
// button keeps its key, so a retry never buys twice.
document.addEventListener('htmx:sendError', showUnreachable);
document.addEventListener('htmx:timeout', showUnreachable);
document.addEventListener('htmx:beforeSwap', (event) => {
  const type = event.detail.xhr.getResponseHeader('Content-Type') || '';
  if (!type.startsWith('text/html')) {
    event.detail.shouldSwap = false;
    showUnreachable();
  }
});

function showUnreachable() {
  document.getElementById('news').textContent =
    'The shop cannot be reached. Please try again: nothing will be bought twice.';
}

// Updates the total on the buttons when the quantity changes.
document.addEventListener('input', ({ target }) => {
  if (target.name === 'quantity') {
    for (const total of target.form.querySelectorAll('.total')) {
      total.textContent = target.validity.valid
        ? (total.dataset.cents * target.value / 100).toLocaleString('en', { style: 'currency', currency: 'EUR' })
        : '…';
    }
  }
});

// Copies a chosen file into a field of its form, which sends text only.
for (const input of document.querySelectorAll('[data-into]')) {
  input.parentElement.hidden = false;
  input.addEventListener('change', async () => {
    const file = input.files[0];
    try {
      const text = file ? new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer()) : '';
      input.form.elements[input.dataset.into].value = text;
      input.setCustomValidity('');
    } catch {
      input.setCustomValidity('The file must be text in UTF-8.');
    }
    input.reportValidity();
  });
}

// Ignores the second click of a double click on a form that htmx does not send.
document.addEventListener('submit', (event) => {
  const form = event.target;
  if (form.method === 'post' && !form.hasAttribute('hx-post')) {
    if (form.dataset.sent) {
      event.preventDefault();
    }
    form.dataset.sent = 'yes';
    setTimeout(() => delete form.dataset.sent, 1000);
  }
});

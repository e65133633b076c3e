// @ts-check
// The forms of the API reference. The page is complete without them.

const key = /** @type {HTMLInputElement} */ (document.getElementById('api-key'));

for (const fold of document.querySelectorAll('[data-try-fold]')) fold.removeAttribute('hidden');
for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (
  document.querySelectorAll('form:is([data-key], [data-try])')
)) {
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (form.dataset.try !== undefined) void call(form, form.dataset.try);
  });
}

/**
 * Calls the API as any program would: with the key, without the cookie.
 * @param {HTMLFormElement} form
 * @param {string} template such as `/api/v1/sites/{siteId}/runs`
 */
async function call(form, template) {
  const fields = [...form.querySelectorAll('input')];
  const path = template.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(fields.find((field) => field.name.endsWith(`-${name}`))?.value.trim() ?? ''),
  );
  const status = /** @type {HTMLElement} */ (form.querySelector('[role=status]'));
  const answer = /** @type {HTMLElement} */ (form.querySelector('pre'));
  const button = /** @type {HTMLButtonElement} */ (form.querySelector('button'));
  status.textContent = 'Waiting for the answer. A run takes up to a minute.';
  answer.hidden = true;
  status.className = '';
  form.querySelector('details')?.remove();
  button.disabled = true;
  try {
    /** @type {Record<string, string>} */
    const headers = key.value === '' ? {} : { authorization: `Bearer ${key.value}` };
    const response = await fetch(path, {
      method: form.dataset.method,
      credentials: 'omit',
      cache: 'no-store',
      headers,
    });
    answer.textContent = format(await response.text()) || 'No body.';
    status.textContent = `Answered with status ${response.status}.`;
    status.className = response.ok ? 'w6 is-p' : 'w6 is-f';
    answer.hidden = false;
    showHeaders(form, response.headers);
  } catch {
    status.textContent = 'There was no answer. Check your connection and try again.';
  }
  button.disabled = false;
}

/**
 * Below the body, folded: it is the body that is asked for.
 * @param {HTMLFormElement} form
 * @param {Headers} headers
 */
function showHeaders(form, headers) {
  const [fold, summary, lines] = ['details', 'summary', 'pre'].map((name) => document.createElement(name));
  if (!fold || !summary || !lines) return;
  summary.textContent = 'Headers';
  lines.textContent = [...headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  lines.tabIndex = 0;
  fold.append(summary, lines);
  form.querySelector('details')?.remove();
  form.append(fold);
}

/**
 * JSON with line breaks.
 * @param {string} text
 */
function format(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

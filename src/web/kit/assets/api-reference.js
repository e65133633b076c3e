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
    const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`);
    answer.textContent = [...lines, '', format(await response.text())].join('\n');
    status.textContent = `Answered with status ${response.status}.`;
    answer.hidden = false;
  } catch {
    status.textContent = 'There was no answer. Check your connection and try again.';
  }
  button.disabled = false;
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

// @ts-check
// The little that a page gains by script. Every page is complete without it.

/** Snippets get a button that copies them. */
for (const box of 'clipboard' in navigator ? document.querySelectorAll('.code[aria-label]') : []) {
  const text = box.querySelector('pre');
  if (!text) continue;
  const button = copyButton(box.ariaLabel ?? '', () => navigator.clipboard.writeText(text.textContent ?? ''));
  button.className = 'cp';
  text.before(button);
}

/** So do links to texts of ours: the text is fetched. */
for (const link of 'ClipboardItem' in window ? document.querySelectorAll('a[data-copy]') : []) {
  if (!(link instanceof HTMLAnchorElement)) continue;
  const load = async () => {
    const answer = await fetch(link.href);
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    return new Blob([await answer.text()], { type: 'text/plain' });
  };
  // A promise, since browsers let a page copy only as long as a click is fresh.
  const copy = () => navigator.clipboard.write([new ClipboardItem({ 'text/plain': load() })]);
  const button = copyButton(link.textContent ?? '', copy);
  button.className = 'quiet tight';
  link.after(button);
}

/**
 * @param {string} label
 * @param {() => Promise<void>} copy
 */
function copyButton(label, copy) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.ariaLabel = `Copy: ${label}`;
  button.addEventListener('click', () =>
    copy().then(
      () => announce(button, 'Copied'),
      () => announce(button, 'Not copied'),
    ),
  );
  return button;
}

/**
 * Shows a word in place of the button's own, for as long as it takes to read it.
 * @param {HTMLButtonElement} button
 * @param {string} word
 */
function announce(button, word) {
  const before = button.textContent;
  button.textContent = word;
  setTimeout(() => (button.textContent = before), 2000);
}

/** A form's summary of errors takes the focus, so that nobody overlooks it. */
const focused = document.querySelector('[data-focus]');
if (focused instanceof HTMLElement) focused.focus();

/** A page that shows what is shown only once asks before it is left, until the text was copied or the page's own button used. */
const guarded = document.querySelector('[data-shown-once]');
if (guarded) {
  /** @param {BeforeUnloadEvent} event */
  const ask = (event) => event.preventDefault();
  window.addEventListener('beforeunload', ask);
  const release = () => window.removeEventListener('beforeunload', ask);
  for (const done of document.querySelectorAll('[data-shown-once] .cp, [data-done]')) {
    done.addEventListener('click', release);
  }
}

/** What goes on: the server's events put in the parts of the page that have changed, and lead to the result. */
const live = document.querySelector('[data-live]');
if (live instanceof HTMLElement && live.dataset.live) {
  const source = new EventSource(live.dataset.live);
  source.addEventListener('progress', ({ data }) => {
    for (const [id, html] of Object.entries(JSON.parse(data))) {
      const part = document.getElementById(id);
      if (part && part.innerHTML !== html) showPart(part, html);
    }
  });
  source.addEventListener('end', ({ data }) => {
    source.close();
    location.assign(JSON.parse(data).href);
  });
  // The browser comes back by itself unless it was refused, as by a proxy while the service restarts: then the page knows more.
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 3000);
  });
}

/**
 * Pins that have changed fall into place, once.
 * @param {HTMLElement} part
 * @param {string} html of our server
 */
function showPart(part, html) {
  const before = [...part.querySelectorAll('.pins path')].map(({ classList }) => classList[0]);
  part.innerHTML = html;
  part.querySelectorAll('.pins path').forEach(({ classList }, index) => {
    if (before[index] !== classList[0]) classList.add('drop');
  });
}

/**
 * What is on its way: the part of the page that tells of it is loaded again until it is there. Then, where the whole page has news,
 * this is loaded again. Whoever has the focus in the part keeps it.
 * @param {HTMLElement} part
 * @param {number} [triesLeft]
 * @returns {Promise<void>}
 */
async function follow(part, triesLeft = 200) {
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const answer = await fetch(location.href).catch(() => null);
  const text = answer?.ok ? await answer.text() : '';
  const next = new DOMParser().parseFromString(text, 'text/html').getElementById(part.id);
  const isThere = next !== null && next.dataset.pending === undefined;
  if (isThere && part.dataset.pending === 'page') location.reload();
  else {
    const isReplaced = next !== null && next.innerHTML !== part.innerHTML && !part.contains(document.activeElement);
    if (isReplaced) part.replaceWith(next);
    const shown = isReplaced ? next : part;
    if (shown.dataset.pending !== undefined && triesLeft > 0) await follow(shown, triesLeft - 1);
  }
}
for (const part of document.querySelectorAll('[data-pending]')) if (part instanceof HTMLElement) void follow(part);

/** A page that found the service busy asks for itself again. */
const again = document.querySelector('[data-again]');
if (again instanceof HTMLElement) {
  const { again: href = '', after = '' } = again.dataset;
  setTimeout(() => location.replace(href), Number(after) * 1000);
}

/** A form that names parts of its page is sent without leaving it: its answer is the page, whose parts are shown in place. */
document.addEventListener('submit', async (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.dataset.into) return;
  event.preventDefault();
  const answer = await fetch(form.action, { method: 'POST', redirect: 'manual' }).catch(() => null);
  // Done, it leads back here; refused, the answer is the page itself.
  const shown = answer?.type === 'opaqueredirect' ? await fetch(location.href).catch(() => null) : answer;
  const next = shown && new DOMParser().parseFromString(await shown.text(), 'text/html');
  const parts = form.dataset.into.split(' ').map((id) => [document.getElementById(id), next?.getElementById(id)]);
  if (parts.some(([, fresh]) => !fresh)) return form.submit();
  for (const [part, fresh] of parts) {
    if (!part || !fresh) continue;
    part.replaceWith(fresh);
    if (fresh.dataset.pending !== undefined) void follow(fresh);
  }
});

/** Printed, a report has all its findings open. */
window.addEventListener('beforeprint', () => {
  for (const details of document.querySelectorAll('details')) details.open = true;
});

/** What the browser's own agent may ask on every page (WebMCP, draft of 4 September 2026); the form for a scan is a tool, too. */
if ('modelContext' in document) {
  const modelContext = /** @type {{ registerTool(tool: object): void }} */ (document.modelContext);
  modelContext.registerTool({
    name: 'explain_checks',
    description: 'What each check of agent readiness examines, and how to fix a failure, as Markdown.',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
    execute: async () => {
      const answer = await fetch('/checks.md');
      return { content: [{ type: 'text', text: await answer.text() }] };
    },
  });
}

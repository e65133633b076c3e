// @ts-check
// The little that a page gains by script. Every page is complete without it.

/**
 * Snippets get a button that copies them. Links to texts of ours become one: the text is fetched.
 * @param {ParentNode} root
 */
function addCopyButtons(root) {
  for (const box of 'clipboard' in navigator ? root.querySelectorAll('.code[aria-label]') : []) {
    const text = box.querySelector('pre');
    if (!text) continue;
    const button = copyButton(box.ariaLabel ?? '', () => navigator.clipboard.writeText(text.textContent ?? ''));
    button.className = 'cp';
    text.before(button);
  }
  for (const link of 'ClipboardItem' in window ? root.querySelectorAll('a[data-copy]') : []) {
    if (!(link instanceof HTMLAnchorElement)) continue;
    const load = async () => {
      const answer = await fetch(link.href);
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      return new Blob([await answer.text()], { type: 'text/plain' });
    };
    // A promise, since browsers let a page copy only as long as a click is fresh.
    const copy = () => navigator.clipboard.write([new ClipboardItem({ 'text/plain': load() })]);
    const words = document.createElement('span');
    const text = (link.querySelector('span') ?? link).firstChild?.textContent?.trim() ?? '';
    words.textContent = `Copy ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = link.className || 'quiet';
    button.append(...link.querySelectorAll('svg'), words, ...link.querySelectorAll('.hide'));
    button.addEventListener('click', () => copyBy(words, copy));
    link.replaceWith(button);
  }
}
addCopyButtons(document);

/**
 * @param {string} label
 * @param {() => Promise<void>} copy
 */
function copyButton(label, copy) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.ariaLabel = `Copy: ${label}`;
  button.addEventListener('click', () => copyBy(button, copy));
  return button;
}

/**
 * Copies, and says so in place of a button's own words for as long as it takes to read it.
 * @param {HTMLElement} words
 * @param {() => Promise<void>} copy
 */
async function copyBy(words, copy) {
  const before = words.textContent;
  words.textContent = await copy().then(
    () => 'Copied',
    () => 'Not copied',
  );
  setTimeout(() => (words.textContent = before), 2000);
}

/** What is wrong takes the focus, so that nobody overlooks it: the field to begin with, or else the summary of errors. */
const focused = ['[autofocus]', '[aria-invalid]', '[data-focus]']
  .map((one) => document.querySelector(one))
  .find(Boolean);
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

/** What is running: the server's events put in the parts of the page that have changed, and lead to the result. */
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

/** @param {string} text */
const readPage = (text) => new DOMParser().parseFromString(text, 'text/html');

/**
 * What is on its way: the part of the page that tells of it is loaded again until it is there. Then, where the whole page has news,
 * this is loaded again. A focus within the part stays.
 * @param {HTMLElement} part
 * @param {number} [triesLeft]
 * @returns {Promise<void>}
 */
async function follow(part, triesLeft = 200) {
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const answer = await fetch(location.href).catch(() => null);
  const text = answer?.ok ? await answer.text() : '';
  const page = readPage(text);
  const next = page.getElementById(part.id);
  const isThere = next !== null && next.dataset.pending === undefined;
  if (isThere && part.dataset.pending === 'page') location.reload();
  else {
    const isReplaced = next !== null && next.innerHTML !== part.innerHTML && !part.contains(document.activeElement);
    if (isReplaced) {
      part.replaceWith(next);
      // What says the same elsewhere on the page.
      for (const other of document.querySelectorAll(`[data-with=${part.id}]`)) {
        const fresh = page.getElementById(other.id);
        if (fresh) other.replaceWith(fresh);
      }
    }
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
  const next = shown && readPage(await shown.text());
  const parts = form.dataset.into.split(' ').map((id) => [document.getElementById(id), next?.getElementById(id)]);
  if (parts.some(([, fresh]) => !fresh)) return form.submit();
  for (const [part, fresh] of parts) {
    if (!part || !fresh) continue;
    part.replaceWith(fresh);
    if (fresh.dataset.pending !== undefined) void follow(fresh);
  }
});

/** A finding is open for a reader who follows a pin to it, or comes back to it. */
function openTarget() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target instanceof HTMLDetailsElement) target.open = true;
}
window.addEventListener('hashchange', openTarget);
openTarget();

/**
 * A check is made again in place: the list of findings is loaded again until it tells how the check came out. What is open stays open,
 * the focus stays where it is, and the outcome is read aloud.
 */
const told = document.createElement('p');
told.className = 'hide';
told.role = 'status';
if (document.querySelector('[data-findings]')) document.body.append(told);

/** What of an element can be pressed. @param {Element | null | undefined} root */
const pressable = (root) => [...(root?.querySelectorAll('summary, a[href], button, input') ?? [])];

/** Takes over what has changed on a page of findings. @param {Document} next */
function showFindings(next) {
  const focus = document.activeElement;
  const row = focus?.closest('details[id]');
  const place = row ? pressable(row).indexOf(/** @type {Element} */ (focus)) : -1;
  for (const part of ['.mast .verdict', '.mast .facts', '[data-findings]', '.stay']) {
    const [old, fresh] = [document.querySelector(part), next.querySelector(part)];
    if (!old || !fresh) continue;
    addCopyButtons(fresh);
    for (const details of fresh.querySelectorAll('details')) {
      const before = document.getElementById(details.id);
      if (before instanceof HTMLDetailsElement) details.open = before.open;
    }
    for (const input of old.querySelectorAll('input:checked')) {
      const same = fresh.querySelector(`#${CSS.escape(input.id)}`);
      if (same instanceof HTMLInputElement) same.checked = true;
    }
    old.replaceWith(fresh);
  }
  if (!row) return;
  const again = document.getElementById(row.id);
  const target = pressable(again)[place];
  if (again?.closest('.fold') instanceof HTMLDetailsElement) again.closest('.fold')?.setAttribute('open', '');
  if (target instanceof HTMLElement) target.focus();
}

/** @param {string} checkId @param {number} [triesLeft] */
async function followCheck(checkId, triesLeft = 100) {
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const answer = await fetch(location.href).catch(() => null);
  const next = answer?.ok ? readPage(await answer.text()) : null;
  const row = next?.getElementById(checkId);
  const outcome = row?.querySelector('[data-outcome]');
  if (next && outcome instanceof HTMLElement && outcome.dataset.outcome === 'over') {
    showFindings(next);
    told.textContent = `${row?.querySelector('.t')?.textContent}: ${outcome.textContent}`;
  } else if (triesLeft > 0) await followCheck(checkId, triesLeft - 1);
}
for (const pending of document.querySelectorAll('[data-outcome=pending]')) {
  void followCheck(pending.closest('.finding')?.id ?? '');
}

document.addEventListener('submit', async (event) => {
  const form = event.target;
  const row = form instanceof HTMLFormElement ? form.closest('[data-findings] .finding') : null;
  if (!row || !(form instanceof HTMLFormElement) || !form.action.includes('/checks/')) return;
  event.preventDefault();
  const sent = await fetch(form.action, { method: 'POST', redirect: 'manual' }).catch(() => null);
  // Done, it leads back here; refused, the answer is the page itself.
  const answer = sent?.type === 'opaqueredirect' ? await fetch(location.href).catch(() => null) : sent;
  if (!answer) return form.submit();
  const next = readPage(await answer.text());
  const refusal = next.querySelector('[role=alert] p');
  if (answer.ok) showFindings(next);
  told.textContent = refusal ? refusal.textContent : 'Being checked again.';
  if (answer.ok) void followCheck(row.id);
  else showRefusal(row, refusal?.textContent ?? 'The service is busy. Try again in a minute.');
});

/** @param {Element} row @param {string} words */
function showRefusal(row, words) {
  const note = document.createElement('p');
  note.className = 'note is-f';
  note.textContent = words;
  row.querySelector('.inside > .note.is-f:not([data-outcome])')?.remove();
  row.querySelector('.inside')?.prepend(note);
}

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

// @ts-check
// Enhancements of pages, which all work without script.
import { Idiomorph } from 'idiomorph';

const POLL_MS = 1000;
/** Five minutes. After that, the reader must reload the page. */
const POLLS_MAX = 300;
const COPIED_MS = 2000;

/**
 * Adds copy buttons to snippets, and replaces `data-copy` links with copy buttons.
 * @param {ParentNode} root
 */
function addCopyButtons(root) {
  if (!('clipboard' in navigator)) return;
  for (const box of root.querySelectorAll('.code[aria-label]')) {
    const button = copyButton('copy tight');
    button.textContent = 'Copy';
    button.ariaLabel = `Copy: ${box.ariaLabel}`;
    box.querySelector('pre')?.before(button);
  }
  for (const link of root.querySelectorAll('a[data-copy]')) {
    const button = copyButton(link.className);
    button.dataset.copy = link.getAttribute('href') ?? '';
    const words = document.createElement('span');
    const text = (link.querySelector('span') ?? link).firstChild?.textContent?.trim() ?? '';
    words.textContent = `Copy ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
    button.append(...link.querySelectorAll('svg'), words, ...link.querySelectorAll('.hide'));
    link.replaceWith(button);
  }
}

/** @param {string} className */
function copyButton(className) {
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', className });
  return button;
}

document.addEventListener('click', async ({ target }) => {
  const button = target instanceof Element ? target.closest('button:is(.copy, [data-copy])') : null;
  if (!(button instanceof HTMLButtonElement)) return;
  const words = button.querySelector('span:not(.hide)') ?? button;
  const before = words.textContent;
  words.textContent = await copyFrom(button).then(
    () => 'Copied',
    () => 'Not copied',
  );
  setTimeout(() => (words.textContent = before), COPIED_MS);
});

/**
 * Copies the text that the button links to, or the snippet around it.
 * @param {HTMLButtonElement} button
 */
function copyFrom({ dataset: { copy: href }, parentElement: box }) {
  if (href === undefined) return navigator.clipboard.writeText(box?.querySelector('pre')?.textContent ?? '');
  const load = async () => {
    const answer = await fetch(href);
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    return new Blob([await answer.text()], { type: 'text/plain' });
  };
  // Passes a promise, since browsers allow copying only right after a click.
  return navigator.clipboard.write([new ClipboardItem({ 'text/plain': load() })]);
}

/** Focuses the first field with an error; without one, the summary of errors. */
function focusError() {
  const wrong = ['[autofocus]', '[aria-invalid]', '[data-focus]']
    .map((one) => document.querySelector(one))
    .find(Boolean);
  if (wrong instanceof HTMLElement) wrong.focus();
}

/** @param {Element} element */
const isTyped = (element) => 'defaultValue' in element && 'value' in element && element.value !== element.defaultValue;

/** @type {import('idiomorph').ConfigCallbacks} */
const callbacks = {
  // Keeps what the reader has opened, chosen or typed.
  beforeAttributeUpdated: (name, element) =>
    !['open', 'checked', 'selected'].includes(name) && !(name === 'value' && isTyped(element)),
  // Animates pins that have changed.
  beforeNodeMorphed(old, fresh) {
    const arePins = old instanceof SVGPathElement && fresh instanceof SVGPathElement && fresh.closest('.pins');
    if (arePins && old.classList[0] !== fresh.classList[0]) fresh.classList.add('drop');
    return true;
  },
};

/**
 * Shows a response in place of this page, and keeps the focus. A redirect to another page is followed.
 * @param {Response} answer
 */
async function showResponse(answer) {
  if (answer.redirected && new URL(answer.url).pathname !== location.pathname) return location.assign(answer.url);
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const [main, fresh] = [document.querySelector('main'), next.querySelector('main')];
  if (!main || !fresh) return location.reload();
  addCopyButtons(fresh);
  Idiomorph.morph(main, fresh, { callbacks });
  document.title = next.title;
}

let isPolling = false;

/** Polls the page until nothing on it is in progress. */
async function pollWhileLive() {
  if (isPolling) return;
  isPolling = true;
  for (let polls = 0; polls < POLLS_MAX && document.querySelector('main[data-live]'); polls += 1) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const answer = await fetch(location.href).catch(() => null);
    // A scan can end with an error page, such as 404 for an unknown host.
    if (answer && answer.status < 500 && answer.status !== 429) await showResponse(answer);
  }
  isPolling = false;
}

/** Submits a form that changes a part of its page without leaving the page. */
document.addEventListener('submit', async (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement && form.matches('[data-in-place]'))) return;
  event.preventDefault();
  const sent = await fetch(form.action, { method: 'POST', redirect: 'manual' }).catch(() => null);
  // A redirect means success: loads this page. A refusal answers with the page itself.
  const answer = sent?.type === 'opaqueredirect' ? await fetch(location.href).catch(() => null) : sent;
  if (answer === null) return form.submit();
  await showResponse(answer);
  focusError();
  void pollWhileLive();
});

/** Opens the finding in the fragment of the URL. */
function openTarget() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target instanceof HTMLDetailsElement) target.open = true;
}
window.addEventListener('hashchange', openTarget);

/** Protects a secret that is shown only once: a reload makes no other, and the browser asks before leaving until it is stored. */
function guardSecret() {
  const guarded = document.querySelector('[data-shown-once]');
  const done = guarded?.querySelector('[data-done]');
  if (!guarded || !(done instanceof HTMLAnchorElement)) return;
  // A reload would send the form again, which makes another secret or replaces this one.
  history.replaceState(null, '', done.href);
  /** @param {BeforeUnloadEvent} event */
  const ask = (event) => event.preventDefault();
  window.addEventListener('beforeunload', ask);
  guarded.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('.copy, [data-done]'))
      window.removeEventListener('beforeunload', ask);
  });
}

addCopyButtons(document);
focusError();
openTarget();
guardSecret();
void pollWhileLive();

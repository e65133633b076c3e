// @ts-check
// The console of the API reference: Swagger UI, fetched when it comes into view. The page is complete without it.

const root = document.querySelector('#api-console');
const statusLine = document.querySelector('[data-console-status]');
const keyForm = document.querySelector('[data-console-key]');

if (root instanceof HTMLElement && keyForm instanceof HTMLFormElement) {
  const seen = new IntersectionObserver(
    async ([entry]) => {
      if (!entry?.isIntersecting) return;
      seen.disconnect();
      say('Loading the console…');
      try {
        await Promise.all([loadStyle(root.dataset.style ?? ''), loadScript(root.dataset.script ?? '')]);
        startConsole(root, keyForm);
      } catch {
        say('The console could not be loaded. Reload the page, or use the curl lines below.');
      }
    },
    { rootMargin: '200px' },
  );
  seen.observe(root.parentElement ?? root);
}

/** @param {string} text */
function say(text) {
  if (statusLine) statusLine.textContent = text;
}

/**
 * Before our own styles, which adapt it.
 * @param {string} href
 */
function loadStyle(href) {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = href;
  document.head.prepend(link);
  return loaded(link);
}

/** @param {string} src */
function loadScript(src) {
  const script = document.createElement('script');
  script.src = src;
  document.head.append(script);
  return loaded(script);
}

/** @param {HTMLElement} element */
function loaded(element) {
  return new Promise((resolve, reject) => {
    element.addEventListener('load', resolve);
    element.addEventListener('error', reject);
  });
}

/**
 * @param {HTMLElement} root
 * @param {HTMLFormElement} keyForm
 */
function startConsole(root, keyForm) {
  followTheme();
  new MutationObserver(() => mendCode(root)).observe(root, { childList: true, subtree: true });
  const { SwaggerUIBundle } = /** @type {any} */ (window);
  const ui = SwaggerUIBundle({
    domNode: root,
    url: root.dataset.document,
    layout: 'Console',
    plugins: [layoutPlugin],
    tryItOutEnabled: true,
    persistAuthorization: false,
    validatorUrl: null,
    deepLinking: false,
    syntaxHighlight: false,
    displayRequestDuration: true,
    // A key can be taken only once the document has said what it is for.
    onComplete: () => {
      keyForm.hidden = false;
      say('');
    },
    requestInterceptor: ownRequest,
    responseInterceptor: (/** @type {{ status: number }} */ response) => {
      say(`Answered with status ${response.status}.`);
      return response;
    },
  });
  const key = keyForm.elements.namedItem('api-key');
  keyForm.addEventListener('submit', (event) => event.preventDefault());
  keyForm.addEventListener('input', () => {
    const value = key instanceof HTMLInputElement ? key.value.trim() : '';
    if (value === '') ui.authActions.logout(['ApiKey']);
    else ui.preauthorizeApiKey('ApiKey', value);
  });
}

/**
 * To the service that served this page, whatever address the document names, and without its cookies: the key alone counts.
 * @param {{ url: string, credentials?: string }} request
 */
function ownRequest(request) {
  const { pathname, search } = new URL(request.url, location.href);
  request.url = location.origin + pathname + search;
  request.credentials = 'omit';
  return request;
}

/**
 * The operations alone, each with its parameters and the answer to a call: the page has the rest as plain HTML, the field for the
 * key and every documented answer included.
 * @param {any} system
 */
function layoutPlugin(system) {
  const { createElement } = system.React;
  return {
    components: {
      /** @param {any} props */
      Console: ({ getComponent }) =>
        createElement(
          'div',
          { className: 'swagger-ui' },
          createElement(getComponent('SvgAssets')),
          createElement(getComponent('errors', true)),
          createElement(getComponent('operations', true)),
        ),
    },
    wrapComponents: {
      authorizeOperationBtn: () => () => null,
      responses:
        () =>
        (/** @type {any} */ { tryItOutResponse: response, getComponent, ...props }) =>
          response ? createElement(getComponent('liveResponse'), { ...props, response, getComponent }) : null,
    },
  };
}

/** Swagger UI has a dark theme, and leaves it to the page to say when. */
function followTheme() {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const apply = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  apply();
  dark.addEventListener('change', apply);
}

/**
 * Code that is wider or longer than its box can be scrolled by keyboard.
 * @param {HTMLElement} root
 */
function mendCode(root) {
  for (const code of root.querySelectorAll('pre:not([tabindex])')) code.setAttribute('tabindex', '0');
}

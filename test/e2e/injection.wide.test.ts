import { signInByLink, testInBrowser } from '../support/browser.js';
import { openInBrowser } from './exposed.js';
import { testInjection } from './injection.js';
import { PAYLOADS } from './payloads.js';

testInBrowser('most payloads run where nothing is escaped', async (t, browser) => {
  const context = await browser.newContext({ bypassCSP: true });
  t.teardown(() => context.close());
  const ran = new Set<string>();
  let current = '';
  await context.exposeBinding('xss', () => void ran.add(current));
  const page = await context.newPage();
  for (const payload of PAYLOADS) {
    current = payload;
    const body = `<!doctype html><p>${payload}</p><p title="${payload}"><p title='${payload}'><a href="${payload}">go</a>`;
    await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body }));
    await page.goto('http://unescaped.test/');
  }
  t.ok(ran.size >= 25, `${ran.size} of ${PAYLOADS.length} run at once; others need a click, or more time`);
});

testInBrowser('no payload runs', (t, browser) =>
  testInjection(t, {
    visitor: ({ baseUrl: baseURL }, t) => openInBrowser(t, browser, { baseURL }),
    signIn: async ({ baseUrl: baseURL }, signInUrl) => {
      const storageState = await signInByLink(browser, signInUrl);
      return (t) => openInBrowser(t, browser, { baseURL, storageState });
    },
  }),
);

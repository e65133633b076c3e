import t from 'tap';
import { send } from '../support/http-client.js';
import { BROWSER_PASSWORD } from '../support/passwords.js';
import { dangersOf, openParsed } from './exposed.js';
import { testInjection } from './injection.js';
import { PAYLOADS } from './payloads.js';

t.test('each payload is found where nothing is escaped', (t) => {
  for (const payload of PAYLOADS) {
    const html = `<!doctype html><p>${payload}</p><p title="${payload}"><p title='${payload}'><a href="${payload}">go</a>`;
    t.not(dangersOf(html).length, 0, payload);
  }
  t.end();
});

t.test('no page has a payload as markup', (t) =>
  testInjection(t, {
    visitor: ({ baseUrl }) => openParsed(baseUrl),
    signIn: async ({ baseUrl }, signInUrl) => {
      const { port, pathname } = new URL(signInUrl);
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
      const body = new URLSearchParams({ password: BROWSER_PASSWORD }).toString();
      const answer = await send(Number(port), pathname, { method: 'POST', headers, body });
      const [cookie = ''] = String(answer.headers['set-cookie']).split(';');
      return () => openParsed(baseUrl, cookie);
    },
  }),
);

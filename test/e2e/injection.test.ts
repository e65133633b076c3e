import t from 'tap';
import { Visitor } from '../support/http-client.js';
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
    visitor: ({ port }) => openParsed(new Visitor(port)),
    signIn: async ({ port }, signInUrl) => {
      const visitor = new Visitor(port);
      await visitor.post(new URL(signInUrl).pathname, { password: BROWSER_PASSWORD });
      return () => openParsed(visitor);
    },
  }),
);

import t from 'tap';
import type { RunEvent } from '../../../src/scanner/client/events.js';
import type { Part } from '../../../src/scanner/client/parts.js';
import type { FetchOptions } from '../../../src/scanner/client/visit.js';
import { describeEvent } from '../../../src/scanner/trace/trace-line.js';
import { FIXTURE_ORIGIN, type FixtureSite } from '../../support/fixture-site.js';
import { redirectTo, visitSite } from '../../support/visit-site.js';

const ORIGIN = new URL(FIXTURE_ORIGIN);

/** The lines of a visit, without times. */
async function traced(routes: FixtureSite['routes'], ask: (fetch: Ask) => Promise<unknown>): Promise<string[]> {
  const events: RunEvent[] = [];
  const part: Part = { name: 'robots', isControl: false, basis: new Set() };
  const { visit } = visitSite(routes, {
    listeners: [(event) => void events.push(event)],
    limits: { requestsMax: 40, furtherReserve: 0, foreignMax: 1 },
  });
  await ask((url, options) => visit.fetch(new URL(url, ORIGIN), { part, ...options }));
  return events.map((event) => describeEvent(event, ORIGIN).replace(/\d+ ms$/, 'n ms'));
}

type Ask = (url: string, options?: FetchOptions) => Promise<unknown>;

t.test('each request has a line that says who asked and what was decided', async (t) => {
  const lines = await traced(
    { '/old': redirectTo('/new'), '/new': 'page', '/busy': { status: 503 }, '/off': { failure: 'connect_failed' } },
    async (fetch) => {
      await fetch('/old');
      await fetch('/new');
      await fetch('http://127.0.0.1/');
      await fetch('/busy', { part: null });
      await fetch('/off');
      await fetch('https://other-site.net/1');
      await fetch('https://other-site.net/2');
    },
  );
  t.same(lines, [
    'robots           sent       GET /old: 302, n ms',
    'robots           redirected GET /old to /new',
    'robots           sent       GET /new: 200, n ms',
    'robots           memo       GET /new: answered before',
    'robots           refused    GET http://127.0.0.1/: address not public',
    '-                sent       GET /busy: 503, n ms',
    '-                retried    GET /busy: after n ms',
    '-                sent       GET /busy: 503, n ms',
    '-                retried    GET /busy: after n ms',
    '-                sent       GET /busy: 503, n ms',
    'robots           failed     GET /off: connect failed, n ms',
    'robots           failed     GET https://other-site.net/1: name not found, n ms',
    'robots           not sent   GET https://other-site.net/2: foreign spent',
  ]);
});

t.test('a line fits a terminal, and holds nothing that a terminal obeys', async (t) => {
  const long = `/${'a'.repeat(200)}`;
  const lines = await traced({ '*': ({ url }) => (url.pathname === '/end' ? 'page' : redirectTo('/end')) }, (fetch) =>
    Promise.all([fetch(long), fetch('/\u001b[31m?\u0007\u202e')]),
  );
  for (const line of lines) {
    t.ok(line.length <= 100, line);
    t.match(line, /^[\x20-\x7e…]+$/);
  }
});

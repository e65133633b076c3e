import t from 'tap';
import { replayScan } from '../../../src/scanner/scan/recorded-scan.js';
import { recordFixture } from '../../support/recorded.js';
import type { RunEvent, Part, FetchOptions } from '../../../src/scanner/client/visit.js';
import { describeEvent } from '../../../src/scanner/trace/trace-line.js';
import { FIXTURE_ORIGIN, type FixtureSite } from '../../support/fixture-site.js';
import { redirectTo, visitSite } from '../../support/visit-site.js';

const ORIGIN = new URL(FIXTURE_ORIGIN);

/** The lines of a visit, without times. */
async function traced(routes: FixtureSite['routes'], ask: (fetch: Ask) => Promise<unknown>): Promise<string[]> {
  const events: RunEvent[] = [];
  const part: Part = { name: 'robots', isControl: false, dependencies: new Set() };
  const { visit } = visitSite(routes, {
    listeners: [(event) => void events.push(event)],
    limits: { requestsMax: 40, followUpReserve: 0, externalMax: 1 },
  });
  await ask((url, options) => visit.fetch(new URL(url, ORIGIN), { part, ...options }));
  return events.map((event) => lineOf(event));
}

function lineOf(event: RunEvent): string {
  return describeEvent(event, ORIGIN).replace(/\d+ ms$/, 'n ms');
}

type Ask = (url: string, options?: FetchOptions) => Promise<unknown>;

t.test('each request is one line: part, decision, request and response', async (t) => {
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
    'robots           not sent   GET https://other-site.net/2: external spent',
  ]);
});

t.test('a line fits a terminal and has no control characters', async (t) => {
  const long = `/${'a'.repeat(200)}`;
  const lines = await traced({ '*': ({ url }) => (url.pathname === '/end' ? 'page' : redirectTo('/end')) }, (fetch) =>
    Promise.all([fetch(long), fetch('/\u001b[31m?\u0007\u202e')]),
  );
  for (const line of lines) {
    t.ok(line.length <= 100, line);
    t.match(line, /^[\x20-\x7e…]+$/);
  }
});

t.test('a redirect that is not followed has a line with the reason', async (t) => {
  const routes = {
    '/circle': redirectTo('/circle'),
    '/broken': redirectTo('https://['),
    '/o': redirectTo('https://o.net/'),
  };
  const lines = await traced(routes, async (fetch) => {
    await fetch('/circle');
    await fetch('/broken');
    await fetch('/o', { follows: () => false });
  });
  const stopped = lines.filter((line) => !line.includes(' sent '));
  t.same(stopped, [
    'robots           stopped    GET /circle: redirect loop, at /circle',
    'robots           stopped    GET /broken: bad redirect',
    'robots           stopped    GET /o: not asked for, at https://o.net/',
  ]);
});

t.test('a replay traces refused requests like the scan', async (t) => {
  const routes = { '/': '<!doctype html><title>Kiosk</title>', '/llms.txt': { failure: 'target_refused' as const } };
  const { recording } = await recordFixture({ routes });
  const lines: string[] = [];
  await replayScan(recording, { listeners: [(event) => void lines.push(lineOf(event))] });
  const refused = lines.filter((line) => line.includes('GET /llms.txt'));
  t.same(refused, ['llms             refused    GET /llms.txt: address not public']);
});

import t from 'tap';
import { createGuard } from '../../../src/net/guard.js';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import { createScanners } from '../../../src/scanner/scan/scanner.js';
import { startFixtureServer } from '../../support/fixture-server.js';
import type { FixtureRoute } from '../../support/fixture-site.js';
import { watchExecution } from '../../support/watch-execution.js';

const PAGE = '<!doctype html><title>Kiosk</title><a href="/tickets">Tickets</a><a href="/news/1">News</a><p>Open daily';
const ROUTES: Readonly<Record<string, FixtureRoute>> = {
  '/': PAGE,
  '/tickets': PAGE,
  '/news/1': PAGE,
  '/robots.txt': 'User-agent: *\nDisallow: /cart\n',
  '*': { status: 404 },
};

/** The paths that a scan for one check requests, and what runs of src for it. */
async function walk(checkId: string) {
  const requested: string[] = [];
  const recorded = Object.entries(ROUTES).map(([path, answer]): [string, FixtureRoute] => [
    path,
    ({ url }) => {
      requested.push(url.pathname);
      return answer as string;
    },
  ]);
  const server = await startFixtureServer({ routes: Object.fromEntries(recorded) });
  const origin = new URL(server.origin);
  const { scan } = createScanners({
    guard: createGuard({ allowEndpoints: [{ address: origin.hostname, port: server.port }] }),
    resolver: { resolveAddresses: () => Promise.reject(new Error('only one site exists')) },
    clock: { now: () => new Date() },
  });
  const once = () => scan({ origin, isOwnershipVerified: false }, undefined, [checkId]);
  // Once before it is watched: what is put together at a first use is not part of the way.
  await once();
  requested.length = 0;
  const files = await watchExecution(once);
  await server.close();
  return { requested, files };
}

t.test('a scan for one check requests what that check needs', async (t) => {
  const most: Readonly<Record<string, number>> = {
    'C-LLMS-01': 10,
    'C-LLMS-02': 10,
    'C-LLMS-03': 10,
    'C-LLMS-04': 10,
    'C-SITE-01': 7,
    'C-SITE-02': 7,
    'C-BOT-01': 3,
    'C-BOT-02': 10,
    'C-BOT-03': 1,
    'C-SD-01': 9,
    'C-SD-02': 9,
    'C-SD-03': 9,
    'C-SD-04': 9,
    'C-WK-01': 11,
    'C-WK-02': 9,
    'C-WK-03': 21,
    'C-MD-01': 17,
    'C-FWD-01': 5,
  };
  for (const { id } of CHECKS) {
    const { requested, files } = await walk(id);
    t.equal(requested.length, most[id], `${id}: ${requested.join(' ')}`);
    if (id === 'C-BOT-01') t.ok(files.size <= 44, `${files.size} files: ${[...files.keys()].join(' ')}`);
  }
});

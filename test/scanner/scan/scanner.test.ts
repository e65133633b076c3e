import t from 'tap';
import { parseCidr } from '../../../src/net/address.js';
import { createGuard } from '../../../src/net/guard.js';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import { createScanners, type ScannerDeps } from '../../../src/scanner/scan/scanner.js';
import type { StoredEvidence } from '../../../src/scanner/trace/stored-evidence.js';
import { startFixtureServer } from '../../support/fixture-server.js';
import type { FixtureRoute } from '../../support/fixture-site.js';
import { redirectTo } from '../../support/visit-site.js';
import { watchExecution } from '../../support/watch-execution.js';

/** Scans of fixture servers, which the guard allows. */
function scannersOf(server: { readonly origin: string; readonly port: number }, options: Partial<ScannerDeps> = {}) {
  const origin = new URL(server.origin);
  const scanners = createScanners({
    guard: createGuard({ allowEndpoints: [{ address: origin.hostname, port: server.port }] }),
    resolver: { resolveAddresses: () => Promise.reject(new Error('only one site exists')) },
    clock: { now: () => new Date() },
    ...options,
  });
  return { origin, ...scanners };
}

t.test('what failures are based on is kept for verified owners, whether or not the scan is recorded', async (t) => {
  const server = await startFixtureServer({ routes: { '/': '<!doctype html><title>Kiosk</title><p>Tickets</p>' } });
  t.teardown(() => server.close());
  for (const isOwnershipVerified of [true, false]) {
    for (const includesEvidence of [true, false]) {
      const { origin, scan, record } = scannersOf(server, { includesEvidence });
      const scanned = await scan({ origin, isOwnershipVerified });
      const { report, recording } = await record({ origin, isOwnershipVerified });
      t.ok(recording.entries.length > 0);
      for (const { evidence } of [scanned, report])
        t.equal(
          evidence !== null,
          isOwnershipVerified && includesEvidence,
          `${isOwnershipVerified} ${includesEvidence}`,
        );
    }
  }
});

t.test('in a network that the operator opened, evidence is kept of the very host of the site alone', async (t) => {
  const other = await startFixtureServer({ routes: { '*': 'words of another service' } });
  const routes = {
    '/': '<!doctype html><title>Kiosk</title><p>Tickets</p>',
    '/llms.txt': 'Kiosk, not in the format',
    '/robots.txt': redirectTo(`${other.origin}/robots.txt`),
  };
  const server = await startFixtureServer({ routes });
  t.teardown(() => Promise.all([server.close(), other.close()]));
  const allowCidrs = ['127.0.0.1/32'].flatMap((text) => parseCidr(text) ?? []);
  const guard = createGuard({ allowCidrs, allowPorts: [server.port, other.port] });
  const { origin, scan } = scannersOf(server, { guard, includesEvidence: true });
  const { evidence } = await scan({ origin, isOwnershipVerified: true });
  const { exchanges, findings }: StoredEvidence = evidence ?? { exchanges: [], findings: [] };
  t.ok(exchanges.some((one) => one.source === 'site' && one.url === `${server.origin}/llms.txt`));
  t.match(JSON.stringify(findings), 'Kiosk, not in the format', 'quoted');
  t.ok(exchanges.some(({ source }) => source === 'other host'));
  t.notMatch(JSON.stringify(evidence), 'words of another service');
});

t.test('a scan for some checks has the notes that its evidence is enough for', async (t) => {
  const routes = {
    '/': { type: 'application/json', body: '{}' },
    '/llms.txt': '# Kiosk\n\n- [Link title](/tickets)\n',
  };
  const server = await startFixtureServer({ routes });
  t.teardown(() => server.close());
  const { origin, scan } = scannersOf(server);
  const notesOf = async (only?: readonly string[]) => {
    const { notes, requestCount } = await scan({ origin, isOwnershipVerified: false }, undefined, only);
    return { ids: notes.map(({ id }) => id), requestCount };
  };
  const all = await notesOf();
  const one = await notesOf(['C-BOT-01']);
  const other = await notesOf(['C-LLMS-02']);
  t.ok(['no-home-page', 'llms-template'].every((id) => all.ids.includes(id)));
  t.same(one.ids, ['no-home-page']);
  t.same(other.ids, ['no-home-page', 'llms-template']);
  t.ok(one.requestCount < all.requestCount);
});

const PAGE = '<!doctype html><title>Kiosk</title><a href="/tickets">Tickets</a><a href="/news/1">News</a><p>Open daily';
const PATHS: Readonly<Record<string, string>> = {
  ...{ '/': PAGE, '/tickets': PAGE, '/news/1': PAGE },
  '/robots.txt': 'User-agent: *\nDisallow: /cart\n',
};

/** The paths that a scan for one check requests, and what runs of src for it. */
async function walk(checkId: string) {
  const requested: string[] = [];
  const answer: FixtureRoute = ({ url: { pathname } }) => {
    requested.push(pathname);
    return PATHS[pathname] ?? 404;
  };
  const server = await startFixtureServer({ routes: { '*': answer } });
  const { origin, scan } = scannersOf(server);
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
    ...{ 'C-LLMS-01': 10, 'C-LLMS-02': 10, 'C-LLMS-03': 10, 'C-LLMS-04': 10 },
    ...{ 'C-SITE-01': 7, 'C-SITE-02': 7, 'C-BOT-01': 3, 'C-BOT-02': 10, 'C-BOT-03': 1 },
    ...{ 'C-SD-01': 9, 'C-SD-02': 9, 'C-SD-03': 9, 'C-SD-04': 9 },
    ...{ 'C-WK-01': 11, 'C-WK-02': 9, 'C-WK-03': 21, 'C-MD-01': 17, 'C-FWD-01': 5 },
  };
  for (const { id } of CHECKS) {
    const { requested, files } = await walk(id);
    t.equal(requested.length, most[id], `${id}: ${requested.join(' ')}`);
    if (id === 'C-BOT-01') t.ok(files.size <= 44, `${files.size} files: ${[...files.keys()].join(' ')}`);
  }
});

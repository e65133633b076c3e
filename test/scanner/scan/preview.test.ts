import { readFileSync } from 'node:fs';
import t from 'tap';
import { sendToPreview } from '../../../src/scanner/client/stand-in.js';
import { FIXTURE_SITES } from '../../fixtures/sites/index.js';
import { FIXTURE_ORIGIN, type FixtureSite, FixtureTransport } from '../../support/fixture-site.js';
import { expectedPath, formatGolden, scanFixture } from '../../support/golden.js';

const SERVED_BY = new URL('http://preview-7.fixture-host.net:4000');

/** Its own https is dead, which no preview shows. */
const NOT_SHOWN = 'http-only';

t.test('a preview is judged as its site is', async (t) => {
  for (const { name, site } of FIXTURE_SITES) {
    if (name === NOT_SHOWN) continue;
    const origin = new URL(site.origin ?? FIXTURE_ORIGIN);
    const served: FixtureSite = { ...site, origin: SERVED_BY.origin };
    const network = new FixtureTransport(served);
    const report = await scanFixture(site, sendToPreview(network, { site: origin, servedBy: SERVED_BY }));
    t.equal(formatGolden(report), readFileSync(expectedPath(name), 'utf8'), name);
    const hosts = new Set(network.requests.map(({ url }) => new URL(url).host));
    t.notOk(hosts.has(origin.host), `${name}: the site itself is not asked`);
  }
});

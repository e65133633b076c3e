import { onSqlite } from '../../support/databases.js';
import { openHouse, openWorld, type Paths } from './world.js';

function leadingTo(other: string): (origin: string) => Paths {
  return () => ({
    '/': `<!doctype html><html lang="en"><title>Shop</title><p>Hello</p><a href="/guide">Guide</a>`,
    '/guide': { status: 302, headers: { location: `${other}/guide` } },
    '/robots.txt': { body: `User-agent: *\nAllow: /\nSitemap: ${other}/sitemap.xml\n` },
    '/llms.txt': { type: 'text/markdown', body: `# Shop\n\n## Pages\n\n- [Prices](${other}/prices): all\n` },
    '/openapi.json': { status: 302, headers: { location: `${other}/openapi.json` } },
  });
}

onSqlite(async (t, engine) => {
  const world = await openWorld(t);
  const { services, accountId, newClientAddress } = await openHouse(t, await engine.openDb(t), world);
  const other = world.addSite(() => ({ '*': '<!doctype html><title>Other</title>' }));
  const freeScan = async (site: string) =>
    (await services.freeScans.start({ site, clientAddress: newClientAddress() })).done;
  const run = async (site: string) => {
    const { id: siteId } = await services.sites.add({ accountId, site });
    await services.sites.markVerified(siteId, 'operator');
    return services.runs.start({ accountId, siteId, trigger: 'API' });
  };
  /** Counts the requests that reach the other site. */
  const reaching = async (work: () => Promise<unknown>) => {
    const before = world.requests.length;
    await work();
    return world.requests.slice(before).filter((request) => request.includes(other.host)).length;
  };
  const scans = { 'a free scan': freeScan, 'a run': run };

  await t.test('scans follow redirects and links to another site', async (t) => {
    for (const [name, scan] of Object.entries(scans)) {
      const { origin } = world.addSite(leadingTo(other.origin));
      t.ok((await reaching(() => scan(origin))) > 2, name);
    }
    await freeScan(other.origin);
    t.ok(await services.freeScans.find(new URL(other.origin).host));
  });

  await t.test('once the site is excluded, no scan requests it, and its cached result is gone', async (t) => {
    await services.excludedHosts.add(other.host);
    t.equal(await services.freeScans.find(new URL(other.origin).host), null);
    for (const [name, scan] of Object.entries(scans)) {
      const { origin } = world.addSite(leadingTo(other.origin));
      const asked = world.questions.length;
      t.equal(await reaching(() => scan(origin)), 0, name);
      t.notOk(
        world.questions.slice(asked).some((question) => question.endsWith(` ${other.host}`)),
        'not even by name',
      );
    }
    t.ok(world.refusals.some(({ reason }) => reason === 'host_excluded'));
  });
});

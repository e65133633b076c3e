import t from 'tap';
import { EventLoopYielder } from '../../../src/net/event-loop.js';
import type { EvidenceKind } from '../../../src/scanner/artifacts/evidence.js';
import type { SampledPages } from '../../../src/scanner/artifacts/chosen-pages.js';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import { gather } from '../../../src/scanner/gatherers/gather.js';
import { sampledPages } from '../../../src/scanner/report/found-on.js';
import { judgeWithPlaces } from '../../../src/scanner/verdict/judge.js';
import { openFixtureRun } from '../../support/collect.js';
import { FIXTURE_ORIGIN, type FixtureSite } from '../../support/fixture-site.js';

const ORGANIZATION = { '@type': 'Organization', name: 'Kiln', url: FIXTURE_ORIGIN, description: 'Pots' };
const MISSPELT = { '@type': 'Product', name: 'Pot', pryce: 3 };

/** A page with one JSON-LD node, or with a broken block, or with none, and links. */
function page(node: object | 'broken' | null, ...links: readonly string[]): string {
  const block = node === 'broken' ? '{' : JSON.stringify({ '@context': 'https://schema.org', ...node });
  const script = node === null ? '' : `<script type="application/ld+json">${block}</script>`;
  return `<!doctype html><title>Pot</title>${script}<p>Pot</p>${links.map((path) => `<a href="${path}">x</a>`).join('')}`;
}

/** Which pages a scan with these chosen ones has looked at; null for a site whose owner has never chosen any. */
async function pagesOf(routes: FixtureSite['routes'], chosen: readonly string[] | null): Promise<SampledPages | null> {
  const pages = chosen && { pages: chosen.map((path) => new URL(path, FIXTURE_ORIGIN)) };
  const run = openFixtureRun({ routes }, pages ?? {});
  try {
    const kinds = new Set<EvidenceKind>(CHECKS.flatMap(({ needs, uses }) => [...needs, ...uses]));
    const evidence = await gather(run.context, [...kinds], run.context.visit.deadline);
    const judgements = CHECKS.map((check) => judgeWithPlaces(check, evidence));
    return await sampledPages(run.context.target.pages, judgements, evidence, new EventLoopYielder());
  } finally {
    await run.close();
  }
}

t.test('a failure that only other pages show is told with them, one of the home page is not', async (t) => {
  const routes = {
    '/': page(ORGANIZATION, '/a', '/b', '/c'),
    ...{ '/a': page('broken'), '/b': page(ORGANIZATION), '/c': page(ORGANIZATION) },
    ...{ '/x': page('broken'), '/y': page(MISSPELT), '/z': page(ORGANIZATION) },
  };
  const { found, ...rest } = (await pagesOf(routes, ['/x', '/y'])) ?? {};
  t.strictSame(rest, {
    chosen: [
      { path: '/x', came: 'read' },
      { path: '/y', came: 'read' },
    ],
    ranked: 1,
  });
  t.strictSame(found?.['C-SD-01'], ['/x', 1], 'a chosen page, and the first that the scanner took by itself');
  t.strictSame(found?.['C-SD-02'], ['/y']);
  t.equal(found?.['C-SITE-01'], undefined, 'it has nothing to do with pages');
  const atHome = await pagesOf({ ...routes, '/': page('broken', '/b') }, ['/x']);
  t.equal(atHome?.found['C-SD-01'], undefined, 'the home page shows it, too');
});

t.test('a failure that one more page could have kept away is one of all pages together', async (t) => {
  const routes = { '/': page(null, '/b'), '/b': page(null), '/x': page(null), '/with': page(ORGANIZATION) };
  const { found } = (await pagesOf(routes, ['/x'])) ?? {};
  t.equal(found?.['C-SD-01'], 'all');
  t.equal(found?.['C-MD-01'], 'all');
  t.equal(found?.['C-LLMS-01'], 'all', 'a page can announce an llms.txt');
  t.equal((await pagesOf(routes, ['/with']))?.found['C-SD-01'], undefined, 'no failure with it');
});

t.test('robots.txt may shut agents out of the home page, or of all other pages together', async (t) => {
  const robots = (path: string): FixtureSite['routes'] => ({
    '/robots.txt': `User-agent: OAI-SearchBot\nDisallow: ${path}`,
    '/': page(null, '/b'),
    ...{ '/b': page(null), '/shut/x': page(null) },
  });
  t.equal((await pagesOf(robots('/'), ['/b']))?.found['C-BOT-01'], undefined);
  t.equal((await pagesOf({ ...robots('/shut/'), '/': page(null) }, ['/shut/x']))?.found['C-BOT-01'], 'all');
});

t.test('it says nothing where nobody has ever chosen, and where there is no home page to begin with', async (t) => {
  t.equal(await pagesOf({ '/': page('broken') }, null), null);
  t.match(await pagesOf({ '/': page(ORGANIZATION, '/a'), '/a': page('broken') }, []), {
    ...{ chosen: [], ranked: null, found: { 'C-SD-01': [1] } },
  });
  t.strictSame(await pagesOf({ '/': { body: '{}', type: 'application/json' } }, ['/x']), {
    ...{ chosen: [{ path: '/x', came: 'unasked' }], ranked: null },
    found: { 'C-LLMS-01': 'all' },
  });
});

import t from 'tap';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import type { SampledPages } from '../../../src/scanner/artifacts/pages.js';
import { type ComparedRun, compareFindings } from '../../../src/scanner/report/comparison.js';
import { scan } from '../../../src/scanner/scan/scan.js';
import type { Check } from '../../../src/scanner/verdict/check.js';
import { openFixtureRun } from '../../support/collect.js';
import { FIXTURE_ORIGIN, type FixtureRoute, type FixtureSite } from '../../support/fixture-site.js';
import { scriptOf } from '../checks/markup-sites.js';

const HOME = new URL(FIXTURE_ORIGIN);
const ORGANIZATION = { '@type': 'Organization', name: 'Kiln', url: FIXTURE_ORIGIN, description: 'Pots' };
const MISSPELT = { ...ORGANIZATION, telephon: '+44 1632 960000' };

/** A page with one JSON-LD node, or with none, and links. */
function page(node: object | null, ...links: readonly string[]): string {
  const script = node === null ? '' : scriptOf(node);
  return `<!doctype html><title>Pot</title>${script}<p>Pot</p>${links.map((path) => `<a href="${path}">x</a>`).join('')}`;
}

const GOOD = page(ORGANIZATION);
const FAULTY = page(MISSPELT);

/** A home page that links three others, and whatever else is asked for: without fault. */
const SITE = { '/': page(ORGANIZATION, '/a', '/b', '/c'), '/llms.txt': '# Kiln', '*': GOOD };
const ABSENT = { '/robots.txt': { status: 404 }, '/sitemap.xml': { status: 404 } };

interface Run extends ComparedRun {
  readonly pages: SampledPages | null;
  readonly urls: readonly string[];
}

/** A scan with these chosen pages; null for a site whose owner has never chosen any. */
async function scanOf(
  routes: FixtureSite['routes'],
  chosen: readonly string[] | null,
  checks: readonly Check[] = CHECKS,
): Promise<Run> {
  const pages = chosen && { pages: chosen.map((path) => new URL(path, FIXTURE_ORIGIN)) };
  const session = openFixtureRun({ routes: { ...ABSENT, ...routes } }, pages ?? {});
  const report = await scan(session, { checks, clock: { now: () => new Date(0) } });
  return { findings: report.findings, pages: report.pages, urls: session.urls() };
}

t.test('reports have no pages if none were chosen, and name those that were not read', async (t) => {
  t.equal((await scanOf(SITE, null)).pages, null);
  t.strictSame((await scanOf({ ...SITE, '/a': FAULTY }, [])).pages, { chosen: [] });
  const json: FixtureRoute = { body: '{}', type: 'application/json' };
  const unread = { chosen: [{ path: '/x', isRead: false }] };
  t.strictSame((await scanOf({ '/': json }, ['/x'])).pages, unread);
  const one = CHECKS.filter(({ id }) => id === 'C-SITE-01');
  t.strictSame((await scanOf(SITE, ['/x'], one)).pages, unread);
  t.strictSame((await scanOf({ '/': { status: 503 } }, ['/x'])).pages, unread);
});

t.test('chosen pages that robots.txt disallows do not fail C-BOT-01', async (t) => {
  const barring = (path: string) => ({
    ...SITE,
    '/robots.txt': { body: `User-agent: OAI-SearchBot\nDisallow: ${path}`, type: 'text/plain' },
  });
  const chosen = ['/app/1', '/app/2', '/app/3'];
  const resultOf = ({ findings }: Run) => findings.find(({ checkId }) => checkId === 'C-BOT-01')?.result;
  t.equal(resultOf(await scanOf(barring('/app/'), chosen)), 'PASS');
  const open = await scanOf(SITE, chosen);
  const shut = await scanOf(barring('/app/\nDisallow: /a\nDisallow: /b\nDisallow: /c'), chosen);
  t.equal(resultOf(shut), 'FAIL', 'as without the choice');
  t.match(compareFindings([open], shut).newFailures, [{ checkId: 'C-BOT-01' }]);
  t.equal(resultOf(await scanOf(barring('/$'), chosen)), 'FAIL', 'out of the home page');
});

t.test('a chosen page counts as read if the scan requested it', async (t) => {
  for (const check of CHECKS) {
    const { pages, urls } = await scanOf(SITE, ['/x'], [check]);
    const isAsked = urls.includes(new URL('/x', HOME).href);
    t.equal(pages?.chosen[0]?.isRead, isAsked, check.id);
  }
});

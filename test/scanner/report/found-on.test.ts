import t from 'tap';
import { pageDigest, type SampledPages } from '../../../src/scanner/artifacts/chosen-pages.js';
import type { EvidenceKind } from '../../../src/scanner/artifacts/evidence.js';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import { gather } from '../../../src/scanner/gatherers/gather.js';
import { type ComparedRun, compareEach, compareFindings } from '../../../src/scanner/report/comparison.js';
import { sampledPages } from '../../../src/scanner/report/found-on.js';
import type { Check } from '../../../src/scanner/verdict/check.js';
import { scan } from '../../../src/scanner/scan/scan.js';
import { judge } from '../../../src/scanner/verdict/judge.js';
import { openFixtureRun } from '../../support/collect.js';
import { FIXTURE_ORIGIN, type FixtureRoute, type FixtureSite } from '../../support/fixture-site.js';

const HOME = new URL(FIXTURE_ORIGIN);
const ORGANIZATION = { '@type': 'Organization', name: 'Kiln', url: FIXTURE_ORIGIN, description: 'Pots' };
const MISSPELT = { ...ORGANIZATION, telephon: '+44 1632 960000' };

/** A page with one JSON-LD node, or with a broken block, or with none, and links. */
function page(node: object | 'broken' | null, ...links: readonly string[]): string {
  const block = node === 'broken' ? '{' : JSON.stringify({ '@context': 'https://schema.org', ...node });
  const script = node === null ? '' : `<script type="application/ld+json">${block}</script>`;
  return `<!doctype html><title>Pot</title>${script}<p>Pot</p>${links.map((path) => `<a href="${path}">x</a>`).join('')}`;
}

const GOOD = page(ORGANIZATION);
const FAULTY = page(MISSPELT);

/** A home page that links three others, and whatever else is asked for: without fault. */
const SITE = { '/': page(ORGANIZATION, '/a', '/b', '/c'), '/llms.txt': '# Kiln', '*': GOOD };
const ABSENT = { '/robots.txt': { status: 404 }, '/sitemap.xml': { status: 404 } };

interface Run extends ComparedRun {
  readonly pages: SampledPages | null;
}

/** A scan with these chosen pages; null for a site whose owner has never chosen any. */
async function scanOf(
  routes: FixtureSite['routes'],
  chosen: readonly string[] | null,
  checks: readonly Check[] = CHECKS,
): Promise<Run> {
  const pages = chosen && { pages: chosen.map((path) => new URL(path, FIXTURE_ORIGIN)) };
  const run = openFixtureRun({ routes: { ...ABSENT, ...routes } }, pages ?? {});
  try {
    const kinds = new Set<EvidenceKind>(checks.flatMap(({ needs, uses }) => [...needs, ...uses]));
    const evidence = await gather(run.context, [...kinds], run.context.visit.deadline);
    const judgements = checks.map((check) => judge(check, evidence));
    return {
      findings: judgements.map(({ finding }) => finding),
      pages: sampledPages(run.context.target.pages, judgements, evidence),
    };
  } finally {
    await run.close();
  }
}

/** Digests of pages of the site. */
function named(...paths: readonly string[]): string[] {
  return paths.map((path) => pageDigest(new URL(path, HOME), HOME));
}

/** What the last of some runs, the oldest first, brought, as `kind C-…`. */
function broughtBy(...oldestFirst: readonly Run[]): string[] {
  const [now, before, ...older] = oldestFirst.toReversed();
  if (!now || !before) return [];
  const { newFailures, fixed, nowJudged, changed } = compareFindings([before, ...older], now);
  t.strictSame(compareEach(oldestFirst).at(-1), compareFindings([before, ...older], now), 'as each in its turn');
  const kinds = Object.entries({ newFailures, fixed, nowJudged, changed });
  return kinds.flatMap(([kind, changes]) => changes.map(({ checkId }) => `${kind} ${checkId}`));
}

t.test('a failure that only other pages show is told with them, one of the home page is not', async (t) => {
  const routes = { ...SITE, '/a': page('broken'), '/x': page('broken'), '/y': FAULTY };
  const { pages } = await scanOf(routes, ['/y', '/x']);
  t.match(pages?.chosen, [
    { path: '/y', came: 'read' },
    { path: '/x', came: 'read' },
  ]);
  t.strictSame(pages?.read, named('/x', '/y', '/a'));
  t.strictSame(pages?.usual, named('/a', '/b', '/c'));
  t.strictSame(pages?.found, { 'C-SD-01': named('/x', '/a'), 'C-SD-02': named('/y') });
  const atHome = await scanOf({ ...routes, '/': page('broken', '/b') }, ['/x']);
  t.equal(atHome.pages?.found['C-SD-01'], undefined, 'the home page shows it, too');
  const underneath = await scanOf({ ...routes, '/': page(null), '*': page(null) }, ['/x']);
  t.equal(underneath.pages?.found['C-SD-01'], undefined, 'without the page another failure of the check is left');
});

t.test('a failure of all pages together, or of a file, is told with none', async (t) => {
  const routes = { '/': page(null, '/b'), '/b': page(null), '/x': page(null) };
  t.strictSame((await scanOf(routes, ['/x'])).pages?.found, {});
});

t.test('it says nothing where nobody has ever chosen, and that a page was not asked for', async (t) => {
  t.equal((await scanOf(SITE, null)).pages, null);
  t.match((await scanOf({ ...SITE, '/a': FAULTY }, [])).pages, {
    ...{ chosen: [], read: named('/a', '/b', '/c'), usual: named('/a', '/b', '/c') },
    found: { 'C-SD-02': named('/a') },
  });
  const json: FixtureRoute = { body: '{}', type: 'application/json' };
  const empty = { read: [], usual: [], found: {} };
  const unasked = async (...run: Parameters<typeof scanOf>) => (await scanOf(...run)).pages;
  t.strictSame(await unasked({ '/': json }, ['/x']), { chosen: [{ path: '/x', came: 'unread' }], ...empty });
  const one = CHECKS.filter(({ id }) => id === 'C-LLMS-04');
  t.strictSame(await unasked(SITE, ['/x'], one), { chosen: [{ path: '/x', came: 'unread' }], ...empty });
  const failing = { '/': { status: 503 } };
  t.strictSame(await unasked(failing, ['/x']), { chosen: [{ path: '/x', came: 'unread' }], ...empty });
});

t.test('what breaks together with a chosen page is a new failure', async (t) => {
  const before = await scanOf({ ...SITE, '/': page(null, '/a'), '*': page(null), '/x': GOOD }, ['/x']);
  const after = await scanOf({ '/': page(null, '/a'), '*': page(null), '/x': { status: 404 } }, ['/x']);
  const brought = broughtBy(before, after);
  t.ok(brought.includes('newFailures C-LLMS-01'), brought.join());
  t.ok(brought.includes('newFailures C-SD-01'), brought.join());
});

t.test('a page that was read once stays known until its check fails', async (t) => {
  const good = await scanOf(SITE, ['/x']);
  const away = await scanOf({ ...SITE, '/x': { status: 503 } }, ['/x']);
  const unchosen = await scanOf(SITE, []);
  const broken = await scanOf({ ...SITE, '/x': FAULTY }, ['/x']);
  t.strictSame(broughtBy(good, away, broken), ['newFailures C-SD-02'], 'it was down in between');
  t.strictSame(broughtBy(good, unchosen, unchosen, broken), ['newFailures C-SD-02'], 'it was not chosen in between');
  t.strictSame(broughtBy(unchosen, broken), ['nowJudged C-SD-02']);
  t.strictSame(broughtBy(unchosen, broken, good), ['fixed C-SD-02']);
  t.strictSame(broughtBy(good, broken, unchosen), ['changed C-SD-02'], 'what is not read is not fixed');
  t.strictSame(broughtBy(good, broken, unchosen, broken), ['nowJudged C-SD-02'], 'it begins again after a failure');
});

t.test('a first choice makes new failures of the pages alone that the scanner has read by itself', async (t) => {
  const before = await scanOf(SITE, null);
  const full = ['/k', '/l', '/m', '/n'];
  for (const path of ['/a', '/b', '/%63']) {
    const now = await scanOf({ ...SITE, [path]: FAULTY }, [path, ...full]);
    t.strictSame(broughtBy(before, now), ['newFailures C-SD-02'], path);
  }
  const moved = { '/a': { status: 301, headers: { location: '/a/' } }, '/a/': FAULTY };
  t.strictSame(broughtBy(before, await scanOf({ ...SITE, ...moved }, ['/a/', ...full])), ['newFailures C-SD-02']);
  const now = await scanOf({ ...SITE, '/x': FAULTY }, ['/x', ...full]);
  t.strictSame(broughtBy(before, now), ['nowJudged C-SD-02']);
  const listed = {
    '/sitemap.xml': {
      body: `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${FIXTURE_ORIGIN}/s</loc></url></urlset>`,
      type: 'application/xml',
    },
  };
  const site = { ...SITE, ...listed, '/': page(ORGANIZATION, '/a'), '/s': page(ORGANIZATION, '/a', '/b') };
  const fromList = await scanOf({ ...site, '/s': FAULTY }, ['/s', ...full]);
  t.strictSame(broughtBy(await scanOf(site, null), fromList), ['newFailures C-SD-02'], 'from the sitemap');
  const chosen = await scanOf(SITE, ['/x']);
  const later = await scanOf({ ...SITE, '/c': FAULTY }, ['/c']);
  t.strictSame(broughtBy(before, chosen, later), ['newFailures C-SD-02'], 'a choice later, it counts still');
});

t.test('what an llms.txt that only a new page announces does wrong is judged for the first time', async (t) => {
  const announcing = (path: string): FixtureRoute => ({
    ...{ body: page(ORGANIZATION, '/a', '/b', '/c'), type: 'text/html' },
    headers: { link: `<${path}>; rel="describedby"` },
  });
  const linking = (path: string): FixtureRoute => ({ body: `# Kiln\n\n- [Pot](${path})\n`, type: 'text/plain' });
  const site = {
    ...{ ...SITE, '/llms.txt': { status: 404 }, '/a': announcing('/a/llms.txt'), '/a/llms.txt': linking('/b') },
    ...{ '/b': GOOD, '/c': GOOD, '/x': announcing('/x/llms.txt'), '/x/llms.txt': linking('/gone') },
    '*': { status: 404 },
  };
  const now = await scanOf(site, ['/x']);
  t.strictSame(now.pages?.found['C-LLMS-03'], named('/x'));
  t.ok(broughtBy(await scanOf(site, null), now).includes('nowJudged C-LLMS-03'));
  const before = await scanOf({ ...site, '/x/llms.txt': linking('/c') }, ['/x']);
  t.ok(broughtBy(before, now).includes('newFailures C-LLMS-03'), 'the page was read before');
  const twice = { ...site, '/w': announcing('/x/llms.txt#top') };
  for (const choice of [['/x', '/w'], ['/w', '/x'], ['/w']]) {
    const another = await scanOf(twice, choice);
    const names = choice.toSorted();
    t.strictSame(another.pages?.found['C-LLMS-03'], named(...names), 'each page that announces it shows it');
    const kind = choice.includes('/x') ? 'newFailures' : 'nowJudged';
    t.ok(broughtBy(before, another).includes(`${kind} C-LLMS-03`), `${kind} with ${choice.join()}`);
  }
  const moved = {
    '/w': announcing('/y/llms.txt'),
    '/y/llms.txt': { status: 301, headers: { location: '/x/llms.txt' } },
  };
  const redirected = await scanOf({ ...site, ...moved }, ['/w', '/x']);
  t.ok(broughtBy(before, redirected).includes('newFailures C-LLMS-03'), 'it is the same file by another address');
  const atHome = await scanOf({ ...site, '/': announcing('/x/llms.txt') }, ['/x']);
  t.equal(atHome.pages?.found['C-LLMS-03'], undefined, 'the home page announces it, too');
  const atRoot = await scanOf({ ...site, '/llms.txt': linking('/gone') }, ['/x']);
  t.equal(atRoot.pages?.found['C-LLMS-03'], undefined, 'nor a file that needs no announcement');
});

t.test('in another order the same pages are the same choice', async (t) => {
  const inMarkdown: FixtureRoute = ({ headers }) =>
    headers.accept?.startsWith('text/markdown')
      ? { body: `# Pot\n\n${'A pot of clay. '.repeat(20)}`, type: 'text/markdown' }
      : GOOD;
  const site = { ...SITE, '/3': inMarkdown };
  const paths = ['/1', '/2', '/3', '/4', '/5'];
  const [before, after] = [await scanOf(site, paths), await scanOf(site, paths.toReversed())];
  t.strictSame(broughtBy(before, after), []);
  t.strictSame(after.pages?.read, before.pages?.read);
});

t.test('a page that is asked for Markdown for the first time is judged for the first time', async (t) => {
  const mixed: FixtureRoute = { body: `# Pot\n\n${'A pot of clay. '.repeat(20)}`, type: 'text/markdown' };
  const negotiates: FixtureRoute = ({ headers }) =>
    headers.accept?.startsWith('text/markdown') ? mixed : page(ORGANIZATION, '/a', '/b', '/c');
  let isAsked = false;
  const mixedUp: FixtureRoute = ({ headers }) => {
    isAsked ||= headers.accept?.startsWith('text/markdown') ?? false;
    return isAsked ? mixed : GOOD;
  };
  const site = { ...SITE, '/': negotiates, '/3': mixedUp };
  const before = await scanOf(site, ['/1', '/2', '/3']);
  t.equal(isAsked, false);
  const after = await scanOf(site, ['/2', '/3']);
  t.strictSame(after.pages?.found['C-MD-01'], named('/3'));
  t.ok(broughtBy(before, after).includes('nowJudged C-MD-01'));
});

t.test('a choice of pages that robots.txt closes to agents shuts nobody out', async (t) => {
  const barring = (path: string) => ({
    ...SITE,
    '/robots.txt': { body: `User-agent: OAI-SearchBot\nDisallow: ${path}`, type: 'text/plain' },
  });
  const chosen = ['/app/1', '/app/2', '/app/3'];
  const resultOf = ({ findings }: Run) => findings.find(({ checkId }) => checkId === 'C-BOT-01')?.result;
  t.equal(resultOf(await scanOf(barring('/app/'), chosen)), 'PASS');
  const [open, shut] = [
    await scanOf(SITE, chosen),
    await scanOf({ ...barring('/app/\nDisallow: /a\nDisallow: /b\nDisallow: /c') }, chosen),
  ];
  t.equal(resultOf(shut), 'FAIL', 'as without the choice');
  t.ok(broughtBy(open, shut).includes('newFailures C-BOT-01'));
  t.equal(resultOf(await scanOf(barring('/$'), chosen)), 'FAIL', 'out of the home page');
});

t.test('a chosen page that a scan has read is said to be read, whichever check it makes', async (t) => {
  for (const check of CHECKS) {
    const run = openFixtureRun({ routes: { ...ABSENT, ...SITE } }, { pages: [new URL('/x', HOME)] });
    const { context, close } = run;
    const { pages } = await scan(context.target, {
      ...{ checks: [check], clock: { now: () => new Date(0) } },
      openSession: () => ({ visit: context.visit, context, close }),
    });
    const isAsked = run.urls().includes(new URL('/x', HOME).href);
    t.equal(pages?.chosen[0]?.came, isAsked ? 'read' : 'unread', check.id);
  }
});

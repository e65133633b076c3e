import t from 'tap';
import { CHECK_TEXTS } from '../../support/reports.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { OutOfResources, OutOfSlots } from '../../../src/scanner/artifacts/resource.js';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import { defineCheck } from '../../../src/scanner/verdict/check.js';
import type { Finding } from '../../../src/scanner/verdict/finding.js';
import { toTransportError } from '../../../src/net/failure.js';
import { Deadline } from '../../../src/scanner/client/limits.js';
import { Limiter } from '../../../src/scanner/client/limiter.js';
import type { HopRequest, HopResponse, Transport } from '../../../src/net/transport.js';
import type { ScanProgress } from '../../../src/scanner/report/progress.js';
import { scan, type ScanDeps } from '../../../src/scanner/scan/scan.js';
import { type CollectOptions, openFixtureRun } from '../../support/collect.js';
import { urlset } from '../../fixtures/sites/parts.js';
import { perfect } from '../../fixtures/sites/perfect.js';
import { FIXTURE_ORIGIN, FixtureTransport, type FixtureSite } from '../../support/fixture-site.js';
import { redirectTo } from '../../support/visit-site.js';
import { scriptOf } from '../checks/markup-sites.js';

const clock = { now: () => new Date('2026-06-01T00:00:00Z') };
/** Turns of the event loop without a new request, after which all that can be asked without a further answer was asked. */
const QUIET_TURNS = 25;

/** Lets every request wait until no other one comes, then answers all at once: so that what is answered together is one round. */
class RoundsTransport implements Transport {
  rounds = 0;
  #waiting: (() => void)[] = [];

  constructor(readonly inner: FixtureTransport) {}

  async exchange(request: HopRequest): Promise<HopResponse> {
    const turn = new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.#waiting.length === 1) void this.#answerTogether();
    await turn;
    return this.inner.exchange(request);
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  async #answerTogether(): Promise<void> {
    for (let seen = 0, quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
      if (this.#waiting.length !== seen) quiet = 0;
      seen = this.#waiting.length;
      await nextTurn();
    }
    this.rounds += 1;
    const together = this.#waiting;
    this.#waiting = [];
    for (const answer of together) answer();
  }
}

/** A whole scan of a site whose ownership is verified, without limits of requests at a time. */
const scanSite = (site: FixtureSite, options: CollectOptions = {}, deps: Partial<ScanDeps> = {}) =>
  scan(openFixtureRun(site, { now: clock.now(), limiter: new Limiter(150, 150), ...options }), { clock, ...deps });

/** A home page alone: everything else never answers. */
const STALLING: FixtureSite = {
  routes: { '/': '<!doctype html><title>Home</title>', '*': () => new Promise(() => undefined) },
};

const resultsOf = (findings: readonly Finding[]) => new Map(findings.map(({ checkId, result }) => [checkId, result]));

t.test('a healthy site is scanned in 5 dependent rounds, and nothing of it is asked for twice', async (t) => {
  const transport = new RoundsTransport(new FixtureTransport(perfect));
  const report = await scanSite(perfect, { transport });
  t.equal(report.score, 100);
  // The last two ask for sampled pages under other names, one page after the other.
  t.equal(transport.rounds, 5);
  const asked = transport.inner.requests.map(({ method, url, headers }) =>
    [method, url, headers.accept?.startsWith('text/markdown'), headers['user-agent']].join(' '),
  );
  // A page that answered in Markdown is asked for as HTML once more, on purpose.
  const again = new Set(asked.filter((one, index) => asked.indexOf(one) !== index).map((one) => one.split(' ')[1]));
  t.same(again, new Set(['/', '/workshop', '/lanterns'].map((path) => new URL(path, perfect.origin).href)));
  t.ok(transport.inner.isClosed);
});

t.test('each check is judged once, as soon as its evidence is complete, and its result stays', async (t) => {
  const held = Promise.withResolvers<void>();
  const inner = new FixtureTransport(perfect);
  const transport: Transport = {
    async exchange(request) {
      if (request.headers.accept?.startsWith('text/markdown')) await held.promise;
      return inner.exchange(request);
    },
    close: () => inner.close(),
  };
  const told: ScanProgress[] = [];
  const onProgress = (progress: ScanProgress): void => {
    told.push(progress);
    if (progress.judged.length === CHECKS.length - 1) held.resolve();
  };
  const { findings } = await scanSite(perfect, { transport }, { onProgress });
  const { judged = [], done, total } = told.at(-1) ?? {};
  t.equal(done, total);
  t.equal(judged.at(-1)?.checkId, 'C-MD-01');
  t.equal(judged.length, CHECKS.length, 'once each');
  for (const { checkId, result, errorType } of findings) {
    const early = judged.find((one) => one.checkId === checkId);
    t.match(early, { result, ...(errorType !== null && { errorType }) });
  }
});

t.test('files that the site does not have leave enough requests for pages, links and Markdown', async (t) => {
  const paths = Array.from({ length: 20 }, (_, index) => `/page-${index + 1}`);
  const page = `<!doctype html><title>Shop</title>${paths.map((path) => `<a href="${path}">Page</a>`).join('')}<h1>Shop</h1>`;
  const site: FixtureSite = {
    routes: {
      '/': page,
      ...Object.fromEntries(paths.map((path) => [path, page])),
      '/robots.txt': 'User-agent: *\nAllow: /\n',
      '/llms.txt': `# Shop\n\n> Lamps.\n\n${paths.map((path) => `- [Page](${path}): what we sell`).join('\n')}\n`,
      '/sitemap.xml': urlset(paths.map((path) => [FIXTURE_ORIGIN + path])),
      // Whoever asks for anything else is sent through five further addresses to the page for signing in.
      '*': ({ url }) => {
        const step = 1 + Number(url.searchParams.get('step') ?? 0);
        if (step > 5) return '<!doctype html><title>Sign in</title><h1>Sign in</h1>';
        const to = encodeURIComponent(url.searchParams.get('to') ?? url.pathname);
        return redirectTo(`/gate-${step}?step=${step}&to=${to}`);
      },
    },
  };
  const { findings } = await scanSite(site);
  const results = resultsOf(findings);
  for (const id of ['C-LLMS-03', 'C-SITE-02', 'C-SD-01', 'C-MD-01', 'C-BOT-03'])
    t.not(results.get(id), 'UNDETERMINED', id);
});

t.test('a run whose time is up completes with what there is', async (t) => {
  const transport = new FixtureTransport(STALLING);
  const report = await scanSite(STALLING, { transport, limits: { runMs: 50 } });
  t.equal(report.findings.length, CHECKS.length);
  t.match(report.findings[0], { result: 'UNDETERMINED', detail: /time limit/ });
  t.ok(transport.isClosed);
});

t.test('what was read before the time was up is judged', async (t) => {
  const drip = () => new Promise<never>(() => undefined);
  const site = scriptOf({ '@type': 'WebSite', name: 'Net Loft', url: '/' });
  const home = `<!doctype html><title>Net Loft</title>${site}<h1>Net Loft</h1>`;
  for (const slow of ['/robots.txt', '/nets', '*']) {
    const site: FixtureSite = { routes: { '/': `${home}<a href="/nets">Nets</a>`, '/nets': home, [slow]: drip } };
    const { findings } = await scanSite(site, { limits: { runMs: 50 } });
    const results = resultsOf(findings);
    for (const id of ['C-SD-01', 'C-SD-02', 'C-SD-03']) t.equal(results.get(id), 'PASS', `${id} alongside ${slow}`);
    t.equal(results.get('C-SD-04'), 'NOT_APPLICABLE', slow);
  }
});

t.test('a run that lost evidence to slots that others held is none', async (t) => {
  const limiter = new Limiter(2, 2);
  const other = new Deadline(3_600_000, 0);
  const slot = { address: 'www.fixture-site.com', isExternal: false, priority: 'core' } as const;
  for (let count = 0; count < 2; count += 1) await limiter.acquire(other, slot);
  const transport = new FixtureTransport(STALLING);
  await t.rejects(scanSite(STALLING, { transport, limits: { runMs: 50, slotWaitMs: 1 }, limiter }), OutOfSlots);
  t.ok(transport.isClosed);
});

t.test('a fault of ours rejects, and closes the visit all the same', async (t) => {
  const judge = () => {
    throw new Error('a bug');
  };
  const faulty = defineCheck({ ...CHECK_TEXTS, failures: {}, needs: ['home'], judge });
  const transport = new FixtureTransport(perfect);
  await t.rejects(scanSite(perfect, { transport }, { checks: [faulty] }), /a bug/);
  t.ok(transport.isClosed);
});

t.test('a machine that cannot open a connection says so of itself, not of the site', async (t) => {
  for (const code of ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']) {
    const transport: Transport = {
      exchange: () => Promise.reject(toTransportError(Object.assign(new Error(code), { code }), 'headers')),
      close: async () => undefined,
    };
    await t.rejects(scanSite(perfect, { transport }), OutOfResources, code);
  }
});

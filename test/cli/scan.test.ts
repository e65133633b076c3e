import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { scanReport } from '../support/accounts.js';
import { EXIT } from '../../src/cli/command.js';
import { runProgram } from '../../src/cli/program.js';
import { SCAN_FORMATS } from '../../src/cli/report/formats.js';
import type { SiteAccess } from '../../src/cli/site-access.js';
import { type Check, defineCheck } from '../../src/scanner/verdict/check.js';
import { NO_PROGRESS } from '../../src/scanner/report/progress.js';
import type { Finding } from '../../src/scanner/verdict/finding.js';
import { scoreOf } from '../../src/scanner/report/score.js';
import { prepareRequest } from '../../src/scanner/client/requests.js';
import { notApplicable } from '../../src/scanner/verdict/verdict.js';
import { safeText } from '../../src/scanner/artifacts/safe-text.js';
import { PreviewMovedError } from '../../src/scanner/client/stand-in.js';
import type { RefusalReason } from '../../src/net/url-gate.js';
import type { HomePageFailure } from '../../src/scanner/artifacts/evidence.js';
import type { SampledPages } from '../../src/scanner/artifacts/pages.js';
import { CHECK_TEXTS, finding } from '../support/reports.js';
import { recordFixture } from '../support/recorded.js';
import { MemoryOutput, runScanCommand, type ScanDeps } from '../support/memory-output.js';

const checks: readonly Check[] = ['C-LLMS-01', 'C-BOT-01'].map((id) =>
  defineCheck({ ...CHECK_TEXTS, id, failures: {}, needs: [], judge: () => notApplicable(safeText`not asked`) }),
);

const oneFailure = [
  finding({ checkId: 'C-LLMS-01', result: 'FAIL' }),
  finding({ checkId: 'C-BOT-01', result: 'PASS' }),
];

function passed(one: Finding): Finding {
  return { ...one, result: 'PASS', errorType: null };
}

const url = new URL('https://example.com/robots.txt');
const REQUEST = prepareRequest(url, {}, { userAgent: 'test', target: { origin: url, isOwnershipVerified: false } });

interface Scene {
  readonly findings?: readonly Finding[];
  readonly gap?: HomePageFailure;
  readonly pages?: SampledPages;
  readonly refusal?: RefusalReason;
  readonly fault?: Error;
  readonly isTerminal?: boolean;
  readonly during?: () => void;
}

async function runScan(args: readonly string[], scene: Scene = {}) {
  const { findings = oneFailure, gap, refusal = null, fault, isTerminal = false, during } = scene;
  const scanned: string[] = [];
  const asked: (readonly string[] | undefined)[] = [];
  const pages: (readonly string[])[] = [];
  const reached: SiteAccess[] = [];
  const createDeps = (reach: SiteAccess): Partial<ScanDeps> => ({
    vetTarget: async () => refusal,
    scan: async ({ origin, pages: chosen = [] }, onProgress, only) => {
      if (fault) throw fault;
      scanned.push(origin.href);
      asked.push(only);
      pages.push(chosen.map(({ href }) => href));
      reached.push(reach);
      during?.();
      reach.listeners?.forEach((listen) => listen({ kind: 'cached', request: REQUEST }));
      onProgress?.({ ...NO_PROGRESS, done: 1, total: 2, requestCount: 3 });
      const startedAt = new Date('2026-01-02T03:04:05.000Z');
      const found = { startedAt, finishedAt: startedAt, findings, pages: scene.pages ?? null, ...(gap && { gap }) };
      return { ...scanReport(scoreOf(findings)), ...found };
    },
    tryOverlay: async ({ origin }, overlay) => {
      if (fault) throw fault;
      scanned.push(origin.href);
      t.equal(await text(overlay.fileAt('/llms.txt')!.body), '# Shop');
      const [before, after] = [findings, oneFailure.map(passed)].map((list) => ({
        ...{ ...scanReport(scoreOf(list)), findings: list },
      }));
      return { before: before!, after: after!, note: 'What is not known.' };
    },
    record: async ({ origin }) => {
      if (fault) throw fault;
      scanned.push(origin.href);
      return recordFixture({ origin: origin.origin, routes: {} });
    },
  });
  const setup = { isTerminal, loadChecks: async () => checks, readPassword: async () => 'secret word' };
  const { exitCode, output } = await runScanCommand(args, createDeps, setup);
  const { stdout, stderr, progressLines: progress } = output;
  return { exitCode, scanned, asked, pages, reached, stdout, stderr, progress };
}

const INPUT_ERROR = { exitCode: 2, stdout: '', scanned: [] };

/** Expects one line on stderr, without secrets, and no scan. */
async function expectRefused(t: Test, args: readonly string[], message: RegExp): Promise<void> {
  const found = await runScan(args);
  t.match(found, { ...INPUT_ERROR, stderr: message }, args.join(' '));
  t.match(found.stderr, /^(?!.*secret)[^\n]+\n$/);
}

t.test('a host, an origin or a page is scanned as its site', async (t) => {
  const { exitCode, scanned, stdout } = await runScan(['example.com']);
  t.same({ exitCode, scanned }, { exitCode: 0, scanned: ['https://example.com/'] }, 'a host name over https');
  t.match(stdout, /^(?![^]*fix of)example\.com: 50 [^]*\n    C-LLMS-01, MISSING\n[^]*--fix C-LLMS-01/);
  const page = 'https://example.com/a/page?q=1';
  t.match(await runScan([`${page}#top`]), {
    ...{ exitCode: 0, scanned: ['https://example.com/'], pages: [[page]] },
    stderr: /^[^\n]+ example\.com [^\n]+\n$/,
    stdout: /^example\.com: 50 /,
  });
  t.same((await runScan(['https://example.com//blog/x'])).pages, [['https://example.com//blog/x']]);
  const { scanned: local } = await runScan(['http://example.com:8080/page']);
  t.same(local, ['http://example.com:8080/'], 'scheme and port stay');
});

t.test('--trace prints each request on stderr instead of progress', async (t) => {
  t.match(await runScan(['example.com', '--trace'], { isTerminal: true }), {
    stderr: /^- +memo +GET \/robots\.txt: [^\n]+\n$/,
    progress: [''],
    stdout: /^example\.com: 50 /,
  });
  t.equal((await runScan(['example.com'])).stderr, '');
  const { progress } = await runScan(['example.com'], { isTerminal: true });
  t.match([progress[0], progress.at(-1)], [/1 of 2/, /^$/], 'progress is shown on a terminal, and wiped');
});

t.test('each format can be chosen, and json is the documented value', async (t) => {
  const { stdout } = await runScan(['https://example.com', '--format', 'json']);
  t.same(JSON.parse(stdout), {
    site: { hostname: 'example.com', origin: 'https://example.com' },
    run: { score: 50, startedAt: '2026-01-02T03:04:05.000Z', finishedAt: '2026-01-02T03:04:05.000Z' },
    findings: oneFailure,
    notes: [],
    gains: [],
  });
  const printed = Object.keys(SCAN_FORMATS).map((format) => runScan(['example.com', '--format', format]));
  t.equal(new Set((await Promise.all(printed)).map((one) => one.stdout)).size, 7);
  t.match((await runScan(['--format', 'json', '--', 'example.com'])).scanned, ['https://example.com/']);
});

t.test('exit codes', async (t) => {
  const all = (result: Finding['result'], more = {}) => [finding({ checkId: 'C-LLMS-01', result, ...more })];
  const ahead = all('FAIL', { pillar: null, scored: false });
  const cases: [exitCode: number, args: string, findings?: readonly Finding[]][] = [
    [0, '--fail-under 50'],
    [1, '--fail-under 51'],
    [1, '--fail-on c-llms-01'],
    [0, '--fail-on C-BOT-01'],
    [0, '--fail-on C-LLMS-01', all('PASS')],
    [3, '--quiet', all('UNDETERMINED')],
    [0, '--quiet', ahead],
    [1, '--fail-on C-LLMS-01', ahead],
  ];
  for (const [exitCode, args, findings = oneFailure] of cases)
    t.equal((await runScan(['example.com', ...args.split(' ')], { findings })).exitCode, exitCode, args);
  const both = await runScan(['example.com', '--fail-under', '51', '--fail-on', 'C-LLMS-01,C-BOT-01']);
  t.match(both.stderr, /^[^\n]+ 50 [^\n]+ 51; C-LLMS-01 fails, and --fail-on names it\.\n$/, 'and stderr says why');
  const fault = await runScan(['example.com'], { fault: new Error('disk on fire') });
  t.match(fault, { exitCode: 4, stderr: /^agent-readiness-scan [^\n]+: disk on fire\n$/ }, 'a failure of ours');
});

t.test('bad usage is one line of advice, and nothing is scanned', async (t) => {
  t.testdir();
  const sites: [site: string, message: RegExp][] = [
    ['http://', /host name/],
    ['ftp://example.com', /\bhttps\b/],
    ['https://user:secret@example.com', /\bpassword\b/],
    ['--local', /host name/],
  ];
  for (const [site, message] of sites) await expectRefused(t, [site], message);
  await expectRefused(t, [], /host name/);
  const cases: [args: string[], message: RegExp][] = [
    [['--fail-under', '101'], /--fail-under\b.*\b100\b/],
    [['--fail-on', 'C-NONE-99'], /--fail-on\b.* C-NONE-99/],
    [['--fail-on', ''], /--fail-on\b.* C-LLMS-01,/],
    [['--only', 'C-NONE-99'], /--only\b.* C-NONE-99/],
    [['--only', ','], /--only\b.* C-LLMS-01,/],
    [['--only', 'C-BOT-01', '--record', 'a.har'], /--only\b/],
    [['--skip', 'C-NONE-99'], /--skip\b.* C-NONE-99/],
    [['--skip', 'C-LLMS-01,C-BOT-01'], /--skip\b/],
    [['--skip', 'C-BOT-01', '--fail-on', 'C-BOT-01'], /C-BOT-01\b.* --only or --skip/],
    [['--only', 'C-BOT-01', '--fail-on', 'C-LLMS-01'], /C-LLMS-01\b.* --only or --skip/],
    [['--fix', 'all'], /--fix\b.* ALL\b/],
    [['--fixes', '--json'], /--fixes\b.* --format table/],
    [['--only-failures', '--format', 'junit'], /--only-failures\b.* --format table/],
    [['--config', '/nonexistent.json'], /--config: \/nonexistent\.json /],
    [['--header', 'secret'], /--header\b.*'X-Preview: token'/],
    [['--header', 'X-A: secret\r\nX-B: b'], /--header\b.*'X-Preview: token'/],
    [['--header', 'Host: secret'], /--header: .*\bHost\b/],
    [['--header', 'Expect: secret'], /--header: .*\bExpect\b/],
    [['--header', 'A: secret', '--header', 'a: b'], /--header: .*\btwice\b/],
    [['--basic', 'me:secret'], /--basic\b.*\bcolon\b/],
    [['--basic', 'me', '--header', 'Authorization: secret'], /--basic and --header Authorization\b/],
    [['--fromat', 'json'], /'--fromat'.*--format\b/],
    [['--format', 'pdf'], /table, json, markdown, agent, junit, html, github/],
    [['--label', ''], /--label: .*\b100\b/],
    [['--label', 'é'], /--label: .*\bASCII\b/],
    [['--compare', '/nonexistent.json'], /--compare: \/nonexistent\.json /],
    [['--save', '/nonexistent/report.json'], /--save: .*\/nonexistent\./],
    [['--save', t.testdirName], /--save: .* a folder/],
    [['--save', '/dev/null'], /--save: \/dev\/null .*\bregular\b/],
    [['--save', ''], /--save: /],
    [['--save', 'a.har', '--record', './a.har'], /--save\b.*\brecording\b/],
    [['--as', 'https://www.example.com/shop'], /^--as .*https:\/\/www\.example\.com\.\n$/],
    [['--as', 'ftp://www.example.com'], /^--as: .*\bhttps\b/],
    [['--as', ''], /^--as: .*host name/],
    [['--as', 'https://www.example.com', '--record', 'a.har'], / --record or --replay\.\n$/],
    [['--page', 'pricing'], /^--page [^\n]+ \/pricing\.\n$/],
    [['--page', 'https://example.org/a'], /^--page [^\n]+ example\.com /],
    [['--page', '/'], /^--page [^\n]*\bhome page\b/],
    [['/1', '/2', '/3', '/4', '/5', '/6'].flatMap((path) => ['--page', path]), /\b6\b.*\b5\b/],
  ];
  for (const [args, message] of cases) await expectRefused(t, ['example.com', ...args], message);
  await expectRefused(t, ['--replay', 'a.har', '--page', '/a'], /--page\b/);
});

t.test('a target that the guard refuses is bad usage', async (t) => {
  const cases: [site: string, refusal: RefusalReason, message: RegExp, isOwn: boolean][] = [
    ['http://localhost', 'host_not_allowed', /example\.com/, true],
    ['intranet', 'host_not_allowed', /example\.com/, true],
    ['intranet.local', 'host_not_allowed', / \.local\..*example\.com/, true],
    ['nas.internal', 'host_not_allowed', / \.internal\..*example\.com/, true],
    [`${'a'.repeat(64)}.com`, 'host_not_allowed', /example\.com/, false],
    ['inside.example.com', 'address_not_public', /\baddress\b/, true],
    ['192.0.2.1', 'host_not_allowed', /SCAN_ALLOW_CIDRS/, true],
    ['https://[2606:4700::1111]', 'host_not_allowed', /SCAN_ALLOW_CIDRS/, false],
    ['https://example.com:8443', 'port_not_allowed', /SCAN_ALLOW_PORTS/, false],
  ];
  for (const [site, refusal, message, isOwn] of cases) {
    const found = await runScan([site], { refusal });
    t.match(found, { ...INPUT_ERROR, stderr: message }, site);
    t.equal(found.stderr.includes('--local'), isOwn, found.stderr);
  }
});

t.test('advice on options follows the report', async (t) => {
  const findings = [finding({ checkId: 'C-LLMS-01', result: 'UNDETERMINED' })];
  const elsewhere = { findings, gap: { failure: 'target_refused' } } as const;
  const untrusted = { findings, gap: { failure: 'tls_untrusted' } } as const;
  t.match((await runScan(['--local', 'http://localhost:4000'], elsewhere)).stderr, '--local');
  t.notMatch((await runScan(['example.com'], elsewhere)).stderr, '--local');
  t.match((await runScan(['example.com'], untrusted)).stderr, 'NODE_EXTRA_CA_CERTS');
  t.notMatch((await runScan(['example.com'])).stderr, 'NODE_EXTRA_CA_CERTS');
});

t.test('a comparison with an earlier scan lists what changed', async (t) => {
  const before = join(t.testdir(), 'before.json');
  const compare = (report: object, ...args: string[]) => {
    writeFileSync(before, JSON.stringify(report));
    return runScan(['example.com', '--compare', before, ...args]);
  };
  const ran = (results: Record<string, Finding['result']>) => ({
    findings: Object.entries(results).map(([checkId, result]) => finding({ checkId, result })),
  });
  const none = { newFailures: [], nowJudged: [], fixed: [], unchanged: [], changed: [], notComparable: [] };

  const worse = await compare(ran({ 'C-LLMS-01': 'PASS', 'C-BOT-01': 'FAIL' }));
  t.match(
    worse,
    { exitCode: 1, stdout: /new failures: C-LLMS-01[^]*fixed: C-BOT-01/ },
    'a new failure is a condition that is not met',
  );
  const passing = ran({ 'C-LLMS-01': 'PASS', 'C-BOT-01': 'PASS' });
  t.equal((await compare(passing, '--fail-on', 'C-BOT-01')).exitCode, 1, 'a new failure of any check counts');
  t.equal((await compare({ findings: oneFailure }, '--fail-on', 'C-LLMS-01')).exitCode, 1, 'new or not');
  const others: [report: object, comparison: object][] = [
    [{ findings: oneFailure }, { unchanged: ['C-LLMS-01', 'C-BOT-01'] }],
    [ran({ 'C-LLMS-01': 'UNDETERMINED', 'C-BOT-01': 'PASS' }), { nowJudged: ['C-LLMS-01'], unchanged: ['C-BOT-01'] }],
    [ran({ 'C-BOT-01': 'PASS' }), { notComparable: ['C-LLMS-01'], unchanged: ['C-BOT-01'] }],
  ];
  for (const [report, comparison] of others) {
    const { exitCode, stdout } = await compare(report, '--json');
    t.equal(exitCode, 0, 'nothing has become worse');
    t.same((JSON.parse(stdout) as { comparison: unknown }).comparison, { ...none, ...comparison });
  }

  const [one] = oneFailure;
  for (const noReport of [
    { findings: 7 },
    { findings: [{ ...one, checkId: '<img src=x>' }] },
    { findings: [{ ...one, result: 'MAYBE' }] },
    { findings: [], site: { hostname: 'a](https://evil.example)' } },
    { findings: [], run: { score: '50', finishedAt: 'now' } },
    { findings: [], run: { score: 50, finishedAt: '2026-01-02T03:04:05Z', label: '\u001b[31m' } },
    { findings: [], pages: { chosen: [{ path: 1 }] } },
  ])
    t.match(
      await compare(noReport),
      { exitCode: 2, stderr: /^--compare: [^\n]*before\.json / },
      JSON.stringify(noReport),
    );
});

t.test('a comparison with another site is refused before the scan', async (t) => {
  const before = join(t.testdir(), 'before.json');
  const compare = (site: object, ...args: string[]) => {
    writeFileSync(before, JSON.stringify({ site, findings: oneFailure }));
    return runScan([...args, '--compare', before]);
  };
  t.match(await compare({ hostname: 'www.other.org' }, 'example.com'), {
    ...INPUT_ERROR,
    stderr: /^--compare: .* www\.other\.org.* example\.com.* --as https:\/\/www\.other\.org\.\n$/,
  });
  t.match(await compare({ hostname: 'a:b' }, 'example.com'), { exitCode: 2, stderr: /^--compare: / });

  const other = { hostname: 'pr-1.host.app', judgedAs: 'https://www.other.org' };
  for (const [site, ...args] of [
    [{ hostname: 'www.example.com' }, 'example.com'],
    [{ hostname: 'localhost:4000' }, '--local', 'http://localhost:5000'],
    [{ hostname: 'www.other.org' }, 'pr-1.host.dev', '--as', 'https://other.org'],
    [other, 'other.org'],
    [other, 'pr-2.host.app'],
  ] as const)
    t.match(await compare(site, ...args), { exitCode: 0, stdout: /unchanged/ }, JSON.stringify([site, args]));
});

t.test('--only and --skip choose the checks', async (t) => {
  const asked = async (...args: string[]) => (await runScan(['example.com', ...args])).asked[0];
  t.same(await asked('--only', 'c-llms-01, C-BOT-01'), ['C-LLMS-01', 'C-BOT-01']);
  t.same(await asked('--skip', 'C-BOT-01'), ['C-LLMS-01']);
  t.equal(await asked(), undefined, 'by default all');
});

t.test('--fix, --fixes, --only-failures, --color and --quiet', async (t) => {
  const shown = async (...args: string[]) => (await runScan(['example.com', ...args])).stdout;
  t.match(await shown('--fix', 'C-LLMS-01'), 'fix of C-LLMS-01');
  t.match(await shown('--fixes'), 'fix of C-LLMS-01');
  t.notMatch(await shown('--fix', 'C-BOT-01'), 'fix of C-');
  t.match(await shown(), 'Passed (1): C-BOT-01');
  t.match(await shown('--only-failures'), /^(?![^]*Passed)[^]*C-LLMS-01/);
  t.notMatch(await shown('--only-failures', '--format', 'markdown'), 'C-BOT-01');
  t.match(await shown('--color'), '\u001b[31m');
  t.notMatch(await shown('--no-color'), '\u001b[');
  const quiet = await runScan(['example.com', '--quiet', '--fail-under', '90'], { isTerminal: true });
  t.match(quiet, { exitCode: 1, stdout: '', progress: [], stderr: /^[^\n]* 90\.\n$/ });
});

t.test('--header and --basic reach the scan and are never printed', async (t) => {
  const args = ['http://localhost:4000', '--local', '--header', 'X-Preview:  a word ', '--basic', 'me'];
  const { reached, stdout, stderr } = await runScan(args);
  const authorization = `Basic ${Buffer.from('me:secret word').toString('base64')}`;
  t.match(reached[0]?.local?.href, 'http://localhost:4000/');
  t.same(reached[0]?.siteFields, { 'x-preview': 'a word', authorization });
  t.notMatch(stdout + stderr, /a word|secret/);
  t.same((await runScan(['example.com'])).reached, [{}]);
});

t.test('--as judges a preview as its site', async (t) => {
  const args = ['https://preview.example.net/docs/a?b=c', '--as', 'www.example.com', '--header', 'X-Preview: word'];
  t.match(await runScan(args), {
    scanned: ['https://www.example.com/'],
    pages: [['https://www.example.com/docs/a?b=c']],
    reached: [
      { preview: { site: { href: 'https://www.example.com/' }, servedBy: { href: 'https://preview.example.net/' } } },
    ],
    stdout: /^preview\.example\.net, .* https:\/\/www\.example\.com: 50 /,
  });
  const { pages } = await runScan(['https://preview.example.net//blog/x', '--as', 'www.example.com']);
  t.same(pages, [['https://www.example.com//blog/x']]);
  const json = (await runScan([...args, '--json'])).stdout;
  t.match(JSON.parse(json), { site: { hostname: 'preview.example.net', judgedAs: 'https://www.example.com' } });
  const folder = t.testdir({ 'production.json': json, overlay: { 'llms.txt': '# Shop' } });
  const compared = await runScan([...args, '--compare', join(folder, 'production.json')]);
  t.match(compared.stdout, 'unchanged: C-LLMS-01, C-BOT-01');
  const judged = { site: { judgedAs: 'https://www.example.com' } };
  const tried = await runScan([...args, '--overlay', join(folder, 'overlay'), '--json']);
  t.match(JSON.parse(tried.stdout), { before: judged, after: judged });
  t.same((await runScan([...args, '--local'])).reached[0]?.local?.href, 'https://preview.example.net/');
  const fault = new PreviewMovedError('Give that address: https://preview.example.net.');
  for (const more of [[], ['--overlay', join(folder, 'overlay')]]) {
    const refused = await runScan(['http://preview.example.net', '--as', 'www.example.com', ...more], { fault });
    t.match(refused, { exitCode: 2, stderr: `${fault.message}\n` });
  }
  for (const [as, judgedAs] of Object.entries({
    'https://bücher.example': 'https://xn--bcher-kva.example',
    'https://www.example.com:443/': 'https://www.example.com',
    'http://www.example.com:8080': 'http://www.example.com:8080',
  }))
    t.equal((await runScan(['preview.example.net', '--as', as])).reached[0]?.preview?.site.origin, judgedAs, as);
});

t.test('--overlay shows what files would change, and conditions apply to that', async (t) => {
  const folder = t.testdir({ public: { 'llms.txt': '# Shop' }, empty: {}, 'a file.txt': '' });
  const args = ['example.com', '--overlay', join(folder, 'public')];
  t.match(await runScan([...args, '--fail-under', '100']), {
    exitCode: 0,
    stdout: /^example\.com: 100 of 100 \(\+50\)[^]*fixed: C-LLMS-01[^]*\n\nWhat is not known\.\n$/,
  });
  t.match(JSON.parse((await runScan([...args, '--json'])).stdout), {
    before: { run: { score: 50 } },
    after: { run: { score: 100 } },
    changes: [{ checkId: 'C-LLMS-01', before: 'FAIL', after: 'PASS' }],
    note: 'What is not known.',
  });
  const cases: [args: string[], message: RegExp][] = [
    [['--overlay', join(folder, 'no folder')], /--overlay: .+\/no folder /],
    [['--overlay', join(folder, 'a file.txt')], /--overlay: .+\/a file\.txt /],
    [['--overlay', join(folder, 'empty')], /--overlay: .+\/empty /],
    [['--overlay', folder, '--only', 'C-BOT-01'], /--overlay .*--only /],
    [['--overlay', folder, '--record', 'a.har'], /--overlay .*--record /],
  ];
  for (const [wrong, message] of cases) await expectRefused(t, ['example.com', ...wrong], message);
});

t.test('options of a file apply unless given on the command line', async (t) => {
  const file = join(t.testdir(), 'my scan.json');
  const withFile = (content: object | string, ...args: string[]) => {
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return runScan([...args, '--config', file]);
  };
  const content = { url: 'https://www.example.com', skip: ['C-BOT-01'], failUnder: 60, failOn: ['C-LLMS-01'] };
  t.match(await withFile(content), {
    ...{ scanned: ['https://www.example.com/'], asked: [['C-LLMS-01']], exitCode: 1 },
    stderr: /^[^\n]* 50 [^\n]* 60; C-LLMS-01 fails, and --fail-on names it\.\n$/,
  });
  const options = '--fail-under 0 --skip C-LLMS-01 --fail-on C-BOT-01'.split(' ');
  const given = await withFile(content, 'example.org', ...options);
  t.match(given, { exitCode: 0, scanned: ['https://example.org/'], asked: [['C-BOT-01']] }, 'which goes first');
  for (const wrong of ['{', { failUnder: 'high' }, { header: 'a: b' }, { local: true }, []]) {
    const refused = await withFile(wrong, 'example.com');
    t.match(refused, { exitCode: 2, scanned: [], stderr: /^--config: .+\/my scan\.json [^\n]*\n$/ });
  }
  for (const secret of [['--local'], ['--header', 'A: b'], ['--basic', 'me']]) {
    const refused = await withFile({ url: 'http://127.0.0.1' }, ...secret);
    t.match(refused, { exitCode: 2, stderr: /^--local, --header and --basic / }, 'not for an address of a file');
  }
  const wrong = await withFile({ failUnder: 101 }, 'example.com');
  t.match(wrong, { exitCode: 2, stderr: /\b100\b/ });
  t.match(await withFile({}, '--replay', 'a.har'), { exitCode: 2, stderr: /--config\b/ });
});

t.test('--page and the pages of a file are read first', async (t) => {
  const file = join(t.testdir(), 'my scan.json');
  const own = 'https://example.com';
  const scanWith = (content: object, ...args: string[]) => {
    writeFileSync(file, JSON.stringify(content));
    return runScan(['--config', file, ...args]);
  };
  const pagesOf = async (content: object, ...args: string[]) => (await scanWith(content, ...args)).pages[0]?.join(' ');
  const two = ['--page', '/a?b=1#c', '--page', `${own}/docs/`];
  t.equal(await pagesOf({}, 'example.com', ...two), `${own}/a?b=1 ${own}/docs/`);
  t.equal(await pagesOf({}, `${own}/own`, '--page', '/a', '--page', '/own'), `${own}/own ${own}/a`, 'each once');
  t.equal(await pagesOf({}, 'example.com'), '');
  const pages = ['/of-file', '//deep'];
  t.equal(await pagesOf({ pages }, 'example.com'), `${own}/of-file ${own}//deep`);
  t.equal(await pagesOf({ pages }, 'example.com', '--page', '/a'), `${own}/a`, 'which goes first');
  for (const wrong of [['pricing'], ['/1', '/2', '/3', '/4', '/5', '/6'], ['https://example.org/a']]) {
    const refused = await scanWith({ pages: wrong }, 'example.com');
    t.match(refused, { ...INPUT_ERROR, stderr: /^--page\b/ }, wrong.join());
  }
});

t.test('a comparison mentions other pages; a newly named page is no new failure', async (t) => {
  const saved = join(t.testdir(), 'report.json');
  const findings = [finding({ checkId: 'C-SD-02', result: 'FAIL' })];
  await runScan(['example.com', '--save', saved], { findings: findings.map(passed) });
  t.notMatch(readFileSync(saved, 'utf8'), '"pages"', 'nothing is said where none was named');
  const chosen = [{ path: '/a', isRead: true } as const, { path: '/gone', isRead: false } as const];
  const scan = { findings, pages: { chosen } };
  const compared = ['example.com', '--compare', saved, '--page', '/a', '--page', '/gone'];
  t.match(await runScan(compared, scan), { exitCode: 0, stdout: /other pages/i, stderr: /^\/gone [^\n]+\n$/ });
  t.match((await runScan([...compared, '--format', 'markdown'], scan)).stdout, /other pages/i);
  t.match(JSON.parse((await runScan([...compared, '--json'], scan)).stdout), {
    pages: scan.pages,
    comparison: { nowJudged: ['C-SD-02'], newFailures: [], hasOtherPages: true },
  });
  await runScan(['example.com', '--page', '/a', '--save', saved], { ...scan, findings: findings.map(passed) });
  t.equal((await runScan(compared, scan)).exitCode, 1, 'by then the page was read before');
});

t.test('--label is shown in the report and in later comparisons', async (t) => {
  const saved = join(t.testdir(), 'report.json');
  const commit = '4f2a1c9d'.repeat(5);
  const named = await runScan(['example.com', '--label', commit, '--save', saved]);
  t.match(named.stdout, 'example.com (4f2a1c9)');
  t.match(JSON.parse(readFileSync(saved, 'utf8')), { run: { label: commit } });
  const later = await runScan(['example.com', '--label', 'v2 [beta]', '--compare', saved]);
  t.match(later.stdout, /example\.com \(v2 \[beta\]\)[^]*\(4f2a1c9\)/);
});

t.test('a scan whose checks do not count says so and succeeds', async (t) => {
  const none = { findings: [finding({ checkId: 'C-BOT-01', result: 'NOT_APPLICABLE' })] };
  t.match(await runScan(['example.com', '--only', 'C-BOT-01'], none), {
    exitCode: 0,
    stderr: /^No score\b[^\n]*\n$/,
    stdout: /^example\.com: no score\b.*\(0 pass, 0 fail, 0 undetermined, 1 not/,
  });
  t.match((await runScan(['example.com', '--format', 'markdown'], none)).stdout, /\n\nNo score\b/);
});

t.test('--save writes the json report in every format', async (t) => {
  const folder = t.testdir();
  const saved = join(folder, 'report.json');
  const report = () => readFileSync(saved, 'utf8');
  const { stdout: json } = await runScan(['example.com', '--json', '--save', saved]);
  t.equal(report(), json);
  const markdown = await runScan(['example.com', '--format', 'markdown', '--compare', saved, '--save', saved]);
  t.match(markdown, { exitCode: 0, stdout: / example\.com on 2026-01-02 03:04 UTC/ });
  t.match(JSON.parse(report()), { findings: oneFailure, comparison: { newFailures: [] } });
  const findings = [finding({ checkId: 'C-LLMS-01', result: 'UNDETERMINED' })];
  t.match(await runScan(['example.com', '--save', saved], { findings }), { exitCode: 3, stderr: /^[^\n]+\n$/ });
  t.match(JSON.parse(report()), { run: { score: null } }, 'of every scan that was done');
  t.same(readdirSync(folder), ['report.json'], 'nothing else stays behind');
});

t.test('--save replaces the file atomically after the scan', async (t) => {
  const folder = t.testdir({ 'real.json': 'before', blocked: {} });
  const saved = join(folder, 'report.json');
  symlinkSync('real.json', saved);
  const seen: string[] = [];
  await runScan(['example.com', '--save', saved], { during: () => seen.push(readFileSync(saved, 'utf8')) });
  t.same(seen, ['before']);
  t.match(readFileSync(join(folder, 'real.json'), 'utf8'), '"findings"', 'where the link leads');
  await runScan(['example.com', '--save', saved], { fault: new Error('disk on fire') });
  t.match(readFileSync(saved, 'utf8'), '"findings"', 'a scan that fails changes nothing');

  const blocked = join(folder, 'blocked', 'report.json');
  const inTheWay = { during: () => mkdirSync(join(blocked, 'in the way'), { recursive: true }) };
  const lost = await runScan(['example.com', '--save', blocked], inTheWay);
  t.match(lost, { exitCode: 4, stderr: /^agent-readiness-scan /, stdout: /: 50 / }, 'it is printed all the same');
  t.same(readdirSync(join(folder, 'blocked')), ['report.json']);
});

t.test('the help lists options and exit codes', async (t) => {
  const { stdout, exitCode } = await runScan(['--help']);
  t.equal(exitCode, 0);
  for (const option of ['format', 'save', 'compare', 'only', 'skip', 'header', 'fail-under', 'fail-on'])
    t.match(stdout, `--${option} <`);
  for (const code of Object.values(EXIT)) t.match(stdout, new RegExp(`^  ${code}  `, 'm'));
  const output = new MemoryOutput();
  t.equal(await runProgram([], [(program) => void program.command('scan')], output, '0.0.0'), 2);
  t.match(output.stderr, /^Usage: agent-readiness-scan [^\n]*\n\n/, 'without a command it is shown line by line');
});

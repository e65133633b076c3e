import { scanReport } from '../support/accounts.js';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { EXIT } from '../../src/cli/command.js';
import { runProgram } from '../../src/cli/program.js';
import { addScanCommand } from '../../src/cli/scan.js';
import { SCAN_FORMATS } from '../../src/cli/report/formats.js';
import type { Reach } from '../../src/cli/scan-task.js';
import type { Check } from '../../src/scanner/verdict/check.js';
import { cLlms01 } from '../../src/scanner/checks/c-llms-01.js';
import { NO_PROGRESS } from '../../src/scanner/report/progress.js';
import type { Finding } from '../../src/scanner/verdict/finding.js';
import { scoreOf } from '../../src/scanner/report/score.js';
import { prepareRequest } from '../../src/scanner/client/request.js';
import { notApplicable } from '../../src/scanner/verdict/verdict.js';
import { safeText } from '../../src/scanner/artifacts/safe-text.js';
import { PreviewMovedError } from '../../src/scanner/client/stand-in.js';
import type { RefusalReason } from '../../src/net/refusal.js';
import type { HomePageFailure } from '../../src/scanner/artifacts/evidence.js';
import type { SampledPages } from '../../src/scanner/artifacts/chosen-pages.js';
import { finding } from '../support/findings.js';
import { recordFixture } from '../support/recorded.js';
import { MemoryOutput } from '../support/memory-output.js';

const checks: readonly Check[] = ['C-LLMS-01', 'C-BOT-01'].map((id) => ({
  id,
  revision: 1,
  pillar: 'A',
  scored: true,
  title: id,
  shortName: 'Test',
  answer: 'It passes.',
  explanation: '',
  judgedBy: [],
  failures: {},
  notes: [],
  errorTypes: [],
  needs: [],
  uses: [],
  judge: () => notApplicable(safeText`not asked`),
}));

const oneFailure = [
  finding({ checkId: 'C-LLMS-01', result: 'FAIL' }),
  finding({ checkId: 'C-BOT-01', result: 'PASS' }),
];

function passed(one: Finding): Finding {
  return { ...one, result: 'PASS', errorType: null };
}

const url = new URL('https://example.com/robots.txt');
const REQUEST = {
  ...prepareRequest(url, {}, { userAgent: 'test', mayUseOthers: false }),
  isExternal: false,
  address: url.hostname,
};

async function runScan(
  args: readonly string[],
  options: {
    findings?: readonly Finding[];
    gap?: HomePageFailure;
    /** Which pages the scan says it has looked at. */
    pages?: SampledPages;
    refusal?: RefusalReason;
    fault?: Error;
    isTerminal?: boolean;
    /** What happens while the scan runs. */
    meanwhile?: () => void;
  } = {},
) {
  const output = new MemoryOutput({ isTerminal: options.isTerminal ?? false });
  const findings = options.findings ?? oneFailure;
  const scanned: string[] = [];
  const asked: (readonly string[] | undefined)[] = [];
  const pages: (readonly string[])[] = [];
  const reached: Reach[] = [];
  const command = addScanCommand(
    async () => checks,
    async (reach) => ({
      vetTarget: async () => options.refusal ?? null,
      scan: async ({ origin, pages: chosen, only }, onProgress) => {
        if (options.fault) throw options.fault;
        scanned.push(origin.href);
        asked.push(only);
        pages.push(chosen.map(({ href }) => href));
        reached.push(reach);
        options.meanwhile?.();
        reach.listen?.({ kind: 'remembered', request: REQUEST });
        onProgress?.({ ...NO_PROGRESS, done: 1, total: 2, requestCount: 3 });
        const startedAt = new Date('2026-01-02T03:04:05.000Z');
        const found = {
          startedAt,
          finishedAt: startedAt,
          findings,
          pages: options.pages ?? null,
          ...(options.gap && { gap: options.gap }),
        };
        return { ...scanReport(scoreOf(findings)), ...found };
      },
      tryOverlay: async ({ origin }, overlay) => {
        scanned.push(origin.href);
        const [before, after] = [options.findings ?? oneFailure, oneFailure.map(passed)].map((list) => ({
          ...scanReport(scoreOf(list)),
          findings: list,
        }));
        t.equal(overlay.fileAt('/llms.txt')?.body.toString(), '# Shop');
        return { before: before!, after: after!, assumed: [{ path: '/llms.txt', status: 403 }] };
      },
      record: async ({ origin }) => {
        if (options.fault) throw options.fault;
        scanned.push(origin.href);
        return recordFixture({ origin: origin.origin, routes: {} });
      },
    }),
    output,
    async () => 'secret word',
  );
  const exitCode = await runProgram(['scan', ...args], [command], output, '0.0.0');
  return {
    exitCode,
    scanned,
    asked,
    pages,
    reached,
    stdout: output.stdout,
    stderr: output.stderr,
    progress: output.progressLines,
  };
}

t.test('a host name is scanned over https', async (t) => {
  const { exitCode, scanned, stdout } = await runScan(['example.com']);
  t.equal(exitCode, 0);
  t.same(scanned, ['https://example.com/']);
  t.match(stdout, /^example\.com: 50 [^]*\n    C-LLMS-01, MISSING\n[^]*--fix C-LLMS-01/);
  t.notMatch(stdout, 'fix of');
});

t.test('--trace says on stderr what becomes of each request, in place of the progress', async (t) => {
  const { stderr, progress, stdout } = await runScan(['example.com', '--trace'], { isTerminal: true });
  t.match(stderr, /^- +memo +GET \/robots\.txt: [^\n]+\n$/);
  t.same(progress, ['']);
  t.match(stdout, /^example\.com: 50 /);
  t.equal((await runScan(['example.com'])).stderr, '');
});

t.test('the address of a page stands for its site, and that is said', async (t) => {
  const { exitCode, scanned, pages, stdout, stderr } = await runScan(['https://example.com/a/page?q=1#top']);
  t.same({ exitCode, scanned }, { exitCode: 0, scanned: ['https://example.com/'] });
  t.same(pages, [['https://example.com/a/page?q=1']], 'it joins the sample');
  t.same((await runScan(['https://example.com//blog/x'])).pages, [['https://example.com//blog/x']]);
  t.match(stderr, /^[^\n]+ example\.com [^\n]+\n$/);
  t.match(stdout, /^example\.com: 50 /);
  t.same(
    (await runScan(['http://example.com:8080/page'])).scanned,
    ['http://example.com:8080/'],
    'scheme and port stay',
  );
});

t.test('json is the documented value', async (t) => {
  const { stdout } = await runScan(['https://example.com', '--format', 'json']);
  t.same(JSON.parse(stdout), {
    site: { hostname: 'example.com', origin: 'https://example.com' },
    run: { score: 50, startedAt: '2026-01-02T03:04:05.000Z', finishedAt: '2026-01-02T03:04:05.000Z' },
    findings: oneFailure,
    notes: [],
    gains: [],
  });
});

t.test('each format can be chosen', async (t) => {
  const formats: [format: string, expected: string][] = [
    ['table', '\n    C-LLMS-01, MISSING\n'],
    ['json', '"checkId": "C-LLMS-01"'],
    ['markdown', '| C-LLMS-01 | title of C-LLMS-01 | **FAIL** MISSING | It answers 404. |'],
    ['agent', '\n\nC-LLMS-01, MISSING. '],
    ['junit', '<failure type="MISSING" message="It answers 404.">'],
    ['html', `<h3>${cLlms01.failures.MISSING?.headline}</h3>`],
    ['github', '::warning title=C-LLMS-01%3A '],
  ];
  for (const [format, expected] of formats) {
    t.match((await runScan(['example.com', '--format', format])).stdout, expected, format);
  }
  t.match((await runScan(['--format', 'json', '--', 'example.com'])).scanned, ['https://example.com/']);
});

t.test('the exit code says how it went', async (t) => {
  const pass = [finding({ checkId: 'C-LLMS-01', result: 'PASS' })];
  const unknown = [finding({ checkId: 'C-LLMS-01', result: 'UNDETERMINED' })];
  t.equal((await runScan(['example.com', '--fail-under', '50'])).exitCode, 0, 'at the bar');
  t.equal((await runScan(['example.com', '--fail-under', '51'])).exitCode, 1, 'below the bar');
  t.equal((await runScan(['example.com', '--fail-on', 'c-llms-01'])).exitCode, 1, 'a named check fails');
  t.equal((await runScan(['example.com', '--fail-on', 'C-BOT-01'])).exitCode, 0, 'a named check passes');
  t.equal((await runScan(['example.com', '--fail-on', 'C-LLMS-01'], { findings: pass })).exitCode, 0);
  t.equal((await runScan(['example.com'], { findings: unknown })).exitCode, 3, 'nothing determined');
  const both = await runScan(['example.com', '--fail-under', '51', '--fail-on', 'C-LLMS-01,C-BOT-01']);
  t.match(both.stderr, /^[^\n]+ 50 [^\n]+ 51[^\n]+ C-LLMS-01\.\n$/, 'and stderr says why');
  t.equal((await runScan(['example.com'])).stderr, '');
  const fault = await runScan(['example.com'], { fault: new Error('disk on fire') });
  t.equal(fault.exitCode, 4, 'a failure of ours');
  t.match(fault.stderr, /^agent-readiness-scan [^\n]+: disk on fire\n$/);
});

t.test('bad usage says in one line what to do, and scans nothing', async (t) => {
  t.testdir();
  const cases: [args: string[], message: RegExp][] = [
    [['http://'], /host name/],
    [['ftp://example.com'], /\bhttps\b/],
    [['https://user:secret@example.com'], /\bpassword\b/],
    [['example.com', '--fail-under', '101'], /--fail-under\b.*\b100\b/],
    [['example.com', '--fail-on', 'C-NONE-99'], /--fail-on\b.* C-NONE-99/],
    [['example.com', '--fail-on', ''], /--fail-on\b.* C-LLMS-01,/],
    [['example.com', '--only', 'C-NONE-99'], /--only\b.* C-NONE-99/],
    [['example.com', '--only', ','], /--only\b.* C-LLMS-01,/],
    [['example.com', '--only', 'C-BOT-01', '--record', 'a.har'], /--only\b/],
    [['example.com', '--skip', 'C-NONE-99'], /--skip\b.* C-NONE-99/],
    [['example.com', '--skip', 'C-LLMS-01,C-BOT-01'], /--skip\b/],
    [['example.com', '--skip', 'C-BOT-01', '--fail-on', 'C-BOT-01'], /C-BOT-01\b.* --only or --skip/],
    [['example.com', '--only', 'C-BOT-01', '--fail-on', 'C-LLMS-01'], /C-LLMS-01\b.* --only or --skip/],
    [['example.com', '--fix', 'all'], /--fix\b.* ALL\b/],
    [['example.com', '--fixes', '--json'], /--fixes\b.* --format table/],
    [['example.com', '--only-failures', '--format', 'junit'], /--only-failures\b.* --format table/],
    [['example.com', '--config', '/nonexistent.json'], /--config: \/nonexistent\.json /],
    [['example.com', '--header', 'secret'], /--header\b.*'X-Preview: token'/],
    [['example.com', '--header', 'X-A: secret\r\nX-B: b'], /--header\b.*'X-Preview: token'/],
    [['example.com', '--header', 'Host: secret'], /--header: .*\bHost\b/],
    [['example.com', '--header', 'Expect: secret'], /--header: .*\bExpect\b/],
    [['example.com', '--header', 'A: secret', '--header', 'a: b'], /--header: .*\btwice\b/],
    [['example.com', '--basic', 'me:secret'], /--basic\b.*\bcolon\b/],
    [['example.com', '--basic', 'me', '--header', 'Authorization: secret'], /--basic and --header Authorization\b/],
    [['--local'], /host name/],
    [['example.com', '--fromat', 'json'], /'--fromat'.*--format\b/],
    [['example.com', '--format', 'pdf'], /table, json, markdown, agent, junit, html, github/],
    [['example.com', '--label', ''], /--label: .*\b100\b/],
    [['example.com', '--label', 'é'], /--label: .*\bASCII\b/],
    [['example.com', '--compare', '/nonexistent.json'], /--compare: \/nonexistent\.json /],
    [['example.com', '--save', '/nonexistent/report.json'], /--save: .*\/nonexistent\./],
    [['example.com', '--save', t.testdirName], /--save: .* a folder/],
    [['example.com', '--save', '/dev/null'], /--save: \/dev\/null .*\bregular\b/],
    [['example.com', '--save', ''], /--save: /],
    [[], /host name/],
  ];
  for (const [args, message] of cases) {
    const { exitCode, stderr, stdout, scanned } = await runScan(args);
    t.equal(exitCode, 2, args.join(' '));
    t.match(stderr, message);
    t.equal(stderr.trimEnd().split('\n').length, 1, 'one line');
    t.notMatch(stderr, 'secret');
    t.same({ stdout, scanned }, { stdout: '', scanned: [] });
  }
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
    const { exitCode, stderr, scanned } = await runScan([site], { refusal });
    t.equal(exitCode, 2, site);
    t.match(stderr, message);
    t.equal(stderr.includes('--local'), isOwn, stderr);
    t.same(scanned, []);
  }
});

t.test('what only the command line can change is said after the report', async (t) => {
  const findings = [finding({ checkId: 'C-LLMS-01', result: 'UNDETERMINED' })];
  const elsewhere = { findings, gap: { failure: 'target_refused' } } as const;
  const untrusted = { findings, gap: { failure: 'tls_untrusted' } } as const;
  t.match((await runScan(['--local', 'http://localhost:4000'], elsewhere)).stderr, '--local');
  t.notMatch((await runScan(['example.com'], elsewhere)).stderr, '--local');
  t.match((await runScan(['example.com'], untrusted)).stderr, 'NODE_EXTRA_CA_CERTS');
  t.notMatch((await runScan(['example.com'])).stderr, 'NODE_EXTRA_CA_CERTS');
});

t.test('progress is shown on a terminal, and wiped', async (t) => {
  const { progress } = await runScan(['example.com'], { isTerminal: true });
  t.match(progress[0], '1 of 2');
  t.equal(progress.at(-1), '');
});

t.test('a comparison with an earlier scan lists what changed', async (t) => {
  const before = join(t.testdir(), 'before.json');
  const write = (findings: readonly Finding[]) => writeFileSync(before, JSON.stringify({ findings }));

  write([finding({ checkId: 'C-LLMS-01', result: 'PASS' }), finding({ checkId: 'C-BOT-01', result: 'FAIL' })]);
  const worse = await runScan(['example.com', '--compare', before]);
  t.equal(worse.exitCode, 1, 'a new failure is below the bar');
  t.match(worse.stdout, 'new failures: C-LLMS-01');
  t.match(worse.stdout, 'fixed: C-BOT-01');

  write(oneFailure);
  const same = await runScan(['example.com', '--compare', before, '--format', 'json']);
  t.equal(same.exitCode, 0);
  const { comparison } = JSON.parse(same.stdout) as { comparison: unknown };
  t.same(comparison, {
    newFailures: [],
    nowJudged: [],
    fixed: [],
    unchanged: ['C-LLMS-01', 'C-BOT-01'],
    changed: [],
    notComparable: [],
  });

  write([finding({ checkId: 'C-LLMS-01', result: 'UNDETERMINED' }), finding({ checkId: 'C-BOT-01', result: 'PASS' })]);
  const judged = await runScan(['example.com', '--compare', before, '--json']);
  t.equal(judged.exitCode, 0, 'a check that was not judged before has not become worse');
  t.match(JSON.parse(judged.stdout), { comparison: { nowJudged: ['C-LLMS-01'], newFailures: [] } });

  write([finding({ checkId: 'C-BOT-01', result: 'PASS' })]);
  const older = await runScan(['example.com', '--compare', before, '--json']);
  t.equal(older.exitCode, 0, 'a check that the earlier scan did not have is not a new failure');
  t.match(JSON.parse(older.stdout), { comparison: { notComparable: ['C-LLMS-01'], newFailures: [] } });

  const [one] = oneFailure;
  const noReports: object[] = [
    { findings: 7 },
    { findings: [{ ...one, checkId: '<img src=x>' }] },
    { findings: [{ ...one, result: 'MAYBE' }] },
    { findings: [], site: { hostname: 'a](https://evil.example)' } },
    { findings: [], run: { score: '50', finishedAt: 'now' } },
    { findings: [], run: { score: 50, finishedAt: '2026-01-02T03:04:05Z', label: '\u001b[31m' } },
  ];
  for (const noReport of noReports) {
    writeFileSync(before, JSON.stringify(noReport));
    const { exitCode, stderr } = await runScan(['example.com', '--compare', before]);
    t.equal(exitCode, 2, JSON.stringify(noReport));
    t.match(stderr, /^--compare: [^\n]*before\.json /);
  }
});

t.test('a comparison with the report of another site is refused before anything is asked', async (t) => {
  const before = join(t.testdir(), 'before.json');
  const compare = (site: object, ...args: string[]) => {
    writeFileSync(before, JSON.stringify({ site, findings: oneFailure }));
    return runScan([...args, '--compare', before]);
  };
  const refused = await compare({ hostname: 'www.other.org' }, 'example.com');
  t.match(refused, { exitCode: 2, stdout: '', scanned: [] });
  t.match(refused.stderr, /^--compare: .* www\.other\.org.* example\.com.* --as https:\/\/www\.other\.org\.\n$/);
  t.match(await compare({ hostname: 'a:b' }, 'example.com'), { exitCode: 2, stderr: /^--compare: / });

  const other = { hostname: 'pr-1.host.app', judgedAs: 'https://www.other.org' };
  for (const [site, ...args] of [
    [{ hostname: 'www.example.com' }, 'example.com'],
    [{ hostname: 'localhost:4000' }, '--local', 'http://localhost:5000'],
    [{ hostname: 'www.other.org' }, 'pr-1.host.dev', '--as', 'https://other.org'],
    [other, 'other.org'],
    [other, 'pr-2.host.app'],
  ] as const) {
    t.match(await compare(site, ...args), { exitCode: 0, stdout: /unchanged/ }, JSON.stringify([site, args]));
  }
});

t.test('--only makes these checks alone', async (t) => {
  t.same((await runScan(['example.com', '--only', 'c-llms-01, C-BOT-01'])).asked, [['C-LLMS-01', 'C-BOT-01']]);
  t.same((await runScan(['example.com'])).asked, [undefined], 'by default all');
});

t.test('--skip makes all checks but these', async (t) => {
  t.same((await runScan(['example.com', '--skip', 'C-BOT-01'])).asked, [['C-LLMS-01']]);
});

t.test('fixes on demand, failures alone, and nothing at all', async (t) => {
  const shown = async (...args: string[]) => (await runScan(['example.com', ...args])).stdout;
  t.match(await shown('--fix', 'C-LLMS-01'), 'fix of C-LLMS-01');
  t.match(await shown('--fixes'), 'fix of C-LLMS-01');
  t.notMatch(await shown('--fix', 'C-BOT-01'), 'fix of C-');
  t.match(await shown(), 'Passed (1): C-BOT-01');
  t.notMatch(await shown('--only-failures'), 'Passed');
  t.match(await shown('--only-failures'), 'C-LLMS-01');
  t.notMatch(await shown('--only-failures', '--format', 'markdown'), 'C-BOT-01');
  t.match(await shown('--color'), '\u001b[31m');
  t.notMatch(await shown('--no-color'), '\u001b[');
  const quiet = await runScan(['example.com', '--quiet', '--fail-under', '90'], { isTerminal: true });
  t.match(quiet, { exitCode: 1, stdout: '', progress: [], stderr: /^[^\n]* 90\.\n$/ });
});

t.test('what opens a preview is told to the scan, and to nobody else', async (t) => {
  const args = ['http://localhost:4000', '--local', '--header', 'X-Preview:  a word ', '--basic', 'me'];
  const { reached, stdout, stderr } = await runScan(args);
  const authorization = `Basic ${Buffer.from('me:secret word').toString('base64')}`;
  t.match(reached[0]?.local?.href, 'http://localhost:4000/');
  t.same(reached[0]?.siteFields, { 'x-preview': 'a word', authorization });
  t.notMatch(stdout + stderr, /a word|secret/);
  t.same((await runScan(['example.com'])).reached, [{}]);
});

t.test('--as judges a preview as its site, and says so in every format', async (t) => {
  const args = ['https://preview.example.net/docs/a?b=c', '--as', 'www.example.com', '--header', 'X-Preview: word'];
  const { scanned, pages, reached, stdout } = await runScan(args);
  t.same(
    { scanned, pages },
    { scanned: ['https://www.example.com/'], pages: [['https://www.example.com/docs/a?b=c']] },
  );
  t.same((await runScan(['https://preview.example.net//blog/x', '--as', 'www.example.com'])).pages, [
    ['https://www.example.com//blog/x'],
  ]);
  const [site, servedBy] = [reached[0]?.preview?.site.href, reached[0]?.preview?.servedBy.href];
  t.same({ site, servedBy }, { site: 'https://www.example.com/', servedBy: 'https://preview.example.net/' });
  t.match(stdout, /^preview\.example\.net, .* https:\/\/www\.example\.com: 50 /);
  for (const format of ['markdown', 'junit', 'html', 'github', 'agent']) {
    const report = (await runScan([...args, '--format', format])).stdout;
    t.match(report, /preview\.example\.net(?:,|%2C) [^\n]*https(?::|%3A)\/\/www\.example\.com/, format);
  }
  const json = (await runScan([...args, '--json'])).stdout;
  t.match(JSON.parse(json), { site: { hostname: 'preview.example.net', judgedAs: 'https://www.example.com' } });
  const earlier = join(t.testdir(), 'production.json');
  writeFileSync(earlier, json);
  t.match((await runScan([...args, '--compare', earlier])).stdout, 'unchanged: C-LLMS-01, C-BOT-01');
  const folder = t.testdir({ 'llms.txt': '# Shop' });
  t.match(JSON.parse((await runScan([...args, '--overlay', folder, '--json'])).stdout), {
    before: { site: { judgedAs: 'https://www.example.com' } },
    after: { site: { judgedAs: 'https://www.example.com' } },
  });
  t.same((await runScan([...args, '--local'])).reached[0]?.local?.href, 'https://preview.example.net/');
  const moved = new PreviewMovedError('https://preview.example.net');
  t.match(await runScan(['http://preview.example.net', '--as', 'www.example.com'], { fault: moved }), {
    exitCode: 2,
    stderr: /^[^\n]* https:\/\/preview\.example\.net\.\n$/,
  });
  for (const [as, judgedAs] of [
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['https://www.example.com:443/', 'https://www.example.com'],
    ['http://www.example.com:8080', 'http://www.example.com:8080'],
  ] as const) {
    t.equal((await runScan(['preview.example.net', '--as', as])).reached[0]?.preview?.site.origin, judgedAs, as);
  }
  for (const [wrong, message] of [
    [['--as', 'https://www.example.com/shop'], /^--as .*https:\/\/www\.example\.com\.\n$/],
    [['--as', 'ftp://www.example.com'], /^--as: .*\bhttps\b/],
    [['--as', ''], /^--as: .*host name/],
    [['--as', 'https://www.example.com', '--record', 'a.har'], / --record or --replay\.\n$/],
  ] as const) {
    t.match(await runScan(['example.com', ...wrong]), { exitCode: 2, scanned: [], stderr: message }, wrong.join(' '));
  }
});

t.test('--overlay says what files would change, and the bar is for that', async (t) => {
  const folder = t.testdir({ public: { 'llms.txt': '# Shop' }, empty: {}, 'a file.txt': '' });
  const args = ['example.com', '--overlay', join(folder, 'public')];
  const { exitCode, stdout } = await runScan([...args, '--fail-under', '100']);
  t.equal(exitCode, 0, 'after it, all is well');
  t.match(stdout, /^example\.com: 100 of 100 \(\+50\)[^]*fixed: C-LLMS-01[^]*\/llms\.txt [^\n]*\b403\b[^\n]*\n$/);
  t.match(JSON.parse((await runScan([...args, '--json'])).stdout), {
    before: { run: { score: 50 } },
    after: { run: { score: 100 } },
    changes: [{ checkId: 'C-LLMS-01', before: 'FAIL', after: 'PASS' }],
    assumed: [{ path: '/llms.txt', status: 403 }],
    notTried: [],
  });
  const hint = 'As if the files were served';
  for (const format of Object.keys(SCAN_FORMATS)) {
    const tried = (await runScan([...args, '--format', format])).stdout;
    if (format !== 'json') t.match(tried, hint, format);
    t.match(tried.replaceAll('\\', ''), /llms\.txt[^]*403/, `${format}: and what is assumed`);
    const plain = (await runScan(['example.com', '--format', format])).stdout;
    t.notOk(plain.includes(hint) || plain.includes('403'), format);
    if (format === 'markdown') t.equal(tried.split('\n\n')[2]?.startsWith(hint), true, 'right under the heading');
  }
  const cases: [args: string[], message: RegExp][] = [
    [['--overlay', join(folder, 'no folder')], /--overlay: .+\/no folder /],
    [['--overlay', join(folder, 'a file.txt')], /--overlay: .+\/a file\.txt /],
    [['--overlay', join(folder, 'empty')], /--overlay: .+\/empty /],
    [['--clean-urls'], /--clean-urls .*--overlay /],
    [['--overlay', folder, '--only', 'C-BOT-01'], /--overlay .*--only /],
    [['--overlay', folder, '--record', 'a.har'], /--overlay .*--record /],
  ];
  for (const [wrong, message] of cases) {
    t.match(await runScan(['example.com', ...wrong]), { exitCode: 2, scanned: [], stderr: message }, wrong.join(' '));
  }
});

t.test('a file says what the command line does not', async (t) => {
  const file = join(t.testdir(), 'my scan.json');
  const withFile = (content: object | string, ...args: string[]) => {
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return runScan([...args, '--config', file]);
  };
  const content = { url: 'https://www.example.com', skip: ['C-BOT-01'], failUnder: 60, failOn: ['C-LLMS-01'] };
  const { scanned, asked, exitCode, stderr } = await withFile(content);
  t.same({ scanned, asked, exitCode }, { scanned: ['https://www.example.com/'], asked: [['C-LLMS-01']], exitCode: 1 });
  t.match(stderr, /^[^\n]* 50 [^\n]* 60[^\n]* C-LLMS-01\.\n$/);
  const given = await withFile(
    content,
    'example.org',
    '--fail-under',
    '0',
    '--skip',
    'C-LLMS-01',
    '--fail-on',
    'C-BOT-01',
  );
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
  t.match(wrong, { exitCode: 2, stderr: /\b100\b.+\/my scan\.json .*\bfailUnder\.\n$/ });
  t.match(await withFile({}, '--replay', 'a.har'), { exitCode: 2, stderr: /--config\b/ });
});

t.test('--page names pages that are read first, as a file does', async (t) => {
  const file = join(t.testdir(), 'my scan.json');
  const own = 'https://example.com';
  const pagesOf = async (...args: string[]) => (await runScan(['--config', file, ...args])).pages[0];
  writeFileSync(file, '{}');
  t.same(await pagesOf('example.com', '--page', '/a?b=1#c', '--page', `${own}/docs/`), [
    `${own}/a?b=1`,
    `${own}/docs/`,
  ]);
  t.same(await pagesOf(`${own}/own`, '--page', '/a', '--page', '/own'), [`${own}/own`, `${own}/a`], 'each once');
  t.same(await pagesOf('example.com'), []);
  writeFileSync(file, JSON.stringify({ pages: ['/of-file', '//deep'] }));
  t.same(await pagesOf('example.com'), [`${own}/of-file`, `${own}//deep`]);
  t.same(await pagesOf('example.com', '--page', '/a'), [`${own}/a`], 'which goes first');
  const wrong: readonly (readonly [message: RegExp, ...args: string[]])[] = [
    [/^--page [^\n]+ \/pricing\.\n$/, '--page', 'pricing'],
    [/^--page [^\n]+ example\.com /, '--page', 'https://example.org/a'],
    [/^--page [^\n]*\bhome page\b/, '--page', '/'],
    [/\b6\b.*\b5\b/, ...['/1', '/2', '/3', '/4', '/5', '/6'].flatMap((path) => ['--page', path])],
    [/--page\b/, '--replay', 'a.har', '--page', '/a'],
  ];
  for (const [message, ...args] of wrong) {
    const site = args.includes('--replay') ? [] : ['example.com'];
    t.match(await runScan([...site, ...args]), { exitCode: 2, scanned: [], stderr: message }, args.join(' '));
  }
  for (const pages of [['pricing'], ['/1', '/2', '/3', '/4', '/5', '/6'], ['https://example.org/a']]) {
    writeFileSync(file, JSON.stringify({ pages }));
    const refused = await runScan(['example.com', '--config', file]);
    t.match(refused, { exitCode: 2, scanned: [], stderr: /\. \/.+\/my scan\.json .*\bpages\.\n$/ }, pages.join());
  }
});

t.test('a comparison tells that other pages were sampled, and fails for none that is newly named', async (t) => {
  const saved = join(t.testdir(), 'report.json');
  const findings = [finding({ checkId: 'C-SD-02', result: 'FAIL' })];
  await runScan(['example.com', '--save', saved], { findings: findings.map(passed) });
  t.equal(readFileSync(saved, 'utf8').includes('"pages"'), false, 'nothing is said where none was named');
  const pages: SampledPages = {
    chosen: [
      { path: '/a', came: 'read' },
      { path: '/gone', came: 'unread' },
    ],
  };
  const compared = ['example.com', '--compare', saved, '--page', '/a', '--page', '/gone'];
  const { exitCode, stdout, stderr } = await runScan(compared, { findings, pages });
  t.equal(exitCode, 0);
  t.match(stdout, /other pages/i);
  t.match(stderr, /^\/gone [^\n]+\n$/);
  t.match((await runScan([...compared, '--format', 'markdown'], { findings, pages })).stdout, /other pages/i);
  t.match(JSON.parse((await runScan([...compared, '--json'], { findings, pages })).stdout), {
    ...{ pages, comparison: { nowJudged: ['C-SD-02'], newFailures: [], hasOtherPages: true } },
  });
  await runScan(['example.com', '--page', '/a', '--save', saved], { findings: findings.map(passed), pages });
  t.equal((await runScan(compared, { findings, pages })).exitCode, 1, 'by then the page was read before');
  writeFileSync(saved, JSON.stringify({ findings: [], pages: { chosen: [{ path: 1 }] } }));
  t.match(await runScan(compared), { exitCode: 2, stderr: /^--compare: / });
});

t.test('--fail-on and --compare stand alone', async (t) => {
  const before = join(t.testdir(), 'before.json');
  writeFileSync(before, JSON.stringify({ findings: oneFailure }));
  const compared = ['example.com', '--compare', before];
  t.equal((await runScan(compared)).exitCode, 0, 'the failure is not new');
  t.equal((await runScan([...compared, '--fail-on', 'C-LLMS-01'])).exitCode, 1, 'but must not be, new or not');
  writeFileSync(before, JSON.stringify({ findings: oneFailure.map((one) => ({ ...one, result: 'PASS' })) }));
  t.equal((await runScan([...compared, '--fail-on', 'C-BOT-01'])).exitCode, 1, 'a new failure of any check counts');
});

t.test('--label names the scan in its reports, and in those that are compared with it', async (t) => {
  const saved = join(t.testdir(), 'report.json');
  const commit = '4f2a1c9d'.repeat(5);
  const named = await runScan(['example.com', '--label', commit, '--save', saved]);
  t.match(named.stdout, 'example.com (4f2a1c9)');
  t.match(JSON.parse(readFileSync(saved, 'utf8')), { run: { label: commit } });
  const later = ['example.com', '--label', 'v2 [beta]', '--compare', saved];
  t.match((await runScan(later)).stdout, /example\.com \(v2 \[beta\]\)[^]*\(4f2a1c9\)/);
  const { stdout: markdown } = await runScan([...later, '--format', 'markdown']);
  t.match(markdown, 'example.com (v2 \\[beta\\])');
  t.match(markdown, '03:04 UTC (4f2a1c9): ');
  const { stdout: forAgents } = await runScan([...later, '--format', 'agent']);
  t.match(forAgents, /^[^\n]*example\.com \(v2 \\\[beta\\\]\)\.\n\n/);
});

t.test('where each check that was made is judged and none counts, that is said, and the scan is done', async (t) => {
  const none = { findings: [finding({ checkId: 'C-BOT-01', result: 'NOT_APPLICABLE' })] };
  const { exitCode, stdout, stderr } = await runScan(['example.com', '--only', 'C-BOT-01'], none);
  t.match({ exitCode, stderr }, { exitCode: 0, stderr: /^No score\b[^\n]*\n$/ });
  t.match(stdout, /^example\.com: no score\b.*\(0 pass, 0 fail, 0 undetermined, 1 not/);
  const ahead = { findings: [finding({ checkId: 'C-LLMS-01', result: 'FAIL', pillar: null, scored: false })] };
  t.match({ ...(await runScan(['example.com'], ahead)) }, { exitCode: 0, stdout: /no score\b/ });
  t.match({ ...(await runScan(['example.com', '--fail-on', 'C-LLMS-01'], ahead)) }, { exitCode: 1 });
  const markdown = await runScan(['example.com', '--format', 'markdown'], none);
  t.match(markdown.stdout, /\n\nNo score\b/);
});

t.test('--save keeps the json report, whatever is printed', async (t) => {
  const folder = t.testdir();
  const saved = join(folder, 'report.json');
  const { stdout: json } = await runScan(['example.com', '--json', '--save', saved]);
  t.equal(readFileSync(saved, 'utf8'), json);
  const markdown = await runScan(['example.com', '--format', 'markdown', '--compare', saved, '--save', saved]);
  t.equal(markdown.exitCode, 0);
  t.match(markdown.stdout, / example\.com on 2026-01-02 03:04 UTC/);
  t.match(JSON.parse(readFileSync(saved, 'utf8')), { findings: oneFailure, comparison: { newFailures: [] } });
  const unknown = await runScan(['example.com', '--save', saved], {
    findings: [finding({ checkId: 'C-LLMS-01', result: 'UNDETERMINED' })],
  });
  t.match({ ...unknown }, { exitCode: 3, stderr: /^[^\n]+\n$/ });
  t.match(JSON.parse(readFileSync(saved, 'utf8')), { run: { score: null } }, 'of every scan that was done');
  t.same(readdirSync(folder), ['report.json'], 'nothing else stays behind');
});

t.test('--save replaces the file as a whole, and only after the scan', async (t) => {
  const folder = t.testdir({ 'real.json': 'before' });
  const saved = join(folder, 'report.json');
  symlinkSync('real.json', saved);
  const seen: string[] = [];
  await runScan(['example.com', '--save', saved], { meanwhile: () => seen.push(readFileSync(saved, 'utf8')) });
  t.same(seen, ['before']);
  t.match(readFileSync(join(folder, 'real.json'), 'utf8'), '"findings"', 'where the link leads');
  await runScan(['example.com', '--save', saved], { fault: new Error('disk on fire') });
  t.match(readFileSync(saved, 'utf8'), '"findings"', 'a scan that fails changes nothing');
});

t.test('a report that cannot be saved after all is a failure of ours, and is printed', async (t) => {
  const folder = t.testdir();
  const saved = join(folder, 'report.json');
  const { exitCode, stdout, stderr } = await runScan(['example.com', '--save', saved], {
    meanwhile: () => mkdirSync(join(saved, 'in the way'), { recursive: true }),
  });
  t.equal(exitCode, 4);
  t.match(stderr, /^agent-readiness-scan /);
  t.match(stdout, /: 50 /);
  t.same(readdirSync(folder), ['report.json']);
});

t.test('without a command the help is shown line by line', async (t) => {
  const output = new MemoryOutput();
  t.equal(await runProgram([], [(program) => void program.command('scan')], output, '0.0.0'), 2);
  t.match(output.stderr, /^Usage: agent-readiness-scan [^\n]*\n\n/);
});

t.test('the help says what each option does, and what the exit codes mean', async (t) => {
  const { stdout, exitCode } = await runScan(['--help']);
  t.equal(exitCode, 0);
  for (const option of ['format', 'save', 'compare', 'only', 'skip', 'header', 'fail-under', 'fail-on'])
    t.match(stdout, `--${option} <`);
  for (const code of Object.values(EXIT)) t.match(stdout, new RegExp(`^  ${code}  `, 'm'));
});

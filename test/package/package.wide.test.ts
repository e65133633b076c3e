import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import type { ScanDocument } from '../../src/cli/public-types.js';
import { CHECKS } from '../../src/scanner/checks/index.js';
import { PROGRAM } from '../../src/scanner/report/program.js';
import { startFixtureServer } from '../support/fixture-server.js';
import { PROJECT, readProject } from '../support/project.js';
import { recordFixture, harOf } from '../support/recorded.js';
import { installOffline, packScanner, runIn } from '../support/scanner-package.js';

const folder = t.testdir();
const { laid, tarball } = packScanner(folder);
const installed = join(folder, 'installed');
installOffline(installed, tarball);
const bin = join(installed, 'node_modules', '.bin', PROGRAM);
const run = (args: readonly string[], environment?: Record<string, string>) =>
  runIn(installed, [bin, ...args], environment);

const site = await startFixtureServer({ routes: { '/': '<!doctype html><title>Home</title><p>Hello</p>' } });
t.teardown(() => site.close());
const ALLOWED = { SCAN_ALLOW_CIDRS: '127.0.0.1/32', SCAN_ALLOW_PORTS: String(site.port) };

t.test('the tarball is small, and holds neither native code nor source maps nor other packages', async (t) => {
  t.ok(statSync(tarball).size <= 1_000_000, `${statSync(tarball).size} bytes`);
  const files = readdirSync(laid, { recursive: true, encoding: 'utf8' });
  t.ok(files.includes('dist/main.js'), 'the files are listed');
  t.same(
    files.filter((file) => /\.(map|node|ts)$/.test(file) && !file.endsWith('.d.ts')),
    [],
  );
  t.same(
    files.filter((file) => file.endsWith('package.json')),
    ['package.json'],
  );
  const code = files.filter((file) => file.endsWith('.js')).map((file) => readFileSync(join(laid, file), 'utf8'));
  for (const word of ['better-sqlite3', 'knex', 'sourceMappingURL='])
    t.notOk(
      code.some((text) => text.includes(word)),
      word,
    );
});

t.test('the package has the licenses of all bundled packages', async (t) => {
  const text = readFileSync(join(laid, 'LICENSES-OF-OTHERS.txt'), 'utf8');
  const named = [...text.matchAll(/^(\S+) \d+\.\S+: (.+)$/gm)].map(([, name]) => name);
  for (const name of ['commander', 'htmlparser2', 'undici', 'zod']) t.ok(named.includes(name), name);
  for (const one of text.split('-'.repeat(80)))
    t.match(one, /permission|redistribution|licensed under/i, one.slice(0, 60));
});

t.test('one package is installed, and its program knows the commands of the scanner alone', async (t) => {
  const packages = readdirSync(join(installed, 'node_modules')).filter((name) => !name.startsWith('.'));
  t.same(packages, [PROGRAM]);
  const { version } = JSON.parse(readProject('package.json')) as { readonly version: string };
  t.match(await run(['--version']), { exitCode: 0, stdout: `${version}+abc1234\n` });
  const { stdout: help } = await run(['--help']);
  const commands = [...help.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name);
  t.same(commands, ['scan', 'checks', 'openapi', 'help']);
  t.match(await run(['serve']), { exitCode: 2, stderr: /^error: unknown command 'serve'/ });
  t.equal((JSON.parse((await run(['checks', '--json'])).stdout) as unknown[]).length, CHECKS.length);
  t.equal((await run(['openapi'])).stdout, readProject('generated/openapi.json'));
  t.equal((await run(['openapi', '--oas', '3.0'])).stdout, readProject('generated/openapi-3.0.json'));
});

t.test('it scans a site, and judges a record again', async (t) => {
  const { exitCode, stdout, stderr } = await run(['scan', site.origin, '--json'], ALLOWED);
  t.same({ exitCode, stderr }, { exitCode: 0, stderr: '' });
  t.equal((JSON.parse(stdout) as ScanDocument).findings.length, CHECKS.length);
  t.match(await run(['scan', site.origin]), { exitCode: 2, stderr: 'SCAN_ALLOW_PORTS' });

  const { report, recording } = await recordFixture({ routes: { '/': '<!doctype html><title>A</title><p>B</p>' } });
  writeFileSync(join(installed, 'site.har'), harOf(recording));
  const replayed = await run(['scan', '--replay', 'site.har', '--json']);
  t.equal(replayed.exitCode, 0);
  t.same((JSON.parse(replayed.stdout) as ScanDocument).findings, report.findings);
});

const LIBRARY = `
import { CHECKS, renderReport, scan } from '${PROGRAM}';
const [, , origin] = process.argv;
const report = await scan(origin);
const one = await scan(origin, { only: ['C-LLMS-01'] });
const local = await scan(origin, { only: ['C-LLMS-01'], local: true, label: 'v2' });
const preview = await scan(origin, { only: ['C-LLMS-01'], local: true, as: 'https://www.example.com' });
const label = await scan(origin, { label: '' }).catch(({ message }) => message);
delete process.env.SCAN_ALLOW_PORTS;
const refusal = await scan(origin).catch(({ name, message }) => ({ name, message }));
const passed = { findings: report.findings.map(({ checkId }) => ({ checkId, result: 'PASS' })) };
console.log(JSON.stringify({
  checks: CHECKS.map(({ id, failures }) => [id, failures.length]),
  report, refusal, label, local, preview: preview.site, only: one.findings.map(({ checkId }) => checkId),
  table: renderReport(report, { origin }), agent: renderReport(report, { format: 'agent' }),
  markdown: renderReport(report, { origin, format: 'markdown', earlier: passed }),
  foreign: [
    () => renderReport(report, { format: 'markdown', earlier: { ...passed, site: { hostname: '[a](https://evil.example)' } } }),
    () => renderReport(report, { earlier: { findings: [{ checkId: 'C-LLMS-01', result: 'toString' }] } }),
    () => renderReport(report, { earlier: [] }),
    () => renderReport({ ...report, site: { ...report.site, origin: 'https://x/;id' } }, { format: 'agent' }),
    () => renderReport(report, { earlier: { ...passed, run: { score: 101, finishedAt: report.run.finishedAt } } }),
  ].map((use) => { try { use(); return null; } catch ({ name, message }) { return name + ': ' + message; } }),
}));
`;

t.test('it is a library, too', async (t) => {
  writeFileSync(join(installed, 'use.js'), LIBRARY);
  const { stdout, stderr } = await runIn(installed, [process.execPath, 'use.js', site.origin], ALLOWED);
  t.equal(stderr, '');
  const used = JSON.parse(stdout) as {
    readonly checks: readonly unknown[];
    readonly report: ScanDocument;
    readonly table: string;
    readonly markdown: string;
  };
  const failures = used.report.findings.filter(({ result }) => result === 'FAIL');
  t.ok(failures.length > 0);
  t.match(used, {
    checks: CHECKS.map(({ id, errorTypes }) => [id, errorTypes.length]),
    refusal: { name: 'InputError', message: /one of SCAN_ALLOW_PORTS/ },
    label: /^label: give 1 to 100 printable ASCII/,
    local: { site: { origin: site.origin }, run: { label: 'v2' }, findings: [{ checkId: 'C-LLMS-01' }] },
    preview: { origin: site.origin, judgedAs: 'https://www.example.com' },
    agent: `${site.origin} --only`,
    only: ['C-LLMS-01'],
    table: `127.0.0.1:${site.port}: ${used.report.run.score} of 100`,
    markdown: 'New failures',
    foreign: [
      ...Array.from(
        { length: 3 },
        () => 'InputError: earlier is neither a report of scan() nor a response of the API.',
      ),
      'InputError: origin, or the site of the report, is not an origin such as https://example.com.',
      'InputError: earlier is neither a report of scan() nor a response of the API.',
    ],
  });
});

const CONSUMER = `
import { CHECKS, renderReport, scan, type Finding, type ScanDocument } from '${PROGRAM}';
const report: ScanDocument = await scan('example.com', { only: ['C-LLMS-01'], onProgress: ({ done }) => done });
const failed: readonly Finding[] = report.findings.filter(({ result }) => result === 'FAIL');
export const title: string | null | undefined = failed[0]?.title;
export const text: string = renderReport(report, { format: 'junit', earlier: report });
export const fixes: readonly string[] = CHECKS.flatMap(({ failures }) => failures.map(({ fix }) => fix));
// @ts-expect-error there is no such result
export const none = failed.filter(({ result }) => result === 'GOOD');
`;

t.test('its types satisfy a strict consumer that has no other package', async (t) => {
  writeFileSync(join(installed, 'use.ts'), CONSUMER);
  const tsc = join(PROJECT, 'node_modules', 'typescript', 'bin', 'tsc');
  const options =
    '--strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --noEmit --module nodenext --target es2022';
  const { exitCode, stdout } = await runIn(installed, [
    process.execPath,
    ...[tsc, ...options.split(' '), '--lib', 'es2022', 'use.ts'],
  ]);
  t.same({ exitCode, stdout }, { exitCode: 0, stdout: '' });
});

/** An option that makes Node look like an older one, without Map.groupBy. */
const OLDER = `--import=data:text/javascript,${encodeURIComponent(
  "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } }); delete Map.groupBy;",
)}`;

t.test('importing the library in an older Node fails with one sentence', async (t) => {
  writeFileSync(join(installed, 'old.js'), `import { CHECKS } from '${PROGRAM}';\nconsole.log(CHECKS.length);\n`);
  const { exitCode, stdout, stderr } = await runIn(installed, [process.execPath, OLDER, 'old.js']);
  t.same({ exitCode, stdout }, { exitCode: 1, stdout: '' });
  t.match(stderr, /^Error: Node 22\.19\.0 or newer is needed; this is 20\.19\.0\.$/m);
});

t.test('the command in an older Node prints one line', async (t) => {
  const main = join(laid, 'dist', 'main.js');
  t.same(await runIn(installed, [process.execPath, OLDER, main, 'scan', 'example.com']), {
    ...{ exitCode: 4, stdout: '' },
    stderr: 'Node 22.19.0 or newer is needed; this is 20.19.0.\n',
  });
  // An older Node links imports before it runs a line, so it must have all their names.
  const importsOf = (path: string): string[] =>
    [...readFileSync(path, 'utf8').matchAll(/\bimport\s*\{([^}]*)\}\s*from\s*["']([^"']+)/g)].flatMap(
      ([, names = '', from = '']) =>
        from.startsWith('.') ? importsOf(join(dirname(path), from)) : [`${names.trim()} ${from}`],
    );
  for (const first of [main, join(laid, 'dist', 'supported-node.js')]) {
    const names = ['createRequire as $createRequire node:module', 'readFileSync node:fs'];
    t.same([...new Set(importsOf(first))].sort(), names, first);
  }
});

t.test('the manifest has what npm and Node need', async (t) => {
  const manifest = JSON.parse(readFileSync(join(laid, 'package.json'), 'utf8')) as Record<string, unknown>;
  t.match(manifest, {
    name: PROGRAM,
    type: 'module',
    bin: { [PROGRAM]: 'dist/main.js' },
    engines: { node: '>=22.19.0' },
  });
  t.same(
    Object.keys(manifest).filter((key) => /dependencies|scripts/i.test(key)),
    [],
  );
  t.match(
    readFileSync(join(laid, 'dist/main.js'), 'utf8'),
    /^#!\/usr\/bin\/env node\n/,
    'npm makes a shim for Windows of it',
  );
  t.match(readProject('src/package/README.md'), `from '${PROGRAM}'`);
});

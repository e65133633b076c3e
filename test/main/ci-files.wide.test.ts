import { execFile } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { readComponent, scriptOf } from '../support/ci-files.js';
import { startFixtureServer } from '../support/fixture-server.js';
import type { FixtureRoute } from '../support/fixture-site.js';
import { packScanner } from '../support/scanner-package.js';

/** As the runners of both systems start it. */
const BASH = ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c'];

const { tarball } = packScanner(t.testdir());

/** An empty folder with the tarball, where the steps of the files run as they stand, without a registry. */
async function openFolder(t: Test) {
  const routes: Record<string, FixtureRoute> = { '/': '<!doctype html><title>Home</title><p>Hello</p>' };
  const site = await startFixtureServer({ routes });
  t.teardown(() => site.close());
  const folder = t.testdir();
  copyFileSync(tarball, join(folder, 'scanner.tgz'));
  const env = {
    PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}`,
    ...{ HOME: folder, npm_config_cache: join(folder, 'npm-cache'), npm_config_offline: 'true' },
    ...{ SCANNER: join(folder, 'temp', 'agent-readiness'), PACKAGE: 'scanner.tgz' },
    ...{ SITE_URL: site.origin, BASELINE: '', OVERLAY: '', AS: '', FAIL_UNDER: '', FAIL_ON: '' },
    SCAN_ALLOW_CIDRS: '127.0.0.1/32',
    SCAN_ALLOW_PORTS: String(site.port),
    GITHUB_OUTPUT: join(folder, 'output.txt'),
    GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
  };
  const run = (script: string, more: Record<string, string> = {}) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      const options = { cwd: folder, env: { ...env, ...more } };
      const child = execFile('bash', [...BASH, script], options, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      );
    });
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  return { folder, run, read, routes };
}

const CLOSED: FixtureRoute = { type: 'text/plain', body: 'User-agent: *\nDisallow: /\n' };

t.test('the action installs only a package with an exact version or a file', async (t) => {
  const { run, folder } = await openFolder(t);
  const install = scriptOf('Install the scanner');
  t.match(await run(install), { code: 0 });
  for (const PACKAGE of ['agent-readiness-scan', 'agent-readiness-scan@latest', 'http://example.com/a.tgz', '']) {
    t.match(await run(install, { PACKAGE }), { code: 2, stdout: /^::error::The input package is [^\n]*\n$/ }, PACKAGE);
  }
  const missing = await run(install, { PACKAGE: 'agent-readiness-scan@1.2.3', SCANNER: join(folder, 'other') });
  t.match(missing, { code: 1, stderr: 'ENOTCACHED' }, 'a name and an exact version are looked for in the registry');
});

t.test('the scan of the action', async (t) => {
  const { folder, run, read, routes } = await openFolder(t);
  t.match(await run(scriptOf('Install the scanner')), { code: 0 });
  const scanned = async (environment: Record<string, string> = {}) => {
    const { code, stdout } = await run(scriptOf('Scan'), environment);
    t.equal(code, 0, 'the step passes: a later one fails');
    const outputs: Readonly<Record<string, string>> = Object.fromEntries(
      read('output.txt')
        .trim()
        .split('\n')
        .map((line) => line.split('=') as [string, string]),
    );
    return { annotations: stdout, code: outputs.code, score: outputs.score };
  };
  const first = await scanned();
  t.match(first, { code: '0', score: /^\d+$/ }, 'the first scan has nothing to be compared with');
  t.match(first.annotations, /^::warning title=C-LLMS-01%3A [^\n]*::/m);
  const baseline = join(folder, 'temp', 'agent-readiness', 'baseline');
  mkdirSync(baseline);
  cpSync(join(folder, 'temp', 'agent-readiness', 'report.json'), join(baseline, 'report.json'));
  const second = await scanned();
  t.match(second, { code: '0', annotations: '::warning title=C-LLMS-01' }, 'what failed before is a warning');
  t.match(read('temp/agent-readiness/report.md'), '**No new failures.**');

  routes['/robots.txt'] = CLOSED;
  t.match(await scanned(), { code: '1', annotations: '::error title=C-BOT-01' });
  const report = read('temp/agent-readiness/report.md');
  t.match(report, /^<!-- agent-readiness -->\n\n## [^]*\*\*Conditions not met:\*\* new failures: C-BOT-01/);
  t.match(read('summary.md'), report);
  t.match(await scanned({ BASELINE: 'none' }), { code: '0' });
  t.match(await scanned({ BASELINE: join(baseline, 'report.json') }), { code: '1' });
  t.match(await scanned({ BASELINE: 'none', FAIL_UNDER: '100' }), {
    code: '1',
    annotations: /^::error title=Conditions not met::the score \d+ is below 100\.$/m,
  });
  t.match(await scanned({ BASELINE: 'none', FAIL_ON: 'C-BOT-01' }), { code: '1' });

  mkdirSync(join(folder, 'public'));
  writeFileSync(join(folder, 'public', 'robots.txt'), 'User-agent: *\nAllow: /\n');
  const tried = await scanned({ OVERLAY: 'public' });
  t.match(tried, { code: '0', annotations: '::warning title=C-LLMS-01' }, 'with the files, all is as good');
  t.notMatch(tried.annotations, 'C-BOT-01');
  t.match(read('temp/agent-readiness/report.md'), '### Fixed\n\n- C-BOT-01');

  t.match(await scanned({ SITE_URL: '--help' }), { code: '2', annotations: '' });
  t.equal(read('temp/agent-readiness/report.md'), '', 'nothing to comment');
});

t.test('the component for GitLab', async (t) => {
  const { run, read, routes } = await openFolder(t);
  const script = readComponent().job.script.join('\n');
  t.match(await run(script), { code: 0 }, 'the first scan has nothing to be compared with');
  const baseline = read('baseline/report.json');
  routes['/robots.txt'] = CLOSED;
  t.match(await run(script), { code: 1 });
  t.match(read('agent-readiness.xml'), /<testsuites>[^]*<failure type="BLOCKED"/);
  t.equal(read('baseline/report.json'), baseline, 'a red scan is not what the next one is compared with');
  t.match(await run(script, { FAIL_ON: 'C-BOT-01', ACCEPT: 'true' }), { code: 1 });
  t.match(await run(script, { ACCEPT: 'true' }), { code: 0 });
  t.not(read('baseline/report.json'), baseline);
  t.match(await run(script, { PACKAGE: 'agent-readiness-scan' }), { code: 2, stderr: 'The input package is a name' });
});

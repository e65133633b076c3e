import { execFile } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { readGitlabJob, readWorkflow, scriptOf } from '../support/ci-files.js';
import { startFixtureServer } from '../support/fixture-server.js';
import type { FixtureRoute } from '../support/fixture-site.js';
import { layCheckout } from '../support/checkout.js';

/** As the runners of both systems start it. */
const BASH = ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c'];

/** A script of a copy-ready file, run as it stands in a folder that has the built program where the file puts it. */
async function openFolder(t: Test, script: string) {
  const routes: Record<string, FixtureRoute> = { '/': '<!doctype html><title>Home</title><p>Hello</p>' };
  const site = await startFixtureServer({ routes });
  t.teardown(() => site.close());
  const folder = t.testdir();
  layCheckout(join(folder, 'agent-readiness'));
  const env = {
    PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}`,
    SITE_URL: site.origin,
    SCAN_ALLOW_CIDRS: '127.0.0.1/32',
    SCAN_ALLOW_PORTS: String(site.port),
    GITHUB_OUTPUT: 'output.txt',
    GITHUB_STEP_SUMMARY: 'summary.md',
  };
  const run = (more: Record<string, string> = {}): Promise<number> =>
    new Promise((resolve) => {
      const child = execFile('bash', [...BASH, script], { cwd: folder, env: { ...env, ...more } }, () =>
        resolve(child.exitCode ?? -1),
      );
    });
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const keep = (): void => cpSync(join(folder, 'report.json'), join(folder, 'baseline', 'report.json'));
  return { run, read, keep, routes };
}

const CLOSED: FixtureRoute = { type: 'text/plain', body: 'User-agent: *\nDisallow: /\n' };

t.test('the scan of the GitHub workflow', async (t) => {
  const { run, read, keep, routes } = await openFolder(t, scriptOf(readWorkflow(), 'Scan'));
  const scanned = async (environment: Record<string, string> = {}): Promise<string | undefined> => {
    t.equal(await run({ ACCEPT: 'false', ...environment }), 0, 'the step passes: a later one fails');
    return read('output.txt').trim().split('\n').at(-1);
  };
  t.equal(await scanned(), 'code=0', 'the first scan has nothing to be compared with');
  keep();
  t.equal(await scanned(), 'code=0');
  t.match(read('report.md'), '**No new failures.**');

  routes['/robots.txt'] = CLOSED;
  t.equal(await scanned(), 'code=1');
  t.match(read('report.md'), /^<!-- agent-readiness -->\n\n## [^]*\*\*Below the bar:\*\* new failures: C-BOT-01/);
  t.match(read('summary.md'), read('report.md'));
  t.equal(await scanned({ ACCEPT: 'true' }), 'code=0');

  t.equal(await scanned({ SITE_URL: '--help' }), 'code=2');
  t.equal(read('report.md'), '', 'nothing to comment');
});

t.test('the job for GitLab', async (t) => {
  const { run, read, routes } = await openFolder(t, readGitlabJob().script.join('\n'));
  t.equal(await run(), 0, 'the first scan has nothing to be compared with');
  const baseline = read('baseline/report.json');
  routes['/robots.txt'] = CLOSED;
  t.equal(await run(), 1);
  t.match(read('agent-readiness.xml'), /<testsuites [^]*<failure type="BLOCKED"/);
  t.equal(read('baseline/report.json'), baseline, 'a red scan is not what the next one is compared with');
  t.equal(await run({ ACCEPT: 'true' }), 0);
  t.not(read('baseline/report.json'), baseline);
});

import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { STANDARDS } from '../../src/scanner/verdict/standards.js';
import { CHECKS } from '../../src/scanner/checks/index.js';
import { onEachDatabase } from '../support/databases.js';
import { startFixtureServer } from '../support/fixture-server.js';
import type { FixtureRoute } from '../support/fixture-site.js';
import { type ProgramResult, runBuilt, runBuiltUnread, runCommand } from '../support/program.js';

interface Json {
  readonly id: string;
  readonly [name: string]: unknown;
}

/** A command is refused in one line. */
function expectRefusal(t: Test, { exitCode, stdout, stderr }: ProgramResult, message: RegExp | string, code = 2): void {
  t.equal(exitCode, code, stderr);
  t.equal(stdout, '');
  t.match(stderr, message);
  t.equal(stderr.trim().split('\n').length, 1, 'in one line');
}

onEachDatabase(async (t, engine) => {
  const DATABASE_URL = await engine.newUrl(t);
  const routes: Record<string, FixtureRoute> = { '/': '<!doctype html><title>Home</title><p>Hello</p>' };
  const site = await startFixtureServer({ routes });
  t.teardown(() => site.close());
  const environment = { DATABASE_URL, SCAN_ALLOW_CIDRS: '127.0.0.1/32', SCAN_ALLOW_PORTS: String(site.port) };
  const run = (...args: string[]) => runCommand(args, environment);
  const runJson = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await run(...args, '--json');
    if (stderr !== '') throw new Error(stderr);
    return { exitCode, value: JSON.parse(stdout) as Json };
  };

  await t.test('before migrate, a command says what to run', async (t) => {
    expectRefusal(t, await run('account', 'list'), /agent-readiness-scan migrate/, 4);
  });

  await t.test('migrate says what it did, and does nothing the second time', async (t) => {
    const { migrations } = (await runJson('migrate')).value;
    t.match((migrations as string[])[0], /^1\.0-/);
    t.match((await run('migrate')).stdout, 'has the current schema');
  });

  if (engine.name === 'sqlite') {
    await t.test('backup makes a copy', async (t) => {
      const file = join(t.testdir(), 'copy.db');
      t.match((await runJson('backup', file)).value, { file, bytes: statSync(file).size });
      expectRefusal(t, await run('backup', file), /already exists/);
    });
  }

  let account = '';
  await t.test('account create, list, set-plan, sign-in-link', async (t) => {
    const { value } = await runJson('account', 'create', '--email', 'Owner@Example.com', '--plan', 'free');
    account = value.id;
    t.match(value, { id: /^acc_[a-z2-7]{20}$/, email: 'owner@example.com', plan: 'FREE' });
    t.match(value.signInUrl, /^http:\/\/localhost:3000\/sign-in\/[\w-]{43}$/);
    t.match((await runJson('account', 'set-plan', account, 'MONITOR')).value, { id: account, plan: 'MONITOR' });
    t.match((await run('account', 'list')).stdout, new RegExp(`${account} +MONITOR +owner@example.com`));
    t.match((await runJson('account', 'sign-in-link', account)).value, { id: account, signInUrl: /sign-in/ });
  });

  let siteId = '';
  await t.test('site add, verify, list', async (t) => {
    const { value } = await runJson('site', 'add', '--account', account, site.origin);
    siteId = value.id;
    t.match(value, { id: /^site_/, hostname: new URL(site.origin).host, verifiedAt: null });
    const { file } = value.ownership as { file: { url: string; body: string } };
    t.match(file.url, `${site.origin}/.well-known/`);

    const unproven = await run('site', 'verify', siteId);
    t.equal(unproven.exitCode, 1);
    t.match(unproven.stdout, 'no proof found');
    routes[new URL(file.url).pathname] = { type: 'text/plain', body: file.body };
    t.match((await runJson('site', 'verify', siteId)).value, { id: siteId, provedBy: 'file', verifiedBy: 'file' });
    t.match((await run('site', 'list', '--account', account)).stdout, new RegExp(`${siteId} +file +${site.origin}`));
    t.match((await runJson('site', 'verify', siteId, '--force')).value, { id: siteId });
  });

  await t.test('site schedule', async (t) => {
    const daily = await runJson('site', 'schedule', siteId, 'daily');
    t.match(daily.value, { id: siteId, frequency: 'DAILY', nextRunAt: /^\d{4}-/ });
    t.match((await run('site', 'schedule', siteId, 'weekly')).stdout, /runs every week, next at \d{4}-/);
    expectRefusal(t, await run('site', 'schedule', siteId, 'hourly'), 'A run every hour needs plan SCALE.');
    expectRefusal(t, await run('site', 'schedule', siteId, 'yearly'), 'one of: off, weekly, daily, hourly');
    t.match((await runJson('site', 'schedule', siteId, 'off')).value, { frequency: null, nextRunAt: null });
  });

  await t.test('key create, list, revoke', async (t) => {
    const { value } = await runJson('key', 'create', '--account', account, '--name', 'ci', '--expires', '30');
    t.match(value, { id: /^key_/, key: /^ars_[0-9A-Za-z]{36}$/, name: 'ci', expiresAt: /^\d{4}-.*Z$/ });
    t.match((await run('key', 'list', '--account', account)).stdout, /live +ci/);
    const { value: forever } = await runJson('key', 'create', '--account', account, '--name', 'forever');
    t.match((await run('key', 'list', '--account', account)).stdout, /0 +never +never +live +forever/);
    await runJson('key', 'revoke', forever.id);
    t.match((await runJson('key', 'revoke', value.id)).value, { id: value.id, revokedAt: /^\d{4}-/ });
    t.match((await run('key', 'list', '--account', account)).stdout, /\d{4}-\d\d-\d\dT[\d:.]+Z +revoked +ci/);
    const wrong = await run('key', 'create', '--account', account, '--name', 'cd', '--expires', 'soon');
    expectRefusal(t, wrong, /Enter the number of days until the key expires/);

    const { id: free } = (await runJson('account', 'create', '--email', 'free@example.com', '--plan', 'FREE')).value;
    const { exitCode, stderr } = await run('key', 'create', '--account', free, '--name', 'early');
    t.equal(exitCode, 0);
    t.match(stderr, new RegExp(`^The plan FREE does not include the API.*account set-plan ${free} MONITOR\n$`));
  });

  await t.test('site add, beyond SITES_MAX', async (t) => {
    const args = ['site', 'add', '--account', account, site.origin.replace('127.0.0.1', '127.0.0.2')];
    const limited = { ...environment, SCAN_ALLOW_CIDRS: '127.0.0.0/8', SITES_MAX: '1' };
    expectRefusal(t, await runCommand(args, limited), /can have 1 site\. Remove one first/);
  });

  await t.test('site add --file', async (t) => {
    const folder = t.testdir({ 'sites.txt': `${site.origin}/lamps #shops\nhttp://10.0.0.1\n` });
    const args = ['site', 'add', '--account', account, '--file'];
    const { exitCode, stdout, stderr } = await run(...args, join(folder, 'sites.txt'));
    t.equal(exitCode, 2);
    t.match(
      stdout,
      new RegExp(`1 +already added +${new URL(site.origin).host}.*\n2 +refused +10\\.0\\.0\\.1 +Only public`),
    );
    t.equal(stderr, '0 sites added. Could not add 1 line of 2: see the last column.\n');
    const { exitCode: fromStdin, stdout: json } = await runBuilt(
      [...args, '-', '--json'],
      environment,
      `${site.origin}\n`,
    );
    t.match([fromStdin, JSON.parse(json)], [0, [{ line: 1, state: 'existing' }]]);
    writeFileSync(join(folder, 'windows.txt'), `\uFEFF# sites\r\n${site.origin}\r\n`, 'utf16le');
    t.match((await runJson(...args, join(folder, 'windows.txt'))).value, [{ line: 2, state: 'existing' }], 'UTF-16');
    expectRefusal(t, await run(...args, join(folder, 'absent.txt')), /cannot be read: ENOENT/);
    expectRefusal(t, await run(...args, '-', 'example.com'), /Give one site, or a list/);
    expectRefusal(t, await run(...args, join(folder, 'sites.txt'), '--dry-run'), /unknown option '--dry-run'/);
  });

  await t.test('exclusion add, list, remove', async (t) => {
    t.match((await runJson('exclusion', 'add', site.origin)).value, { host: '127.0.0.1', siteIds: [siteId] });
    expectRefusal(t, await run('site', 'verify', siteId, '--force'), 'has asked us not to scan it');
    t.match((await run('exclusion', 'list')).stdout, /127\.0\.0\.1 +\d{4}-/);
    t.match((await run('exclusion', 'remove', '127.0.0.1')).stdout, '127.0.0.1 may be scanned again.');
    t.equal((await run('exclusion', 'list')).stdout, 'none\n');
  });

  await t.test('site remove', async (t) => {
    t.match((await runJson('site', 'remove', siteId)).value, { id: siteId });
    t.equal((await run('site', 'list', '--account', account)).stdout, 'none\n');
  });

  await t.test('account export, remove', async (t) => {
    const lines = (await run('account', 'export', account)).stdout.trimEnd().split('\n');
    t.match(JSON.parse(lines[0] ?? ''), { type: 'account', id: account, email: 'owner@example.com' });
    const events = lines.map((line) => JSON.parse(line) as Json).filter(({ type }) => type === 'event');
    for (const event of events) t.match(event, { actor: 'operator', address: null });
    t.ok(events.some(({ event }) => event === 'data_exported'));
    const exported = (await runJson('account', 'export', account)).value;
    t.match([exported[0], exported[1]], [{ type: 'account' }, { type: 'key', name: 'ci', expiresAt: /Z$/ }]);
    for (const confirm of [[], ['--confirm', 'other@example.com']]) {
      const refused = await run('account', 'remove', account, ...confirm);
      expectRefusal(
        t,
        refused,
        /Nothing was removed.*0 sites, 0 runs, 0 keys and 0 webhooks.*--confirm owner@example\.com/,
      );
    }
    const { value } = await runJson('account', 'create', '--email', 'gone@example.com', '--plan', 'FREE');
    const removed = await run('account', 'remove', value.id, '--confirm', 'Gone@example.com');
    t.match(removed.stdout, `Account ${value.id} (gone@example.com) was removed, with 0 sites`);
    for (const args of [
      ['export', value.id],
      ['remove', value.id, '--confirm', 'gone@example.com'],
    ]) {
      expectRefusal(t, await run('account', ...args), /no such account/);
    }
    t.notMatch((await run('account', 'list')).stdout, value.id);
  });
});

t.test('wrong configuration is refused with every fault', async (t) => {
  const { exitCode, stderr } = await runBuilt(['migrate'], { PORT: 'x', DATABASE_URL: 'oracle:', LOG_LEVEL: 'loud' });
  t.equal(exitCode, 2);
  for (const name of ['PORT', 'DATABASE_URL', 'LOG_LEVEL']) t.match(stderr, `${name}: `);
});

t.test('an unknown command, or one that lacks an option, is bad usage', async (t) => {
  expectRefusal(t, await runCommand(['nonsense']), 'nonsense');
  const incomplete = await runCommand(['account', 'create', '--plan', 'FREE']);
  expectRefusal(t, incomplete, /'--email [^]+ See "agent-readiness-scan account create --help"\.\n$/);
});

t.test('an unreachable database is exit code 4', async (t) => {
  const ended = await runBuilt(['account', 'list'], { DATABASE_URL: 'postgres://127.0.0.1:1/none' });
  expectRefusal(t, ended, /^agent-readiness-scan failed: the database cannot be used: connect ECONNREFUSED /, 4);
});

t.test('scan needs neither a database nor a server', async (t) => {
  const site = await startFixtureServer({ routes: { '/': '<!doctype html><title>Home</title><p>Hello</p>' } });
  t.teardown(() => site.close());
  const exceptions = { SCAN_ALLOW_CIDRS: '127.0.0.1/32', SCAN_ALLOW_PORTS: String(site.port) };

  const { exitCode, stdout, stderr } = await runBuilt(['scan', site.origin, '--format', 'json'], exceptions);
  t.same({ exitCode, stderr }, { exitCode: 0, stderr: '' });
  const document = JSON.parse(stdout) as { findings: unknown[] };
  t.equal(document.findings.length, CHECKS.length);
});

t.test('a command ends quietly if its reader closes the pipe', async (t) => {
  t.same(await runBuiltUnread(['checks', '--format', 'markdown']), { exitCode: 141, stderr: '' });
});

t.test('checks and openapi print the registry and the document', async (t) => {
  const checks = JSON.parse((await runCommand(['checks', '--json'])).stdout) as unknown[];
  t.equal(checks.length, CHECKS.length);
  const first = CHECKS[0];
  const judgedBy = first.judgedBy.map((id) => ({ ...STANDARDS[id] }));
  t.match(checks[0], { id: first.id, revision: first.revision, judgedBy });
  const table = (await runCommand(['checks'])).stdout;
  t.match(table.replace(/\s+/g, ' '), 'Agent-Friendly Documentation Spec (0.6.0)');
  t.match(table, /^C-LLMS-01 {2}\S[^\n]*\n {11}A discovery surface; revision \d+\n {11}fails with [A-Z]/m);
  t.ok(table.split('\n').every((line) => line.length <= 80));
  t.match((await runCommand(['checks', '--format', 'markdown'])).stdout, /## C-LLMS-01: /);
  t.match(JSON.parse((await runBuilt(['openapi'])).stdout), { openapi: '3.1.0', info: { version: '1.0.0' } });
  t.match(JSON.parse((await runCommand(['openapi', '--oas', '3.0'])).stdout), { openapi: '3.0.0' });
});

/**
 * `make test`: starts one PostgreSQL for all test files (unless TEST_DATABASE_URL names one), runs tap, shows each file's
 * verdict, every failure, and every skipped test by name, and ends with `N passed, N failed`. A test is a lowest `t.test`; a file
 * that ran no assertion counts as failed, since an empty file would pass unseen. What all the files left behind must hold no secret.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Parser, type Result } from 'tap-parser';
import { startPostgres } from './postgres.js';
import { judgeLedger, LEDGER_VARIABLE } from './secrets.js';

class Tally {
  passed = 0;
  failed = 0;
  readonly passedByDatabase = new Map<string, number>();
  readonly failures: string[] = [];
  readonly skips: string[] = [];

  /** Follows one parser: the file level, or a test. */
  follow(parser: Parser, path: readonly string[]): { asserts: number; children: number } {
    const seen = { asserts: 0, children: 0 };
    const children = new Map<string, { asserts: number; children: number }>();
    parser.on('child', (child: Parser) => {
      seen.children += 1;
      children.set(child.name, this.follow(child, [...path, child.name]));
    });
    parser.on('assert', (result: Result) => {
      if (!result.closingTestPoint) {
        seen.asserts += 1;
        if (result.skip) this.skips.push(`${[...path, result.name].join(' > ')} (${String(result.skip)})`);
        if (!result.ok) this.failures.push(describeFailure([...path, result.name], result));
        return;
      }
      const child = children.get(result.name.trim());
      seen.asserts += child?.asserts ?? 0;
      if (path.length === 0) this.endFile(result, child?.asserts ?? 0);
      else if (!child || child.children === 0) this.endTest([...path, result.name], result.ok);
    });
    return seen;
  }

  private endFile(result: Result, asserts: number): void {
    const isEmpty = asserts === 0;
    if (isEmpty || !result.ok) process.stdout.write(`FAILED  ${result.name}${isEmpty ? ' (ran no assertion)' : ''}\n`);
    else process.stdout.write(`ok      ${result.name} (${Math.round(result.time ?? 0)} ms)\n`);
    if (isEmpty || (!result.ok && this.failures.every((failure) => !failure.startsWith(result.name)))) {
      this.failed += 1;
      this.failures.push(`${result.name}: ${isEmpty ? 'ran no assertion' : 'failed outside of a test'}`);
    }
  }

  private endTest(path: readonly string[], isOk: boolean): void {
    if (!isOk) {
      this.failed += 1;
      return;
    }
    this.passed += 1;
    const database = /\[(sqlite|postgres)\]/.exec(path.join(' '))?.[1];
    if (database) this.passedByDatabase.set(database, (this.passedByDatabase.get(database) ?? 0) + 1);
  }
}

function describeFailure(path: readonly string[], { diag }: Result): string {
  const details = diag ? `\n${JSON.stringify(diag, null, 2)}` : '';
  return `${path.join(' > ')}${details}`;
}

async function runTap(files: readonly string[], databaseUrl: string, tally: Tally): Promise<number> {
  const temporary = mkdtempSync(join(tmpdir(), 'agent-readiness-test-'));
  const ledger = join(temporary, 'secrets-searched');
  const tap = spawn('node_modules/.bin/tap', ['run', '--reporter=tap', ...files], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TEST_DATABASE_URL: databaseUrl, TMPDIR: temporary, [LEDGER_VARIABLE]: ledger },
  });
  const parser = new Parser();
  tally.follow(parser, []);
  tap.stdout.pipe(parser);
  const [code] = await Promise.all([
    new Promise<number>((resolve) => tap.on('close', (code) => resolve(code ?? 1))),
    new Promise((resolve) => parser.on('complete', resolve)),
  ]);
  const { text, faults } = judgeLedger(ledger, { isWhole: files.length === 0 });
  process.stdout.write(`\n${text}\n`);
  if (faults !== '') {
    tally.failed += 1;
    tally.failures.push(`the search for secrets\n${faults}`);
  }
  rmSync(temporary, { recursive: true, force: true });
  return code;
}

const startedMs = Date.now();
const given = process.env.TEST_DATABASE_URL;
const postgres = given ? { url: given, stop: async () => undefined } : await startPostgres();
const tally = new Tally();
let code = 1;
try {
  code = await runTap(process.argv.slice(2), postgres.url, tally);
} finally {
  await postgres.stop();
}
for (const skip of tally.skips) process.stdout.write(`\nSKIPPED ${skip}`);
if (tally.skips.length > 0) process.stdout.write('\n');
for (const failure of tally.failures) process.stdout.write(`\nFAILURE ${failure}\n`);
const byDatabase = [...tally.passedByDatabase].map(([name, passed]) => `${passed} on ${name}`).join(', ');
process.stdout.write(
  `\nOf these ${byDatabase || 'none on a database'}; ${((Date.now() - startedMs) / 1000).toFixed(0)} s.\n`,
);
if (code !== 0 && tally.failed === 0) tally.failed = 1;
process.stdout.write(`${tally.passed} passed, ${tally.failed} failed\n`);
process.exitCode = tally.failed > 0 ? 1 : 0;

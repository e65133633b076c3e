/**
 * `make mutants`: do the compiler and the tests notice when the program is wrong?
 *
 * Takes a random sample of small faults (mutants) of `src/`, and puts in one at a time. What the compiler takes runs the tests of the
 * place: at most 12 files that reach the mutated module and run the mutated line, themselves or in a program that they start, those of
 * its name and room first, up to the first failure. Prints of each mutant whether it was refused by the compiler, killed, survived or
 * timed out (an endless loop is noticed, too), where it stands and the changed line. The last line counts them, with the share that did
 * not survive, and that of the tests alone; it ends with 1 where the first is below {@link PERCENT_MIN} %.
 *
 * MUTANTS=200 says how many, MUTANTS_SEED=7 replays a sample (the seed is in its last line), MUTANTS_SEED="7 8" takes two, one after the
 * other, which costs less than two runs since the tests run without a mutant once; MUTANTS_ONLY=src/scanner/parsers/json takes only
 * files whose path begins so. A seed chooses by the text of the lines, so that it stays the same sample while other lines change.
 *
 * A survivor is a missing test, a line that nothing needs (take it out), or equivalent: no test could see it. The last go to
 * `equivalent.ts`, each with its argument, and are not counted. A test file that fails without any mutant is named and not used: look
 * into it first, since its mutants then survive.
 *
 * How it works: each of two workers has a copy of the compiled project, made of hard links, in which the mutated module alone
 * is another file. Each test file runs once without a mutant, which tells how long it takes and what code it runs.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startPostgres } from '../support/postgres.js';
import { isEquivalent } from './equivalent.js';
import { type Mutation, mutationsOf } from './mutations.js';
import { type Result, Session } from './session.js';
import { filesBelow, WorkerTree } from './tree.js';

const PERCENT_MIN = 93;
const WORKERS = 2;

const { MUTANTS = '200', MUTANTS_SEED = String(Date.now() % 1_000_000), MUTANTS_ONLY = 'src/' } = process.env;

/** The mutations of a seed, in its order. */
function takeSample(seed: string): Mutation[] {
  return filesBelow('src')
    .filter((file) => /\.tsx?$/.test(file) && file.startsWith(MUTANTS_ONLY))
    .flatMap((file) => mutationsOf(file, readFileSync(file, 'utf8')))
    .filter((mutation) => !isEquivalent(mutation))
    .map((mutation) => ({ mutation, order: orderOf(mutation, seed) }))
    .sort((a, b) => (a.order < b.order ? -1 : 1))
    .slice(0, Number(MUTANTS))
    .map(({ mutation }) => mutation);
}

function orderOf({ file, from, to, what }: Mutation, seed: string): string {
  return createHash('sha256').update([seed, file, from, to, what].join('\n')).digest('hex');
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function describe({ file, line, what, from, to }: Mutation, { verdict, by }: Result): string {
  return `${verdict.padEnd(10)} ${file}:${line}  ${what}  (${by})\n  - ${from}\n  + ${to}`;
}

function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : (100 * part) / whole;
}

async function judgeAll(sample: readonly Mutation[], folder: string, session: Session): Promise<Result[]> {
  const waiting = [...sample];
  const results: Result[] = [];
  const work = async (name: string): Promise<void> => {
    const worker = new WorkerTree(join(folder, name));
    for (let mutation = waiting.shift(); mutation; mutation = waiting.shift()) {
      const result = await session.judge(mutation, worker);
      if (result === null) continue;
      results.push(result);
      say(describe(mutation, result));
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, (_, index) => work(`worker-${index + 1}`)));
  return results;
}

/** Says how a sample went. @returns the share that did not survive, in percent */
function sayShare(seed: string, results: readonly Result[]): number {
  const count = (asked: Result['verdict']): number => results.filter(({ verdict }) => verdict === asked).length;
  const [refused, survived, late] = [count('refused'), count('survived'), count('timed out')];
  const percent = percentOf(results.length - survived, results.length);
  const byTests = percentOf(results.length - refused - survived, results.length - refused);
  say(
    `seed ${seed}: ${refused} refused, ${count('killed')} killed, ${late} timed out, ${survived} survived of ` +
      `${results.length} (${percent.toFixed(1)} %; of those that compile ${byTests.toFixed(1)} %)`,
  );
  return percent;
}

const folder = mkdtempSync(resolve('dist', '.mutants-'));
const temporary = mkdtempSync(join(tmpdir(), 'agent-readiness-mutants-'));
process.once('exit', () => [folder, temporary].forEach((path) => rmSync(path, { recursive: true, force: true })));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const given = process.env.TEST_DATABASE_URL;
const postgres = given ? { url: given, stop: async () => undefined } : await startPostgres();
try {
  const session = new Session({ databaseUrl: postgres.url, temporary }, say);
  for (const seed of MUTANTS_SEED.split(' ')) {
    if (sayShare(seed, await judgeAll(takeSample(seed), join(folder, seed), session)) < PERCENT_MIN)
      process.exitCode = 1;
  }
} finally {
  await postgres.stop();
}

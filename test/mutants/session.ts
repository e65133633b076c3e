import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Compiler } from './compiler.js';
import { Coverage, firstDifference } from './coverage.js';
import type { Mutation } from './mutations.js';
import { runTestFile, type TestRun, type TestRunOptions } from './run-test-file.js';
import { TestFiles } from './test-files.js';
import { CLEAN, compiledName, transpile, type WorkerTree } from './tree.js';

export interface Result {
  readonly verdict: 'killed' | 'survived' | 'timed out' | 'refused';
  /** The test file that saw it, or how many did not; the compiler, which refused it. */
  readonly by: string;
}

/** Test files that a mutant has to survive. */
const TESTS_MAX = 12;
/** Without a mutant; a file that takes longer is not used, such as that of every page: it would be most of what a sample costs. */
const CLEAN_TIMEOUT_MS = 90_000;
/** With a mutant a file may take so many times what it took without, and something for a busy machine. */
const PATIENCE_FACTOR = 5;
const PATIENCE_MS = 30_000;

interface CleanRun extends TestRun {
  readonly coverage: Coverage;
}

/** Knows the tests as they are without a mutant, and judges mutants by them. */
export class Session {
  readonly #clean = new Map<string, Promise<CleanRun>>();
  readonly #testFiles: TestFiles;
  readonly #compiler = new Compiler('tsconfig.json');

  constructor(
    private readonly options: Pick<TestRunOptions, 'databaseUrl' | 'temporary'>,
    private readonly say: (line: string) => void,
  ) {
    this.#testFiles = new TestFiles(CLEAN);
  }

  /** @returns null where the mutation makes no program, or the same one */
  async judge(mutation: Mutation, worker: WorkerTree): Promise<Result | null> {
    const clean = await transpile(mutation.file, readFileSync(mutation.file, 'utf8'));
    const code = await transpile(mutation.file, mutation.apply()).catch(() => clean);
    if (code === clean) return null;
    if (!this.#compiler.takes(mutation)) return { verdict: 'refused', by: 'the compiler' };
    worker.put(mutation.file, code);
    try {
      return await this.#test(mutation.file, firstDifference(clean, code), worker);
    } finally {
      worker.restore(mutation.file);
    }
  }

  async #test(source: string, offset: number, worker: WorkerTree): Promise<Result> {
    let survived = 0;
    for (const file of this.#testFiles.for(source)) {
      const clean = await this.#runClean(file);
      if (clean.outcome !== 'passed' || !clean.coverage.has(compiledName(source), offset)) continue;
      const timeoutMs = PATIENCE_MS + PATIENCE_FACTOR * clean.ms;
      const { outcome } = await runTestFile(file, { ...this.options, tree: worker.folder, timeoutMs });
      if (outcome !== 'passed') return { verdict: outcome === 'failed' ? 'killed' : outcome, by: file };
      survived += 1;
      if (survived === TESTS_MAX) break;
    }
    return { verdict: 'survived', by: survived === 0 ? 'no test runs it' : `${survived} test files` };
  }

  /** Once for all mutants: whether the file passes as the source is, how long it takes, and what it runs. */
  #runClean(file: string): Promise<CleanRun> {
    let run = this.#clean.get(file);
    if (!run) this.#clean.set(file, (run = this.#measure(file)));
    return run;
  }

  async #measure(file: string): Promise<CleanRun> {
    const folder = mkdtempSync(join(this.options.temporary, 'coverage-'));
    const run = await runTestFile(file, {
      ...{ ...this.options, tree: CLEAN, timeoutMs: CLEAN_TIMEOUT_MS, coverage: folder },
    });
    const coverage = new Coverage(folder, CLEAN);
    rmSync(folder, { recursive: true });
    if (run.outcome !== 'passed') this.say(`not used   ${file}: ${run.outcome} without any mutant`);
    return { ...run, coverage };
  }
}

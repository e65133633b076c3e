import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../src/store/database.js';
import { openDatabase } from '../../src/store/open.js';
import { migrateDatabase } from '../../src/store/migrate.js';
import type { Engine } from './databases.js';
import { startPostgres } from './postgres.js';
import type { Scope } from './service.js';

/** Does the work of a script in a scope that ends with it, however it ends. */
export async function runInScope<T>(work: (scope: Scope) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-readiness-script-'));
  const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  try {
    return await work({ teardown: (end) => void ends.push(end), testdir: () => folder });
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

export async function newDatabaseUrl(scope: Scope, engine: Engine): Promise<string> {
  if (engine === 'sqlite') return `sqlite:${join(scope.testdir(), 'service.db')}`;
  const server = await startPostgres();
  scope.teardown(() => server.stop());
  return server.url;
}

/** Opens a database at the current schema until the end of the scope. */
export async function openNewDatabase(scope: Scope, engine: Engine = 'sqlite'): Promise<Database> {
  const url = await newDatabaseUrl(scope, engine);
  await migrateDatabase(url);
  const db = await openDatabase(url);
  scope.teardown(() => db.close());
  return db;
}

/** Prints expectations of a script and counts those that failed. */
export class Verdict {
  #failed = 0;

  expect(isTrue: boolean, words: string): void {
    console.log(`${isTrue ? 'ok      ' : 'NOT OK  '}${words}`);
    if (!isTrue) this.#failed += 1;
  }

  expectNone(faults: readonly string[], words: string): void {
    this.expect(faults.length === 0, `${words} (${faults.length} faults)`);
    for (const fault of faults.slice(0, 20)) console.log(`          ${fault}`);
  }

  get exitCode(): number {
    return this.#failed > 0 ? 1 : 0;
  }
}

/** Returns the least value that this share of the values does not exceed; 0 if there are no values. */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

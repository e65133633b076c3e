import { randomBytes } from 'node:crypto';
import type { Test } from 'tap';
import { migrateDatabase } from '../../src/store/migrate.js';
import type { TestEngine } from './databases.js';
import { runStatements } from './raw-connection.js';
import { readProject } from './project.js';

/** A database of PostgreSQL at the current schema as an operator sets it up, with a role that owns it and one that serves. */
export interface SeparateRoles {
  readonly ownerUrl: string;
  readonly serveUrl: string;
}

/** The statements that deploy/README.md tells the operator to run. */
function readStatements(): string {
  const [, statements] = /createuser --pwprompt agent_readiness_serve\npsql [^\n]*\n([^]*?)\nEND\n/.exec(
    readProject('deploy/README.md'),
  ) ?? [undefined, undefined];
  if (statements === undefined) throw new Error('deploy/README.md has no statements for the role that serves.');
  return statements;
}

/** Neither role has any right of the server's administrator; both are gone after the test. */
export async function separateRoles(t: Test, engine: TestEngine): Promise<SeparateRoles> {
  const tail = randomBytes(6).toString('hex');
  const [owner, server, password] = [`owner_${tail}`, `serve_${tail}`, randomBytes(12).toString('hex')];
  let adminUrl = '';
  // Said first, so that it is done last: once the database that they own is gone.
  t.teardown(() => runStatements(new URL('/postgres', adminUrl).href, `DROP ROLE ${owner}; DROP ROLE ${server}`));
  adminUrl = await engine.newUrl(t);
  const database = new URL(adminUrl).pathname.slice(1);
  await runStatements(
    adminUrl,
    `CREATE ROLE ${owner} LOGIN PASSWORD '${password}'; CREATE ROLE ${server} LOGIN PASSWORD '${password}';
     ALTER DATABASE ${database} OWNER TO ${owner}`,
  );
  const [ownerUrl, serveUrl] = [owner, server].map((role) => {
    const url = new URL(adminUrl);
    url.username = role;
    url.password = password;
    return url.href;
  }) as [string, string];
  await migrateDatabase(ownerUrl);
  const names: Readonly<Record<string, string>> = { agent_readiness: owner, agent_readiness_serve: server };
  const statements = readStatements()
    .replaceAll('DATABASE agent_readiness', `DATABASE ${database}`)
    .replaceAll(/\bagent_readiness(_serve)?\b/g, (name) => names[name] ?? name);
  await runStatements(adminUrl, statements);
  return { ownerUrl, serveUrl };
}

import { randomBytes } from 'node:crypto';
import type { Test } from 'tap';
import { migrateDatabase } from '../../src/store/migrate.js';
import type { TestEngine } from './databases.js';
import { runStatements } from './raw-connection.js';
import { readProject } from './project.js';

/**
 * Sets up a database of PostgreSQL as an operator does, at the current schema, with a role that owns it and one that serves. Neither has any
 * right of the server's administrator; both are gone after the test.
 */
export async function separateRoles(t: Test, engine: TestEngine) {
  const tail = randomBytes(6).toString('hex');
  const [owner, server, password] = [`owner_${tail}`, `serve_${tail}`, randomBytes(12).toString('hex')];
  let adminUrl = '';
  // Said first, so that it is done last: once the database that they own is gone.
  t.teardown(() => runStatements(new URL('/postgres', adminUrl).href, `DROP ROLE IF EXISTS ${owner}, ${server}`));
  adminUrl = await engine.newUrl(t);
  const database = new URL(adminUrl).pathname.slice(1);
  await runStatements(
    adminUrl,
    `CREATE ROLE ${owner} LOGIN PASSWORD '${password}'; ALTER DATABASE ${database} OWNER TO ${owner}`,
  );
  const [ownerUrl, serveUrl] = [owner, server].map((role) => {
    const url = new URL(adminUrl);
    url.username = role;
    url.password = password;
    return url.href;
  }) as [string, string];
  await migrateDatabase(ownerUrl);
  const names: Readonly<Record<string, string>> = { agent_readiness: owner, agent_readiness_serve: server };
  const statements = readProject('deploy/serving-role.sql').replaceAll(
    /\bagent_readiness(_serve)?\b/g,
    (name) => names[name] ?? name,
  );
  /** Runs deploy/serving-role.sql, as the administrator; without a password the role keeps the one that it has. */
  const grantAgain = async (given?: string): Promise<void> => {
    const url = new URL(adminUrl);
    if (given !== undefined) url.searchParams.set('options', `-c serving.password=${given}`);
    await runStatements(url.href, statements);
  };
  await t.rejects(grantAgain(), { message: /role serve_\w+ does not exist yet/ });
  await grantAgain(password);
  return { ownerUrl, serveUrl, adminUrl, grantAgain };
}

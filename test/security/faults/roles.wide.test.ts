import { createHmac, hash, pbkdf2Sync } from 'node:crypto';
import { eraseRemoved } from '../../../src/app/data/removal.js';
import { schemaStatus } from '../../../src/store/open.js';
import { migrateDatabase } from '../../../src/store/migrate.js';
import { addAccount, addSite } from '../../support/accounts.js';
import { connectRaw, runStatements, separateRoles } from '../../support/raw-connection.js';
import { onPostgres } from '../../support/databases.js';
import { openServices } from '../../support/services.js';
import { insertRow } from '../../support/tables.js';
import { SCENES } from './scenes.js';
import { countRows, openFaultWorld } from './world.js';

/** Checks the password as SCRAM-SHA-256 does (RFC 5803), because the tests' PostgreSQL asks for none. */
function opens(password: string, verifier: string): boolean {
  const [, rounds = '', salt = '', storedKey = ''] = /^SCRAM-SHA-256\$(\d+):([^$]+)\$([^:]+):/.exec(verifier) ?? [];
  const salted = pbkdf2Sync(password, Buffer.from(salt, 'base64'), Number(rounds), 32, 'sha256');
  const clientKey = createHmac('sha256', salted).update('Client Key').digest();
  return hash('sha256', clientKey, 'base64') === storedKey;
}

/** The rights that deploy/serving-role.sql grants are enough for the service. */
onPostgres(async (t, engine) => {
  const { serveUrl, ownerUrl, adminUrl, grantAgain } = await separateRoles(t, engine);
  const world = await openFaultWorld(t, serveUrl);
  const { db, clock, runs } = world;

  t.test('every scene works under the role', async (t) => {
    t.equal(await schemaStatus(db), 'current');
    for (const [title, scene] of Object.entries(SCENES)) {
      const act = await scene(world);
      t.equal(await act.run(), 'done', title);
      t.strictSame(await act.check(['done'], false), [], title);
    }
  });

  t.test('an account is removed with its sites and runs', async (t) => {
    const { id: accountId } = await addAccount(db);
    const { id: siteId } = await addSite(db, accountId);
    await runs.start({ accountId, siteId, trigger: 'API' });
    await openServices(db, { clock }).accountData.remove(accountId);
    await eraseRemoved(db);
    t.equal(await countRows(world, `runs WHERE site_id = '${siteId}'`), 0);
    t.equal(await countRows(world, `accounts WHERE id = '${accountId}'`), 0);
  });

  t.test('the role may use tables of later versions, but only the owner may migrate', async (t) => {
    await runStatements(ownerUrl, 'CREATE TABLE later (x text)');
    await t.resolves(insertRow(db, 'later', { x: 'x' }));
    await t.rejects(migrateDatabase(serveUrl), { message: /permission denied/ });
  });

  t.test('rights can be granted again, and the password changes only if one is given', async (t) => {
    const { username, password } = new URL(serveUrl);
    const admin = await connectRaw(adminUrl);
    t.teardown(() => admin.close());
    const readRole = async () => {
      const [role] = await admin.read(`SELECT rolpassword FROM pg_authid WHERE rolname = '${username}'`);
      const rights = await admin.read(`SELECT table_name, privilege_type FROM information_schema.role_table_grants
      WHERE grantee = '${username}' ORDER BY table_name, privilege_type`);
      const passwords = [password, 'another'].filter((one) => opens(one, String(role?.rolpassword)));
      return { passwords, rights };
    };
    const { passwords, rights } = await readRole();
    t.same(passwords, [password]);
    await grantAgain();
    t.same(await readRole(), { passwords, rights });
    await grantAgain('another');
    t.same(await readRole(), { passwords: ['another'], rights });
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { newApiKey, newSecretToken } from '../../../src/platform/ids.js';
import { newWebhookSecret } from '../../../src/app/alerts/webhook-receiver.js';
import { defineQuery } from '../../../src/store/query.js';
import { TestClock } from '../../support/accounts.js';
import { onEachDatabase } from '../../support/databases.js';
import { addFullAccount } from '../../support/full-account.js';
import { TEST_PASSWORD } from '../../support/passwords.js';
import { SLACK_ADDRESS } from '../../support/chat-rules.js';
import { judgeLedger, KINDS, SecretSearch, secretsOf } from '../../support/secrets.js';
import { insertRow, rowsOf, tablesOf } from '../../support/tables.js';

/** Has digits, capitals and small letters, as all but one token in a thousand. */
const TOKEN = `${newSecretToken().slice(0, 40)}aZ7`;

const PLANTED: Readonly<Record<string, string>> = {
  'API key': newApiKey(),
  'token of a link, a session or a deploy hook': TOKEN,
  'secret of a webhook': newWebhookSecret(),
  'address of a webhook of Slack or Discord': SLACK_ADDRESS.slice('https://'.length),
  'ownership token': `agent-readiness-${'0123456789abcdef'.repeat(3)}`,
  password: TEST_PASSWORD,
};

t.test('every kind of secret is found in logs, errors and outputs', async (t) => {
  t.strictSame(
    Object.keys(PLANTED),
    KINDS.map(({ name }) => name),
  );
  for (const [kind, secret] of Object.entries(PLANTED)) {
    const places: [place: RegExp, plant: (search: SecretSearch) => void][] = [
      [/a log/, (search) => search.logLine(`{"level":"info","url":"/x/${secret}?a=b"}`)],
      [/a 422/, (search) => search.error('/keys', 422, `<input value="${secret}">`)],
      [/errors of a program/, (search) => search.program({ stdout: '', stderr: `no ${secret}\n`, isShowing: true })],
      [/output/, (search) => search.program({ stdout: `a\n${secret}`, stderr: '', isShowing: false })],
      [
        /a log/,
        (search) => search.program({ stdout: `{"level":"warn","x":"${secret}"}`, stderr: '', isShowing: true }),
      ],
    ];
    for (const [place, plant] of places) {
      const search = new SecretSearch();
      plant(search);
      // Part of a random secret may look like another kind.
      const found = search.leaks.filter((leak) => leak.kind === kind);
      t.match(found, [{ kind, place, start: secret.slice(0, 8) }], `${kind} in ${String(place)}`);
    }
  }
});

t.test('other texts, and secrets that are shown on purpose, are no leaks', async (t) => {
  const search = new SecretSearch();
  search.logLine('{"level":"info","route":"/sign-in/:token","requestId":"0b0b5d2e-8d5a-4a52-9f4e-5f4d5c1a2b3c"}');
  search.error(`/sign-in/${TOKEN}`, 422, `<form action="/sign-in/${TOKEN}">`);
  search.error('/sites/site_x/verify', 429, `<code>${PLANTED['ownership token'] ?? ''}</code>`);
  search.program({ stdout: `Your key: ${newApiKey()}`, stderr: '', isShowing: true });
  const exported = JSON.stringify({ type: 'ownership_token', token: PLANTED['ownership token'] });
  search.program({ stdout: exported, stderr: '', isShowing: false });
  t.strictSame(search.leaks, []);
});

t.test("the operator's own secrets are read from the environment", async (t) => {
  const words = secretsOf({
    METRICS_TOKEN: 'metrics-token-of-the-test',
    DATABASE_URL: 'postgres://me:database-password@127.0.0.1/x',
    SMTP_URL: 'smtp://me:mail-password@127.0.0.1',
    PORT: '3000',
  });
  t.strictSame(words, ['metrics-token-of-the-test', 'database-password', 'mail-password']);
  const search = new SecretSearch();
  search.words('a log', 'cannot reach postgres://me:database-password@127.0.0.1/x', words);
  t.match(search.leaks, [{ kind: 'secret of the environment', start: 'database' }]);
});

t.test('the suite fails if a secret was found, or if nothing was searched', async (t) => {
  const file = join(t.testdir(), 'ledger');
  const search = new SecretSearch();
  const entry = () => `${JSON.stringify({ leaks: search.leaks, searched: search.searched })}\n`;
  t.match(judgeLedger(file, { isWhole: true }).faults, 'Nothing of this was searched for secrets: sqliteDatabases.');
  t.equal(judgeLedger(file, { isWhole: false }).faults, '', 'of a few files nobody expects everything');
  const all = { sqliteDatabases: 1, postgresDatabases: 2, values: 3, logLines: 4, errors: 5, programs: 6 };
  Object.assign(search.searched, all);
  writeFileSync(file, entry().repeat(2));
  t.strictSame(judgeLedger(file, { isWhole: true }), {
    text: 'Searched for secrets: 2 sqliteDatabases, 4 postgresDatabases, 6 values, 8 logLines, 10 errors, 12 programs.',
    faults: '',
  });
  search.logLine(`{"key":"${PLANTED['API key'] ?? ''}"}`);
  writeFileSync(file, entry());
  t.match(judgeLedger(file, { isWhole: true }).faults, /^A secret was found in a log: API key, "ars_....…"\.\n$/);
});

const deleteFreeScans = defineQuery<never>((sql) => sql('free_scans').delete());

onEachDatabase(async (t, engine) => {
  t.test('a secret is found in any row and column, as text or as bytes', async (t) => {
    const db = await engine.openDb(t);
    const now = new TestClock().now().toISOString();
    for (const [kind, secret] of Object.entries(PLANTED)) {
      const row = { started_at: now, finished_at: now };
      await insertRow(db, 'free_scans', { ...row, hostname: kind, body: Buffer.from(`{"x":"${secret}"}`) });
      await insertRow(db, 'free_scans', { ...row, hostname: secret, body: null });
    }
    const search = new SecretSearch();
    await search.database(db.url);
    const places = new Set(search.leaks.map(({ kind, place }) => `${kind}: ${place}`));
    const columns = ['free_scans.hostname', 'free_scans.body'];
    const expected = KINDS.flatMap(({ name }) => columns.map((column) => `${name}: the column ${column}`));
    t.strictSame([...places].sort(), expected.sort());
    // The suite also searches this database.
    await db.run(deleteFreeScans({}));
  });

  t.test('every value of every table is searched, and the excepted columns exist', async (t) => {
    const db = await engine.openDb(t);
    await addFullAccount(db, new TestClock());
    const search = new SecretSearch();
    await search.database(db.url);
    t.strictSame(search.leaks, []);
    let values = 0;
    const columns = new Set<string>();
    for (const table of await tablesOf(db)) {
      const rows = await rowsOf(db, table);
      for (const row of rows) values += Object.keys(row).length;
      for (const column of Object.keys(rows[0] ?? {})) columns.add(`${table}.${column}`);
    }
    t.ok(values > 100 && search.searched.values >= values, 'the records of the migrations come on top');
    for (const column of KINDS.flatMap((kind) => Object.keys(kind.columns ?? {}))) {
      t.ok(columns.has(column), `${column} is still a column`);
    }
  });
});

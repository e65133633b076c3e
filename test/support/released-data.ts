import { digestApiKey, newApiKey } from '../../src/app/keys/api-key.js';
import { entityTagOf } from '../../src/platform/entity-tag.js';
import { newId } from '../../src/platform/ids.js';
import { formatReference } from '../../src/app/runs/run.js';
import { connectRaw, type RawConnection, type Row } from './raw-connection.js';
import { RELEASED_SCHEMAS, type ReleasedSchema } from './released-schemas.js';

/** What a released program has left in its database: one account with a key, and a site with three runs. */
export interface ReleasedData {
  readonly accountId: string;
  readonly siteId: string;
  /** The key in clear; its account has the plan MONITOR. */
  readonly key: string;
  /** How many requests of the month the key has used. */
  readonly used: number;
  /** The bodies of the runs 1 to 3, as they were stored. */
  readonly bodies: readonly Buffer[];
}

const RUNS = 3;
const USED = 7;
const THEN = '2026-03-15T11:00:00.000Z';

/**
 * Writes such data by the columns that the schema had, in the order in which the program of then wrote it. `person` makes the
 * account another's.
 */
export async function writeReleasedData(url: string, schema: ReleasedSchema, person: string): Promise<ReleasedData> {
  const raw = await connectRaw(url);
  const accountId = newId('acc');
  const siteId = newId('site');
  const key = newApiKey();
  const data = { accountId, siteId, key, used: USED, bodies: bodiesOf(siteId) };
  await writeInitial(raw, data, person);
  const steps = RELEASED_SCHEMAS.indexOf(schema);
  if (steps >= RELEASED_SCHEMAS.indexOf('0002-application')) await writeApplication(raw, data, person);
  if (steps >= RELEASED_SCHEMAS.indexOf('0003-automation')) await writeAutomation(raw, data, person);
  await raw.close();
  return data;
}

/** Bytes that a change of encoding, of line ends or of a JSON writer would not leave alone. */
function bodiesOf(siteId: string): Buffer[] {
  return Array.from({ length: RUNS }, (_, index) =>
    Buffer.from(
      `{"site":{"id":"${siteId}"},\r\n "run":{"number":${index + 1},  "score":1.0e2},"findings":["ü–\u2028“"]}`,
    ),
  );
}

async function writeInitial(raw: RawConnection, data: ReleasedData, person: string): Promise<void> {
  const { accountId, siteId } = data;
  await raw.insert('accounts', {
    ...{ id: accountId, email: `${person}@example.com`, name: person, plan: 'MONITOR' },
    ...{ reference_counter: RUNS, created_at: THEN },
  });
  await raw.insert('sign_in_links', { digest: `link of ${person}`, account_id: accountId, expires_at: THEN });
  await raw.insert('sites', {
    ...{ id: siteId, account_id: accountId, origin: 'https://shop.example.com', hostname: 'shop.example.com' },
    ...{ verified_at: THEN, verified_by: 'dns', created_at: THEN },
  });
  await raw.insert('ownership_tokens', { account_id: accountId, host: 'shop.example.com', token: 'token' });
  await raw.insert('run_budgets', { site_id: siteId, day: '2026-03-15', trigger: 'API', used: RUNS });
  for (const [index, body] of data.bodies.entries()) await writeRun(raw, siteId, index + 1, body);
  const keyId = newId('key');
  await raw.insert('api_keys', {
    ...{ id: keyId, account_id: accountId, name: 'ci', digest: digestApiKey(data.key), hint: data.key.slice(4, 8) },
    created_at: THEN,
  });
  await raw.insert('key_usage', { key_id: keyId, month: '2026-03', used: data.used });
}

async function writeRun(raw: RawConnection, siteId: string, number: number, body: Buffer): Promise<void> {
  await raw.exec(`UPDATE sites SET run_counter = ${number} WHERE id = '${siteId}'`);
  await raw.insert('runs', {
    ...{ site_id: siteId, number, reference: formatReference(number), score: number === 2 ? null : 90 + number },
    ...{ trigger: 'API', started_at: THEN, finished_at: THEN, body, etag: entityTagOf(body) },
  });
}

async function writeApplication(raw: RawConnection, { accountId }: ReleasedData, person: string): Promise<void> {
  await raw.exec(`UPDATE accounts SET password_hash = 'scrypt$…' WHERE id = '${accountId}'`);
  const times = { created_at: THEN, last_seen_at: THEN, expires_at: '2026-04-15T11:00:00.000Z' };
  await raw.insert('sessions', { digest: `session of ${person}`, account_id: accountId, ...times });
  const window = { window_start: THEN, expires_at: THEN, used: 2 };
  await raw.insert('rate_windows', { scope: 'free', subject: person, ...window });
  const host: Row = { hostname: `${person}.example.com`, started_at: THEN, finished_at: THEN, body: Buffer.from('{}') };
  await raw.insert('free_scans', host);
}

async function writeAutomation(raw: RawConnection, data: ReleasedData, person: string): Promise<void> {
  const { accountId: account_id, siteId: site_id } = data;
  await raw.exec(`UPDATE accounts SET email_alerts_since = '${THEN}' WHERE id = '${account_id}'`);
  await raw.insert('schedules', { site_id, frequency: 'DAILY', next_run_at: THEN });
  const asked = { requested_at: THEN, run_after: THEN, offered_at: THEN, priority: 0 };
  await raw.insert('queued_runs', { site_id, trigger: 'SCHEDULED', account_id, ...asked });
  await raw.insert('deploy_hooks', { site_id, digest: `hook of ${person}`, created_at: THEN });
  await raw.insert('badges', { site_id, token: `badge of ${person}`, created_at: THEN });
  await raw.insert('alert_states', { site_id, state: '{}' });
  const webhook_id = newId('wh');
  const url = 'https://hooks.example.com/';
  await raw.insert('webhooks', { id: webhook_id, account_id, url, secret: 'whsec_', created_at: THEN });
  const message = { id: newId('msg'), event: 'test', body: '{}', state: 'waiting' };
  const times = { created_at: THEN, next_attempt_at: THEN, offered_at: THEN, priority: 0 };
  await raw.insert('deliveries', { ...message, ...times, account_id, webhook_id, site_id });
}

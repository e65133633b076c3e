import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type Clock, utcMonth } from '../../platform/clock.js';
import {
  type ExportedDeliveryRow,
  type ExportedSiteRow,
  selectAccountToExport,
  selectDeliveriesToExport,
  selectKeyUsageToExport,
  selectSitesToExport,
  selectWebhooksToExport,
} from './account-export-statements.js';
import { acceptedOf } from '../triage/accepted-failures.js';
import { readEvidence } from '../evidence/evidence.js';
import { rechecksOf } from '../triage/recheck.js';
import { selectKeysOfAccount } from '../keys/key-statements.js';
import { BODY_LINKS, type LinkedRow, SUPPLEMENT_LINKS } from '../runs/chain-statements.js';
import { RunTexts } from '../runs/run-texts.js';
import { type Database, runApart, runOne } from '../../store/database.js';
import { type UnreadProof, unreadProofOfSite } from '../sites/unread-proof.js';
import { type AuditEvent, readEvents, recordEvent } from '../audit/audit.js';
import { noSuchAccount } from '../accounts/accounts.js';

/** About half a megabyte. */
const RUNS_A_PAGE = 50;

/** One line of an export: what it tells of, and no secret of it. */
interface Line {
  readonly type: 'account' | 'site' | 'key' | 'webhook' | 'delivery' | 'event';
  readonly [name: string]: unknown;
}

/**
 * Everything of an account, a line of JSON at a time, `\n` included: the account, its sites, keys and webhooks, every run as it was
 * stored, the messages to webhooks and mailboxes, what was done to the account: this export among it. It is read as it is asked for, a page at a time; what is added meanwhile may or may
 * not be in it, but no run is cut or missing before the last.
 * @throws InputError when there is no such account, before the first line
 */
export async function* exportLines(db: Database, clock: Clock, accountId: string): AsyncGenerator<string, void> {
  const account = await runOne(db, selectAccountToExport({ id: accountId }));
  if (!account) throw noSuchAccount();
  await db.transaction(() => recordEvent({ accountId, event: 'data_exported', now: clock.now() }));
  const { id, email, name, plan, created_at: createdAt, email_alerts_since: emailAlertsSince } = account;
  yield lineOf({ type: 'account', id, email, name, plan, createdAt, emailAlertsSince });
  for await (const site of sitesOf(db, id)) yield lineOf(await describeSite(db, site));
  for (const key of await readKeys(db, clock, id)) yield lineOf(key);
  for (const webhook of await readWebhooks(db, id)) yield lineOf(webhook);
  for await (const site of sitesOf(db, id)) yield* runLines(db, site);
  for await (const delivery of deliveriesOf(db, id)) yield lineOf(describeDelivery(delivery));
  for await (const event of eventsOf(db, id)) yield lineOf({ type: 'event', ...event });
}

function lineOf(line: Line): string {
  return `${JSON.stringify(line)}\n`;
}

async function* sitesOf(db: Database, account_id: string): AsyncGenerator<ExportedSiteRow, void> {
  let after = '';
  for (;;) {
    const page = await db.run(selectSitesToExport({ account_id, after }));
    yield* page;
    const last = page.at(-1);
    if (!last) return;
    after = last.id;
  }
}

function describeProof(unread: UnreadProof | null): Line['proofNotFound'] {
  if (unread === null) return null;
  const { days: countedDays, ...rest } = unread;
  return { ...rest, countedDays };
}

async function describeSite(db: Database, site: ExportedSiteRow): Promise<Line> {
  const { id, origin, hostname, created_at: createdAt, verified_at: verifiedAt, verified_by: verifiedBy } = site;
  return {
    ...{ type: 'site', id, origin, hostname, createdAt, verifiedAt, verifiedBy },
    ownershipLostAt: site.ownership_lost_at,
    proofNotFound: describeProof(unreadProofOfSite(site)),
    ownershipToken: site.ownership_token,
    runCount: site.run_counter,
    schedule: site.frequency === null ? null : { frequency: site.frequency, nextRunAt: site.next_run_at },
    badge: site.badge_since === null ? null : { since: site.badge_since },
    deployHook:
      site.hook_created_at === null ? null : { createdAt: site.hook_created_at, lastUsedAt: site.hook_last_used_at },
    acceptedFailures: await runApart(db, acceptedOf(id)),
    rechecks: await runApart(db, rechecksOf(id)),
  };
}

async function readKeys(db: Database, clock: Clock, account_id: string): Promise<Line[]> {
  const keys = await db.run(selectKeysOfAccount({ account_id, month: utcMonth(clock.now()) }));
  const usage = await db.run(selectKeyUsageToExport({ account_id }));
  return keys.map((key) => ({
    ...{ type: 'key', id: key.id, name: key.name, hint: key.hint },
    ...{ createdAt: key.created_at, lastUsedAt: key.last_used_at, revokedAt: key.revoked_at },
    expiresAt: key.expires_at,
    requests: usage.filter(({ key_id }) => key_id === key.id).map(({ month, used }) => ({ month, used })),
  }));
}

async function readWebhooks(db: Database, account_id: string): Promise<Line[]> {
  const webhooks = await db.run(selectWebhooksToExport({ account_id }));
  return webhooks.map(({ id, url, created_at: createdAt, disabled_at: disabledAt }) => ({
    ...{ type: 'webhook', id, url, createdAt, disabledAt },
  }));
}

/**
 * The stored answers stand in their lines byte for byte: they are JSON, and have no line break. Beside each are its release, its notes,
 * its gains, what its findings rest on and its links: docs/run-chain.md.
 */
async function* runLines(db: Database, { id, run_counter }: ExportedSiteRow): AsyncGenerator<string, void> {
  const texts = new RunTexts(db);
  for (let after = 0; after < run_counter; after += RUNS_A_PAGE) {
    const range = { site_id: id, after, upto: Math.min(after + RUNS_A_PAGE, run_counter), limit: RUNS_A_PAGE };
    const supplements = await db.run(SUPPLEMENT_LINKS.selectLinked(range));
    const byNumber = new Map(supplements.map((supplement) => [supplement.number, supplement]));
    for (const run of await db.run(BODY_LINKS.selectLinked(range))) {
      const supplement = byNumber.get(run.number);
      const evidence = [];
      for await (const kept of readEvidence(db, id, run.number)) evidence.push(kept);
      const beside = `"notes":${supplement?.notes ?? '[]'},"gains":${supplement?.gains ?? '[]'}`;
      const links = `"chain":${formatLink(run)},"supplementChain":${formatLink(supplement)}`;
      const release = JSON.stringify(supplement?.release ?? null);
      const response = (await texts.unpack(run.body)).toString('utf8');
      yield `{"type":"run","response":${response},"release":${release},${beside},"evidence":${JSON.stringify(evidence)},${links}}\n`;
    }
    // SQLite's statements are synchronous: without this, nothing else would run in between.
    await letOthersRun();
  }
}

function formatLink({ digest = null, epoch_id: epoch = null }: Partial<LinkedRow> = {}): string {
  return JSON.stringify(digest === null ? null : { epoch, digest });
}

async function* deliveriesOf(db: Database, account_id: string): AsyncGenerator<ExportedDeliveryRow, void> {
  let [after_time, after_id] = ['', ''];
  for (;;) {
    const page = await db.run(selectDeliveriesToExport({ account_id, after_time, after_id }));
    yield* page;
    const last = page.at(-1);
    if (!last) return;
    [after_time, after_id] = [last.created_at, last.id];
    await letOthersRun();
  }
}

async function* eventsOf(db: Database, accountId: string): AsyncGenerator<AuditEvent, void> {
  for (let before: string | undefined | null; before !== null;) {
    const { events, next } = await readEvents(db, accountId, before);
    yield* events;
    before = next;
  }
}

function describeDelivery(row: ExportedDeliveryRow): Line {
  const { id, webhook_id: webhookId, site_id: siteId, event, state, attempts, body, problem } = row;
  return {
    ...{ type: 'delivery', id, webhookId, siteId, event, state, attempts },
    ...{
      createdAt: row.created_at,
      lastAttemptAt: row.last_attempt_at,
      answerStatus: row.answer_status,
      problem,
      body,
    },
  };
}

import { AsyncLocalStorage } from 'node:async_hooks';
import ipaddr from 'ipaddr.js';
import { newId } from '../../platform/ids.js';
import type { Database, Sql, Tx } from '../../store/database.js';
import { readPages } from '../../store/batches.js';
import { defineQuery, jsonRows, type Row } from '../../store/query.js';

export const EVENT_DAYS = 365;

/** Events that the audit log records, with their names on pages. */
export const EVENT_WORDS = {
  account_created: 'Account created',
  plan_changed: 'Plan changed',
  sign_in_link_created: 'One-time link created',
  sign_up_requested: 'Sign-up attempted with your address',
  signed_in: 'Signed in',
  wrong_password: 'Wrong password',
  password_link_requested: 'New password link requested',
  password_changed: 'Password changed',
  signed_out: 'Signed out',
  signed_out_everywhere: 'Signed out everywhere',
  signed_out_elsewhere: 'Signed out everywhere else',
  key_created: 'API key created',
  key_revoked: 'API key revoked',
  site_added: 'Site added',
  site_verified: 'Site verified',
  ownership_forced: 'Site verified by the operator',
  ownership_lost: 'Site no longer verified',
  pages_chosen: 'Pages chosen for the sample',
  tags_changed: 'Tags changed',
  platform_changed: 'Platform of a site changed',
  evidence_downloaded: 'Evidence downloaded',
  badge_turned_on: 'Badge turned on',
  badge_renewed: 'Badge address replaced',
  badge_turned_off: 'Badge turned off',
  report_published: 'Public report turned on',
  report_renewed: 'Public report address replaced',
  report_withdrawn: 'Public report turned off',
  deploy_hook_created: 'Deploy hook created',
  deploy_hook_removed: 'Deploy hook removed',
  schedule_set: 'Schedule set',
  schedule_removed: 'Schedule turned off',
  failure_accepted: 'Failure accepted',
  acceptance_removed: 'Acceptance of a failure removed',
  webhook_added: 'Webhook added',
  webhook_enabled: 'Webhook enabled',
  webhook_disabled: 'Webhook disabled',
  webhook_removed: 'Webhook removed',
  email_alerts_turned_on: 'E-mail alerts turned on',
  email_alerts_turned_off: 'E-mail alerts turned off',
  site_removed: 'Site removed',
  data_exported: 'Data exported',
} as const;

export type AuditEventName = keyof typeof EVENT_WORDS;

/** Who makes a change. `holder`: the account's owner, on a page. `operator`: at the command line. */
export interface Actor {
  readonly actor: 'holder' | 'operator' | 'service' | 'unknown';
  /** The client's IP address; null if there is no client. */
  readonly address: string | null;
  readonly userAgent?: string;
}

export const SERVICE: Actor = { actor: 'service', address: null };
export const OPERATOR: Actor = { actor: 'operator', address: null };

const actors = new AsyncLocalStorage<Actor>();

/** Runs `work` as the actor. Each entry point of the program sets its actor once. */
export function actAs<T>(actor: Actor, work: () => T): T {
  return actors.run(actor, work);
}

/** Returns the actor of {@link actAs}; by default the service. */
export function currentActor(): Actor {
  return actors.getStore() ?? SERVICE;
}

/** Returns the account's owner as an actor. Drops the invalid addresses that some proxies send. */
export function ownerActor(address: string, userAgent = ''): Actor {
  return { actor: 'holder', address: ipaddr.isValid(address) ? ipaddr.process(address).toString() : null, userAgent };
}

interface NewEvent {
  readonly accountId: string;
  readonly event: AuditEventName;
  /** Name of the changed object; null for the account itself. Never a secret or an id. */
  readonly subject?: string | null;
  readonly now: Date;
}

/** An event as pages and exports show it. */
export type AuditEvent = Omit<Row<'audit_events'>, 'account_id'> & {
  readonly event: AuditEventName;
  readonly actor: Actor['actor'];
};

/** Sorts after every timestamp. */
const END_OF_TIME = '9999';

/**
 * Inserts one event per subject, unless the account already has the same event since `unless_since`. Inserts nothing if the account does
 * not exist or is being erased.
 */
const insertEvents = defineQuery<
  never,
  Omit<AuditEvent, 'id' | 'subject'> & { account_id: string; unless_since: string; events: string }
>((sql, { account_id, at, event, actor, address, unless_since, events }) =>
  sql.raw(
    `INSERT INTO audit_events (id, account_id, at, event, subject, actor, address)
        SELECT input.id, a.id, CAST(? AS text), CAST(? AS text), input.subject, CAST(? AS text), CAST(? AS text)
        FROM accounts a CROSS JOIN ? WHERE a.id = ? AND a.removed_at IS NULL
          AND NOT EXISTS (SELECT 1 FROM audit_events WHERE account_id = a.id AND event = ? AND at >= ?)`,
    [at, event, actor, address, jsonRows(sql, events, ['id', 'subject']), account_id, event, unless_since],
  ),
);

/** Records a change in the transaction that makes it. Records nothing if the account does not exist. */
export async function recordEvent(tx: Tx, { subject = null, ...change }: NewEvent): Promise<void> {
  await recordEvents(tx, change, [subject]);
}

/** @param unlessSince records nothing if the account already has the same event since this time */
export async function recordEvents(
  sql: Sql,
  { accountId: account_id, event, now }: Omit<NewEvent, 'subject'>,
  subjects: readonly (string | null)[],
  { actor, address }: Actor = currentActor(),
  unlessSince = END_OF_TIME,
): Promise<void> {
  if (subjects.length === 0) return;
  const events = JSON.stringify(subjects.map((subject) => ({ id: newId('evt'), subject })));
  const change = { account_id, at: now.toISOString(), event, actor, address };
  await sql.run(insertEvents({ ...change, unless_since: unlessSince, events }));
}

/** Records an event that anyone can cause, at most once per account and UTC hour, so that repetitions cannot fill the log. */
export async function recordOncePerHour(
  sql: Sql,
  { at, address, ...event }: Pick<NewEvent, 'accountId' | 'event'> & Pick<AuditEvent, 'address' | 'at'>,
): Promise<void> {
  const hour = `${at.slice(0, '2026-11-22T14'.length)}:00:00.000Z`;
  await recordEvents(sql, { ...event, now: new Date(at) }, [null], { actor: 'unknown', address }, hour);
}

/** A page of events, plus one that shows whether another page follows. */
const EVENTS_AT_ONCE = 101;

const selectEvents = defineQuery<AuditEvent, { account_id: string; before_at: string; before_id: string }>(
  (sql, { account_id, before_at, before_id }) =>
    sql('audit_events')
      .select('id', 'at', 'event', 'subject', 'actor', 'address')
      .where({ account_id })
      .whereRaw('(at, id) < (?, ?)', [before_at, before_id])
      .orderBy([
        { column: 'at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
      .limit(EVENTS_AT_ONCE),
);

/** Matches every cursor that {@link readEvents} returns. PostgreSQL rejects text with a NUL character. */
const CURSOR = /^[\x20-\x7e]*$/;

/**
 * Reads a page of events, newest first.
 * @param before `next` of the previous page; if omitted or malformed, starts with the newest event
 * @returns `next` is null if there are no older events
 */
export async function readEvents(db: Database, account_id: string, before = END_OF_TIME) {
  const [before_at = '', before_id = ''] = (CURSOR.test(before) ? before : END_OF_TIME).split(' ');
  const rows = await db.run(selectEvents({ account_id, before_at, before_id }));
  const events = rows.slice(0, EVENTS_AT_ONCE - 1);
  const last = rows.length > events.length ? events.at(-1) : undefined;
  return { events, next: last ? `${last.at} ${last.id}` : null };
}

export function exportEvents(db: Database, account_id: string): AsyncGenerator<AuditEvent, void> {
  return readPages((last: AuditEvent | undefined) =>
    db.run(selectEvents({ account_id, before_at: last?.at ?? END_OF_TIME, before_id: last?.id ?? '' })),
  );
}

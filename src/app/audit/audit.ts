import { newId } from '../../platform/ids.js';
import type { Steps } from '../../queue/steps.js';
import type { Database } from '../../store/database.js';
import type { Query } from '../../store/query.js';
import { all, execute, type Transaction } from '../../store/transaction.js';
import { type Actor, currentActor } from './actor.js';
import {
  type AuditRow,
  countEvent,
  EVENTS_AT_ONCE,
  insertEvent,
  insertEvents,
  insertTally,
  selectEvents,
  takeTallies,
  UNKNOWN_ACTOR,
} from './audit-statements.js';

/** The changes of an account's access or data that are recorded. */
export type AuditEventName =
  | 'account_created'
  | 'plan_changed'
  | 'sign_in_link_created'
  | 'sign_up_asked'
  | 'signed_in'
  | 'wrong_password'
  | 'password_link_asked'
  | 'password_changed'
  | 'signed_out'
  | 'signed_out_everywhere'
  | 'signed_out_elsewhere'
  | 'key_created'
  | 'key_revoked'
  | 'site_added'
  | 'site_verified'
  | 'ownership_forced'
  | 'ownership_lost'
  | 'site_removed'
  | 'pages_chosen'
  | 'tags_changed'
  | 'site_mail_turned_on'
  | 'site_mail_turned_off'
  | 'deploy_hook_created'
  | 'deploy_hook_removed'
  | 'schedule_set'
  | 'schedule_removed'
  | 'badge_turned_on'
  | 'badge_renewed'
  | 'badge_turned_off'
  | 'report_published'
  | 'report_renewed'
  | 'report_withdrawn'
  | 'webhook_added'
  | 'webhook_secret_changed'
  | 'webhook_enabled'
  | 'webhook_disabled'
  | 'webhook_removed'
  | 'webhook_scope_changed'
  | 'email_alerts_turned_on'
  | 'email_alerts_turned_off'
  | 'digest_turned_on'
  | 'digest_turned_off'
  | 'failure_accepted'
  | 'acceptance_removed'
  | 'evidence_downloaded'
  | 'data_exported';

/** What a page calls them. */
export type EventWords = Readonly<Record<AuditEventName, string>>;

/** What happened, and when. */
export interface NewAuditEvent {
  readonly accountId: string;
  readonly event: AuditEventName;
  /** What it happened to, as its page calls it; null for the account itself. No secret, and no id that outlives its thing. */
  readonly subject?: string | null;
  readonly now: Date;
}

/** An event as it is shown and exported. */
export interface AuditEvent {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly event: AuditEventName;
  readonly subject: string | null;
  readonly actor: Actor['actor'];
  readonly address: string | null;
  /** How often: more than 1 only where repetitions within an hour are counted. */
  readonly count: number;
}

/** A page of events, the latest first. */
export interface AuditPage {
  readonly events: readonly AuditEvent[];
  /** Leads on to the events before these; null: there are none. */
  readonly next: string | null;
}

/** Records what the transaction changes. An account that does not exist gets none. */
export function* recordEvent({ accountId, event, subject = null, now }: NewAuditEvent): Transaction<void> {
  const row = { id: newId('evt'), account_id: accountId, at: now.toISOString(), event, subject, count: 1 };
  const { actor, address } = currentActor();
  yield* execute(insertEvent({ ...row, actor, address }));
}

/** The same of many things at once, with the ids of the events: see {@link newEventId}. */
export function* recordEvents(
  { accountId, event, now }: Omit<NewAuditEvent, 'subject'>,
  events: readonly { readonly id: string; readonly subject: string }[],
): Transaction<void> {
  const common = { account_id: accountId, at: now.toISOString(), event };
  yield* execute(insertEvents({ ...common, ...currentActor(), events: JSON.stringify(events) }));
}

export function newEventId(): string {
  return newId('evt');
}

const HOUR_CHARS = '2026-11-22T14'.length;

/** What anybody can do to an account as often as they like. */
export interface StrangersEvent {
  readonly accountId: string;
  readonly event: Extract<AuditEventName, 'wrong_password' | 'sign_up_asked' | 'password_link_asked'>;
  readonly address: string | null;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** Counts it with the others of its hour, which {@link recordTallies} makes one event. */
export function countStrangersEvent({ accountId, event, address, at }: StrangersEvent): Query<never> {
  return countEvent({ id: newId('evt'), account_id: accountId, event, hour: hourOf(at), at, address });
}

export async function recordWrongPassword(db: Database, accountId: string, now: Date): Promise<void> {
  const { address } = currentActor();
  await db.run(countStrangersEvent({ accountId, event: 'wrong_password', address, at: now.toISOString() }));
}

/** Makes what was counted in hours that are over one event each, with the id that it was shown with. */
export async function* recordTallies(db: Database, now: Date): Steps {
  const hour = hourOf(now.toISOString());
  while ((await db.transaction(() => recordSomeTallies(hour))) > 0) yield;
}

function* recordSomeTallies(hour: string): Transaction<number> {
  const tallies = yield* all(takeTallies({ hour }));
  for (const tally of tallies) yield* execute(insertTally({ ...tally, subject: null, actor: UNKNOWN_ACTOR }));
  return tallies.length;
}

function hourOf(at: string): string {
  return at.slice(0, HOUR_CHARS);
}

/** Later than any time. */
const END = '9999 ';

/** What every {@link AuditPage.next} is made of. PostgreSQL refuses a text with a zero character. */
const PLACE = /^[\x20-\x7e]*$/;

/** Which events are read. */
export interface EventsAsked {
  /** A {@link AuditPage.next}; other printable ASCII is a place in the order too, and anything else the end. */
  readonly before?: string | undefined;
  /** Of these names alone; none: all of them. */
  readonly among?: readonly AuditEventName[];
}

export async function readEvents(
  db: Database,
  accountId: string,
  { before = END, among = [] }: EventsAsked = {},
): Promise<AuditPage> {
  const [before_at = '', before_id = ''] = (PLACE.test(before) ? before : END).split(' ');
  const rows = await db.run(
    selectEvents({
      account_id: accountId,
      before_at,
      before_id,
      among: JSON.stringify(among.map((event) => ({ event }))),
    }),
  );
  const shown = rows.slice(0, EVENTS_AT_ONCE - 1) as readonly (AuditRow & AuditEvent)[];
  const last = rows.length > shown.length ? shown.at(-1) : undefined;
  return { events: shown, next: last ? `${last.at} ${last.id}` : null };
}

/** Every event of an account, as its export tells them. */
export async function* eventLines(db: Database, accountId: string): AsyncGenerator<AuditEvent, void> {
  for (let before: string | undefined | null; before !== null;) {
    const { events, next }: AuditPage = await readEvents(db, accountId, { before });
    yield* events;
    before = next;
  }
}

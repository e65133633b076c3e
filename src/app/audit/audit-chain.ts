import { createHash } from 'node:crypto';
import type { Clock } from '../../platform/clock.js';
import { digestLink } from '../../platform/link-digest.js';
import type { Steps } from '../../queue/steps.js';
import { type Database, runOne } from '../../store/database.js';
import { all, execute, one, type Transaction } from '../../store/transaction.js';
import {
  type AuditLink,
  insertAuditLink,
  type LinkedEventRow,
  lockAccountToLink,
  selectAuditEnd,
  selectLinkedEvents,
  selectNextUnlinked,
  selectUnlinked,
} from './audit-chain-statements.js';
import type { AuditRow } from './audit-statements.js';
import { recordTallies } from './audit.js';

/**
 * The events of an account are a chain, as the runs of a site are. They get their links here and not where they are stored: a link needs
 * the account to itself, which is not to be had in the middle of whatever is done to it.
 */

export const LINK_EVENTS_EVERY_MS = 600_000;

/** Where the chain of an account ends. */
export interface AuditHead {
  readonly accountId: string;
  readonly number: number;
  readonly digest: string;
  /** Whether the link before the new ones is as it was made. */
  readonly isWhole: boolean;
}

/** Hears of each account whose events got links. */
export type ObserveLinkedEvents = (head: AuditHead) => void;

/**
 * Makes events of what was counted in hours that are over, and links all that have no link yet. What is refused holds up nothing else.
 * @throws for the first that was refused, when all else is done
 */
export async function* sweepEvents(db: Database, clock: Clock, onLinked: ObserveLinkedEvents): Steps {
  let fault: Error | undefined;
  try {
    yield* recordTallies(db, clock.now());
  } catch (cause) {
    fault = new Error('What was counted became no event.', { cause });
  }
  for (let done = ''; ;) {
    const next = await runOne(db, selectNextUnlinked({ after: done }));
    if (!next) break;
    let head: AuditHead | null = null;
    try {
      head = await db.transaction(() => linkSome(next.account_id));
    } catch (cause) {
      fault ??= new Error(`The events of ${next.account_id} got no links.`, { cause });
    }
    if (head) onLinked(head);
    else done = next.account_id;
    yield;
  }
  if (fault) throw fault;
}

/** Null where there was nothing to link, or the account was removed meanwhile. */
function* linkSome(account_id: string): Transaction<AuditHead | null> {
  const account = yield* one(lockAccountToLink({ id: account_id }));
  const end = yield* one(selectAuditEnd({ account_id }));
  if (!account || !end) return null;
  const events = yield* all(selectUnlinked({ account_id }));
  let [number, before] = [end.number ?? 0, end.digest];
  const newest = yield* one(selectLinkedEvents({ account_id, after: number - 1 }));
  const isWhole = newest === undefined || isProven(account_id, newest);
  const last = end.linked_at ?? '';
  const linked_at = last > end.now ? last : end.now;
  for (const event of events) {
    number += 1;
    const { epoch, epoch_id } = end;
    const link: AuditLink = { number, event_id: event.id, linked_at, content: digestEvent(event), before, epoch_id };
    const digest = digestAuditLink(account_id, link);
    const { event_id, content } = link;
    yield* execute(insertAuditLink({ account_id, number, epoch, event_id, linked_at, content, before, digest }));
    before = digest;
  }
  return before === null || events.length === 0 ? null : { accountId: account_id, number, digest: before, isWhole };
}

/** SHA-256 in hexadecimal digits of the event as its line in an export has it. */
function digestEvent({ id, at, event, subject, actor, address, count }: AuditRow): string {
  return createHash('sha256').update(JSON.stringify({ id, at, event, subject, actor, address, count })).digest('hex');
}

export function digestAuditLink(ownerId: string, link: AuditLink): string {
  const { number, event_id: reference, linked_at, content, before, epoch_id: epochId } = link;
  const format = 'agent-readiness activity chain 1';
  return digestLink({
    ...{ format, epochId, ownerId, number, reference, before },
    content: `${linked_at}\n${content}\n`,
  });
}

/** Whether link and event are as they were, as far as they tell. An event may be gone only once its link is a year old. */
export function isProven(accountId: string, row: LinkedEventRow): boolean {
  const { epoch_id } = row;
  if (epoch_id === null || digestAuditLink(accountId, { ...row, epoch_id }) !== row.digest) return false;
  return row.id === null ? row.is_past === 1 : digestEvent(row) === row.content;
}

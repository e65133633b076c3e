import { isId } from '../../platform/ids.js';
import { InputError } from '../../platform/input-error.js';
import { requireDigest } from '../../platform/link-digest.js';
import { type Database, runOne } from '../../store/database.js';
import { readPages } from '../../store/pages.js';
import { isProven } from './audit-chain.js';
import {
  type AuditedAccountRow,
  type LinkedEventRow,
  selectAuditedAccount,
  selectAuditedAccounts,
  selectLinkedEvents,
} from './audit-chain-statements.js';

/** What the chain of an account says of its events. */
export interface EventsReport {
  readonly account: string;
  /** How many have a link. */
  readonly events: number;
  /** The digest of the last link; null: there is none. */
  readonly head: string | null;
  readonly verdict: 'proven' | 'broken';
  /** The number of the first link that is changed or missing, or whose event is. */
  readonly firstUnproven: number | null;
  /** How many wait for their link, which they get within about ten minutes. */
  readonly unlinked: number;
  /** Whether a proven link has the digest that was asked for; left out where none was. */
  readonly hasExpected?: boolean;
}

export interface VerifyEventsRequest {
  /** All accounts where it is left out. */
  readonly accountId?: string | undefined;
  /** A digest that was written down when an event of the account got its link. */
  readonly expected?: string | undefined;
}

/**
 * Compares every event with its link, an account at a time, reading as it is asked for. What versions before 0014 stored has none.
 * @throws InputError for an account that is not there, and for what is not a digest
 */
export async function* verifyEvents(
  db: Database,
  { accountId, expected }: VerifyEventsRequest,
): AsyncGenerator<EventsReport> {
  if (expected !== undefined) requireDigest(expected);
  for await (const account of accountId === undefined ? accountsOf(db) : [await readAccount(db, accountId)]) {
    const first = await verifyAccount(db, account, expected);
    // Events that were cleared away while it was read look as if they were missing: not so the second time.
    const report = first.verdict === 'broken' ? await verifyAccount(db, account, expected) : first;
    if (report.verdict !== 'broken' || (await runOne(db, selectAuditedAccount({ id: account.id })))) yield report;
  }
}

async function readAccount(db: Database, id: string): Promise<AuditedAccountRow> {
  const account = isId('acc', id) ? await runOne(db, selectAuditedAccount({ id })) : undefined;
  if (!account)
    throw new InputError('There is no such account. Take its id (acc_ and 20 characters) from the list of accounts.');
  return account;
}

function accountsOf(db: Database): AsyncGenerator<AuditedAccountRow> {
  return readPages((last) => db.run(selectAuditedAccounts({ after: last?.id ?? '' })));
}

async function verifyAccount(
  db: Database,
  { id, unlinked }: AuditedAccountRow,
  expected: string | undefined,
): Promise<EventsReport> {
  let last: LinkedEventRow | null = null;
  let [events, firstUnproven, hasExpected] = [0, null as number | null, false];
  for await (const row of linksOf(db, id)) {
    const isNext: boolean = row.number === (last?.number ?? row.number - 1) + 1;
    // What is cleared away goes from the beginning, and the last link of it stays.
    const isLinked: boolean = last ? row.before === last.digest : row.number === 1 || row.id === null;
    const isInPlace = isNext && isLinked && (row.id !== null || events === 0);
    if (!isInPlace || !isProven(id, row)) firstUnproven ??= isNext ? row.number : (last?.number ?? 0) + 1;
    else hasExpected ||= row.digest === expected;
    if (row.id !== null) events += 1;
    last = row;
  }
  return {
    ...{ account: id, events, head: last?.digest ?? null },
    ...{ verdict: firstUnproven === null ? 'proven' : 'broken', firstUnproven, unlinked },
    ...(expected !== undefined && { hasExpected }),
  };
}

function linksOf(db: Database, account_id: string): AsyncGenerator<LinkedEventRow> {
  return readPages((last) => db.run(selectLinkedEvents({ account_id, after: last?.number ?? 0 })));
}

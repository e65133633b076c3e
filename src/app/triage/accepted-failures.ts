import type { Clock } from '../../platform/clock.js';
import { InputError } from '../../platform/input-error.js';
import type { FailureKind } from '../../scanner/verdict/finding.js';
import { type ErrorType, ERROR_TYPES } from '../../scanner/verdict/vocabulary.js';
import { type Database, runApart } from '../../store/database.js';
import { all, execute, one, type Transaction } from '../../store/transaction.js';
import { recordEvent } from '../audit/audit.js';
import { resultsBefore } from '../runs/history.js';
import { holdOwnSite, type OwnSite } from '../sites/own-site.js';
import type { SiteOfAccount } from '../sites/site.js';
import { deleteAccepted, selectAccepted, selectAcceptedOfAccount, upsertAccepted } from './accepted-statements.js';

/** A failure that the owner of the site means to leave as it is. */
export interface AcceptedFailure extends FailureKind {
  /** The owner's words: for the owner's pages and export alone. */
  readonly reason: string;
  /** ISO 8601, UTC. */
  readonly acceptedAt: string;
}

/** In UTF-16 code units, as a browser counts them. */
export const REASON_LENGTH_MAX = 300;

type Asked = SiteOfAccount & FailureKind;

/** What changes them rejects with ServiceError site_not_found, for another account's site too. */
export class AcceptedFailures {
  constructor(private readonly deps: { readonly db: Database; readonly clock: Clock }) {}

  list({ id }: OwnSite): Promise<readonly AcceptedFailure[]> {
    return runApart(this.deps.db, acceptedOf(id));
  }

  /**
   * Accepts a failure that the site's latest run found. Pages show it apart and alerts keep quiet about it; its score is the same.
   * @throws InputError for a reason that is missing or too long, and when that run found no such failure
   */
  async accept({ reason, ...request }: Asked & { readonly reason: string }): Promise<void> {
    const { db, clock } = this.deps;
    const words = parseReason(reason);
    await db.transaction(() => accept(request, words, clock.now()));
  }

  /** Takes that back; nothing where it was not accepted. */
  async remove(request: Asked): Promise<void> {
    const { db, clock } = this.deps;
    await db.transaction(() => remove(request, clock.now()));
  }
}

/** What is accepted of a site, by check. */
export function* acceptedOf(siteId: string): Transaction<readonly AcceptedFailure[]> {
  const rows = yield* all(selectAccepted({ site_id: siteId }));
  return rows.map(({ check_id, error_type, reason, accepted_at }) => ({
    ...{ checkId: check_id, errorType: error_type as ErrorType },
    ...{ reason, acceptedAt: accepted_at },
  }));
}

/** What is accepted of the sites of an account, by site id: absent where nothing is. */
export async function acceptedOfAccount(
  db: Database,
  account_id: string,
): Promise<ReadonlyMap<string, readonly FailureKind[]>> {
  const rows = await db.run(selectAcceptedOfAccount({ account_id }));
  const kinds = rows.map(({ site_id, check_id, error_type }) => ({
    ...{ siteId: site_id, checkId: check_id, errorType: error_type as ErrorType },
  }));
  return Map.groupBy(kinds, ({ siteId }) => siteId);
}

/** Anything but a kind of failure is answered as a failure that the site does not have. */
export function parseErrorType(text: string): ErrorType {
  if (!Object.hasOwn(ERROR_TYPES, text)) throw noSuchFailure();
  return text as ErrorType;
}

function* accept({ checkId, errorType, ...request }: Asked, reason: string, now: Date): Transaction<void> {
  const site = yield* holdOwnSite(request);
  const [run] = yield* resultsBefore(site.id, site.latestNumber + 1, 1);
  const isFound = run?.findings.some(
    (finding) => finding.checkId === checkId && finding.result === 'FAIL' && finding.errorType === errorType,
  );
  if (!isFound) throw noSuchFailure();
  const failure = { site_id: site.id, check_id: checkId, error_type: errorType };
  yield* execute(upsertAccepted({ ...failure, reason, accepted_at: now.toISOString() }));
  const subject = subjectOf(checkId, site.hostname);
  yield* recordEvent({ accountId: site.accountId, event: 'failure_accepted', subject, now });
}

function* remove({ checkId, errorType, ...request }: Asked, now: Date): Transaction<void> {
  const site = yield* holdOwnSite(request);
  const failure = { site_id: site.id, check_id: checkId, error_type: errorType };
  if (!(yield* one(deleteAccepted(failure)))) return;
  const subject = subjectOf(checkId, site.hostname);
  yield* recordEvent({ accountId: site.accountId, event: 'acceptance_removed', subject, now });
}

function subjectOf(checkId: string, hostname: string): string {
  return `${checkId} of ${hostname}`;
}

/** Control characters are not words: tabs and line breaks become a space. */
function parseReason(text: string): string {
  const words = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  if (words === '') throw new InputError('Say in a few words why this failure is accepted.', 'reason');
  if (words.length > REASON_LENGTH_MAX) {
    throw new InputError(
      `Give a reason of at most ${REASON_LENGTH_MAX} characters; this one has ${words.length}.`,
      'reason',
    );
  }
  return words;
}

function noSuchFailure(): InputError {
  return new InputError('The latest run of this site did not find this failure. Accept one that it lists.');
}

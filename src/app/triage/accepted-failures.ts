import { InputError } from '../../platform/errors.js';
import type { FailureKind } from '../../scanner/verdict/finding.js';
import type { Sql } from '../../store/database.js';
import { defineQuery, table } from '../../store/query.js';
import { recordEvent } from '../audit/audit.js';
import type { Context } from '../context.js';
import { readRunsBefore } from '../runs/run-rows.js';
import { lockOwnSite, type SiteOfAccount } from '../sites/site.js';

export interface AcceptedFailure extends FailureKind {
  /** Written by the owner. Shown only on the owner's pages and in the export. */
  readonly reason: string;
  /** ISO 8601, UTC. */
  readonly acceptedAt: string;
}

/** UTF-16 code units, like `maxlength` in HTML. */
export const REASON_LENGTH_MAX = 300;

type FailureOfSite = SiteOfAccount & FailureKind;

const accepted = table('accepted_failures');

const selectAccepted = defineQuery<AcceptedFailure, { site_id: string }>((sql, { site_id }) =>
  sql('accepted_failures')
    .select({ checkId: 'check_id', errorType: 'error_type', reason: 'reason', acceptedAt: 'accepted_at' })
    .where({ site_id })
    .orderBy(['check_id', 'error_type']),
);

/** Returns the site's accepted failures, sorted by check. */
export async function listAcceptedFailures(sql: Sql, siteId: string): Promise<readonly AcceptedFailure[]> {
  return sql.run(selectAccepted({ site_id: siteId }));
}

type TriageContext = Pick<Context, 'db' | 'clock'>;

/**
 * Accepts a failure that the site's latest run found, or changes the reason. Pages list it separately and alerts skip it; the score does
 * not change.
 * @throws ServiceError site_not_found; InputError if the reason is missing or too long, or the latest run does not have the failure
 */
export async function acceptFailure(
  { db, clock }: TriageContext,
  failure: FailureOfSite & { readonly reason: string },
): Promise<void> {
  const { checkId: check_id, errorType: error_type } = failure;
  const reason = parseReason(failure.reason);
  const now = clock.now();
  await db.transaction(async (tx) => {
    const { id: site_id, accountId, hostname, latestNumber } = await lockOwnSite(tx, failure);
    const [run] = await readRunsBefore(tx, site_id, latestNumber + 1, 1);
    const finding = run?.findings.find(({ checkId }) => checkId === check_id);
    if (finding?.result !== 'FAIL' || finding.errorType !== error_type) throw noSuchFailure();
    await tx.run(accepted.upsert({ site_id, check_id, error_type, reason, accepted_at: now.toISOString() }));
    await recordEvent(tx, { accountId, event: 'failure_accepted', subject: `${check_id} on ${hostname}`, now });
  });
}

/** Ends the acceptance of a failure. Does nothing if it was not accepted. @throws ServiceError site_not_found */
export async function removeAcceptance(
  { db, clock }: TriageContext,
  { checkId: check_id, errorType: error_type, ...site }: FailureOfSite,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { id: site_id, accountId, hostname } = await lockOwnSite(tx, site);
    if (!(await tx.one(accepted.delete({ site_id, check_id, error_type })))) return;
    const subject = `${check_id} on ${hostname}`;
    await recordEvent(tx, { accountId, event: 'acceptance_removed', subject, now: clock.now() });
  });
}

/** Trims a reason and replaces control characters, tabs and line breaks with a space. */
function parseReason(text: string): string {
  const reason = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  if (reason === '') throw new InputError('Say in a few words why you accept this failure.', 'reason');
  if (reason.length <= REASON_LENGTH_MAX) return reason;
  const message = `Enter a reason of at most ${REASON_LENGTH_MAX} characters. This one has ${reason.length}.`;
  throw new InputError(message, 'reason');
}

function noSuchFailure(): InputError {
  return new InputError('The latest run of this site did not find this failure. Accept a failure that it found.');
}

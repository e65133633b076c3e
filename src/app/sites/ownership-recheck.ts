import { DAY_MS, laterThan } from '../../platform/clock.js';
import { type Pause, yieldToEventLoop } from '../../platform/concurrency.js';
import type { Tx } from '../../store/database.js';
import { defineQuery } from '../../store/query.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { actAs, recordEvent, SERVICE } from '../audit/audit.js';
import type { Context } from '../context.js';
import type { Ownership } from './ownership.js';
import { domainOfSite, type ProofLocations, proofLocations, type ProofMethod, RECHECK_AFTER_DAYS } from './proof.js';
import { type MissingProof, NOT_MISSING, NOT_VERIFIED, type Site, siteOf, type SiteRow, siteTable } from './site.js';

export const RECHECK_EVERY_MS = 60_000;

const CHECKED_AT_ONCE = 5;

/**
 * Why a proof was not found. `absent`: DNS or the site answers without it. `gone`: the name no longer exists in DNS. `unread`: we cannot
 * tell, because nothing answers or the site refuses us.
 */
export type ProofProblem = 'absent' | 'gone' | 'unread';

/** Number of days without the proof after which the ownership ends, by the result of the last check. */
export const LOST_ON_DAY: Readonly<Record<ProofProblem, number>> = { absent: 2, gone: 3, unread: 30 };

/** Days without the proof on which the owner gets a message. */
const NOTICE_DAYS = [1, 23, 28];

/** DNS questions about names. No method rejects. */
export interface OwnershipDns {
  /** True if DNS answers that the name does not exist; false if it fails or stays silent. */
  isNameGone(name: string): Promise<boolean>;
  /** True if any answer arrives for the operator's control name. */
  answersControl(): Promise<boolean>;
}

/** A message to the owner about a proof that was not found. */
export interface MissingProofNotice {
  readonly since: string;
  readonly problem: ProofProblem;
  readonly countedDays: number;
  readonly daysLeft: number;
  /** Where to publish it. The text itself is on the site's page. */
  readonly proof: ProofLocations;
  /** Set if the proof is one record for this whole domain, which may have verified other sites of the account. */
  readonly domain?: string;
}

/** A message to the owner about an ownership that ended. */
export interface LossNotice extends Pick<MissingProofNotice, 'domain'> {
  readonly reason: ProofProblem;
}

/** Hooks for other features, which run in the transaction that stores the result. */
export interface ProofConsequences {
  onMissing(tx: Tx, site: Site, notice: MissingProofNotice, now: Date): Promise<void>;
  onLost(tx: Tx, site: Site, notice: LossNotice, now: Date): Promise<void>;
}

export interface ProofContext extends Pick<Context, 'db' | 'clock' | 'logger'> {
  readonly ownership: Pick<Ownership, 'checkProof'>;
  readonly dns: OwnershipDns;
  readonly consequences: ProofConsequences;
}

/** Selects some sites that are due. A due time after `due_at_most` was set by a wrong clock. */
const selectDueSites = defineQuery<SiteRow, { now: string; due_at_most: string }>((sql, { now, due_at_most }) =>
  sql('sites')
    .where({ is_deleting: 0 })
    .andWhere((isDue) => isDue.where('proof_due_at', '<=', now).orWhere('proof_due_at', '>', due_at_most))
    .limit(CHECKED_AT_ONCE),
);

/** Checks the proof of every verified site that is due, a few at a time. */
export async function recheckOwnership(context: ProofContext, pause: Pause = yieldToEventLoop): Promise<void> {
  const { db, clock } = context;
  for (;;) {
    const now = clock.now();
    // Later than any due time by a day, since clocks differ.
    const due_at_most = laterThan(now, (RECHECK_AFTER_DAYS + 1) * DAY_MS);
    const sites = await db.run(selectDueSites({ now: now.toISOString(), due_at_most }));
    await Promise.all(sites.map((site) => recheck(site, context)));
    if (sites.length < CHECKED_AT_ONCE) return;
    await pause();
  }
}

async function recheck(row: SiteRow, context: ProofContext): Promise<void> {
  const found = await checkSite(siteOf(row), context);
  const store = (tx: Tx) => storeResult(tx, row, found, context);
  const lost = await actAs(SERVICE, () => context.db.transaction(store));
  if (lost) context.logger.warn({ siteId: row.id, accountId: row.account_id, reason: lost }, 'site ownership lost');
}

/** `unanswered`: no DNS or HTTP answer arrived, so the fault may be ours. */
type ProofResult = ProofProblem | 'unanswered' | { readonly foundBy: ProofMethod };

async function checkSite(site: Site, { ownership, dns, logger }: ProofContext): Promise<ProofResult> {
  try {
    const attempts = await ownership.checkProof(site);
    const usedProof = attempts.find(({ method }) => method === site.verifiedBy);
    const proof = [usedProof, ...attempts].find((attempt) => attempt?.isProof);
    if (proof) return { foundBy: proof.method };
    const isAnswered = attempts.some((attempt) => attempt.isAnswered) || (await dns.answersControl());
    if (!isAnswered) return 'unanswered';
    if (await isGone(site, dns)) return 'gone';
    return usedProof?.isAbsent ? 'absent' : 'unread';
  } catch (cause) {
    logger.warn({ siteId: site.id, cause }, 'ownership check failed');
    return 'unanswered';
  }
}

/** True if neither the host nor the name of its TXT record exists. */
async function isGone(site: Site, dns: OwnershipDns): Promise<boolean> {
  const { dnsName } = proofLocations(site);
  if (dnsName === null) return false;
  return (await dns.isNameGone(new URL(site.origin).hostname)) && (await dns.isNameGone(dnsName));
}

/** Stores the outcome of a check, unless the site was verified or checked in the meantime. @returns why the ownership ended; null if it did not */
async function storeResult(
  tx: Tx,
  row: SiteRow,
  result: ProofResult,
  { clock, consequences }: ProofContext,
): Promise<ProofProblem | null> {
  const now = clock.now();
  const site = siteOf(row);
  const before = {
    id: row.id,
    is_deleting: 0,
    verified_at: row.verified_at ?? '',
    proof_due_at: row.proof_due_at ?? '',
  };
  const update = async (columns: Partial<SiteRow>): Promise<boolean> =>
    (await tx.one(siteTable.update(before, columns))) !== undefined;
  if (typeof result === 'object') {
    const proof_due_at = laterThan(now, RECHECK_AFTER_DAYS * DAY_MS);
    await update({ ...NOT_MISSING, verified_by: result.foundBy, proof_due_at });
    return null;
  }
  const proof_due_at = laterThan(now, DAY_MS);
  if (result === 'unanswered') {
    await update({ proof_due_at });
    return null;
  }
  const days = row.proof_missed_days + 1;
  const daysLeft = LOST_ON_DAY[result] - days;
  // One record may have verified other sites of its domain.
  const domain = site.verifiedBy === 'domain' ? domainOfSite(site) : null;
  const ofDomain = domain === null ? {} : { domain };
  if (daysLeft <= 0) {
    if (!(await update({ ...NOT_VERIFIED, ownership_lost_at: now.toISOString() }))) return null;
    await recordEvent(tx, { accountId: site.accountId, event: 'ownership_lost', subject: site.hostname, now });
    await consequences.onLost(tx, site, { reason: result, ...ofDomain }, now);
    return result;
  }
  const since = row.proof_missing_since ?? now.toISOString();
  const isStored = await update({ proof_due_at, proof_missing_since: since, proof_missed_days: days });
  if (isStored && NOTICE_DAYS.includes(days)) {
    const notice = { since, problem: result, countedDays: days, daysLeft, proof: proofLocations(site), ...ofDomain };
    await consequences.onMissing(tx, site, notice, now);
  }
  return null;
}

const LOST = 'the site is no longer verified, and no run starts until it is';

/** Says how long the proof has been missing, without a full stop. */
export function describeMissing({ days }: MissingProof): string {
  return `We have not found your proof on ${countOf(days, 'day')}`;
}

/** Says when the ownership ends. The stored state does not include the problem, so this names all three cases. */
export function describeDeadlines({ days }: MissingProof): string {
  const { absent, gone, unread } = LOST_ON_DAY;
  return `In ${countOf(unread - days, 'day')} ${LOST}. This happens on day ${absent} if the site answers without the proof, and on day ${gone} if its name no longer exists.`;
}

/** Says when the ownership ends if this problem persists. */
export function describeDeadline(problem: ProofProblem, daysLeft: number): string {
  switch (problem) {
    case 'absent':
      return `If it is still not there when we look a day later, ${LOST}.`;
    case 'gone':
      return `If the name does not exist on ${countOf(daysLeft, 'more day')}, ${LOST}.`;
    case 'unread':
      return `In ${countOf(daysLeft, 'day')} ${LOST}.`;
  }
}

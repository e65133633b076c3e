import { DAY_MS, isoTimeAfter } from '../platform/clock.js';
import { type Pause, yieldToEventLoop } from '../platform/concurrency.js';
import type { Tx } from '../store/database.js';
import { defineQuery } from '../store/query.js';
import { newAlert } from './alerts/alert.js';
import { notifyOwner } from './alerts/deliveries.js';
import { actAs, recordEvent, SERVICE } from './audit/audit.js';
import type { Context } from './context.js';
import { deleteEvidence } from './evidence/evidence.js';
import { withdrawReports } from './publications/publications.js';
import { LOST_ON_DAY, type ProofProblem } from './sites/missing-proof.js';
import type { Ownership } from './sites/ownership.js';
import { proofLocations, type ProofMethod, RECHECK_AFTER_DAYS } from './sites/proof.js';
import { NOT_MISSING, NOT_VERIFIED, type Site, toSite, type SiteRow, siteTable } from './sites/site.js';

export const RECHECK_EVERY_MS = 60_000;

const CHECKS_AT_ONCE = 5;

/** Notifies the owner on these days of a missing proof. */
const NOTICE_DAYS = [1, 23, 28];

/** DNS lookups that never reject. */
interface OwnershipDns {
  /** True if DNS answers that the name does not exist; false on errors and timeouts. */
  isNameGone(name: string): Promise<boolean>;
  /** True if DNS gives any answer for the operator's control name. */
  answersControl(): Promise<boolean>;
}

export interface ProofContext extends Pick<Context, 'db' | 'clock' | 'logger' | 'hasMail'> {
  readonly ownership: Pick<Ownership, 'checkProof'>;
  readonly dns: OwnershipDns;
}

/** Selects sites that are due, and sites due after `due_at_most`, a time that only a wrong clock can set. */
const selectDueSites = defineQuery<SiteRow, { now: string; due_at_most: string }>((sql, { now, due_at_most }) =>
  sql('sites')
    .where({ is_deleting: 0 })
    .andWhere((isDue) => isDue.where('proof_due_at', '<=', now).orWhere('proof_due_at', '>', due_at_most))
    .limit(CHECKS_AT_ONCE),
);

/** Checks the proof of every site that is due, a few at a time. */
export async function recheckOwnership(context: ProofContext, pause: Pause = yieldToEventLoop): Promise<void> {
  const { db, clock } = context;
  for (;;) {
    const now = clock.now();
    // The extra day allows for clocks that differ.
    const due_at_most = isoTimeAfter(now, (RECHECK_AFTER_DAYS + 1) * DAY_MS);
    const sites = await db.run(selectDueSites({ now: now.toISOString(), due_at_most }));
    await Promise.all(sites.map((site) => recheck(site, context)));
    if (sites.length < CHECKS_AT_ONCE) return;
    await pause();
  }
}

async function recheck(row: SiteRow, context: ProofContext): Promise<void> {
  const result = await checkSite(toSite(row), context);
  const store = (tx: Tx) => storeResult(tx, row, result, context);
  const lost = await actAs(SERVICE, () => context.db.transaction(store));
  if (lost) context.logger.warn({ siteId: row.id, accountId: row.account_id, reason: lost }, 'site ownership lost');
}

/** `unanswered`: neither DNS nor the site answered, so the fault may be ours. */
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

/**
 * Stores the result of a check and notifies the owner, unless the site was verified or checked in the meantime. If ownership is lost,
 * deletes the site's evidence and public reports.
 * @returns why ownership was lost; null if it was not
 */
async function storeResult(
  tx: Tx,
  row: SiteRow,
  result: ProofResult,
  { clock, hasMail }: ProofContext,
): Promise<ProofProblem | null> {
  const now = clock.now();
  const site = toSite(row);
  const { id, accountId, hostname } = site;
  const unchanged = { id, is_deleting: 0, verified_at: row.verified_at ?? '', proof_due_at: row.proof_due_at ?? '' };
  const update = async (columns: Partial<SiteRow>): Promise<boolean> =>
    (await tx.one(siteTable.update(unchanged, columns))) !== undefined;
  const dueIn = (days: number) => ({ proof_due_at: isoTimeAfter(now, days * DAY_MS) });
  const notify = (alert: Parameters<typeof notifyOwner>[2]) =>
    notifyOwner(tx, { accountId, siteId: id, hasMail }, alert, now);
  if (typeof result === 'object') {
    await update({ ...NOT_MISSING, ...dueIn(RECHECK_AFTER_DAYS), verified_by: result.foundBy });
    return null;
  }
  if (result === 'unanswered') {
    await update(dueIn(1));
    return null;
  }
  const days = row.proof_missed_days + 1;
  const daysLeft = LOST_ON_DAY[result] - days;
  if (daysLeft <= 0) {
    if (!(await update({ ...NOT_VERIFIED, ownership_lost_at: now.toISOString() }))) return null;
    await recordEvent(tx, { accountId, event: 'ownership_lost', subject: hostname, now });
    await deleteEvidence(tx, id);
    await withdrawReports(tx, id);
    await notify(newAlert('site.ownership_lost', { site: { id, hostname }, reason: result }, now));
    return result;
  }
  const since = row.proof_missing_since ?? now.toISOString();
  const isStored = await update({ ...dueIn(1), proof_missing_since: since, proof_missed_days: days });
  if (isStored && NOTICE_DAYS.includes(days)) {
    const notice = { since, problem: result, countedDays: days, daysLeft, proof: proofLocations(site) };
    await notify(newAlert('site.proof_unread', { site: { id, hostname }, ...notice }, now));
  }
  return null;
}

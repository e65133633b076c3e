import { laterThan } from '../../platform/clock.js';
import { type Pause, yieldToEventLoop } from '../../platform/concurrency.js';
import type { Tx } from '../../store/database.js';
import { defineQuery } from '../../store/query.js';
import { actAs, recordEvent, SERVICE } from '../audit/audit.js';
import type { Context } from '../context.js';
import { decideOwnership, type ProofResult, type ProofProblem, RECHECK_AFTER_DAYS } from './ownership-rule.js';
import type { Ownership } from './ownership.js';
import { domainOfSite, type OwnershipWay, type ProofLocations, proofLocations } from './proof.js';
import { missingProofOf, NOT_VERIFIED, type Site, siteOf, type SiteRow } from './site.js';

const DAY_MS = 24 * 3_600_000;

/** How often the service looks for sites that are due. */
export const RECHECK_EVERY_MS = 60_000;

const CHECKED_AT_ONCE = 5;

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

/**
 * Selects some verified sites that are due. A due time after `due_at_most` was set by a wrong clock. Sites verified by the operator need no
 * proof.
 */
const selectDueSites = defineQuery<SiteRow, { now: string; verified_before: string; due_at_most: string }>(
  (sql, { now, verified_before, due_at_most }) =>
    sql('sites')
      .where({ is_deleting: 0 })
      .whereNotNull('verified_at')
      .whereNot('verified_by', 'operator')
      .andWhere((isDue) =>
        isDue
          .where('proof_due_at', '<=', now)
          .orWhere('proof_due_at', '>', due_at_most)
          .orWhere((isFirst) => isFirst.whereNull('proof_due_at').where('verified_at', '<=', verified_before)),
      )
      .limit(CHECKED_AT_ONCE),
);

type ProofColumns = keyof typeof NOT_VERIFIED | 'ownership_lost_at';
type ProofState = { readonly [Column in ProofColumns]: SiteRow[Column] };

/** Stores what a check found, unless the site was verified or checked in the meantime. Returns a row if it was stored. */
const updateProof = defineQuery<
  object,
  ProofState & { id: string; known_verified_at: string | null; known_due_at: string | null }
>((sql, params) => {
  const { verified_at, verified_by, proof_due_at, proof_missing_since, proof_missed_days, ownership_lost_at } = params;
  return sql('sites')
    .where({ id: params.id, is_deleting: 0, verified_at: params.known_verified_at })
    .whereRaw('proof_due_at IS NOT DISTINCT FROM ?', [params.known_due_at])
    .update({ verified_at, verified_by, proof_due_at, proof_missing_since, proof_missed_days, ownership_lost_at })
    .returning('id');
});

/** Checks the proof of every verified site that is due, a few at a time. */
export async function recheckOwnership(context: ProofContext, pause: Pause = yieldToEventLoop): Promise<void> {
  const { db, clock } = context;
  for (;;) {
    const now = clock.now();
    const verified_before = laterThan(now, -RECHECK_AFTER_DAYS * DAY_MS);
    // Later than any due time by a day, since clocks differ.
    const due_at_most = laterThan(now, (RECHECK_AFTER_DAYS + 1) * DAY_MS);
    const sites = await db.run(selectDueSites({ now: now.toISOString(), verified_before, due_at_most }));
    await Promise.all(sites.map((site) => recheck(site, context)));
    if (sites.length < CHECKED_AT_ONCE) return;
    await pause();
  }
}

async function recheck(row: SiteRow, context: ProofContext): Promise<void> {
  const found = await lookForProof(siteOf(row), context);
  const store = (tx: Tx) => storeResult(tx, row, found, context);
  const lost = await actAs(SERVICE, () => context.db.transaction(store));
  if (lost) context.logger.warn({ siteId: row.id, accountId: row.account_id, reason: lost }, 'site ownership lost');
}

interface Found {
  readonly result: ProofResult;
  /** The way that proves the site now. */
  readonly by: OwnershipWay | null;
}

async function lookForProof(site: Site, { ownership, dns, logger }: ProofContext): Promise<Found> {
  try {
    const attempts = await ownership.checkProof(site);
    const given = attempts.find(({ way }) => way === site.verifiedBy);
    const proof = given?.isProof ? given : attempts.find(({ isProof }) => isProof);
    if (proof) return { result: 'found', by: proof.way };
    const isAnswered = attempts.some((attempt) => attempt.isAnswered) || (await dns.answersControl());
    if (!isAnswered) return { result: 'unanswered', by: null };
    if (await isGone(site, dns)) return { result: 'gone', by: null };
    return { result: given?.isAbsent ? 'absent' : 'unread', by: null };
  } catch (cause) {
    logger.warn({ siteId: site.id, cause }, 'ownership check failed');
    return { result: 'unanswered', by: null };
  }
}

/** True if neither the host nor the name of its TXT record exists. */
async function isGone(site: Site, dns: OwnershipDns): Promise<boolean> {
  const { dnsName } = proofLocations(site);
  if (dnsName === null) return false;
  return (await dns.isNameGone(new URL(site.origin).hostname)) && (await dns.isNameGone(dnsName));
}

/** Stores the outcome of a check, unless another process did so first. @returns why the ownership ended; null if it did not */
async function storeResult(
  tx: Tx,
  row: SiteRow,
  { result, by }: Found,
  { clock, consequences }: Pick<ProofContext, 'clock' | 'consequences'>,
): Promise<ProofProblem | null> {
  const now = clock.now();
  const site = siteOf(row);
  const { missing, dueAt, lost, notice } = decideOwnership(result, missingProofOf(row), now);
  const state: ProofState = lost
    ? { ...NOT_VERIFIED, ownership_lost_at: now.toISOString() }
    : {
        verified_at: row.verified_at,
        verified_by: by ?? row.verified_by,
        proof_due_at: dueAt,
        proof_missing_since: missing?.since ?? null,
        proof_missed_days: missing?.days ?? 0,
        ownership_lost_at: null,
      };
  const known = { known_verified_at: row.verified_at, known_due_at: row.proof_due_at };
  if (!(await tx.one(updateProof({ id: row.id, ...known, ...state })))) return null;
  // One record may have verified other sites of its domain.
  const domain = site.verifiedBy === 'domain' ? domainOfSite(site) : null;
  const ofDomain = domain === null ? {} : { domain };
  if (lost) {
    await recordEvent(tx, { accountId: site.accountId, event: 'ownership_lost', subject: site.hostname, now });
    await consequences.onLost(tx, site, { reason: lost, ...ofDomain }, now);
  } else if (missing && notice) {
    const { since, days: countedDays } = missing;
    const message = { since, countedDays, ...notice, proof: proofLocations(site), ...ofDomain };
    await consequences.onMissing(tx, site, message, now);
  }
  return lost;
}

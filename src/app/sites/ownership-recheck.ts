import { type Clock, laterThan } from '../../platform/clock.js';
import type { Logger } from '../../platform/logging.js';
import type { AnnounceJobs } from '../../queue/job.js';
import type { Steps } from '../../queue/steps.js';
import type { Database } from '../../store/database.js';
import { execute, one, type Transaction } from '../../store/transaction.js';
import { ownershipLost } from '../alerts/alert-event.js';
import { mailAccount } from '../alerts/outbox.js';
import { actAs, SERVICE } from '../audit/actor.js';
import { recordEvent } from '../audit/audit.js';
import { deleteEvidence } from '../evidence/evidence-statements.js';
import type { Ownership, OwnershipAttempt } from './ownership.js';
import { RECHECKED_AT_ONCE, type RecheckedRow, selectSitesToRecheck, updateProof } from './recheck-statements.js';
import { siteOf } from './sites.js';

const DAY_MS = 24 * 3_600_000;

/** How often the proof of a verified site is looked for again. */
export const RECHECK_AFTER_DAYS = 30;

/** How often the sites that are due are looked up. */
export const RECHECK_EVERY_MS = 60_000;

export interface RecheckDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly announce: AnnounceJobs;
  readonly ownership: Pick<Ownership, 'look'>;
  /** Whether the operator has configured a mail server. */
  readonly hasMail: boolean;
}

/**
 * Looks for the proof of verified sites again, some at a time. Ownership is lost when the proof is absent twice, at least a day
 * apart: the way by which the site was verified says for certain that it is not there ({@link OwnershipAttempt.isAbsent}), and no
 * other way proves it. Whatever says nothing for certain, such as a site that cannot be reached, is asked again a day later.
 */
export async function* recheckOwnership(deps: RecheckDeps): Steps {
  for (;;) {
    const now = deps.clock.now();
    const verified_before = laterThan(now, -RECHECK_AFTER_DAYS * DAY_MS);
    const sites = await deps.db.run(selectSitesToRecheck({ now: now.toISOString(), verified_before }));
    await Promise.all(sites.map((site) => recheck(site, deps)));
    if (sites.length < RECHECKED_AT_ONCE) return;
    yield;
  }
}

async function recheck(site: RecheckedRow, deps: RecheckDeps): Promise<void> {
  const { db, clock, logger, announce, ownership } = deps;
  const { id: siteId, account_id: accountId } = site;
  const attempts = await ownership.look(siteOf(site)).catch((cause: unknown) => {
    logger.warn({ siteId, cause }, 'the proof of ownership could not be looked for');
    return [];
  });
  const isLost = await actAs(SERVICE, () => db.transaction(() => settle(site, attempts, clock.now(), deps.hasMail)));
  if (!isLost) return;
  logger.warn({ siteId, accountId }, 'the ownership of a site was lost: its proof is gone');
  announce('deliveries');
}

/** @returns whether the ownership was lost */
function* settle(
  site: RecheckedRow,
  attempts: readonly OwnershipAttempt[],
  now: Date,
  hasMail: boolean,
): Transaction<boolean> {
  const { id, verified_at, verified_by, account_id: accountId, hostname } = site;
  const kept = { id, verified_when_read: verified_at, verified_at, verified_by, ownership_lost_at: null };
  const given = attempts.find(({ way }) => way === verified_by);
  const proof = given?.isProof ? given : attempts.find(({ isProof }) => isProof);
  if (proof) {
    const proof_due_at = laterThan(now, RECHECK_AFTER_DAYS * DAY_MS);
    yield* one(updateProof({ ...kept, verified_by: proof.way, proof_due_at, proof_missing_since: null }));
    return false;
  }
  // What was missing before the site was verified is over.
  const before = site.proof_missing_since;
  const since = before !== null && before > verified_at ? before : null;
  if (!given?.isAbsent || since === null || since > laterThan(now, -DAY_MS)) {
    const proof_missing_since = given?.isAbsent ? (since ?? now.toISOString()) : since;
    yield* one(updateProof({ ...kept, proof_due_at: laterThan(now, DAY_MS), proof_missing_since }));
    return false;
  }
  const none = { verified_at: null, verified_by: null, proof_due_at: null, proof_missing_since: null };
  if (!(yield* one(updateProof({ ...kept, ...none, ownership_lost_at: now.toISOString() })))) return false;
  yield* execute(deleteEvidence({ site_id: id }));
  yield* recordEvent({ accountId, event: 'ownership_lost', subject: hostname, now });
  if (hasMail) yield* mailAccount({ accountId, siteId: id }, ownershipLost({ id, hostname }, now), now);
  return true;
}

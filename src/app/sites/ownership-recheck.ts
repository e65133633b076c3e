import { type Clock, laterThan } from '../../platform/clock.js';
import type { Steps } from '../../queue/steps.js';
import type { Database } from '../../store/database.js';
import { actAs, SERVICE } from '../audit/actor.js';
import { recordOf } from './domain-record.js';
import { bringRecordForward } from './domain-record-statements.js';
import { domainOf, judgeDays, seekWitness } from './ownership-days.js';
import { lookForProof, type ProofLook, type ProofLookDeps } from './proof-look.js';
import { RECHECKED_AT_ONCE, type RecheckedRow, selectSitesToRecheck } from './recheck-statements.js';
import { type ProofConsequences, RECHECK_AFTER_DAYS, settleProof } from './settle-proof.js';

const DAY_MS = 24 * 3_600_000;

/** How often the sites that are due are looked up. */
export const RECHECK_EVERY_MS = 60_000;

export interface RecheckDeps extends ProofLookDeps {
  readonly consequences: ProofConsequences;
  readonly db: Database;
  readonly clock: Clock;
}

/**
 * Looks for the proof of verified sites again, some at a time; where it is not found, once a day from then on. Ownership is lost
 * - when the proof is absent twice, at least a day apart: the way by which the site was verified says for certain that it is not there,
 *   and no other way proves it;
 * - when it was not found on 30 counted days, whatever the reason, or on 3 on which the DNS said that the name does not exist.
 *
 * A day counts once it is over, if we looked and saw that we can see proofs (ownership-days.ts).
 */
export async function* recheckOwnership(deps: RecheckDeps): Steps {
  const { db, clock, logger } = deps;
  await judgeDays(db, clock.now(), logger);
  for (;;) {
    const now = clock.now();
    const verified_before = laterThan(now, -RECHECK_AFTER_DAYS * DAY_MS);
    // A day more than any, since clocks differ.
    const due_at_most = laterThan(now, (RECHECK_AFTER_DAYS + 1) * DAY_MS);
    const sites = await db.run(selectSitesToRecheck({ now: now.toISOString(), verified_before, due_at_most }));
    await recheck(sites, deps);
    if (sites.length < RECHECKED_AT_ONCE) return;
    yield;
  }
}

/** What was found first: it shows what the rest is worth. */
async function recheck(sites: readonly RecheckedRow[], deps: RecheckDeps): Promise<void> {
  const looks = await Promise.all(sites.map((site) => lookForProof(site, deps)));
  const missed = looks.filter(({ kind }) => kind === 'missed');
  await Promise.all(looks.filter((look) => !missed.includes(look)).map((look) => settle(look, deps)));
  const lookAtWitness = (site: RecheckedRow): Promise<boolean> => lookAtOne(site, deps);
  for (const domain of new Set(missed.map(({ site }) => domainOf(site)))) {
    await seekWitness(domain, { ...deps, lookAtWitness });
  }
  await Promise.all(missed.map((look) => settle(look, deps)));
  await lookAtNeighbours(missed, deps);
}

/** What has lost the record of its domain has not lost it alone: all that the record verified are looked at on one day. */
async function lookAtNeighbours(missed: readonly ProofLook[], { db, clock }: RecheckDeps): Promise<void> {
  const now = clock.now().toISOString();
  const records = missed.flatMap((look) => {
    const isNews = look.kind === 'missed' && look.isAbsent && look.site.unread_since === null;
    return isNews ? (recordOf(look.site) ?? []) : [];
  });
  for (const record of new Map(records.map((one) => [one.account_id + one.domain, one])).values())
    await db.run(bringRecordForward({ ...record, now }));
}

/** A site that is not due has nothing to lose. */
async function lookAtOne(site: RecheckedRow, deps: RecheckDeps): Promise<boolean> {
  const look = await lookForProof(site, deps);
  if (look.kind !== 'found') return false;
  await settle(look, deps);
  return true;
}

async function settle(look: ProofLook, { db, clock, logger, consequences }: RecheckDeps): Promise<void> {
  const { id: siteId, account_id: accountId } = look.site;
  const options = { now: clock.now(), ...consequences };
  const lostBy = await actAs(SERVICE, () => db.transaction(() => settleProof(look, options)));
  if (lostBy) logger.warn({ siteId, accountId, reason: lostBy }, 'site ownership lost');
}

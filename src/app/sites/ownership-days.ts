import { createHash } from 'node:crypto';
import { type Clock, laterThan, utcDay } from '../../platform/clock.js';
import type { Logger } from '../../platform/logging.js';
import { newId } from '../../platform/ids.js';
import { siteKey } from '../../scanner/artifacts/site-address.js';
import { type Database, runOne } from '../../store/database.js';
import { one, type Transaction } from '../../store/transaction.js';
import {
  closeDays,
  markControlResolved,
  type OwnershipDayRow,
  selectCountedDay,
  selectOwnershipDay,
  takeWitnessLook,
} from './ownership-day-statements.js';
import type { OwnershipNames } from './proof-look.js';
import type { RecheckedRow } from './recheck-statements.js';
import { LOST_AFTER_DAYS } from './unread-proof.js';
import { selectOtherDomain, selectWitnesses } from './witness-statements.js';

const DAY_MS = 24 * 3_600_000;

/** So many sites are asked in a day only to see a proof. Where none of them has shown one, it is rather we who see nothing. */
const WITNESS_LOOKS_A_DAY = 30;

/** What shows that a proof could have been seen. */
export interface WitnessDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** Asked only where all sites are of one registrable domain. */
  readonly names: Pick<OwnershipNames, 'resolvesControl'>;
  /** Looks for the proof of a site that is not due, and keeps it where it is found. @returns whether it was */
  readonly lookAtWitness: (site: RecheckedRow) => Promise<boolean>;
}

/** The registrable domain of a site. */
export function domainOf({ origin }: Pick<RecheckedRow, 'origin'>): string {
  return siteKey(new URL(origin));
}

/** Only compared, so that the table says of nobody's domain that it is here. */
export function digestOfDomain(domain: string): string {
  return createHash('sha256').update(domain).digest('hex');
}

/** Whether on this day the proof of another domain was seen, or what stands for it where there is no other. */
export function isWitnessed(day: OwnershipDayRow | undefined, domain: string): boolean {
  if (!day) return false;
  if (day.control_resolved === 1 || day.other_proof_domain !== null) return true;
  return day.proof_domain !== null && day.proof_domain !== digestOfDomain(domain);
}

/** Whether a day that is over counts for the sites of a domain. */
export function* isDayCounted(day: string, domain: string): Transaction<boolean> {
  return isWitnessed(yield* one(selectCountedDay({ day })), domain);
}

/** Judges the days that are over. Those on which too many proofs went at once count for nobody, and are the operator's to look into. */
export async function judgeDays(db: Database, now: Date, logger: Pick<Logger, 'error'>): Promise<void> {
  for (const { day, asked, newly_unread, is_void } of await db.run(closeDays({ today: utcDay(now) }))) {
    if (is_void === 0) continue;
    logger.error({ day, asked, newlyUnread: newly_unread }, 'too many proofs missing on one day');
  }
}

/**
 * Sees to it that today can count for the sites of a domain, as far as that depends on us: while no proof of another domain has been seen,
 * sites that are not due are asked, or where there are none, the control name.
 */
export async function seekWitness(domain: string, deps: WitnessDeps): Promise<void> {
  const { db, clock, names, lookAtWitness } = deps;
  const now = clock.now();
  const day = utcDay(now);
  if (isWitnessed(await runOne(db, selectOwnershipDay({ day })), domain)) return;
  for (const site of await findWitnesses(db, domain)) {
    if (!(await runOne(db, takeWitnessLook({ day, limit: WITNESS_LOOKS_A_DAY })))) return;
    if (await lookAtWitness(site)) return;
  }
  const unread_before = laterThan(now, -LOST_AFTER_DAYS * DAY_MS);
  if (await runOne(db, selectOtherDomain({ domain, unread_before }))) return;
  if (await names.resolvesControl()) await db.run(markControlResolved({ day }));
}

/** Others each time: ids are random, and so is where the search begins. */
async function findWitnesses(db: Database, domain: string): Promise<readonly RecheckedRow[]> {
  const found = await db.run(selectWitnesses({ domain, from: newId('site') }));
  return found.length > 0 ? found : db.run(selectWitnesses({ domain, from: '' }));
}

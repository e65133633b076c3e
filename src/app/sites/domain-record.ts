import { all, execute, one, type Transaction } from '../../store/transaction.js';
import {
  markToldOfRecord,
  type RecordKey,
  selectFirstOfRecord,
  selectToldOfRecord,
} from './domain-record-statements.js';
import { domainOfSite } from './ownership.js';
import type { RecheckedRow } from './recheck-statements.js';
import { LOSS_TOLD } from './unread-proof.js';
import { selectUnreadProof } from './unread-proof-statements.js';

type VerifiedRow = Pick<RecheckedRow, 'account_id' | 'origin' | 'verified_by'>;

/** The record of a domain by which a site was verified, as were others of its account; null: it has a proof of its own. */
export function recordOf(site: VerifiedRow): RecordKey | null {
  const domain = site.verified_by === 'domain' ? domainOfSite(site) : null;
  return domain === null ? null : { account_id: site.account_id, domain };
}

/**
 * How often a site counts in the figures of a day. A record is one proof, however many sites it verified: the first of them stands for all, so
 * that the loss of one record is not taken for an outage of ours, nor many finds of one record for many proofs.
 */
export function* weightOf(site: VerifiedRow & Pick<RecheckedRow, 'id'>): Transaction<0 | 1> {
  const record = recordOf(site);
  return record === null || (yield* one(selectFirstOfRecord(record)))?.id === site.id ? 1 : 0;
}

/** What the owner was told of a missing proof: how many of the notices, and whether that the end is near. */
export interface Told {
  readonly told: number;
  readonly is_end_told: number;
}

/** The most that was told of another site with the same record. The row of the day has to be locked, so that sites of one record take turns. */
export function* toldOfOthers(site: RecheckedRow): Transaction<Told | null> {
  const record = recordOf(site);
  const [others] = record === null ? [] : yield* all(selectToldOfRecord({ ...record, id: site.id }));
  const { told = null, is_end_told = null } = others ?? {};
  return told === null ? null : { told, is_end_told: is_end_told ?? 0 };
}

/**
 * Whether the owner knows by another site that the record is lost. If not, this one tells, and those are marked that are as late as it is: a
 * site with days left has notices of its own to come. Locks as before.
 */
export function* isLossKnown(site: RecheckedRow): Transaction<boolean> {
  const record = recordOf(site);
  if (record === null) return false;
  const unread = yield* one(selectUnreadProof({ site_id: site.id, due_at: site.proof_due_at }));
  if (unread !== undefined && unread.told >= LOSS_TOLD) return true;
  yield* execute(markToldOfRecord({ ...record, told: LOSS_TOLD, days: unread?.days ?? 0 }));
  return false;
}

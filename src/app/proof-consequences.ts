import { ownershipLost, proofUnread } from './alerts/alert-event.js';
import { tellAccount } from './alerts/outbox.js';
import { dropEvidence } from './evidence/evidence.js';
import { dropSharedReports } from './sharing/shared-reports.js';
import type { ProofConsequences } from './sites/settle-proof.js';

/**
 * What features after the sites do when a proof is not found: the owner is told. Once the ownership is lost, evidence and public reports are dropped.
 * @param hasMail whether the operator has configured a mail server
 */
export function proofConsequences(hasMail: boolean): ProofConsequences {
  return {
    *onUnread({ id, hostname, accountId }, notice, { now, isKnown }) {
      const event = proofUnread({ id, hostname }, notice, now);
      yield* tellAccount({ accountId, siteId: id, hasMail, isKnown }, event, now);
    },
    *onLost({ id, hostname, accountId }, notice, { now, isKnown }) {
      yield* dropEvidence(id);
      yield* dropSharedReports(id);
      const event = ownershipLost({ id, hostname }, notice, now);
      yield* tellAccount({ accountId, siteId: id, hasMail, isKnown }, event, now);
    },
  };
}

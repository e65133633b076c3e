import { ownershipLost, proofUnread } from './alerts/alert-event.js';
import { tellAccount } from './alerts/outbox.js';
import { dropEvidence } from './evidence/evidence.js';
import { dropSharedReports } from './sharing/shared-reports.js';
import type { ProofConsequences } from './sites/settle-proof.js';

/**
 * What a proof that is not found means for features after the sites: with the ownership the evidence and the public reports go, and the owner hears of both.
 * @param hasMail whether the operator has configured a mail server
 */
export function proofConsequences(hasMail: boolean): ProofConsequences {
  return {
    *onUnread({ id, hostname, accountId }, notice, now) {
      yield* tellAccount({ accountId, siteId: id, hasMail }, proofUnread({ id, hostname }, notice, now), now);
    },
    *onLost({ id, hostname, accountId }, reason, now) {
      yield* dropEvidence(id);
      yield* dropSharedReports(id);
      yield* tellAccount({ accountId, siteId: id, hasMail }, ownershipLost({ id, hostname }, reason, now), now);
    },
  };
}
